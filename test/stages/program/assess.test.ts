import { describe, expect, it } from "vitest";
import { formulaSchema } from "../../../stages/formulas/formula.js";
import { askedAndGiven, assess, computeLimits } from "../../../stages/program/assess.js";
import { type BoundInput, Computation } from "../../../stages/program/computation.js";
import type { Program } from "../../../stages/program/program.js";
import { tableOf } from "../../fixtures/tables.js";

const exact = { type: "integer", scale: "exact", unit: "1" } as const;
const groups = tableOf(
  "groups",
  { order: { ...exact, quantity: "group_order" }, derived: { ...exact, quantity: "derived_order" } },
  { S4: [24, 12], SL23: [24, 8], C5: [5, 1], A5: [60, 60] },
);

const abelianization = formulaSchema.parse({
  id: "abelianization_order",
  noun: "order of its abelianization",
  inputs: {
    order: { unit: "1", quantity: ["group_order"], noun: "order" },
    derived: { unit: "1", quantity: ["derived_order"], noun: "order of the derived subgroup" },
  },
  expression: "order/derived",
  output: { unit: "1", quantity: "count" },
  exact: true,
  source: "definition",
});

function bound(of: "selected" | "followed" = "selected", output = "count") {
  const formula = { ...abelianization, output: { ...abelianization.output, quantity: output } };
  const inputs = ["order", "derived"].map(
    (name) => ({ name, of, table: groups, column: groups.columns.get(name) }) as BoundInput,
  );
  return new Computation(groups, formula, inputs, "1", undefined);
}

describe("trivial answers", () => {
  const judge = (key: string) =>
    assess(bound(), 3, { selected: groups.rowOf(key)! }, [], computeLimits.parse({}));

  it("keeps an answer that the formula makes", () => {
    expect(judge("S4")).toMatchObject({ value: 2 });
    expect(judge("SL23")).toMatchObject({ value: 3 });
  });

  it("refuses an input for an answer: an abelian group is its own abelianization", () => {
    expect(judge("C5")).toEqual({ reason: "trivial_answer", value: 5, input: "order" });
  });

  it("refuses 1", () => {
    expect(judge("A5")).toEqual({ reason: "trivial_answer", value: 1 });
  });

  it("refuses what is 1 once it is rounded: the Earth's period in years", () => {
    const period = {
      type: "number",
      scale: "ratio",
      unit: "d",
      quantity: "period",
      uncertainty: { absolute: 0.001 },
    } as const;
    const planets = tableOf("planets", { period }, { Earth: [365.256], Mars: [686.98] });
    const formula = formulaSchema.parse({
      id: "years",
      noun: "period",
      inputs: { period: { unit: "d", quantity: ["period"], noun: "period" } },
      expression: "1*period",
      output: { unit: "yr", quantity: "years" },
      source: "definition",
    });
    const inputs = [
      { name: "period", of: "selected", table: planets, column: planets.columns.get("period") },
    ] as BoundInput[];
    const years = new Computation(planets, formula, inputs, "yr", undefined);
    const of = (key: string) =>
      assess(years, 3, { selected: planets.rowOf(key)! }, [], computeLimits.parse({}));
    expect(of("Earth")).toMatchObject({ reason: "trivial_answer" });
    expect(of("Mars")).toMatchObject({ value: expect.closeTo(1.88, 2) });
  });
});

describe("what is asked for and given", () => {
  const program = (select: string, where: Program["where"] = []) =>
    ({ select: { column: select, order: "max", rank: 1 }, where }) as unknown as Program;

  it("is the quantity that selects, or that a condition speaks of", () => {
    const order = bound("selected", "group_order");
    expect(askedAndGiven(program("order"), order)).toBe("order");
    expect(askedAndGiven(program("derived", [{ column: "order", op: "gt", value: 5 }]), order)).toBe("order");
    expect(askedAndGiven(program("derived"), order)).toBeUndefined();
  });

  it("does not hold across a hop: the moon's period is not the planet's", () => {
    expect(askedAndGiven(program("order"), bound("followed", "group_order"))).toBeUndefined();
  });
});
