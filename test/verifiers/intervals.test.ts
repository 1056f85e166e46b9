import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clopperPearson, normalQuantile, type Rate, wilson } from "../../verifiers/intervals.js";

/** Probability of at most x of n, summed from the end where nothing underflows. */
function binomialUpTo(x: number, n: number, p: number): number {
  if (p > 0.5) return 1 - binomialUpTo(n - x - 1, n, 1 - p);
  let term = (1 - p) ** n;
  let sum = 0;
  for (let i = 0; i <= x; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return sum;
}

const counts = fc
  .integer({ min: 1, max: 300 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

describe("Wilson's interval", () => {
  it.each([
    [0, 4, 0, 0.4899],
    [0, 73, 0, 0.05],
    [1, 4, 0.0456, 0.6994],
    [4, 4, 0.5101, 1],
    // Newcombe 1998, Statistics in Medicine 17, 857, table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i in %i is %f to %f", (x, n, low, high) => {
    const rate = wilson(x, n);
    expect(rate.low).toBeCloseTo(low, 4);
    expect(rate.high).toBeCloseTo(high, 4);
  });

  it("ends where the distance is z standard errors of the rate there", () => {
    fc.assert(
      fc.property(counts, ([x, n]) => {
        const { low, high } = wilson(x, n);
        for (const p of [low, high]) {
          if (p === 0 || p === 1) continue;
          expect((x / n - p) ** 2).toBeCloseTo((1.959963984540054 ** 2 * p * (1 - p)) / n, 9);
        }
      }),
    );
  });
});

describe("the interval of Clopper and Pearson", () => {
  it.each([
    [0, 4, 0, 1 - 0.025 ** (1 / 4)],
    [4, 4, 0.025 ** (1 / 4), 1],
    // Newcombe 1998, table I, method 5.
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [0, 20, 0, 0.1684],
    [1, 29, 0.0009, 0.1776],
  ])("of %i in %i is %f to %f", (x, n, low, high) => {
    const rate = clopperPearson(x, n);
    expect(rate.low).toBeCloseTo(low, 4);
    expect(rate.high).toBeCloseTo(high, 4);
  });

  it("leaves half of the doubt on each side, exactly", () => {
    fc.assert(
      fc.property(counts, ([x, n]) => {
        const { low, high } = clopperPearson(x, n);
        if (x > 0) expect(1 - binomialUpTo(x - 1, n, low)).toBeCloseTo(0.025, 8);
        if (x < n) expect(binomialUpTo(x, n, high)).toBeCloseTo(0.025, 8);
      }),
    );
  });
});

describe("both", () => {
  const methods: ((x: number, n: number, confidence?: number) => Rate)[] = [wilson, clopperPearson];

  it("hold the estimate, mirror under exchange and grow with confidence", () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(...methods), ([x, n], method) => {
        const rate = method(x, n);
        const mirrored = method(n - x, n);
        expect(rate.low).toBeLessThanOrEqual(x / n);
        expect(rate.high).toBeGreaterThanOrEqual(x / n);
        expect(mirrored.low).toBeCloseTo(1 - rate.high, 9);
        const wider = method(x, n, 0.99);
        expect(wider.low).toBeLessThanOrEqual(rate.low);
        expect(wider.high).toBeGreaterThanOrEqual(rate.high);
      }),
    );
  });

  it.each(methods)("know nothing without a trial, and refuse what is no count (%#)", (method) => {
    expect(method(0, 0)).toEqual({ successes: 0, trials: 0, estimate: null, low: 0, high: 1 });
    expect(() => method(5, 4)).toThrow(RangeError);
    expect(() => method(-1, 4)).toThrow(RangeError);
    expect(() => method(1, 4, 1)).toThrow(RangeError);
  });
});

describe("quantiles of the normal distribution", () => {
  it.each([
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.95, 1.6448536269514722],
    [0.995, 2.5758293035489004],
    [0.001, -3.090232306167813],
    [1e-9, -5.997807015007686],
  ])("%d is %d", (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 10);
  });
});
