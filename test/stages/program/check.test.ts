import { describe, expect, it } from "vitest";
import type { Condition } from "../../../sources/card.js";
import { checkCondition } from "../../../stages/program/check.js";
import { tableOf } from "../../fixtures/tables.js";

const { card } = tableOf(
  "t",
  {
    mass: { type: "number", scale: "ratio", unit: "kg", uncertainty: { relative: 0.01 } },
    order: { type: "integer", scale: "exact", unit: "1" },
    code: { type: "text", scale: "nominal" },
    ring: { type: "flag", scale: "flag" },
  },
  { a: [1, 2, "007", true] },
);

describe("conditions of programs", () => {
  const wrong: [Condition, string, (string | number)[]][] = [
    [{ column: "mas", op: "lt", value: 1 }, "unknown_column", ["where", 0, "column"]],
    [{ column: "code", op: "lt", value: 1 }, "wrong_operator", ["where", 0, "op"]],
    [{ column: "ring", op: "eq", value: "yes" }, "wrong_operator", ["where", 0, "op"]],
    [{ column: "mass", op: "eq", value: 1 }, "equality_of_measured", ["where", 0, "op"]],
    [{ column: "mass", op: "between", low: 2, high: 1 }, "empty_range", ["where", 0, "low"]],
    [{ column: "code", op: "eq", value: 7 }, "wrong_value_type", ["where", 0, "value"]],
    [{ column: "code", op: "in", values: ["007", 7] }, "wrong_value_type", ["where", 0, "values"]],
    [{ column: "order", op: "eq", value: "2" }, "wrong_value_type", ["where", 0, "value"]],
  ];
  it.each(wrong)("%j is %s", (condition, code, path) => {
    expect(checkCondition(condition, card, ["where", 0])).toMatchObject([{ code, path }]);
  });

  const right: Condition[] = [
    { column: "mass", op: "between", low: 1, high: 2 },
    { column: "order", op: "in", values: [1, 2] },
    { column: "code", op: "eq", value: "007" },
    { column: "ring", op: "is", value: false },
  ];
  it.each(right)("%j is right", (condition) => {
    expect(checkCondition(condition, card, [])).toEqual([]);
  });
});
