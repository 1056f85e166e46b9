import { beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../../sources/table.js";
import { builtinFormulas } from "../../../stages/formulas/index.js";
import { comparePrograms } from "../../../stages/program/compare.js";
import { type Program, programSchema } from "../../../stages/program/program.js";
import { programRowOf } from "../../../stages/program/row.js";
import type { ProgramRow } from "../../../stages/task.js";
import { tableOf } from "../../fixtures/tables.js";
import { corruptions, realTasks } from "./compare-tasks.js";

interface Tasks {
  readonly catalog: Catalog;
  readonly rows: readonly ProgramRow[];
}

/** Bundled tables of every size and kind, candidates drawn, and how many of their tasks are tried. */
const SOURCES: readonly [string[], number, number][] = [
  [["planets", "moons"], 400, 8],
  [["elements", "isotopes"], 400, 6],
  [["groups"], 300, 4],
  [["graphs"], 300, 1],
];

/** Both inputs from beyond the hop, where the moon itself has columns of the same names. */
const HOP = programSchema.parse({
  table: "moons",
  where: [{ column: "mean_radius", op: "gt", value: 1000 }],
  select: { column: "gm", order: "min" },
  follow: ["planet"],
  compute: {
    formula: "mean_orbital_speed",
    inputs: {
      axis: { of: "followed", column: "semi_major_axis" },
      period: { of: "followed", column: "orbital_period" },
    },
    unit: "km/s",
    digits: 3,
  },
});

let tasks: Tasks[];
beforeAll(async () => {
  tasks = [];
  for (const [spaces, candidates, sample] of SOURCES) {
    const { catalog, rows } = await realTasks(spaces, candidates);
    expect(rows.length, spaces.join()).toBeGreaterThanOrEqual(sample);
    tasks.push({ catalog, rows: rows.slice(0, sample) });
  }
  const { catalog, rows } = tasks[0]!;
  const hop = programRowOf(HOP, builtinFormulas, catalog, { stage: "recipe", kind: "recipe", name: "hop" });
  tasks[0] = { catalog, rows: [...rows, hop] };
});

function compare(row: ProgramRow, read: Program, catalog: Catalog, worlds: number, key = row.id) {
  const digits = read.compute.digits;
  return comparePrograms(row, { program: read, formula: row.formula, digits }, catalog, {
    seed: "5",
    key,
    worlds,
  });
}

/** Corruptions that go unnoticed, by kind, and how many were tried. */
function unnoticed(worlds: number): { tried: Record<string, number>; missed: Record<string, number> } {
  const tried: Record<string, number> = {};
  const missed: Record<string, number> = {};
  for (const { catalog, rows } of tasks) {
    for (const row of rows) {
      for (const { kind, program } of corruptions(row.program, catalog)) {
        tried[kind] = (tried[kind] ?? 0) + 1;
        if (compare(row, program, catalog, worlds).difference === null)
          missed[kind] = (missed[kind] ?? 0) + 1;
      }
    }
  }
  return { tried, missed };
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

describe("comparing programs by what they do", () => {
  it("finds every program equal to itself, its conditions in any order, under any seed", () => {
    for (const { catalog, rows } of tasks) {
      for (const row of rows) {
        const same = { ...row.program, where: [...row.program.where].reverse() };
        for (const key of ["a", "b"]) {
          expect(compare(row, same, catalog, 20, key)).toEqual({ worlds: 21, agreed: 21, difference: null });
        }
      }
    }
  });

  it("notices each single corruption of every task", () => {
    const { tried, missed } = unnoticed(20);
    expect(missed).toEqual({});
    expect(Object.keys(tried).sort()).toEqual([
      "comparison flipped",
      "condition dropped",
      "hop dropped",
      "other column",
      "other end",
      "other input",
      "other rank",
      "threshold shifted",
    ]);
    expect(total(tried)).toBeGreaterThan(300);
  });

  it("needs the perturbed worlds for that: the data alone show far fewer", () => {
    const [data, one, five] = [0, 1, 5].map((worlds) => unnoticed(worlds));
    const share = (u: typeof data) => total(u!.missed) / total(u!.tried);
    expect(share(data)).toBeGreaterThan(0.1);
    expect(share(one)).toBeLessThan(0.03);
    expect(share(five)).toBeLessThanOrEqual(share(one));
  });

  it("says the same twice", () => {
    const { catalog, rows } = tasks[0]!;
    for (const row of rows) {
      const [first] = corruptions(row.program, catalog);
      const once = compare(row, first!.program, catalog, 20);
      expect(compare(row, first!.program, catalog, 20)).toEqual(once);
    }
  });
});

const ratio = (unit: string, quantity: string) => ({
  type: "number" as const,
  scale: "ratio" as const,
  unit,
  quantity,
  uncertainty: { relative: 1e-4 },
});
const cells = (at: number): (number | boolean | string)[] => {
  const [radius, days] = [300 + 17.3 * at ** 2, 10.5 + 7.25 * at];
  const mass = 1e20 * (1 + at) ** 1.5;
  return [mass, radius, 2 * radius, days, days / 365.25, at % 4, at % 2 === 0, ["rock", "ice"][at % 2]!];
};
const bodies = tableOf(
  "bodies",
  {
    mass: ratio("kg", "mass"),
    radius: ratio("km", "mean_radius"),
    diameter: ratio("km", "diameter"),
    days: ratio("d", "rotation_period"),
    years: ratio("yr", "orbital_period"),
    moons: { type: "integer", scale: "count", unit: "1" },
    rings: { type: "flag", scale: "flag" },
    kind: { type: "text", scale: "nominal" },
  },
  Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`b${i + 10}`, cells(i)])),
);
const made: Catalog = { tables: new Map([["bodies", bodies]]) };
const density = builtinFormulas.get("bulk_density")!;

const program = (part: object = {}): Program =>
  programSchema.parse({
    table: "bodies",
    where: [{ column: "days", op: "gt", value: 36.525 }],
    select: { column: "radius", order: "min" },
    compute: {
      formula: "bulk_density",
      inputs: { mass: { column: "mass" }, radius: { column: "radius" } },
      unit: "g/cm^3",
      digits: 3,
    },
    ...part,
  });

const judged = (read: Program, formula = density, digits = 3, written = program()) =>
  comparePrograms({ program: written, formula: density }, { program: read, formula, digits }, made, {
    seed: "1",
    key: "x",
    worlds: 20,
  });

describe("programs that mean the same in other words", () => {
  it("agree: a period in years for one in days, a diameter for a radius", () => {
    const years = { column: "years", op: "gt", value: 0.1 };
    expect(judged(program({ where: [years] })).difference).toBeNull();
    expect(judged(program({ select: { column: "diameter", order: "min" } })).difference).toBeNull();
    const byDiameter = {
      ...density,
      id: "by_diameter",
      inputs: { mass: density.inputs.mass!, width: { ...density.inputs.radius!, quantity: ["diameter"] } },
      expression: "mass/(pi/6*width^3)",
    };
    const inputs = { mass: { column: "mass" }, width: { column: "diameter" } };
    const compute = { formula: "by_diameter", inputs, unit: "g/cm^3", digits: 3 };
    expect(judged(program({ compute }), byDiameter).difference).toBeNull();
    const half = { ...byDiameter, expression: "mass/(pi/3*width^3)" };
    expect(judged(program({ compute }), half).difference?.what).toBe("answer");
  });

  it("agree on measured values whether or not the threshold itself is let in, and differ on counts", () => {
    const at = (column: string, op: string, value: number) => program({ where: [{ column, op, value }] });
    expect(judged(at("days", "ge", 36.525)).difference).toBeNull();
    expect(judged(at("moons", "ge", 2), density, 3, at("moons", "gt", 2)).difference?.what).toBe(
      "candidates",
    );
    expect(judged(at("moons", "ge", 3), density, 3, at("moons", "gt", 2)).difference).toBeNull();
  });
});

describe("programs that differ", () => {
  it("in a condition that does not bind here are told apart in another world", () => {
    const rings = { column: "rings", op: "known" };
    const { difference } = judged(program({ where: [...program().where, rings] }));
    expect(difference?.what).toBe("candidates");
    expect(difference!.world).toBeGreaterThan(0);
    for (const extra of [
      { column: "kind", op: "in", values: ["rock", "ice"] },
      { column: "mass", op: "gt", value: 1 },
      { column: "moons", op: "le", value: 3 },
    ]) {
      const found = judged(program({ where: [...program().where, extra] })).difference;
      expect(found!.world).toBeGreaterThan(0);
    }
  });

  it("in what is to be given", () => {
    const compute = program().compute;
    const kg = judged(program({ compute: { ...compute, unit: "kg/m^3" } })).difference;
    expect(kg).toEqual({ world: 0, what: "unit", written: "g/cm^3", read: "kg/m^3" });
    expect(judged(program({ compute: { ...compute, unit: "kg" } })).difference?.what).toMatch(/answer|unit/);
    expect(judged(program(), density, 4).difference).toEqual({
      world: 0,
      what: "digits",
      written: "3",
      read: "4",
    });
  });

  it("in the snapshot are told by name", () => {
    const { difference, agreed, worlds } = judged(program({ select: { column: "radius", order: "max" } }));
    expect(difference).toEqual({ world: 0, what: "winner", written: "b14", read: "b29" });
    expect([agreed, worlds]).toEqual([0, 21]);
  });
});
