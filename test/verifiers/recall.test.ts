import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hitRate, missProbability, reach } from "../../verifiers/recall.js";

describe("how far k samples reach", () => {
  it.each([
    [0.5, 4, 1, 0.0625],
    [1 / 3, 4, 1, 16 / 81],
    [0.5, 4, 2, 5 / 16],
    [0, 4, 1, 1],
    [1, 4, 1, 0],
    [1, 4, 3, 0],
    [0.3, 2, 3, 1],
  ])("a rate of %d passes %i samples of which %i must be right with %d", (rate, k, need, missed) => {
    expect(missProbability(rate, k, need)).toBeCloseTo(missed, 12);
  });

  it("finds at 95 % what 1 − 0.05^(1/k) says", () => {
    for (const k of [1, 4, 8, 73]) expect(reach(k)).toBeCloseTo(1 - 0.05 ** (1 / k), 12);
    expect(reach(4, 5)).toBe(1);
  });

  it("reaches further with more samples and less far with a laxer rule", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 10 }), (k, need) => {
        fc.pre(need <= k);
        expect(reach(k + 1, need)).toBeLessThan(reach(k, need));
        expect(reach(k, need + 1)).toBeGreaterThanOrEqual(reach(k, need));
        expect(missProbability(reach(k, need), k, need)).toBeCloseTo(0.05, 9);
      }),
    );
  });
});

describe("the hit rate of one draw", () => {
  const row = (cluster: string, ...right: number[]) => ({ cluster, right: right.map((r) => r === 1) });

  it("looks at the rows that earlier draws let through", () => {
    const rows = [row("a", 1), row("b", 0, 1), row("c", 0, 0, 0), row("d", 0, 0, 1), row("e", 0, 1)];
    expect(hitRate(rows, 0)).toMatchObject({ successes: 1, trials: 5 });
    expect(hitRate(rows, 1)).toMatchObject({ successes: 2, trials: 4 });
    expect(hitRate(rows, 2)).toMatchObject({ successes: 1, trials: 2 });
    expect(hitRate(rows, 3)).toMatchObject({ trials: 0, high: 1 });
  });

  it("is the same whether sampling stopped early or not", () => {
    const sample = fc.record({
      cluster: fc.constantFrom("a", "b", "c"),
      right: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 30 }), fc.integer({ min: 0, max: 3 }), (rows, at) => {
        const stopped = rows.map(({ cluster, right }) => {
          const first = right.indexOf(true);
          return { cluster, right: first < 0 ? right : right.slice(0, first + 1) };
        });
        expect(hitRate(stopped, at)).toEqual(hitRate(rows, at));
      }),
    );
  });
});
