import { describe, expect, it } from "vitest";
import type { Table } from "../../../sources/table.js";
import { judgeConditions } from "../../../stages/filter.js";
import { builtinFormulas } from "../../../stages/formulas/index.js";
import { checkProgram } from "../../../stages/program/check.js";
import { choose, chooseLimits } from "../../../stages/program/choose.js";
import { catalogFor, type DerivedFormulas } from "../../../stages/program/derived.js";
import { type Program, programSchema } from "../../../stages/program/program.js";
import { judgeSelection } from "../../../stages/select.js";
import { tableOf } from "../../fixtures/tables.js";

const formulas = builtinFormulas;
const named = (id: string): DerivedFormulas[string] => formulas.get(id)!;
const kg = {
  type: "number",
  scale: "ratio",
  unit: "kg",
  uncertainty: { absolute: 1 },
  quantity: "mass",
} as const;

function programOf(
  derive: Program["derive"],
  column: string,
  order: "max" | "min",
  where: object[] = [],
): Program {
  return programSchema.parse({
    table: "t",
    derive,
    where,
    select: { column, order },
    compute: { formula: "none", inputs: {}, unit: "1", digits: 3 },
  });
}

/** What the cards and the values say against a selection. */
function refusalOf(program: Program, derived: DerivedFormulas, table: Table): string | undefined {
  const catalog = catalogFor({ program, derived }, { tables: new Map([["t", table]]) });
  const here = catalog.tables.get("t")!;
  const byCards = judgeConditions(here.card, program) ?? judgeSelection(here, program, catalog);
  if (byCards !== undefined) return byCards.reason;
  const chosen = choose(program, catalog, chooseLimits.parse({}));
  return "reason" in chosen ? chosen.reason : undefined;
}

describe("a derived column", () => {
  const radius = { formula: "schwarzschild_radius", inputs: { mass: "mass" } };
  const derived = { rs: named("schwarzschild_radius") };
  const heavy = { value: 1e30, u: 1e25 };
  const cells = {
    a: [{ value: 8e30, u: 1e25 }],
    b: [{ value: 5e30, u: 1e25 }],
    c: [heavy],
  };
  const complete = [{ where: [], total: 3, source: "by construction" }];

  it("mixes no kinds that its inputs do not mix", () => {
    const columns = {
      mass: { ...kg, kind: "method" },
      method: { type: "text", scale: "nominal" },
    } as const;
    const rows = {
      a: [cells.a[0]!, "dynamical"],
      b: [cells.b[0]!, "dynamical"],
      c: [heavy, "spectroscopic"],
    };
    const table = tableOf("t", columns, rows, { complete });
    expect(refusalOf(programOf({ rs: radius }, "rs", "max"), derived, table)).toBe("mixed_kinds");
    const one = [{ column: "method", op: "eq", value: "dynamical" }];
    expect(refusalOf(programOf({ rs: radius }, "rs", "max", one), derived, table)).not.toBe("mixed_kinds");
  });

  it("may not be made of columns whose kinds stand in two places", () => {
    const columns = {
      mass: { ...kg, kind: "method" },
      radius: { ...kg, unit: "m", quantity: "mean_radius", kind: "way" },
      method: { type: "text", scale: "nominal" },
      way: { type: "text", scale: "nominal" },
    } as const;
    const table = tableOf("t", columns, {}, { complete });
    const derive = { density: { formula: "bulk_density", inputs: { mass: "mass", radius: "radius" } } };
    const problems = checkProgram(
      programOf(derive, "density", "max"),
      new Map([["t", table.card]]),
      formulas,
    );
    expect(problems[0]).toMatchObject({ code: "mixed_kinds", path: ["derive", "density", "inputs"] });
  });

  it("looks towards a cut-off of what it is computed from", () => {
    const cutoffs = [{ column: "mass", keeps: "above" as const, at: 1e29 }];
    const table = tableOf("t", { mass: kg }, cells, { complete, cutoffs } as never);
    const derive = { rs: radius };
    expect(refusalOf(programOf(undefined, "mass", "min"), {}, table)).toBe("incomplete_catalogue");
    expect(refusalOf(programOf(derive, "rs", "min"), derived, table)).toBe("incomplete_catalogue");
    const above = [{ column: "mass", op: "gt", value: 2e30 }];
    expect(refusalOf(programOf(derive, "rs", "min", above), derived, table)).toBeUndefined();
  });

  it("is no exact count where the counts are uncertain: 40 against 39", () => {
    const count = { type: "integer", scale: "count", unit: "1", uncertainty: { absolute: 3 } } as const;
    const columns = {
      a: { ...count, quantity: "mass_number" },
      z: { ...count, quantity: "atomic_number" },
    } as const;
    const of = (u: number) => ({
      x: [
        { value: 70, u },
        { value: 30, u },
      ],
      y: [
        { value: 68, u },
        { value: 29, u },
      ],
      w: [
        { value: 20, u },
        { value: 10, u },
      ],
    });
    const derive = { n: { formula: "neutron_number", inputs: { a: "a", z: "z" } } };
    const formula = { n: named("neutron_number") };
    const inputs = Object.fromEntries(
      Object.entries(formula.n.inputs).map(([name, { quantity }]) => [
        name,
        quantity.includes("mass_number") ? "a" : "z",
      ]),
    );
    const program = programOf({ n: { ...derive.n, inputs } }, "n", "max");
    expect(refusalOf(program, formula, tableOf("t", columns, of(3), { complete }))).toBe("margin");
    expect(refusalOf(program, formula, tableOf("t", columns, of(0), { complete }))).toBeUndefined();
  });

  it("keeps two strata apart as if the error of their common boundary counted twice", () => {
    const age = { ...kg, unit: "Myr", quantity: "age", uncertainty: { absolute: 0.08 } } as const;
    const columns = { base: { ...age, quantity: "base_age" }, top: { ...age, quantity: "top_age" } } as const;
    const cell = (value: number) => ({ value, u: 0.08 });
    const duration = {
      ...named("schwarzschild_radius"),
      id: "duration",
      inputs: {
        base: { unit: "Myr", quantity: ["base_age"], noun: "base", of: "selected" },
        top: { unit: "Myr", quantity: ["top_age"], noun: "top", of: "selected" },
      },
      expression: "base - top",
      output: { unit: "Myr", quantity: "duration" },
      constants: [],
    } as never;
    const of = (longer: number) =>
      tableOf(
        "t",
        columns,
        {
          a: [cell(120), cell(120 - longer)],
          b: [cell(120 - longer), cell(110 - longer)],
          c: [cell(3), cell(1)],
        },
        { complete },
      );
    const derive = { lasted: { formula: "duration", inputs: { base: "base", top: "top" } } };
    const judged = (longer: number) =>
      refusalOf(programOf(derive, "lasted", "max"), { lasted: duration }, of(longer));
    // Each lasted for so long ± 0.113: as independent rivals 0.8 would do, with a boundary in common 0.98 is needed.
    expect(judged(10.9)).toBe("margin");
    expect(judged(11.2)).toBeUndefined();
  });

  it("drifts row by row: a row at nought neither hides the drift of the others nor makes it endless", () => {
    const mass = { ...kg, uncertainty: { absolute: 0.001 } } as const;
    const columns = {
      part: { ...mass, drift: { relative: 0.2 } },
      whole: { ...mass, quantity: "whole" },
    } as const;
    const cell = (value: number) => ({ value, u: 0.001 });
    const share = {
      ...named("schwarzschild_radius"),
      id: "part_of",
      inputs: {
        part: { unit: "kg", quantity: ["mass"], noun: "part", of: "selected" },
        whole: { unit: "kg", quantity: ["whole"], noun: "whole", of: "selected" },
      },
      expression: "part / whole",
      output: { unit: "1", quantity: "share" },
      constants: [],
    } as never;
    const derive = { share: { formula: "part_of", inputs: { part: "part", whole: "whole" } } };
    const judged = (second: number, last: number) =>
      refusalOf(
        programOf(derive, "share", "max"),
        { share },
        tableOf(
          "t",
          columns,
          { a: [cell(11), cell(100)], b: [cell(second), cell(100)], c: [cell(last), cell(100)] },
          { complete },
        ),
      );
    expect(judged(10, 1)).toBe("margin");
    expect(judged(10, 0)).toBe("margin");
    expect(judged(2, 0)).toBeUndefined();
  });
});
