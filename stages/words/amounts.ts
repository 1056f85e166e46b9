import { formatValue } from "../../verifiers/numbers.js";
import { takeApart } from "../../verifiers/unit-grammar.js";
import { formatUnit, unitInWords } from "../../verifiers/units.js";
import { list } from "./english.js";
import type { Voice } from "./voice.js";

/** Units that stand at their number without a space, and those that always keep their symbol in prose. */
const ATTACHED = new Set(["%", "‰", "°", "′", "″"]);
const ALWAYS_SYMBOL = new Set(["mag", "dex", "u", "Da"]);
/** Prose says "80 days", not "80 d". */
const ALWAYS_WORDS = new Set(["d", "h", "min", "yr", "a", "y", "s", "Myr", "Ma", "kn"]);
/** "1.234 million" has as many digits as are read easily. */
const WORD_DIGITS = 4;
const NBSP = "\u00a0";

/** An exact number that a question states, with all its digits: 10000 gives "10,000", 3e20 "3 × 10²⁰", 1e24 "10²⁴". */
export function exactNumber(value: number, voice: Voice): string {
  const digits = significant(value);
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (voice.large === "words" && size >= 1e6 && size < 1e12) {
    const [scale, word] = size < 1e9 ? [-6, "million"] : [-9, "billion"];
    const scaled = shifted(value, scale as number);
    if (significant(scaled) <= WORD_DIGITS)
      return `${formatValue(scaled, wholeDigits(scaled), { notation: "plain", minus: "−" })}${NBSP}${word}`;
  }
  const plain = size >= 0.001 && size < 1e6;
  const text = formatValue(value, plain ? Math.max(digits, wholeDigits(value)) : digits, {
    notation: plain ? "plain" : "scientific",
    group: voice.group,
    minus: "−",
  });
  return text.replace(/^(−?)1 × /, "$1").replaceAll(" × ", `${NBSP}×${NBSP}`);
}

/** Significant digits of a number's shortest decimal form. */
export function significant(value: number): number {
  const mantissa = Math.abs(value).toExponential().split("e")[0]!;
  return mantissa.replace(".", "").length;
}

function wholeDigits(value: number): number {
  const exponent = Number(Math.abs(value).toExponential().split("e")[1]);
  return Math.max(significant(value), exponent + 1);
}

/** The value times a power of ten, by moving the point of its decimal form. */
function shifted(value: number, power: number): number {
  const [mantissa, exponent] = value.toExponential().split("e");
  return Number(`${mantissa}e${Number(exponent) + power}`);
}

/** Values of one unit joined by a word, the unit said once: "5 and 10 au", "30° and 45°", "26, 27 or 28". */
export function amounts(
  values: readonly number[],
  unit: string,
  voice: Voice,
  join: "and" | "or" | "to",
): string {
  const { factor, name } = unitName(unit, voice, values.at(-1) === 1);
  // Inhabitants are counted as 1,200,000, not as 1.2 × 10⁶; nor as 4.764328 million.
  const counted =
    unit === "1" &&
    (voice.large === "powers" || values.some((v) => v >= 1e6 && significant(v) > WORD_DIGITS));
  const numbers = values.map((v) => {
    if (counted && Number.isInteger(v) && v >= 1e6 && v < 1e10)
      return formatValue(v, wholeDigits(v), { notation: "plain", group: voice.group, minus: "−" });
    return exactNumber(factor === 0 ? v : shifted(v, factor), voice);
  });
  const pieces = ATTACHED.has(name) ? numbers.map((n) => n + name) : numbers;
  const joined = join === "to" ? pieces.join(" to ") : list(pieces, join);
  return name === "" || ATTACHED.has(name) ? joined : `${joined}${NBSP}${name}`;
}

/** A value with its unit: "5.2 au", "3 × 10²⁰ kg", "8 kilometres", "30°", "0.2". */
export function amount(value: number, unit: string, voice: Voice): string {
  return amounts([value], unit, voice, "and");
}

/** The unit as the voice writes it; a power of ten in front of a unit moves into the number. */
function unitName(unit: string, voice: Voice, one: boolean): { factor: number; name: string } {
  const scale = /^10(?:\^(-?\d+)|([⁰¹²³⁴⁵⁶⁷⁸⁹]+)) (.+)$/u.exec(unit);
  const plain = scale === null ? unit : scale[3]!;
  const factor =
    scale === null ? 0 : Number(scale[1] ?? [...scale[2]!].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).join(""));
  const inWords =
    ALWAYS_WORDS.has(plain) ||
    hasInch(plain) ||
    (voice.units === "words" && factor === 0 && sayable(plain) && !ALWAYS_SYMBOL.has(plain));
  return { factor, name: inWords ? unitInWords(plain, one) : spaced(formatUnit(plain)) };
}

/** Words are kept for units that a person would say: at most two symbols. */
function sayable(unit: string): boolean {
  const { parts, scale } = takeApart(unit);
  return (
    scale === "1" &&
    parts.length <= 2 &&
    parts.some((p) => p.exponent > 0) &&
    !parts.some((p) => Math.abs(p.exponent) > 3)
  );
}

/** "In in³" is no English. */
const hasInch = (unit: string): boolean => takeApart(unit).parts.some((p) => p.symbol === "in");

const spaced = (unit: string): string => unit.replaceAll(" ", NBSP);

/** The unit in which an answer is asked for: "g/cm³", "grams per cubic centimetre", "units of 10²⁴ kg"; "" for a pure number. */
export function askedUnit(unit: string, voice: Voice): string {
  const { scale, parts } = takeApart(unit);
  if (scale !== "1") return `units of ${spaced(formatUnit(unit))}`;
  if (parts.length === 0) return "";
  const symbol = formatUnit(unit);
  const mustSay = /^[%‰°′″](?!C|F)/u.test(symbol) || ALWAYS_WORDS.has(unit) || hasInch(unit);
  if (ALWAYS_SYMBOL.has(unit) && unit !== "mag") return symbol;
  return mustSay || (voice.units === "words" && sayable(unit)) ? unitInWords(unit) : spaced(symbol);
}
