import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Condition } from "../../../sources/card.js";
import { Bits } from "../../../stages/program/bits.js";
import { truthOf } from "../../../stages/program/conditions.js";
import { tableOf } from "../../fixtures/tables.js";

const number = { type: "number", scale: "ratio", unit: "km", uncertainty: { absolute: 0.001 } } as const;

const table = tableOf(
  "t",
  { v: number, name: { type: "text", scale: "nominal" }, flag: { type: "flag", scale: "flag" } },
  {
    a: [1, "NA", true],
    b: [2, "na", false],
    c: [null, null, null],
    d: [{ value: 3, u: 0.001, limit: -1 }, "Gentoo penguin", true],
    e: [{ value: 1, u: 0.001, limit: 1 }, "007", null],
  },
);

function verdicts(condition: Condition): string {
  const { holds, unknown } = truthOf(table, condition);
  return table.keys.map((_, row) => (holds.has(row) ? "T" : unknown.has(row) ? "?" : "F")).join("");
}

describe("three-valued conditions", () => {
  const cases: [Condition, string][] = [
    [{ column: "v", op: "lt", value: 2 }, "TF???"],
    [{ column: "v", op: "lt", value: 3 }, "TT?T?"],
    [{ column: "v", op: "le", value: 2 }, "TT???"],
    [{ column: "v", op: "lt", value: 1 }, "FF??F"],
    [{ column: "v", op: "gt", value: 3 }, "FF?F?"],
    [{ column: "v", op: "gt", value: 0.5 }, "TT??T"],
    [{ column: "v", op: "ge", value: 2 }, "FT???"],
    [{ column: "v", op: "between", low: 1, high: 1.5 }, "TF???"],
    [{ column: "v", op: "between", low: 4, high: 5 }, "FF?F?"],
    [{ column: "v", op: "known" }, "TTFFF"],
    [{ column: "name", op: "eq", value: "NA" }, "TF?FF"],
    [{ column: "name", op: "eq", value: "007" }, "FF?FT"],
    [{ column: "name", op: "in", values: ["NA", "na"] }, "TT?FF"],
    [{ column: "name", op: "starts_with", values: ["gentoo"] }, "FF?TF"],
    [{ column: "name", op: "known" }, "TTFTT"],
    [{ column: "flag", op: "is", value: true }, "TF?T?"],
    [{ column: "flag", op: "is", value: false }, "FT?F?"],
    [{ column: "flag", op: "known" }, "TTFTF"],
  ];
  it.each(cases)("%j gives %s", (condition, expected) => {
    expect(verdicts(condition)).toBe(expected);
  });

  it("marks values within five uncertainties of a threshold as near", () => {
    const close = tableOf(
      "t",
      { v: number },
      { a: [{ value: 1, u: 0.1 }], b: [{ value: 1, u: 0.01 }], c: [9] },
    );
    const { near } = truthOf(close, { column: "v", op: "gt", value: 1.2 });
    expect([0, 1, 2].map((row) => near.has(row))).toEqual([true, false, false]);
  });
});

describe("Bits", () => {
  const sets = fc
    .integer({ min: 1, max: 130 })
    .chain((n) =>
      fc.tuple(fc.constant(n), fc.subarray([...Array(n).keys()]), fc.subarray([...Array(n).keys()])),
    );
  const bitsOf = (n: number, rows: number[]) => {
    const bits = new Bits(n);
    for (const r of rows) bits.set(r);
    return bits;
  };
  const rowsOf = (bits: Bits) => {
    const rows: number[] = [];
    bits.each((r) => rows.push(r));
    return rows;
  };

  it("behaves as a set of rows", () => {
    fc.assert(
      fc.property(sets, ([n, a, b]) => {
        expect(rowsOf(bitsOf(n, a))).toEqual(a);
        expect(bitsOf(n, a).count()).toBe(a.length);
        expect(rowsOf(bitsOf(n, a).and(bitsOf(n, b)))).toEqual(a.filter((r) => b.includes(r)));
        expect(rowsOf(bitsOf(n, a).minus(bitsOf(n, b)))).toEqual(a.filter((r) => !b.includes(r)));
        expect(rowsOf(bitsOf(n, a).or(bitsOf(n, b)))).toEqual(
          [...new Set([...a, ...b])].sort((x, y) => x - y),
        );
        expect(Bits.full(n).count()).toBe(n);
      }),
    );
  });
});
