import { describe, expect, it } from "vitest";
import type { ColumnCard } from "../../../sources/card.js";
import type { Table } from "../../../sources/table.js";
import { judgeConditions } from "../../../stages/filter.js";
import { formulaSchema } from "../../../stages/formulas/formula.js";
import { genericFormula } from "../../../stages/formulas/generic.js";
import {
  askedAndGiven,
  assess,
  computeLimits,
  placesOf,
  wrongChoices,
} from "../../../stages/program/assess.js";
import { type Chosen, choose, chooseLimits } from "../../../stages/program/choose.js";
import { computationOf } from "../../../stages/program/computation.js";
import { catalogFor } from "../../../stages/program/derived.js";
import { pathOf } from "../../../stages/program/path.js";
import { type Program, programSchema } from "../../../stages/program/program.js";
import { tableOf } from "../../fixtures/tables.js";

const kg = { type: "number", scale: "ratio", unit: "kg", uncertainty: { absolute: 1 } } as const;
const text = { type: "text", scale: "nominal" } as const;
const catalogOf = (table: Table) => ({ tables: new Map([[table.id, table]]) });
const program = (of: object): Program =>
  programSchema.parse({
    table: "t",
    where: [],
    compute: { formula: "f", inputs: {}, unit: "kg", digits: 6 },
    ...of,
  });
const limits = computeLimits.parse({});
const chosenOf = (of: Program, table: Table): Chosen => {
  const chosen = choose(of, catalogOf(table), chooseLimits.parse({}));
  if ("reason" in chosen) throw new Error(`${chosen.part}: ${chosen.reason}`);
  return chosen;
};

describe("what inputs propagate", () => {
  const product = formulaSchema.parse({
    id: "product",
    noun: "product",
    inputs: {
      one: { unit: "kg", quantity: ["mass"], noun: "mass" },
      two: { unit: "kg", quantity: ["mass"], noun: "mass" },
    },
    expression: "one*two",
    output: { unit: "kg^2", quantity: "square" },
    steps: { cube: { expression: "one^3", unit: "kg^3", noun: "cube" } },
    source: "made for a test",
  });
  const table = tableOf(
    "t",
    { mass: { ...kg, quantity: "mass" } },
    { a: [{ value: 100, u: 1 }], b: [{ value: 200, u: 1 }] },
  );
  const inputs = { one: { of: "selected", column: "mass" }, two: { of: "selected", column: "mass" } };

  it("moves together where two inputs read the same cell: m·m of 100 ± 1 is uncertain by 2 %", () => {
    const asked = program({ compute: { formula: "product", inputs, unit: "kg^2", digits: 3 } });
    const computation = computationOf(catalogOf(table), asked, product);
    expect(assess(computation, 3, { selected: 0 }, [], limits)).toMatchObject({ uncertainty: 0.02 });
    const derived = { product: { formula: "product", inputs: { one: "mass", two: "mass" } } };
    const column = catalogFor(
      { program: { table: "t", derive: derived }, derived: { product } },
      catalogOf(table),
    )
      .tables.get("t")!
      .columns.get("product") as { u: Float64Array } | undefined;
    expect(column!.u[0]).toBe(200);
    // An intermediate quantity has a spread of its own.
    expect(computation.spreadOf({ selected: 0 }, "one^3", "kg^3").uncertainty).toBeCloseTo(0.03, 12);
  });

  it("adds up the drifts of a figure's members", () => {
    const drifting = { ...kg, quantity: "mass", drift: { absolute: 1 } } as const;
    const cells = Object.fromEntries([100, 110, 120, 130].map((value, i) => [`k${i}`, [{ value, u: 0 }]]));
    const four = tableOf("t", { mass: drifting }, cells);
    const asked = program({
      compute: {
        formula: "total",
        inputs: { values: { of: "candidates", column: "mass", take: "total" } },
        unit: "kg",
        digits: 6,
      },
    });
    const total = genericFormula("total", "mass", four.card.columns.mass!, four.card.entity)!;
    const chosen = chosenOf(asked, four);
    const assessed = assess(
      computationOf(catalogOf(four), asked, total),
      6,
      placesOf(chosen),
      wrongChoices(chosen, undefined),
      limits,
    );
    expect(assessed).toMatchObject({ value: 460 });
    // 4 of 460 by drift and half of the sixth digit, rounded up.
    expect(assessed).toMatchObject({ tolerance: 0.0087 });
  });

  it("is no exact count where the counts are uncertain", () => {
    const counted = { type: "integer", scale: "count", unit: "1", phrase: { noun: "number of neighbours" } };
    const of = (more: object) =>
      genericFormula("total", "n", { ...counted, ...more } as unknown as ColumnCard, { singular: "country" })!
        .exact;
    expect(of({})).toBe(true);
    expect(of({ uncertainty: { from: "n_u", factor: 1 } })).toBe(false);
  });
});

describe("what is overlooked", () => {
  const columns = {
    mass: { ...kg, quantity: "mass", uncertainty: { absolute: 0.001 } },
    size: { ...kg, uncertainty: { absolute: 0.001 } },
    group: text,
  } as const;
  const cell = (value: number) => ({ value, u: 0.001 });
  const table = tableOf("t", columns, {
    a: [cell(10), cell(5), "g"],
    b: [cell(12), cell(9), "g"],
    c: [cell(14), cell(7), "g"],
    d: [cell(11), cell(2), "h"],
    e: [cell(16), cell(3), "h"],
    f: [cell(40), cell(4), "h"],
  });

  it("is judged in both selections at once where they share a condition", () => {
    const within = [{ column: "group", op: "eq", value: "g" }];
    const chosen = chosenOf(
      program({
        where: within,
        select: { column: "mass", order: "max" },
        other: { where: within, select: { column: "size", order: "min" } },
      }),
      table,
    );
    const both = wrongChoices(chosen, undefined).find((w) => w.how === "condition 1 ignored throughout")!;
    const name = (row: number | undefined) => table.keys[row!];
    expect([name(both.places.selected), name(both.places.other)]).toEqual(["f", "d"]);
  });

  it("is a step among peers, wherever it stands in the path", () => {
    const stars = tableOf(
      "stars",
      { size: { ...kg, uncertainty: { absolute: 0.001 } } },
      {
        A: [cell(1)],
        B: [cell(2)],
        C: [cell(3)],
      },
    );
    const own = tableOf(
      "t",
      { ...columns, star: text },
      {
        a: [cell(10), cell(5), "g", "A"],
        b: [cell(12), cell(9), "g", "B"],
        c: [cell(14), cell(7), "g", "C"],
        d: [cell(16), cell(11), "h", "C"],
        e: [cell(18), cell(12), "h", "C"],
      },
    );
    own.card.links.star = { column: "star", to: "stars", phrase: { noun: "star" } } as never;
    const catalog = { tables: new Map([own, stars].map((t) => [t.id, t])) };
    const asked = program({
      where: [],
      select: { column: "mass", order: "min" },
      follow: [{ peers: "group", select: { column: "size", order: "max" } }, "star"],
    });
    const chosen = choose(asked, catalog, chooseLimits.parse({}));
    if ("reason" in chosen) throw new Error(chosen.reason);
    expect(stars.keys[placesOf(chosen).followed!]).toBe("B");
    const wrong = wrongChoices(chosen, pathOf(asked, catalog)).map(
      ({ how, places }) =>
        `${how}: ${places.followed === undefined ? "walked" : stars.keys[places.followed]}`,
    );
    expect(wrong).toEqual([
      "next in rank: walked",
      "other end: walked",
      "step 1: next in rank: C",
      "step 1: no condition applied: C",
      "step 1: other end: A",
      "step 1: step left out: A",
    ]);
  });

  it("is an idle end of a range, for figures of all candidates too", () => {
    const range = { column: "size", op: "between", low: 0.5, high: 6 };
    const values = { of: "candidates", column: "mass", take: "median" };
    const asked = program({
      where: [range],
      compute: { formula: "median", inputs: { values }, unit: "kg", digits: 3 },
    });
    expect(choose(asked, catalogOf(table), chooseLimits.parse({}))).toMatchObject({
      reason: "decorative_condition",
      condition: 0,
    });
  });

  it("is a way that comes back to where it began", () => {
    const to = (column: string, order: string) => ({ peers: "group", select: { column, order } });
    const asked = program({
      select: { column: "size", order: "max", rank: 3 },
      follow: [to("mass", "max"), to("size", "min")],
    });
    expect(choose(asked, catalogOf(table), chooseLimits.parse({}))).toMatchObject({
      reason: "same_entity",
      part: "followed",
    });
  });

  it("is a quantity by which a peer is chosen and which is then asked for", () => {
    const asked = program({
      select: { column: "size", order: "min" },
      follow: [{ peers: "group", select: { column: "mass", order: "max" } }],
      compute: {
        formula: "itself",
        inputs: { m: { of: "followed", column: "mass" } },
        unit: "kg",
        digits: 3,
      },
    });
    const itself = formulaSchema.parse({
      id: "itself",
      noun: "mass",
      inputs: { m: { unit: "kg", quantity: ["mass"], noun: "mass" } },
      expression: "m",
      output: { unit: "kg", quantity: "mass" },
      source: "made for a test",
    });
    expect(askedAndGiven(asked, computationOf(catalogOf(table), asked, itself))).toBe("mass");
  });
});

describe("kinds of numbers", () => {
  const magnitude = {
    type: "number",
    scale: "log",
    unit: "1",
    uncertainty: { absolute: 0.1 },
    kind: "scale_of",
  } as const;
  const table = tableOf(
    "t",
    { mag: magnitude, scale_of: text, size: kg },
    { a: [1, "mw", 2], b: [2, "mb", 3] },
  );
  const kind = (value: string) => [{ column: "scale_of", op: "eq", value }];
  const compared = (first: object[], second: object[]) =>
    judgeConditions(
      table.card,
      program({
        where: first,
        select: { column: "size", order: "max" },
        other: { where: second, select: { column: "size", order: "min" } },
        compute: {
          formula: "difference",
          inputs: { first: { of: "selected", column: "mag" }, second: { of: "other", column: "mag" } },
          unit: "1",
          digits: 3,
        },
      }),
    )?.reason;

  it("are never compared, whoever chose the two", () => {
    expect(compared([], [])).toBe("mixed_kinds");
    expect(compared(kind("mw"), kind("mb"))).toBe("mixed_kinds");
    expect(compared(kind("mw"), kind("mw"))).toBeUndefined();
  });
});
