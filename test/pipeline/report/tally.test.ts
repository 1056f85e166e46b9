import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { Reservoir } from "../../../pipeline/report/reservoir.js";
import { Classes, Counter, leadingDigit, variety } from "../../../pipeline/report/tally.js";

describe("counting as rows come", () => {
  it("tells how varied values are, whatever their order", () => {
    const counter = new Counter();
    for (const value of ["a", "b", "a", "c", "a", "b"]) counter.add(value);
    expect(variety(counter, 2)).toEqual({
      rows: 6,
      distinct: 3,
      once: 1,
      // 36 / (9 + 4 + 1)
      effective: 2.571,
      top: [
        { value: "a", rows: 3 },
        { value: "b", rows: 2 },
      ],
    });
    expect(variety(new Counter(), 2)).toEqual({ rows: 0, distinct: 0, once: 0, effective: 0, top: [] });
  });

  it("finds equal frequencies as varied as they are many, and never more varied than that", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 }), (counts) => {
        const counter = new Counter();
        for (const [i, n] of counts.entries()) counter.add(`v${i}`, n);
        const { effective, distinct } = variety(counter, 5);
        expect(effective).toBeGreaterThanOrEqual(1);
        expect(effective).toBeLessThanOrEqual(distinct + 1e-9);
        if (new Set(counts).size === 1) expect(effective).toBe(distinct);
      }),
    );
  });

  it("puts each number into the one class that holds it, and leaves out empty ends", () => {
    const classes = new Classes([1, 2, 5]);
    for (const value of [1, 1.99, 5, 7]) classes.add(value);
    expect(classes.list()).toEqual([
      { low: 1, high: 2, rows: 2 },
      { low: 2, high: 5, rows: 0 },
      { low: 5, high: null, rows: 2 },
    ]);
    expect(new Classes([1]).list()).toEqual([]);
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 50 }), (values) => {
        const all = new Classes([-1, 0, 3]);
        for (const value of values) all.add(value);
        expect(all.list().reduce((sum, c) => sum + c.rows, 0)).toBe(values.length);
      }),
    );
  });

  it("reads the first digit off the decimal form", () => {
    expect([0.00099, -7e300, 1, 19.9, 5e-324].map(leadingDigit)).toEqual([9, 7, 1, 1, 5]);
  });

  it("draws a fair sample: every item about as often, whatever its place", () => {
    const hits = Array.from({ length: 20 }, () => 0);
    for (let run = 0; run < 2000; run++) {
      const drawn = new Reservoir<number>(5, stream(run, "reservoir"));
      for (let i = 0; i < 20; i++) drawn.add(i);
      expect(new Set(drawn.kept).size).toBe(5);
      for (const i of drawn.kept) hits[i]!++;
    }
    // Each is expected 500 times with a standard deviation of 19.4.
    for (const n of hits) expect(Math.abs(n - 500)).toBeLessThan(100);
  });
});
