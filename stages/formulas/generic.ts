import type { Card, ColumnCard } from "../../sources/card.js";
import { parseUnit } from "../../verifiers/units.js";
import { type Formula, type FormulaSpec, formulaSchema } from "./formula.js";

/**
 * Formulas that may be asked of any column fit for them: two entities compared, a figure of all candidates, one entity against all. Their
 * noun, units and names of quantities come from the card of the column, so each column has its own.
 */
export const GENERIC = ["ratio", "difference", "total", "mean", "median", "share", "times_mean"] as const;
export type GenericId = (typeof GENERIC)[number];

export function isGeneric(id: string): id is GenericId {
  return (GENERIC as readonly string[]).includes(id);
}

type Entity = Pick<Card["entity"], "singular">;

/**
 * The formula `id` asked of a column of numbers.
 * @returns undefined where it means nothing; {@link genericRefusal} says why
 */
export function genericFormula(
  id: GenericId,
  column: string,
  card: ColumnCard,
  entity: Entity,
): Formula | undefined {
  if (genericRefusal(id, column, card) !== undefined) return undefined;
  const noun = nounOf(column, card);
  const unit = card.unit ?? "1";
  const quantity = card.quantity ?? column;
  const { inputs, ...shape } = SHAPES[id]({ noun, unit, quantity, exact: isExact(card) });
  const read = inputs.map((name) => [
    name,
    { unit, quantity: [quantity], noun: INPUT_NOUNS[name]!(noun, entity.singular) },
  ]);
  return formulaSchema.parse({ id, ...shape, inputs: Object.fromEntries(read), source: "definition" });
}

interface Of {
  readonly noun: string;
  readonly unit: string;
  readonly quantity: string;
  readonly exact: boolean;
}

type Shape = Omit<FormulaSpec, "id" | "source" | "inputs"> & { readonly inputs: readonly string[] };

const named = (prefix: string, quantity: string): string => `${prefix}_${quantity}`.slice(0, 63);

const SHAPES: Readonly<Record<GenericId, (of: Of) => Shape>> = {
  ratio: ({ noun, quantity }) => ({
    noun: `ratio of the ${many(noun)}`,
    inputs: ["first", "second"],
    expression: "first/second",
    output: { unit: "1", quantity: named("ratio_of", quantity) },
    wrong_routes: [{ expression: "second/first", reason: "the ratio turned round" }],
  }),
  difference: ({ noun, unit, quantity, exact }) => ({
    noun: `difference in ${/ of /.test(noun) ? "the " : ""}${noun}`,
    inputs: ["first", "second"],
    expression: "abs(first - second)",
    output: { unit: differenceUnit(unit), quantity: named("difference_of", quantity) },
    exact,
  }),
  total: ({ noun, unit, quantity, exact }) => ({
    noun: `total ${noun.replace(/^total /, "")}`,
    inputs: ["values"],
    expression: "values",
    output: { unit, quantity: named("total_of", quantity) },
    exact,
  }),
  mean: ({ noun, unit, quantity }) => ({
    noun: meanOf(noun),
    inputs: ["values"],
    expression: "values",
    output: { unit, quantity: named("mean_of", quantity) },
  }),
  median: ({ noun, unit, quantity }) => ({
    noun: `median ${noun}`,
    inputs: ["values"],
    expression: "values",
    output: { unit, quantity: named("median_of", quantity) },
  }),
  share: ({ noun, quantity }) => ({
    noun: `share of the total ${noun.replace(/^total /, "")}`,
    inputs: ["part", "whole"],
    expression: "part/whole",
    output: { unit: "1", quantity: named("share_of", quantity) },
  }),
  times_mean: ({ noun, quantity }) => ({
    noun: `ratio of its ${noun} to the mean`,
    inputs: ["value", "mean"],
    expression: "value/mean",
    output: { unit: "1", quantity: named("ratio_to_mean_of", quantity) },
    wrong_routes: [{ expression: "mean/value", reason: "the ratio turned round" }],
  }),
};

const INPUT_NOUNS: Readonly<Record<string, (noun: string, entity: string) => string>> = {
  first: (noun, entity) => `${noun} of the first ${entity}`,
  second: (noun, entity) => `${noun} of the second ${entity}`,
  values: (noun) => noun,
  part: (noun) => noun,
  whole: (noun) => `total ${noun.replace(/^total /, "")}`,
  value: (noun) => noun,
  mean: meanOf,
};

/** "mean mean radius" would read as a slip. */
function meanOf(noun: string): string {
  return /\bmean\b/.test(noun) ? `average ${noun}` : `mean ${noun}`;
}

/**
 * Why a formula means nothing for a column, or undefined where it may be asked. Conservative: a total is refused unless the column is
 * known to hold something that adds up, as a total of densities, temperatures or albedos is no quantity of anything.
 */
export function genericRefusal(id: GenericId, column: string, card: ColumnCard): string | undefined {
  const noun = nounOf(column, card);
  const called = `${noun} ${(card.quantity ?? column).replaceAll("_", " ")}`;
  if (card.type !== "number" && card.type !== "integer") return `the ${noun} is no number`;
  if (LABEL.test(noun)) return `the ${noun} is a label or a date, nothing to calculate with`;
  if (DIRECTION.test(called) || isCyclic(called, card))
    return `the ${noun} is a direction or a place, which has no size of its own`;
  if (COEFFICIENT.test(called)) return `the ${noun} is a number of an equation, which measures nothing`;
  if (card.quantity === "atomic_mass")
    return `the ${noun} is nearly the mass number, and its mean over isotopes is understood as weighted by their abundance`;
  switch (id) {
    case "ratio":
      return hasZero(card) ? undefined : `the ${noun} has no zero of its own, so ratios of it mean nothing`;
    case "times_mean":
      if (!hasZero(card)) return `the ${noun} has no zero of its own, so ratios of it mean nothing`;
      return LIFETIME.test(called) ? NO_MEAN(noun) : undefined;
    case "difference":
      if (card.unit === "percent") return `a difference in ${noun} may be taken as relative or in points`;
      return card.scale === "log" ? `a difference in ${noun} is a ratio in disguise` : undefined;
    case "mean":
      if (LIFETIME.test(called)) return NO_MEAN(noun);
      return card.scale === "log" ? `the ${noun} is logarithmic: its mean depends on the scale` : undefined;
    case "median":
      return /^mean\b/.test(noun) ? `the median ${noun} would be taken for a slip` : undefined;
    case "total":
    case "share":
      return hasZero(card) && addsUp(noun, card) ? undefined : `totals of the ${noun} mean nothing`;
  }
}

/** Numbers that name or date something. */
const LABEL =
  /\b(?:year|date|epoch|index|rank|code)\b|^(?:minor-planet|atomic|mass|period|group|catalogue|sequence) number/;
/** Angles and times counted from an arbitrary point, and coordinates. */
const DIRECTION =
  /latitude|longitude|right ascension|declination|azimuth|argument|anomaly|heading|bearing|ascending node|\b(?:coordinates?|direction|position angle|hue|(?:time|hour) of (?:the )?day|day of (?:the )?(?:week|month|year))\b/;
/** Numbers of an equation: their signs and sizes are those of a choice of form. */
const COEFFICIENT =
  /\bcoefficient\b.*\b(?:equation|polynomial|form)\b|\b(?:invariant|discriminant|weierstrass)\b/;
/** Spread over so many powers of ten that a mean is that of the longest alone. */
const LIFETIME = /\bhalf[- ](?:life|lives)\b|\blifetime\b/;
const NO_MEAN = (noun: string): string => `a mean ${noun} is that of the longest alone`;

/** Angles that run from one end to another; all others on a scale without a zero come round: 359° is next to 1°. */
const BOUNDED = /inclination|tilt|obliquity|colatitude|altitude|slope|\bdip\b|declivity/;
const isCyclic = (called: string, { scale, unit = "1" }: ColumnCard): boolean =>
  scale === "interval" && ANGLE.test(unit) && !BOUNDED.test(called);
const ANGLE = /^(?:deg|°|rad|arcmin|′|(?:[mu]?arcsec)|″|mas)$/;

/** Whether zero means "none of it". */
function hasZero({ scale, unit = "1" }: ColumnCard): boolean {
  return (scale === "ratio" || scale === "count" || scale === "exact") && parseUnit(unit).offset === 0;
}

/** What a card may call by these names adds up over bodies, countries, places. */
const ADDITIVE_QUANTITIES: ReadonlySet<string> = new Set([
  "mass",
  "gravitational_parameter",
  "population",
  "area",
  "land_area",
  "total_area",
  "water_area",
  "surface_area",
  "volume",
  "power",
]);
/** Where a card names no quantity: nouns of things that add up, if the unit is of the kind. */
const ADDITIVE_NOUNS: Readonly<Record<string, string>> = {
  mass: "0,1,0,0,0,0,0",
  area: "2,0,0,0,0,0,0",
  volume: "3,0,0,0,0,0,0",
  population: "0,0,0,0,0,0,0",
};
const ADDITIVE_NOUN = /^(?:(?:total|land|water|surface|forest) )?(mass|area|volume|population)$/;

/** Counts of ways and kinds: together, two things have not as many as both have apart. */
const WAYS = /automorphism|spanning tree|component|class(?:es)?$/;

/** Counts of things, and quantities declared above. */
function addsUp(noun: string, card: ColumnCard): boolean {
  if (/^number of (?!.*\bper\b)/.test(noun) && (card.scale === "count" || card.scale === "exact"))
    return !WAYS.test(noun);
  if (card.quantity !== undefined) return ADDITIVE_QUANTITIES.has(card.quantity);
  const dimension = ADDITIVE_NOUNS[ADDITIVE_NOUN.exec(noun)?.[1] ?? ""];
  return dimension !== undefined && parseUnit(card.unit ?? "1").dimension.join() === dimension;
}

const nounOf = (column: string, card: ColumnCard): string => card.phrase?.noun ?? column.replaceAll("_", " ");

/** Whole numbers that are known exactly: their totals and differences are so too. */
function isExact(card: ColumnCard): boolean {
  if (card.type !== "integer" || card.drift !== undefined) return false;
  if (card.uncertainty !== undefined && !("exact" in card.uncertainty) && card.scale !== "exact")
    return false;
  return card.scale === "exact" || card.scale === "count";
}

/** A difference of two temperatures in degrees Celsius is in kelvins: units with a zero of their own measure places, not distances. */
function differenceUnit(unit: string): string {
  return parseUnit(unit).offset === 0 ? unit : "K";
}

const IRREGULAR: Readonly<Record<string, string>> = {
  radius: "radii",
  axis: "axes",
  life: "lives",
  index: "indices",
  "half-life": "half-lives",
};

/** The plural of a noun phrase, at its head: "numbers of edges", "mean radii", "gravitational parameters GM". */
function many(noun: string): string {
  const [, head, rest] =
    /^(.+?)((?: (?:of|in|at|per|to|by|from|on|that|with) .*| \p{Lu}\p{L}{0,2}| \(.*)?)$/u.exec(noun)!;
  const [, before, word] = /^(.*?)([^ ]+)$/.exec(head!)!;
  return `${before}${IRREGULAR[word!] ?? regular(word!)}${rest}`;
}

function regular(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
