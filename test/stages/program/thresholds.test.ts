import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TableIndex } from "../../../stages/program/table-index.js";
import { roundest, roundThresholds } from "../../../stages/program/thresholds.js";
import { tableOf } from "../../fixtures/tables.js";

describe("roundest", () => {
  it("prefers few digits", () => {
    expect(roundest(9.7, 12.3)).toBe(10);
    expect(roundest(1.231, 1.244)).toBe(1.24);
    expect(roundest(-12.3, -9.7)).toBe(-10);
    expect(roundest(-3, 2)).toBe(0);
    expect(roundest(2.31e24, 2.62e24)).toBe(2.6e24);
    expect(roundest(0.00121, 0.00129)).toBe(0.00128);
  });

  it("comes to an end at the ends of the doubles", () => {
    expect(roundest(1e-320, 3e-320)).toBe(2e-320);
    expect(roundest(5e-324, 1.5e-323)).toBe(1e-323);
    expect(roundest(1e-310, 1.0001e-310)).toBeUndefined();
    expect(roundest(1.2e308, 1.7e308)).toBe(1.6e308);
  });

  it("gives nothing where no number of four digits fits", () => {
    expect(roundest(1.00001, 1.00002)).toBeUndefined();
    expect(roundest(5, 5)).toBeUndefined();
  });

  it("always lies strictly between, with at most four digits", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e12, max: 1e12, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        (low, width) => {
          const round = roundest(low, low + width);
          if (round === undefined) return;
          expect(round).toBeGreaterThan(low);
          expect(round).toBeLessThan(low + width);
          expect(Number(round.toPrecision(4))).toBe(round);
        },
      ),
    );
  });
});

describe("roundThresholds", () => {
  it("keeps away from measured values by five uncertainties and drift", () => {
    const column = {
      type: "number",
      scale: "ratio",
      unit: "km",
      uncertainty: { absolute: 0.001 },
      drift: { relative: 0.01 },
    } as const;
    const table = tableOf("t", { d: column }, { a: [100], b: [101.5], c: [150], d: [151], e: [400] });
    expect(roundThresholds(new TableIndex(table).order("d"))).toEqual([140, 300]);
  });

  it("uses whole steps in exact columns", () => {
    const table = tableOf(
      "t",
      { n: { type: "integer", scale: "exact", unit: "1" } },
      { a: [4], b: [6], c: [6], d: [12] },
    );
    expect(roundThresholds(new TableIndex(table).order("n"))).toEqual([6]);
  });
});
