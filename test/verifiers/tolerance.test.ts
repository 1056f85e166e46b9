import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requiredGap } from "../../verifiers/margin.js";
import { formatValue } from "../../verifiers/numbers.js";
import {
  gradingTolerance,
  halfDigit,
  OTHER_READING_DISTANCE,
  roundUp,
  tooClose,
} from "../../verifiers/tolerance.js";

describe("a grading tolerance", () => {
  it("covers whoever starts from another published value and rounds as asked: 203.5 m/s is 204 m/s", () => {
    const tolerance = gradingTolerance(203.45, 3, 0, 0.00252);
    expect(Math.abs(204 - 203.45) / 203.45).toBeLessThan(tolerance);
    expect(Math.abs(205 - 203.45) / 203.45).toBeGreaterThan(tolerance);
  });

  it("takes every value within 2u + drift as right once it is rounded", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
        fc.integer({ min: 2, max: 6 }),
        fc.double({ min: 0, max: 0.01, noNaN: true }),
        fc.double({ min: 0, max: 0.01, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (value, digits, u, drift, part) => {
          const published = value * (1 + part * (2 * u + drift));
          const said = Number(formatValue(published, digits).replace("−", "-"));
          // At a power of ten a step of the rounding may be ten times that at the reference.
          if (Math.floor(Math.log10(said)) !== Math.floor(Math.log10(value))) return;
          const tolerance = gradingTolerance(value, digits, u, drift);
          expect(Math.abs(said - value)).toBeLessThanOrEqual(tolerance * value * (1 + 1e-9));
        },
      ),
    );
  });

  it("is rounded up to three figures, and no further than a step", () => {
    expect([0.0121449, 0.0121, 0.00999999, 1.001e-5].map(roundUp)).toEqual([0.0122, 0.0121, 0.01, 1.01e-5]);
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 10, noNaN: true }), (x) => {
        expect(roundUp(x)).toBeGreaterThanOrEqual(x);
        expect(roundUp(x)).toBeLessThanOrEqual(x * 1.0101);
      }),
    );
    expect(halfDigit(0, 3)).toBe(0);
  });
});

describe("another answer", () => {
  it("is too close within three tolerances; that of another reading within two, so that none is right under both", () => {
    // Uranus: 1.270 g/cm³ ± 0.81 % by its mean radius, 1.241 by its equatorial one.
    expect(tooClose(1.27, 1.241, 0.0081)).toBe(true);
    expect(tooClose(1.27, 1.241, 0.0081, OTHER_READING_DISTANCE)).toBe(false);
    const most = 1.241 * (1 + 0.0081);
    expect(most).toBeLessThan(1.27 * (1 - 0.0081));
    expect(tooClose(7, 7, 0)).toBe(true);
    expect(tooClose(7, 8, 0)).toBe(false);
  });
});

describe("a required gap", () => {
  it("adds uncertainties in quadrature, or as they are where errors may be shared", () => {
    expect(requiredGap(10, 3, 9, 4)).toBe(25);
    expect(requiredGap(10, 3, 9, 4, undefined, true)).toBe(35);
    expect(requiredGap(10, 3, 9, 4, { absolute: 2 }, true)).toBe(37);
  });
});
