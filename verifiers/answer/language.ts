/**
 * What `,` and `.` and large numbers' names mean in a language. Sources: Unicode CLDR 46, numbers (decimal, group); names of powers of
 * a thousand as dictionaries of each language have them.
 */
import { dictionary } from "../dictionary.js";

export interface Notation {
  /** Decimal mark of the language. */
  readonly decimal: "." | ",";
  /** Marks that may part groups of three digits. A space of any kind may in every language (SI Brochure 5.4.4). */
  readonly groups: string;
  /** Groups of two before the last three: 12,34,567. */
  readonly lakh: boolean;
  /** Words behind a number: powers of ten. */
  readonly scales: Readonly<Record<string, number>>;
  /** Order of day and month in 03/04/1846; undefined where both are in use. */
  readonly dayFirst: boolean | undefined;
}

const SHORT = { hundred: 2, thousand: 3, million: 6, billion: 9, trillion: 12, quadrillion: 15 };
const GERMANIC = {
  tausend: 3,
  million: 6,
  millionen: 6,
  milliarde: 9,
  milliarden: 9,
  billion: 12,
  billionen: 12,
};
const FRENCH = { mille: 3, million: 6, millions: 6, milliard: 9, milliards: 9, billion: 12, billions: 12 };
const SPANISH = { mil: 3, millón: 6, millon: 6, millones: 6, billón: 12, billon: 12, billones: 12 };
const ITALIAN = { mila: 3, milione: 6, milioni: 6, miliardo: 9, miliardi: 9 };
const PORTUGUESE = { mil: 3, milhão: 6, milhões: 6 };
const DUTCH = { duizend: 3, miljoen: 6, miljard: 9, biljoen: 12 };

/** Decimal comma with points (or spaces) between groups, and with spaces alone. */
const COMMA_POINT = "de nl it es pt id tr el da ro hr sl is vi ca eu gl".split(" ");
const COMMA_SPACE = "fr ru uk pl cs sk hu fi sv nb nn no bg lt lv et be".split(" ");
const NAMES = dictionary<Readonly<Record<string, number>>>({
  de: GERMANIC,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
});

/** The notation of a BCP 47 language; English where none is given, and where the language is not known here. */
export function notationOf(language = "en"): Notation {
  const known = notations.get(language);
  if (known !== undefined) return known;
  const notation = madeFor(language);
  if (notations.size < 1000) notations.set(language, notation);
  return notation;
}

const notations = new Map<string, Notation>();

function madeFor(language: string): Notation {
  const tags = language.slice(0, 35).toLowerCase().replaceAll("_", "-").split("-");
  const base = tags[0]!;
  const region = tags.slice(1).find((t) => /^[a-z]{2}$/.test(t));
  const scales = NAMES[base] ?? SHORT;
  const dayFirst =
    base === "en"
      ? region === undefined
        ? undefined
        : region !== "us"
      : base !== "zh" && base !== "ja" && base !== "ko";
  const form = { lakh: false, scales, dayFirst };
  if ((region === "ch" && base !== "fr") || region === "li") return { ...form, decimal: ".", groups: "'" };
  if (region === "mx" || (base === "es" && region === "us")) return { ...form, decimal: ".", groups: "," };
  if (COMMA_POINT.includes(base)) return { ...form, decimal: ",", groups: ".'" };
  if (COMMA_SPACE.includes(base)) return { ...form, decimal: ",", groups: "" };
  return { ...form, decimal: ".", groups: ",'_", lakh: region === "in" || base === "hi" };
}
