import { describe, expect, it } from "vitest";
import {
  columnsOf,
  formOf,
  multipleOf,
  pathOf,
  type ReportRow,
  shapeOf,
  stepsOf,
  subjectsOf,
} from "../../../pipeline/report/reading.js";

const entity = (name: string, table = "moons") => ({ table, key: name.toLowerCase(), name, record: 1 });
const margin = (gap: number, required: number) => ({ rival: "Io", gap, required, relative: 0.1 });

/** A row with the fields that matter here. */
function row(more: object): ReportRow {
  return { inputs: {}, ...more } as unknown as ReportRow;
}

const select = { column: "mass", order: "max", rank: 1 };
const hop = row({
  program: {
    table: "moons",
    where: [{ column: "radius", op: "gt", value: 5 }],
    select,
    follow: ["planet", "star"],
  },
  selection: {
    entity: entity("Titan"),
    via: [entity("Saturn", "planets")],
    followed: entity("Sun", "stars"),
    margin: margin(10, 2),
  },
});
const compare = row({
  program: {
    table: "moons",
    where: [],
    select,
    other: {
      where: [{ column: "name", op: "eq", value: "Io" }],
      select: { ...select, order: "min", rank: 2 },
    },
  },
  selection: {
    entity: entity("Titan"),
    margin: margin(10, 2),
    other: { entity: entity("Io"), margin: margin(3, 2) },
  },
});
const aggregate = row({
  program: {
    table: "moons",
    derive: { density: { inputs: { m: "mass", r: "radius" } } },
    where: [{ column: "density", op: "between", low: 1, high: 2 }],
  },
  inputs: { total: { column: "mass", take: "total" } },
});

describe("rows of every form", () => {
  it("tells what a program does", () => {
    expect([hop, compare, aggregate].map(formOf)).toEqual(["hop", "compare", "aggregate"]);
  });

  it("names whom a task is about: one, two, or a set", () => {
    expect(subjectsOf(hop)).toEqual(["moons: Titan"]);
    expect(subjectsOf(compare)).toEqual(["moons: Titan", "moons: Io"]);
    expect(subjectsOf(aggregate)).toEqual(['moons: {density between {"high":2,"low":1}}']);
    expect(pathOf(hop).map(({ name }) => name)).toEqual(["Titan", "Saturn", "Sun"]);
    expect(pathOf(aggregate)).toEqual([]);
  });

  it("takes the tightest margin of all choices", () => {
    expect([hop, compare, aggregate].map(multipleOf)).toEqual([5, 1.5, null]);
    expect(
      multipleOf(row({ ...hop, selection: { entity: entity("Titan"), margin: margin(1, 0) } })),
    ).toBeNull();
  });

  it("counts what a derived column is made of as an input", () => {
    expect(columnsOf(aggregate)).toEqual({
      filter: ["moons.density"],
      select: [],
      compute: ["moons.mass", "moons.radius"],
    });
    expect(columnsOf(compare)).toMatchObject({ filter: ["moons.name"], select: ["moons.mass"] });
  });

  it("gives programs one shape that differ in numbers and formula alone", () => {
    const shape = (where: object, more: object = {}) =>
      shapeOf(row({ program: { table: "moons", where: [where], select, ...more } }));
    const base = shape({ column: "mass", op: "lt", value: 3 }, { compute: { formula: "a" } });
    expect(base).toBe("moons: mass below → max mass");
    expect(shape({ column: "mass", op: "le", value: 7 }, { compute: { formula: "b" } })).toBe(base);
    const others = [
      shape({ column: "mass", op: "gt", value: 3 }),
      shape({ column: "mass", op: "between", low: 1, high: 3 }),
      shape({ column: "planet", op: "eq", value: "Mars" }),
      shape({ column: "planet", op: "eq", value: "Jupiter" }),
      shape({ column: "mass", op: "lt", value: 3 }, { select: { ...select, rank: 2 } }),
      shape({ column: "mass", op: "lt", value: 3 }, { follow: ["planet"] }),
      shapeOf(compare),
      shapeOf(aggregate),
    ];
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
  });

  it("puts steps in words, as a list or as the single link of older rows", () => {
    expect(stepsOf({ table: "x", follow: "planet" })).toEqual(["planet"]);
    expect(stepsOf({ table: "x", follow: ["planet", { peers: "country", select }] })).toEqual([
      "planet",
      "max mass of the same country",
    ]);
  });
});
