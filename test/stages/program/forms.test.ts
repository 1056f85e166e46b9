import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { findCards } from "../../../sources/cards.js";
import { loadCatalog } from "../../../sources/catalog.js";
import { type Database, openDatabase } from "../../../sources/duckdb.js";
import { loadSource } from "../../../sources/load.js";
import type { Catalog } from "../../../sources/table.js";
import { compute } from "../../../stages/compute.js";
import { filter } from "../../../stages/filter.js";
import { checkProgram } from "../../../stages/program/check.js";
import { choose, chooseLimits } from "../../../stages/program/choose.js";
import { formOf, type Program, programSchema } from "../../../stages/program/program.js";
import { programRowOf } from "../../../stages/program/row.js";
import { formulasOf } from "../../../stages/recipes.js";
import { select } from "../../../stages/select.js";
import type { Row, RowStage } from "../../../stages/stage.js";
import type { ComputedRow } from "../../../stages/task.js";
import { tableOf } from "../../fixtures/tables.js";

/** Programs of every form over the bundled planets and moons, through filter, select and compute, by both evaluators. */
describe("forms of programs", () => {
  let database: Database;
  let catalog: Catalog;
  const formulas = formulasOf([]);

  beforeAll(async () => {
    const found = await findCards(["planets", "moons"], ".");
    database = await openDatabase(":memory:", {
      folders: found.map((f) => f.snapshot.replace(/[^/]+$/, "")),
    });
    for (const { card, snapshot } of found) await loadSource(card, snapshot, database);
    catalog = await loadCatalog(database);
  });
  afterAll(() => database.close());

  const problemsOf = (text: object) => {
    const cards = new Map([...catalog.tables].map(([id, t]) => [id, t.card]));
    return checkProgram(programSchema.parse(text), cards, formulas);
  };

  /** The computed row, or the stage and reason that turned it away. */
  async function run(text: object): Promise<ComputedRow | string> {
    const program: Program = programSchema.parse(text);
    expect(problemsOf(text)).toEqual([]);
    const origin = { stage: "recipes", kind: "recipe" as const, name: "r" };
    let row: Row = programRowOf(program, formulas, catalog, origin);
    for (const stage of [filter, select, compute] as RowStage[]) {
      const random = (...names: (string | number)[]) => stream("forms", ...names);
      const context = { params: stage.params.parse({}), catalog, database, random } as never;
      const outcome = await stage.run(row, context);
      if ("reject" in outcome) return `${stage.kind}: ${outcome.reject.reason}`;
      row = stage.output.parse(outcome.out);
    }
    return row as ComputedRow;
  }

  async function answerOf(text: object): Promise<ComputedRow> {
    const row = await run(text);
    if (typeof row === "string") throw new Error(row);
    return row;
  }

  const at = (column: string, of = "selected") => ({ of, column });
  const ask = (formula: string, unit: string, inputs: object) => ({ formula, unit, digits: 3, inputs });

  it("compares two selected entities", async () => {
    const row = await answerOf({
      table: "planets",
      where: [{ column: "giant", op: "is", value: true }],
      select: { column: "mass", order: "min" },
      other: {
        where: [{ column: "giant", op: "is", value: false }],
        select: { column: "mass", order: "max" },
      },
      compute: ask("ratio", "1", { first: at("mass"), second: at("mass", "other") }),
    });
    expect(formOf(row.program)).toBe("compare");
    expect(row.selection!.entity.name).toBe("Uranus");
    expect(row.selection!.other!.entity.name).toBe("Earth");
    // 86.81 / 5.972
    expect(row.answer.value).toBeCloseTo(14.536, 2);
    expect(row.chain.map((s) => s.id)).toEqual([
      "selected",
      "other",
      "input:first",
      "input:second",
      "answer",
    ]);
    expect(row.wrong_answers.some((w) => w.how.startsWith("second: "))).toBe(true);
  });

  it("takes a figure of all candidates, and says how much one of them matters", async () => {
    const row = await answerOf({
      table: "planets",
      where: [{ column: "giant", op: "is", value: true }],
      compute: ask("median", "au", {
        values: { of: "candidates", column: "semi_major_axis", take: "median" },
      }),
    });
    expect(row.selection).toBeUndefined();
    // Jupiter 5.20, Saturn 9.54, Uranus 19.19, Neptune 30.07: the middle of 9.54 and 19.19.
    expect(row.answer.value).toBeCloseTo((9.537 + 19.189) / 2, 2);
    expect(row.aggregate!.members.map((m) => m.key)).toEqual(["Jupiter", "Neptune", "Saturn", "Uranus"]);
    expect(row.aggregate!.leave_one_out.values!.relative).toBeCloseTo((19.189 - 14.363) / 14.363, 3);
    expect(row.inputs.values).toMatchObject({ take: "median" });
  });

  it("refuses a total that one member dominates", async () => {
    const text = {
      table: "planets",
      where: [],
      compute: ask("total", "kg", { values: { of: "candidates", column: "mass", take: "total" } }),
    };
    expect(await run(text)).toBe("select: dominated_by_one");
  });

  it("reads one entity beside a figure of all candidates", async () => {
    const row = await answerOf({
      table: "planets",
      where: [{ column: "giant", op: "is", value: true }],
      select: { column: "semi_major_axis", order: "max" },
      compute: ask("times_mean", "1", {
        value: at("mean_radius"),
        mean: { of: "candidates", column: "mean_radius", take: "mean" },
      }),
    });
    expect(row.selection!.entity.name).toBe("Neptune");
    expect(row.answer.value).toBeCloseTo(24622 / ((69911 + 58232 + 25362 + 24622) / 4), 9);
  });

  it("tests conditions on derived columns", async () => {
    const row = await answerOf({
      table: "planets",
      derive: { bulk_density: { formula: "bulk_density", inputs: { mass: "mass", radius: "mean_radius" } } },
      where: [{ column: "bulk_density", op: "lt", value: 1.5 }],
      select: { column: "mass", order: "min" },
      compute: ask("surface_area", "km^2", { radius: at("mean_radius") }),
    });
    // Uranus 1.27, Jupiter 1.33, Saturn 0.69 g/cm^3.
    expect(row.filter.candidates).toBe(3);
    expect(row.selection!.entity.name).toBe("Uranus");
    expect(Object.keys(row.derived!)).toEqual(["bulk_density"]);
  });

  it("names what is wrong with a program of each form", () => {
    const codes = (text: object) => problemsOf(text).map((p) => `${p.code} ${p.path?.join(".")}`);
    const planets = { table: "planets", where: [] };
    const mass = { column: "mass", order: "max" };
    expect(
      codes({ ...planets, compute: ask("ratio", "1", { first: at("mass"), second: at("mass", "other") }) }),
    ).toEqual(["nothing_followed compute.inputs.first", "nothing_followed compute.inputs.second"]);
    expect(
      codes({
        ...planets,
        compute: ask("total", "1", { values: { of: "candidates", column: "eccentricity", take: "total" } }),
      }),
    ).toEqual(["wrong_column compute.formula"]);
    expect(codes({ ...planets, compute: ask("mean", "kg", { values: at("mass", "candidates") }) })).toEqual([
      "wrong_take compute.inputs.values",
    ]);
    expect(
      codes({
        ...planets,
        select: mass,
        follow: ["star"],
        compute: ask("surface_area", "km^2", { radius: at("mean_radius") }),
      }),
    ).toEqual(["unknown_link follow.0"]);
    expect(
      codes({
        ...planets,
        derive: { mass: { formula: "bulk_density", inputs: {} } },
        select: mass,
        compute: ask("surface_area", "km^2", { radius: at("mean_radius") }),
      }),
    ).toEqual(["duplicate_id derive.mass"]);
  });
});

describe("steps among peers", () => {
  const measured = { type: "number", scale: "interval", unit: "m", uncertainty: { absolute: 1 } } as const;
  const text = { type: "text", scale: "nominal" } as const;
  const rows = {
    Aix: ["F", 100, 40],
    Brest: ["F", 200, 10],
    Lyon: ["F", 300, 90],
    Bonn: ["D", 60, 70],
    Kiel: ["D", 5, 20],
    Rom: ["I", 400, 95],
  } as const;
  const columns = { country: text, height: measured, age: { ...measured, scale: "ratio" } } as const;
  const complete = [{ where: [], total: 6, source: "by construction" }];
  const catalogOf = (
    cells: Readonly<Record<string, readonly (string | number | null | { value: number; u: number })[]>>,
  ) => {
    const table = tableOf("towns", columns, cells as never, { complete });
    return { tables: new Map([["towns", table]]) };
  };
  const limits = chooseLimits.parse({});
  const program = (order: "max" | "min", peers: "max" | "min"): Program =>
    programSchema.parse({
      table: "towns",
      where: [],
      select: { column: "age", order },
      follow: [{ peers: "country", select: { column: "height", order: peers } }],
      compute: { formula: "f", inputs: {}, unit: "m", digits: 3 },
    });
  const outcome = (of: Program, cells: Parameters<typeof catalogOf>[0] = rows) => {
    const catalog = catalogOf(cells);
    const chosen = choose(of, catalog, limits);
    const table = catalog.tables.get("towns")!;
    if ("reason" in chosen) return `${chosen.part}: ${chosen.reason}`;
    return [chosen.selected!.selected.row, ...chosen.steps.map((s) => s.row)].map((row) => table.keys[row]);
  };

  it("lead to the extremum of those that share a text", () => {
    // The youngest town is Brest; the highest of its country is Lyon.
    expect(outcome(program("min", "max"))).toEqual(["Brest", "Lyon"]);
  });

  it("are refused where they lead back, and where the entity has no peers", () => {
    expect(outcome(program("max", "max"))).toBe("followed: too_few_candidates");
    expect(outcome(program("min", "max"), { ...rows, Brest: ["F", 350, 10] })).toBe("followed: same_entity");
    expect(outcome(program("min", "max"), { ...rows, Brest: [null, 200, 10] })).toBe("followed: broken_link");
  });

  it("are refused where a peer comes too close, though all the world is far from the selected one", () => {
    expect(outcome(program("min", "max"), { ...rows, Aix: ["F", { value: 298, u: 1 }, 40] })).toBe(
      "followed: margin",
    );
  });
});
