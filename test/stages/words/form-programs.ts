import type { Random } from "../../../pipeline/base/random.js";
import { stream } from "../../../pipeline/base/random.js";
import type { Card } from "../../../sources/card.js";
import { type Formula, formulaSchema } from "../../../stages/formulas/formula.js";
import { GENERIC, type GenericId, genericFormula } from "../../../stages/formulas/generic.js";
import { builtinFormulas } from "../../../stages/formulas/index.js";
import { programSchema } from "../../../stages/program/program.js";
import type { Sayable } from "../../../stages/words/reads.js";
import { cards } from "./cards.js";
import { conditionOn } from "./programs.js";

/** Seeded programs of the further forms: paths, peers, two entities, figures of all candidates, derived columns. */

const own = (column: string) => ({ of: "selected" as const, column });
const theirs = (column: string) => ({ of: "followed" as const, column });
const others = (column: string) => ({ of: "other" as const, column });
const all = (column: string, take: string) => ({ of: "candidates" as const, column, take });

const TABLES = ["planets", "moons", "elements", "isotopes", "groups", "airports", "countries", "asteroids"];
const HIGHEST = { peers: "country", select: { column: "elevation", order: "max", rank: 1 } } as const;

const isMeasured = (card: Card, c: string) => ["number", "integer"].includes(card.columns[c]!.type);

/** A table, a column of its that a generic formula may be asked of, and that formula. */
function generic(
  random: Random,
  ids: readonly GenericId[],
): { card: Card; column: string; formula: Formula } {
  for (;;) {
    const card = cards.get(random.pick(TABLES))!;
    const column = random.pick(Object.keys(card.columns).filter((c) => isMeasured(card, c)));
    const formula = genericFormula(random.pick(ids), column, card.columns[column]!, card.entity);
    if (formula !== undefined) return { card, column, formula };
  }
}

function choice(card: Card, random: Random, most: number) {
  const columns = random.shuffle(Object.keys(card.columns).filter((c) => card.columns[c]!.may.length > 0));
  const select = columns.find((c) => isMeasured(card, c))!;
  const free = columns.filter(
    (c) => c !== select && !["planet", "country", "continent", "currency"].includes(c),
  );
  return {
    where: free.slice(0, random.int(most + 1)).map((c) => conditionOn(card, c, random)),
    select: { column: select, order: random.pick(["max", "min"]), rank: random.pick([1, 1, 1, 2, 3]) },
  };
}

function finish(
  card: Card,
  formula: Formula,
  random: Random,
  part: object,
  unit = formula.output.unit,
): Sayable {
  const { inputs, derived, ...rest } = part as { inputs: object; derived?: Sayable["derived"] };
  const program = programSchema.parse({
    table: card.id,
    ...rest,
    compute: { formula: formula.id, inputs, unit, digits: random.pick([3, 3, 4]) },
  });
  const { anchors: _, ...bare } = formula;
  const type = formula.exact ? "integer" : "quantity";
  const row: Sayable = { program, formula: bare, answer: { type, unit, digits: program.compute.digits } };
  return derived === undefined ? row : { ...row, derived };
}

const density = formulaSchema.parse(builtinFormulas.get("bulk_density")!);
const distance = builtinFormulas.get("great_circle_distance")!;
const far = (of: (column: string) => object) => ({
  latitude: own("latitude"),
  longitude: own("longitude"),
  other_latitude: of("latitude"),
  other_longitude: of("longitude"),
});

export const FORMS = ["path", "peers", "compare", "aggregate", "whole", "derived"] as const;
export type FormName = (typeof FORMS)[number];

/** A program of a form, the same for a seed. */
export function drawForm(form: FormName, seed: number): Sayable {
  const random = stream("forms", form, seed);
  switch (form) {
    case "path":
      return path(random);
    case "peers":
      return peers(random);
    case "compare":
      return compared(random);
    case "aggregate": {
      const { card, column, formula } = generic(random, ["total", "mean", "median"]);
      const { where } = choice(card, random, 3);
      return finish(card, formula, random, { where, inputs: { values: all(column, formula.id) } });
    }
    case "whole": {
      const { card, column, formula } = generic(random, ["share", "times_mean"]);
      const inputs =
        formula.id === "share"
          ? { part: own(column), whole: all(column, "total") }
          : { value: own(column), mean: all(column, "mean") };
      const unit = formula.id === "share" && random.int(2) === 0 ? "percent" : "1";
      return finish(card, formula, random, { ...choice(card, random, 2), inputs }, unit);
    }
    case "derived":
      return derived(random);
  }
}

function path(random: Random): Sayable {
  const moons = cards.get("moons")!;
  const airports = cards.get("airports")!;
  if (random.int(2) === 0) {
    const inputs = { mass: theirs("mass"), radius: theirs("mean_radius") };
    return finish(moons, density, random, {
      ...choice(moons, random, 2),
      follow: ["planet", "star"],
      inputs,
    });
  }
  const people = builtinFormulas.get("population_density")!;
  const select = { column: "area", order: random.pick(["max", "min"]), rank: 1 };
  const last = random.pick([
    { peers: "continent", select },
    { peers: "currency", select },
  ]);
  return finish(airports, people, random, {
    ...choice(airports, random, 2),
    follow: random.pick([["country"], ["country", last], [HIGHEST, "country"]]),
    inputs: { population: theirs("population"), area: theirs("area") },
  });
}

function peers(random: Random): Sayable {
  const card = cards.get("airports")!;
  const select = choice(card, random, 0).select;
  const follow = [{ peers: "country", select: { ...select, rank: random.pick([1, 1, 2]) } }];
  const chosen = { ...choice(card, random, 2), follow };
  const kind = random.int(3);
  if (kind === 0) return finish(card, distance, random, { ...chosen, inputs: far(theirs) });
  if (kind === 1) {
    const pressure = builtinFormulas.get("standard_pressure")!;
    return finish(card, pressure, random, { ...chosen, inputs: { elevation: theirs("elevation") } });
  }
  const column = random.pick(["elevation", "runway", "runways"]);
  const formula = genericFormula(
    random.pick(["ratio", "difference"]),
    column,
    card.columns[column]!,
    card.entity,
  )!;
  return finish(card, formula, random, { ...chosen, inputs: { first: own(column), second: theirs(column) } });
}

function compared(random: Random): Sayable {
  if (random.int(5) === 0) {
    const card = cards.get("airports")!;
    return finish(card, distance, random, {
      ...choice(card, random, 2),
      other: choice(card, random, 2),
      inputs: far(others),
    });
  }
  const { card, column, formula } = generic(random, ["ratio", "difference"]);
  const one = choice(card, random, 2);
  const two = choice(card, random, 2);
  const [first, second] = random.int(4) === 0 ? [others, own] : [own, others];
  return finish(card, formula, random, {
    ...one,
    other: random.int(4) === 0 ? { ...two, where: one.where } : two,
    inputs: { first: first(column), second: second(column) },
  });
}

/** Planets or moons by their density, as condition or choice, in any of three forms. */
function derived(random: Random): Sayable {
  const card = cards.get("planets")!;
  const id = "bulk_density";
  const derive = { [id]: { formula: id, inputs: { mass: "mass", radius: "mean_radius" } } };
  const condition = { column: id, op: random.pick(["lt", "gt"]), value: random.pick([1, 3.5, 5]) };
  const by = { column: id, order: random.pick(["max", "min"]), rank: random.pick([1, 2]) };
  const { anchors: _, ...bare } = density;
  const more = { derive, derived: { [id]: bare } };
  const plain = choice(card, random, 1);
  if (random.int(3) === 0) {
    const median = genericFormula("median", "axis", card.columns.axis!, card.entity)!;
    const where = [...plain.where, condition];
    return finish(card, median, random, { where, inputs: { values: all("axis", "median") }, ...more });
  }
  const ratio = genericFormula("ratio", "tilt", card.columns.tilt!, card.entity)!;
  const one =
    random.int(2) === 0 ? { ...plain, where: [...plain.where, condition] } : { ...plain, select: by };
  const inputs = { first: own("tilt"), second: others("tilt") };
  return finish(card, ratio, random, { ...one, other: choice(card, random, 1), inputs, ...more });
}

export const isGenericRow = ({ formula }: Sayable): boolean =>
  (GENERIC as readonly string[]).includes(formula.id);
