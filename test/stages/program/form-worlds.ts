import type { Catalog } from "../../../sources/table.js";
import { builtinFormulas } from "../../../stages/formulas/index.js";
import { programSchema } from "../../../stages/program/program.js";
import { programRowOf } from "../../../stages/program/row.js";
import type { ProgramRow } from "../../../stages/task.js";
import { tableOf } from "../../fixtures/tables.js";

/** Small made-up tables with links, peers and figures to aggregate, and a program of each form over them. */

const ratio = (unit: string, quantity: string, noun: string) => ({
  type: "number" as const,
  scale: "ratio" as const,
  unit,
  quantity,
  uncertainty: { relative: 1e-6 },
  phrase: { noun },
});
const text = (noun: string) => ({ type: "text" as const, scale: "nominal" as const, phrase: { noun } });

/** A figure that follows no line, the same each time. */
const odd = (i: number, k: number): number => 1 + ((i * 7919 + k * 104729) % 1009) / 13;

const keys = (n: number, letter: string) => Array.from({ length: n }, (_, i) => `${letter}${100 + i}`);
const rows = <T>(n: number, letter: string, cells: (i: number) => T) =>
  Object.fromEntries(keys(n, letter).map((k, i) => [k, cells(i)]));

const moons = tableOf(
  "moons",
  {
    mass: ratio("kg", "mass", "mass"),
    radius: ratio("km", "mean_radius", "mean radius"),
    wide: ratio("km", "mean_radius", "equatorial radius"),
    period: ratio("d", "orbital_period", "orbital period"),
    icy: { type: "flag", scale: "flag", phrase: { noun: "icy" } },
    family: text("family"),
    planet: text("planet"),
  },
  rows(90, "m", (i) => [
    odd(i, 1) * 1e20,
    odd(i, 2) * 10,
    odd(i, 3) * 11,
    odd(i, 4),
    i % 3 === 0,
    ["inner", "outer", "lost", "far"][i % 4]!,
    `p${100 + (i % 12)}`,
  ]),
  { links: { planet: { column: "planet", to: "planets", phrase: "the planet that {it} orbits" } } },
);
const planets = tableOf(
  "planets",
  {
    mass: ratio("kg", "mass", "mass"),
    radius: ratio("km", "mean_radius", "mean radius"),
    kind: text("kind"),
    star: text("star"),
  },
  rows(12, "p", (i) => [odd(i, 5) * 1e25, odd(i, 6) * 1e3, ["rock", "gas"][i % 2]!, `s${100 + (i % 5)}`]),
  { links: { star: { column: "star", to: "stars", phrase: "the star that {it} orbits" } } },
);
const stars = tableOf(
  "stars",
  { mass: ratio("kg", "mass", "mass"), radius: ratio("km", "mean_radius", "mean radius") },
  rows(5, "s", (i) => [odd(i, 7) * 1e30, odd(i, 8) * 1e5]),
);

export const catalog: Catalog = { tables: new Map([moons, planets, stars].map((t) => [t.id, t])) };

const own = (column: string) => ({ of: "selected", column });
const theirs = (column: string) => ({ of: "followed", column });
const others = (column: string) => ({ of: "other", column });
const all = (column: string, take: string) => ({ of: "candidates", column, take });
const density = (of: (c: string) => object) => ({
  compute: {
    formula: "bulk_density",
    inputs: { mass: of("mass"), radius: of("radius") },
    unit: "g/cm^3",
    digits: 3,
  },
});
const generic = (formula: string, inputs: object, unit: string) => ({
  compute: { formula, inputs, unit, digits: 3 },
});

const big = [{ column: "radius", op: "gt", value: 300 }];
const slow = { column: "period", order: "max", rank: 1 };
const families = { peers: "family", select: { column: "mass", order: "max", rank: 1 } };
const another = {
  where: [
    { column: "icy", op: "is", value: true },
    { column: "mass", op: "lt", value: 60e20 },
  ],
  select: { column: "radius", order: "min", rank: 2 },
};
const derive = { bulk_density: { formula: "bulk_density", inputs: { mass: "mass", radius: "radius" } } };
const dense = { column: "bulk_density", op: "gt", value: 30 };

const PROGRAMS: Readonly<Record<string, object>> = {
  path: { where: big, select: slow, follow: ["planet", "star"], ...density(theirs) },
  peers: { where: big, select: slow, follow: [families], ...density(theirs) },
  peers_ratio: {
    where: big,
    select: slow,
    follow: [families],
    ...generic("ratio", { first: own("radius"), second: theirs("radius") }, "1"),
  },
  peers_then_link: { where: big, select: slow, follow: [families, "planet"], ...density(theirs) },
  link_then_peers: {
    where: big,
    select: slow,
    follow: ["planet", { peers: "kind", select: { column: "mass", order: "min", rank: 1 } }],
    ...density(theirs),
  },
  compare: {
    where: big,
    select: slow,
    other: another,
    ...generic("ratio", { first: own("mass"), second: others("mass") }, "1"),
  },
  difference: {
    where: big,
    select: slow,
    other: { where: big, select: { ...slow, order: "min" } },
    ...generic("difference", { first: own("mass"), second: others("mass") }, "kg"),
  },
  total: { where: [...big, another.where[0]], ...generic("total", { values: all("mass", "total") }, "kg") },
  mean: { where: big, ...generic("mean", { values: all("period", "mean") }, "d") },
  median: { where: big, ...generic("median", { values: all("period", "median") }, "d") },
  share: {
    where: big,
    select: slow,
    ...generic("share", { part: own("mass"), whole: all("mass", "total") }, "percent"),
  },
  times_mean: {
    where: big,
    select: slow,
    ...generic("times_mean", { value: own("mass"), mean: all("mass", "mean") }, "1"),
  },
  derived: {
    derive,
    where: [dense],
    select: slow,
    ...generic("times_mean", { value: own("mass"), mean: all("mass", "mean") }, "1"),
  },
  densest: {
    derive,
    where: big,
    select: { column: "bulk_density", order: "max", rank: 2 },
    other: { where: [dense], select: slow },
    ...generic("difference", { first: own("period"), second: others("period") }, "d"),
  },
};

export const FORM_ROWS: ReadonlyMap<string, ProgramRow> = new Map(
  Object.entries(PROGRAMS).map(([name, part]) => {
    const program = programSchema.parse({ table: "moons", ...part });
    const origin = { stage: "recipes", kind: "recipe" as const, name };
    return [name, programRowOf(program, builtinFormulas, catalog, origin)];
  }),
);
