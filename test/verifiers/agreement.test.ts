import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterAnswers, countPairs, kappa, phi, rolePairs } from "../../verifiers/agreement.js";

describe("clusters of answers", () => {
  it("puts equal ones together, largest first, and leaves out who gave none", () => {
    const answers = ["3 m", null, "5 m", "300 cm", "5.0 m", "0.005 km"];
    const metres = [3, Number.NaN, 5, 3, 5, 5];
    expect(clusterAnswers(answers, (a, b) => metres[a] === metres[b])).toEqual([
      { answer: "5 m", members: [2, 4, 5] },
      { answer: "3 m", members: [0, 3] },
    ]);
  });

  it("does not let a chain of near equals grow", () => {
    const values = [1, 1.8, 2.6];
    const clusters = clusterAnswers(["1", "1.8", "2.6"], (a, b) => Math.abs(values[a]! - values[b]!) < 1);
    expect(clusters.map((c) => c.members)).toEqual([[0, 1], [2]]);
  });
});

describe("two judges", () => {
  it("are counted where both have judged", () => {
    expect(
      countPairs([
        [true, true],
        [true, false],
        [false, true],
        [false, false],
        [true, true],
      ]),
    ).toEqual({
      both: 2,
      first: 1,
      second: 1,
      neither: 1,
    });
  });

  it("have the phi that the correlation of 0 and 1 is", () => {
    const count = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(count, count, count, count, (both, first, second, neither) => {
        const counts = { both, first, second, neither };
        const xs = [
          ...new Array(both).fill([1, 1]),
          ...new Array(first).fill([1, 0]),
          ...new Array(second).fill([0, 1]),
          ...new Array(neither).fill([0, 0]),
        ] as [number, number][];
        const result = phi(counts);
        const r = correlation(xs);
        if (result === null) {
          expect(Number.isFinite(r)).toBe(false);
          return;
        }
        expect(result.estimate).toBeCloseTo(r, 10);
        expect(result.low).toBeLessThanOrEqual(result.estimate);
        expect(result.high).toBeGreaterThanOrEqual(result.estimate);
      }),
    );
  });

  it("say the same always, never and by chance", () => {
    expect(phi({ both: 5, first: 0, second: 0, neither: 5 })).toMatchObject({ estimate: 1, high: 1 });
    expect(phi({ both: 0, first: 5, second: 5, neither: 0 })).toMatchObject({ estimate: -1, low: -1 });
    expect(phi({ both: 25, first: 25, second: 25, neither: 25 })).toMatchObject({ estimate: 0 });
    expect(phi({ both: 9, first: 0, second: 3, neither: 0 })).toBeNull();
  });

  it("have the kappa of a worked example", () => {
    // Wikipedia's and many textbooks' grant example: 20, 5, 10, 15 give 0.4.
    const result = kappa({ both: 20, first: 5, second: 10, neither: 15 })!;
    expect(result.estimate).toBeCloseTo(0.4, 12);
    // By the formula of Fleiss, Cohen and Everitt the standard error is 0.1270.
    expect((result.high - result.low) / 2 / 1.959964).toBeCloseTo(0.127, 3);
    expect(kappa({ both: 7, first: 0, second: 0, neither: 0 })).toBeNull();
    expect(kappa({ both: 4, first: 0, second: 0, neither: 6 })).toEqual({ estimate: 1, low: 1, high: 1 });
    expect(kappa({ both: 0, first: 0, second: 0, neither: 0 })).toBeNull();
  });
});

describe("pairs of roles", () => {
  const sample = (role: string, outcome: "right" | "wrong" | "undecided" | "no_reply") => ({ role, outcome });

  it("take the first graded draws of two roles, and the first two of one", () => {
    const rows = [
      [sample("b", "right"), sample("a", "no_reply"), sample("a", "wrong"), sample("b", "wrong")],
      [sample("a", "right"), sample("b", "right"), sample("a", "right")],
      [sample("a", "undecided"), sample("b", "right")],
    ];
    expect(rolePairs(rows)).toEqual([
      { roles: ["a", "a"], counts: { both: 1, first: 0, second: 0, neither: 0 } },
      { roles: ["a", "b"], counts: { both: 1, first: 0, second: 1, neither: 0 } },
      { roles: ["b", "b"], counts: { both: 0, first: 1, second: 0, neither: 0 } },
    ]);
  });
});

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const n = pairs.length;
  const mean = (at: 0 | 1) => pairs.reduce((s, p) => s + p[at], 0) / n;
  const [mx, my] = [mean(0), mean(1)];
  const sum = (f: (p: readonly [number, number]) => number) => pairs.reduce((s, p) => s + f(p), 0);
  const covariance = sum(([x, y]) => (x - mx) * (y - my));
  return covariance / Math.sqrt(sum(([x]) => (x - mx) ** 2) * sum(([, y]) => (y - my) ** 2));
}
