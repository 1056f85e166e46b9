import { stream } from "../../../pipeline/base/random.js";
import type { Card, Condition } from "../../../sources/card.js";
import { type Formula, formulaSchema } from "../../../stages/formulas/formula.js";
import { programSchema } from "../../../stages/program/program.js";
import type { Sayable } from "../../../stages/words/reads.js";
import { cards } from "./cards.js";

/** Formulas and seeded programs over the test cards: what the grammar may be asked to say. */

function formula(
  id: string,
  noun: string,
  inputs: Record<string, [quantity: string, of?: "followed"]>,
  more: Record<string, unknown>,
): Formula {
  return formulaSchema.parse({
    id,
    noun,
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([name, [quantity, of]]) => [
        name,
        { unit: "1", quantity: [quantity], noun: quantity.replaceAll("_", " "), ...(of ? { of } : {}) },
      ]),
    ),
    expression: "1",
    output: { unit: "1", quantity: "x" },
    source: "made for a test",
    ...more,
  });
}

export interface Ask {
  readonly table: string;
  readonly formula: Formula;
  readonly inputs: Readonly<Record<string, { of: "selected" | "followed"; column: string }>>;
  readonly follow?: string;
}

const unit = (u: string) => ({ output: { unit: u, quantity: "x" } });
const own = (column: string) => ({ of: "selected" as const, column });
const theirs = (column: string) => ({ of: "followed" as const, column });
const SPHERE = { definition: "taking the body as a sphere of its {radius}", ...unit("g/cm^3") };
const density = formula("bulk_density", "bulk density", { mass: ["mass"], radius: ["mean_radius"] }, SPHERE);
const gravity = formula(
  "surface_gravity",
  "surface gravity",
  { mass: ["mass"], radius: ["mean_radius"] },
  {
    definition: "G times the mass over the square of the mean radius, leaving rotation aside",
    state_constants: ["G"],
    ...unit("m/s^2"),
  },
);
const orbitSpeed = formula(
  "moon_speed",
  "orbital speed about its planet",
  { axis: ["axis"], planet: ["mass", "followed"] },
  {
    definition:
      "on a circular orbit whose radius is its semi-major axis, from the planet's mass, neglecting its own",
    state_constants: ["G"],
    ...unit("km/s"),
  },
);
const moonPeriod = formula(
  "moon_period",
  "orbital period by Kepler's third law",
  { axis: ["axis"], planet: ["mass", "followed"] },
  {
    definition: "from its semi-major axis and the planet's mass, neglecting its own",
    ...unit("d"),
  },
);
const hill = formula(
  "hill",
  "radius of its Hill sphere",
  { axis: ["axis"], mass: ["mass"] },
  {
    definition: "as a·(m/3M)^(1/3) with the semi-major axis, leaving the eccentricity aside",
    ...unit("au"),
  },
);

export const asks: readonly Ask[] = [
  { table: "planets", formula: density, inputs: { mass: own("mass"), radius: own("mean_radius") } },
  { table: "planets", formula: gravity, inputs: { mass: own("mass"), radius: own("mean_radius") } },
  { table: "planets", formula: hill, inputs: { mass: own("mass"), axis: own("axis") } },
  {
    table: "planets",
    formula: formula(
      "speed",
      "mean orbital speed",
      { axis: ["axis"] },
      { definition: "as on a circular orbit whose radius is the semi-major axis: 2πa/P", ...unit("km/s") },
    ),
    inputs: { axis: own("axis") },
  },
  { table: "moons", formula: density, inputs: { mass: own("mass"), radius: own("mean_radius") } },
  {
    table: "moons",
    follow: "planet",
    formula: density,
    inputs: { mass: theirs("mass"), radius: theirs("mean_radius") },
  },
  {
    table: "moons",
    follow: "planet",
    formula: gravity,
    inputs: { mass: theirs("mass"), radius: theirs("mean_radius") },
  },
  { table: "moons", follow: "planet", formula: hill, inputs: { mass: theirs("mass"), axis: theirs("axis") } },
  {
    table: "moons",
    follow: "planet",
    formula: orbitSpeed,
    inputs: { axis: own("axis"), planet: theirs("mass") },
  },
  {
    table: "moons",
    follow: "planet",
    formula: moonPeriod,
    inputs: { axis: own("axis"), planet: theirs("mass") },
  },
  {
    table: "asteroids",
    formula: formula(
      "aphelion",
      "aphelion distance",
      { q: ["perihelion"], e: ["eccentricity"] },
      { definition: "from its {q} and eccentricity", ...unit("au") },
    ),
    inputs: { q: own("perihelion"), e: own("eccentricity") },
  },
  {
    table: "asteroids",
    formula: formula(
      "tisserand",
      "Tisserand parameter with respect to Jupiter",
      { a: ["axis"], e: ["eccentricity"] },
      { definition: "taking Jupiter's semi-major axis as 5.2029 au" },
    ),
    inputs: { a: own("axis"), e: own("eccentricity") },
  },
  {
    table: "asteroids",
    formula: formula(
      "light",
      "time that sunlight takes to reach it",
      { a: ["axis"] },
      {
        definition: "over a distance equal to its semi-major axis",
        state_constants: ["c", "au"],
        ...unit("min"),
      },
    ),
    inputs: { a: own("axis") },
  },
  {
    table: "isotopes",
    formula: formula(
      "activity",
      "specific activity",
      { t: ["half_life"], m: ["mass"] },
      { state_constants: ["N_A"], definition: "counting its own decays only", ...unit("Bq/g") },
    ),
    inputs: { t: own("half_life"), m: own("mass") },
  },
  {
    table: "isotopes",
    follow: "element",
    formula: formula(
      "liquid",
      "temperature range over which it is liquid",
      { a: ["melting", "followed"], b: ["boiling", "followed"] },
      {
        definition: "as the difference between boiling and melting point at standard pressure",
        ...unit("K"),
      },
    ),
    inputs: { a: theirs("melting"), b: theirs("boiling") },
  },
  {
    table: "elements",
    formula: formula(
      "liquid_ratio",
      "ratio of its boiling point to its melting point",
      { a: ["boiling"], b: ["melting"] },
      { definition: "both in kelvins" },
    ),
    inputs: { a: own("boiling"), b: own("melting") },
  },
  {
    table: "groups",
    formula: formula(
      "commuting",
      "commuting probability",
      { k: ["classes"], n: ["order"] },
      { definition: "the number of conjugacy classes over the order" },
    ),
    inputs: { k: own("classes"), n: own("order") },
  },
  {
    table: "groups",
    formula: formula(
      "noncentral",
      "number of ordered commuting pairs",
      { k: ["classes"], n: ["order"] },
      { exact: true },
    ),
    inputs: { k: own("classes"), n: own("order") },
  },
];

/** Plausible thresholds by unit. */
const THRESHOLDS: Readonly<Record<string, readonly number[]>> = {
  kg: [1e24, 5e25, 6.4e23, 3e20],
  "10^20 kg": [0.5, 12, 1000],
  km: [8, 25, 500, 3500, 10000, 240000],
  h: [11, 18, 24, 600],
  au: [0.5, 1, 2.1, 5.2, 18, 30],
  "1": [0.02, 0.1, 0.25, 0.85],
  degC: [-150, -60, 0, 100],
  deg: [1, 8, 25, 90],
  d: [1, 3.5, 11, 80],
  mag: [8, 11.5, 15],
  yr: [1, 80, 5730, 2e6, 1.4e10],
  u: [40, 180, 235.5],
  percent: [1, 50, 99],
  K: [300, 1200, 2.5e3],
  "g/cm^3": [1, 8, 11.3],
  m: [120, 850, 2400],
  "km^2": [2.5e3, 7e5, 4e6],
};

/** A program over the test cards, the same for a seed. */
export function draw(seed: number, ask?: Ask): Sayable {
  const random = stream("words", seed);
  const chosen = ask ?? random.pick(asks);
  const card = cards.get(chosen.table)!;
  const columns = random.shuffle(Object.keys(card.columns).filter((c) => card.columns[c]!.may.length > 0));
  const measured = columns.filter((c) => ["number", "integer"].includes(card.columns[c]!.type));
  const select = measured[0]!;
  const free = columns.filter((c) => c !== select && c !== "planet");
  const where = free.slice(0, random.pick([0, 1, 1, 2, 2, 3])).map((c) => conditionOn(card, c, random));
  const program = programSchema.parse({
    table: chosen.table,
    where,
    select: { column: select, order: random.pick(["max", "min"]), rank: random.pick([1, 1, 1, 2, 3]) },
    ...(chosen.follow === undefined ? {} : { follow: [chosen.follow] }),
    compute: {
      formula: chosen.formula.id,
      inputs: chosen.inputs,
      unit: chosen.formula.output.unit,
      digits: random.pick([3, 3, 4]),
    },
  });
  const { anchors: _, ...formula } = chosen.formula;
  return {
    program,
    formula,
    answer: {
      type: formula.exact ? "integer" : "quantity",
      unit: program.compute.unit,
      digits: program.compute.digits,
    },
  };
}

export function conditionOn(card: Card, id: string, random: ReturnType<typeof stream>): Condition {
  const column = card.columns[id]!;
  if (random.int(20) === 0 && column.type !== "flag") return { column: id, op: "known" };
  if (column.type === "flag") return { column: id, op: "is", value: random.int(2) === 0 };
  if (column.type === "text") {
    const values = Object.keys(column.phrase?.values ?? {});
    if (values.length === 0)
      return { column: id, op: "starts_with", values: random.int(2) === 0 ? ["A"] : ["A", "Be"] };
    const [a, b] = random.shuffle(values);
    return random.int(4) === 0
      ? { column: id, op: "in", values: [a!, b!] }
      : { column: id, op: "eq", value: a! };
  }
  const year = id === "found";
  const whole = column.type === "integer";
  const pool = year ? [1700, 1850, 1900, 1989] : whole ? [1, 2, 3, 8, 12, 60] : THRESHOLDS[column.unit!]!;
  const value = random.pick(pool);
  const kind = random.int(8);
  if (kind === 0 && !year) {
    const other = random.pick(pool.filter((v) => v !== value));
    return { column: id, op: "between", low: Math.min(value, other), high: Math.max(value, other) };
  }
  if (kind === 1 && whole) return { column: id, op: "eq", value };
  if (kind === 2 && whole) return { column: id, op: "in", values: [value, value + 1, value + 4] };
  return { column: id, op: random.pick(["lt", "gt", "lt", "gt", "le", "ge"]), value };
}
