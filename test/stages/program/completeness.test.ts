import { describe, expect, it } from "vitest";
import type { Condition } from "../../../sources/card.js";
import { implies, incompleteness } from "../../../stages/program/completeness.js";
import { tableOf } from "../../fixtures/tables.js";

const c = (column: string, op: string, value: unknown): Condition =>
  ({ column, op, value }) as unknown as Condition;

describe("implies", () => {
  const cases: [Condition, Condition, boolean][] = [
    [c("h", "lt", 9), c("h", "lt", 10), true],
    [c("h", "lt", 10), c("h", "lt", 10), true],
    [c("h", "le", 10), c("h", "lt", 10), false],
    [c("h", "lt", 10), c("h", "le", 10), true],
    [c("h", "lt", 11), c("h", "lt", 10), false],
    [c("h", "gt", 9), c("h", "lt", 10), false],
    [{ column: "h", op: "between", low: 1, high: 9 }, c("h", "lt", 10), true],
    [c("h", "eq", 5), { column: "h", op: "between", low: 1, high: 9 }, true],
    [c("class", "eq", "MBA"), { column: "class", op: "in", values: ["MBA", "OMB"] }, true],
    [
      { column: "class", op: "in", values: ["MBA", "TNO"] },
      { column: "class", op: "in", values: ["MBA", "OMB"] },
      false,
    ],
    [{ column: "ring", op: "is", value: true }, { column: "ring", op: "is", value: true }, true],
    [{ column: "ring", op: "is", value: false }, { column: "ring", op: "is", value: true }, false],
    [c("h", "lt", 9), { column: "h", op: "known" }, true],
    [{ column: "h", op: "known" }, c("h", "lt", 9), false],
    [c("a", "lt", 9), c("h", "lt", 10), false],
  ];
  it.each(cases)("%j implies %j: %s", (given, needed, expected) => {
    expect(implies(given, needed)).toBe(expected);
  });
});

describe("incompleteness", () => {
  const column = { type: "number", scale: "log", unit: "mag", uncertainty: { absolute: 0.1 } } as const;
  const table = tableOf(
    "small",
    { h: column, a: { ...column, unit: "au" }, class: { type: "text", scale: "nominal" } },
    { x: [1, 2, "MBA"] },
    { cutoffs: [{ column: "h", keeps: "below", at: 12 }] },
  );
  const mainBelt = [{ where: [c("class", "eq", "MBA"), c("h", "lt", 12)] }];
  const select = (column: string, order: "max" | "min") => ({ column, order, rank: 1 });

  it("refuses without a class that covers the conditions", () => {
    expect(incompleteness(table, [], { where: [], select: select("a", "max") })).toEqual({
      why: "no_complete_class",
    });
    expect(
      incompleteness(table, mainBelt, { where: [c("class", "eq", "TNO")], select: select("a", "max") }),
    ).toEqual({ why: "no_complete_class" });
    const inside = [c("class", "eq", "MBA"), c("h", "lt", 9)];
    expect(incompleteness(table, mainBelt, { where: inside, select: select("a", "max") })).toBeUndefined();
  });

  it("refuses an extremum towards a cut-off unless a condition stays inside it", () => {
    const class_only = [{ where: [c("class", "eq", "MBA")] }];
    expect(
      incompleteness(table, class_only, { where: [c("class", "eq", "MBA")], select: select("h", "max") }),
    ).toEqual({ why: "towards_cutoff", column: "h" });
    expect(
      incompleteness(table, class_only, { where: [c("class", "eq", "MBA")], select: select("h", "min") }),
    ).toBeUndefined();
    expect(
      incompleteness(table, class_only, {
        where: [c("class", "eq", "MBA"), c("h", "lt", 11)],
        select: select("h", "max"),
      }),
    ).toBeUndefined();
  });
});
