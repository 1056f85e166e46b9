import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Random, stream } from "../../pipeline/base/random.js";
import { clusteredWilson, type Trial } from "../../verifiers/clusters.js";
import { wilson } from "../../verifiers/intervals.js";

const trials = (cluster: string, ...successes: number[]): Trial[] =>
  successes.map((s) => ({ cluster, success: s === 1 }));

describe("a rate over clusters", () => {
  it("is the plain interval when each trial is its own cluster", () => {
    const all = [1, 0, 0, 0, 1, 0].flatMap((s, i) => trials(`${i}`, s));
    expect(clusteredWilson(all)).toEqual({ ...wilson(2, 6), clusters: 6, effective: 6 });
    expect(clusteredWilson([0, 0, 0, 0].flatMap((s, i) => trials(`${i}`, s)))).toMatchObject(wilson(0, 4));
  });

  it("counts clusters, not trials, where nothing succeeded", () => {
    const all = ["a", "b", "c", "d"].flatMap((c) => trials(c, ...new Array(20).fill(0)));
    const rate = clusteredWilson(all);
    expect(rate).toMatchObject({ trials: 80, clusters: 4, effective: 4, estimate: 0 });
    expect(rate.high).toBeCloseTo(0.4899, 4);
  });

  it("counts clusters where each is all or nothing", () => {
    const all = [1, 0, 0, 0, 0, 1, 0, 0].flatMap((s, i) => trials(`${i}`, ...new Array(10).fill(s)));
    const rate = clusteredWilson(all);
    // Spread 8/7·8·10²·p(1 − p)/80² over p(1 − p)/80 is 8/7·10, more than clusters wholly alike can have.
    expect(rate.effective).toBeCloseTo(8, 12);
    expect(rate.estimate).toBe(0.25);
  });

  it("knows nothing without a trial", () => {
    expect(clusteredWilson([])).toMatchObject({ trials: 0, clusters: 0, effective: 0, low: 0, high: 1 });
  });

  const trial = fc.record({ cluster: fc.constantFrom("a", "b", "c", "d", "e"), success: fc.boolean() });

  it("is never narrower than the number of trials or wider than one trial allows, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.array(trial, { minLength: 1, maxLength: 60 }), fc.integer(), (all, by) => {
        const rate = clusteredWilson(all);
        expect(rate.effective).toBeLessThanOrEqual(all.length);
        expect(rate.effective).toBeGreaterThanOrEqual(1 - 1e-12);
        expect(rate.low).toBeLessThanOrEqual(rate.estimate!);
        expect(rate.high).toBeGreaterThanOrEqual(rate.estimate!);
        const turned = all.map((_, i) => all[(i + Math.abs(by % all.length)) % all.length]!);
        expect(clusteredWilson(turned)).toEqual(rate);
      }),
    );
  });
});

describe("coverage, where the trials of a cluster are alike", () => {
  /** 50 entities with 8 questions each; an entity is known with probability `rate`, and then nine questions in ten are. */
  function draw(random: Random, rate: number): Trial[] {
    return Array.from({ length: 50 }, (_, c) => {
      const p = random.next() < rate ? 0.9 : 0;
      return Array.from({ length: 8 }, () => ({ cluster: `${c}`, success: random.next() < p }));
    }).flat();
  }

  it.each([0.05, 0.2, 0.5])(
    "is what it says at %d, and far less for the interval that ignores clusters",
    (rate) => {
      const random = stream("coverage", rate);
      const truth = rate * 0.9;
      let [clustered, plain] = [0, 0];
      for (let i = 0; i < 400; i++) {
        const trials = draw(random, rate);
        const held = (r: { low: number; high: number }) => (r.low <= truth && truth <= r.high ? 1 : 0);
        clustered += held(clusteredWilson(trials));
        plain += held(wilson(trials.filter((t) => t.success).length, trials.length));
      }
      expect(clustered / 400).toBeGreaterThan(0.92);
      expect(plain / 400).toBeLessThan(0.7);
    },
  );
});
