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
  /** Bounds that hold whatever the file says. */
  readonly range?: readonly [number, number];
  readonly notes: readonly Note[];
}

const YEAR = /year\b|\bdiscovered\b|\bfounded\b|\bbuilt\b/;
const COUNT = /\b(?:number|count|counts|population|seats|engines|members|moons|copies|inhabitants|n)\b/;
const PURE =
  /\b(?:eccentricity|albedo|ratio|fraction|index|score|factor|share|probability|rank|flattening|redshift|emissivity|acentric|multiplicity|correlation)\b/;
const LOG = /\b(?:magnitude|mag|log|log10|pH|dex|metallicity|logg)\b/;

/**
 * @param words the column's name in plain words, lower case.
 * @param places whether the table has latitudes and longitudes; one alone is some other angle.
 */
export function scaleOf(
  column: ColumnProfile,
  words: string,
  unit: string | undefined,
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
  if (mayBeYears(column, words)) return yearsAsked(column);
  if (whole && low >= 0 && plain(column) && (COUNT.test(words) || (isSmall(column) && !MEASURED.test(words))))
    return countOf(words);
  return {
    role: "measure",
    type: "number",
    scale: low < 0 ? "interval" : "ratio",
    unit: "1",
    known: false,
    notes: [noUnit(column)],
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
function mayBeYears(column: ColumnProfile, words: string): boolean {
  const [low, high] = [column.low[0]!.value, column.high[0]!.value];
  const spread = low >= 1000 && high <= 2100 && high - low >= 20;
  const different = (column.distinct ?? 0) >= Math.min(column.numbers / 2, 20);
  const other = COUNT.test(words) || MEASURED.test(words);
  return column.whole === column.numbers && plain(column) && spread && different && !other;
}

function yearsAsked(column: ColumnProfile): Scaled {
  const range = `${column.low[0]!.text} to ${column.high[0]!.text}`;
  const text = `years? ${range} are taken for calendar years, exact; a count has \`scale: count\` and \`unit: 1\`, a measurement its unit and \`uncertainty\``;
  return { ...yearOf(), notes: [check("year", text)] };
}

function countOf(words: string): Scaled {
  const notes = COUNT.test(words)
    ? []
    : [
        check(
          "count_guessed",
          "taken for a count, as all values are small whole numbers; a code or a class is `text`; exact mathematics has `scale: exact`",
        ),
      ];
  return { role: "count", type: "integer", scale: "count", unit: "1", known: true, notes };
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

/** Whole numbers under these names are measurements without decimals. */
const MEASURED =
  /\b(?:density|mass|weight|length|width|height|depth|diameter|radius|temperature|pressure|speed|velocity|period|distance|area|volume|energy|frequency|age|duration|power|elevation|altitude)\b/;

function isSmall(column: ColumnProfile): boolean {
  return (column.distinct ?? Number.POSITIVE_INFINITY) <= 200 && column.high[0]!.value < 10_000;
}

function noUnit(column: ColumnProfile): Note {
  const range = `${column.low[0]!.text} to ${column.high[0]!.text}`;
  return check(
    "no_unit",
    `no unit was found for ${range}: write it, or leave 1 for a pure number; then \`may: [filter, select, compute]\``,
  );
}
