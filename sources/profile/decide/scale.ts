import { sameDimension } from "../../../verifiers/units.js";
import type { ColumnProfile } from "../column.js";
import { check, type Decision, type Note } from "./decision.js";

/** What a number's values mean when they are compared. */
export interface Scaled {
  readonly role: "measure" | "year" | "place" | "count";
  readonly type: "number" | "integer";
  readonly scale: Decision["scale"];
  readonly unit: string;
  /** Whether the unit is known: from the file, or as the column cannot have one. */
  readonly known: boolean;
  /** Of a count: whether sources differ in it by a share of it. */
  readonly drifts?: boolean;
  /** Bounds that hold whatever the file says. */
  readonly range?: readonly [number, number];
  readonly notes: readonly Note[];
}

const YEAR = /year\b|\bdiscovered\b|\bfounded\b|\bbuilt\b/;
/** What is done once, in some year, where the values are years. */
const DATED =
  /\b(?:opened|launched|completed|constructed|established|formed|incorporated|inaugurated|introduced|erected|published|released|born|died)\b/;
/** Names that say that something is counted. Whole numbers under any other may be rounded measurements. */
const COUNT =
  /\bnumber of\b|^number\b|\b(?:atomic|proton|neutron|electron|nucleon|mass) number$|\bcounts?\b|^n\b|\b(?:population|inhabitants|residents|citizens|employees|students|passengers|crew|visitors|seats|engines|cylinders|doors|floors|storeys|stories|beds|rooms|pages|words|letters|members|moons|satellites|rings|planets|stars|islands|neighbou?rs|protons|neutrons|electrons|atoms|genes|chromosomes|bands|species|vertices|edges|copies|votes|deaths|births|cases|matches|goals|wins|losses)$/;
/** Counts that are never the same in two sources. */
const PEOPLE = /\b(?:population|inhabitants|residents|citizens|employees|students|visitors)\b/;
const PURE =
  /\b(?:eccentricity|albedo|ratio|fraction|index|score|factor|share|probability|rank|flattening|redshift|emissivity|acentric|multiplicity|correlation)\b/;
const LOG = /\b(?:magnitude|mag|log|log10|pH|dex|metallicity|logg)\b/;

/**
 * @param words the column's name in plain words, lower case.
 * @param odd a text in brackets behind the name that is no unit known here: "USD", "confirmed".
 * @param places whether the table has latitudes and longitudes; one alone is some other angle.
 */
export function scaleOf(
  column: ColumnProfile,
  words: string,
  unit: string | undefined,
  odd: string | undefined,
  places: boolean,
): Scaled {
  const whole = column.whole === column.numbers;
  const [low, high] = [column.low[0]!.value, column.high[0]!.value];
  if (whole && YEAR.test(words) && high <= 2200 && (unit === undefined || unit === "yr")) return yearOf();
  const place = places ? placeOf(words, low, high) : undefined;
  if (place !== undefined) return place;
  if (unit !== undefined)
    return { role: "measure", type: "number", ...ofUnit(words, unit, low), unit, known: true };
  if (LOG.test(words)) {
    const notes = [
      check("scale_guessed", "a logarithm by its name: margins are absolute. In mag, dex, or neither?"),
    ];
    return { role: "measure", type: "number", scale: "log", unit: "mag", known: true, notes };
  }
  if (PURE.test(words))
    return {
      role: "measure",
      type: "number",
      scale: low < 0 ? "interval" : "ratio",
      unit: "1",
      known: true,
      notes: [],
    };
  if (DATED.test(words) && mayBeYears(column)) return yearsAsked(column);
  if (whole && low >= 0 && plain(column) && COUNT.test(words) && !SCALE_WORD.test(odd ?? ""))
    return countOf(words);
  return {
    role: "measure",
    type: "number",
    scale: low < 0 ? "interval" : "ratio",
    unit: "1",
    known: false,
    notes: [noUnit(column, odd)],
  };
}

function yearOf(): Scaled {
  const notes = [
    check(
      "year",
      "calendar years, exact: where catalogues disagree by a year, `drift: { absolute: 1 }` is right",
    ),
  ];
  return { role: "year", type: "integer", scale: "interval", unit: "yr", known: true, notes };
}

/** Whole numbers between 1000 and 2100, mostly different, over decades: more likely years than counts. */
function mayBeYears(column: ColumnProfile): boolean {
  const [low, high] = [column.low[0]!.value, column.high[0]!.value];
  const spread = low >= 1000 && high <= 2100 && high - low >= 20;
  const different = (column.distinct ?? 0) >= Math.min(column.numbers / 2, 20);
  return column.whole === column.numbers && plain(column) && spread && different;
}

function yearsAsked(column: ColumnProfile): Scaled {
  const range = `${column.low[0]!.text} to ${column.high[0]!.text}`;
  const text = `years? ${range} are taken for calendar years, exact; a count has \`scale: count\` and \`unit: 1\`, a measurement its unit and \`uncertainty\``;
  return { ...yearOf(), notes: [check("year", text)] };
}

function countOf(words: string): Scaled {
  const drifts = PEOPLE.test(words);
  return { role: "count", type: "integer", scale: "count", unit: "1", known: true, drifts, notes: [] };
}

function placeOf(words: string, low: number, high: number): Scaled | undefined {
  const latitude = /\blatitude\b/.test(words);
  const bound = latitude ? 90 : 180;
  if (!latitude && !/\blongitude\b/.test(words)) return undefined;
  if (low < -bound || high > (latitude ? 90 : 360)) return undefined;
  const range = high > bound ? ([0, 360] as const) : ([-bound, bound] as const);
  const notes = [
    check("place", "degrees of a place: where on it (centre, capital, threshold)? That is its uncertainty"),
  ];
  return { role: "place", type: "number", scale: "interval", unit: "deg", known: true, range, notes };
}

function ofUnit(words: string, unit: string, low: number): Pick<Scaled, "scale" | "notes"> {
  if (unit === "mag" || unit === "dex" || LOG.test(words)) return { scale: "log", notes: [] };
  if (unit === "degC" || unit === "degF") return { scale: "interval", notes: [] };
  const angle = unit !== "1" && sameDimension(unit, "deg") && /deg|arc|rad/.test(unit);
  if (angle)
    return {
      scale: "interval",
      notes: [check("scale_guessed", "an angle: does it turn round at 360°? Then no end is an extremum")],
    };
  if (low >= 0) return { scale: "ratio", notes: [] };
  return {
    scale: "interval",
    notes: [
      check(
        "scale_guessed",
        "there are values below zero, so margins are absolute; where the sign is a direction, `ratio` may be right",
      ),
    ],
  };
}

const plain = (column: ColumnProfile): boolean => column.forms.plain === column.numbers;

/** In thousands: no count, as its last digits are rounded away. */
const SCALE_WORD = /\b(?:hundred|thousand|million|billion|trillion)s?\b|^(?:0{3,}s?|k|m|mn|bn)$/i;

/** Nothing is asked of such a column: a length without its unit is no length, whole or not. */
function noUnit(column: ColumnProfile, odd: string | undefined): Note {
  const range = `${column.low[0]!.text} to ${column.high[0]!.text}`;
  const named = odd === undefined ? "" : ` ("${odd}", in its name, is none that is known here)`;
  const whole =
    column.whole !== column.numbers
      ? []
      : ["a count takes `type: integer`, `scale: count`, `uncertainty: { exact: true }`"];
  const years = mayBeYears(column)
    ? ["calendar years take `type: integer`, `scale: interval`, `unit: yr`, `uncertainty: { exact: true }`"]
    : [];
  const other = [...whole, ...years].map((text) => `; ${text}`).join("");
  return check(
    "no_unit",
    `no unit was found for ${range}${named}: write it (docs/units.md; others by \`number: { factor }\`), or leave 1 for a pure number; then \`may: [filter, select, compute]\`${other}`,
  );
}
