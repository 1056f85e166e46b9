import type { Expected } from "../../verifiers/answer/answer.js";
import { compare, type Exact, fromDecimal } from "../../verifiers/answer/exact.js";
import { notationOf } from "../../verifiers/answer/language.js";
import { plainAnswer } from "../../verifiers/answer/latex.js";
import { readQuantity } from "../../verifiers/answer/quantity.js";
import type { AnswerCells, Read } from "./cells.js";

type NumberCells = Pick<AnswerCells, "unit" | "tolerance" | "digits" | "language">;

/** Digits to which 1/3, π and √2 are written down, and how near replies must then be at least. */
const DIGITS = 40;
const ROUNDED = 1e-12;
/** Longest whole number that is written out, in powers of ten. */
const LONGEST = 5000;

/** A number with its unit, or why it is none. */
export function readNumber(text: string, cells: NumberCells): Read | string {
  const reading = readQuantity(plainAnswer(text), notationOf(cells.language));
  if (reading === "foreign")
    return `its marks have no single meaning in numbers of the language ${cells.language}`;
  if (reading === "unreadable" || reading.number.value === "beyond") return "it is not one number";
  if (reading.plusMinus !== undefined)
    return "it states an uncertainty: give it as `tolerance`, relative to the value";
  const written = reading.units.map((unit) => unit?.text);
  if (written.length > 1) return "its unit has more than one reading";
  const unit = written[0] ?? cells.unit ?? "1";
  const exact = decimalOf(reading.number.value);
  const rounded = reading.number.rounded || exact === undefined;
  const value = shortest(exact ?? roundedDecimal(reading.number.value), reading.number.value);
  const tolerance = rounded ? Math.max(cells.tolerance, ROUNDED) : cells.tolerance;
  const digits = cells.digits === undefined ? {} : { digits: cells.digits };
  const expected: Expected = { type: "quantity", value, unit, tolerance, ...digits };
  return { expected, text: written[0] === undefined && unit !== "1" ? `${text} ${unit}` : text };
}

/** A whole number, or why it is none. */
export function readInteger(text: string, { language }: Pick<AnswerCells, "language">): Read | string {
  const reading = readQuantity(plainAnswer(text), notationOf(language));
  if (reading === "foreign") return `its marks have no single meaning in numbers of the language ${language}`;
  if (reading === "unreadable" || reading.number.value === "beyond") return "it is not one number";
  if (reading.units.some((unit) => unit !== null)) return "it has a unit: such an answer is a quantity";
  const value = wholeOf(reading.number.value);
  if (value === undefined || reading.number.rounded || reading.plusMinus !== undefined)
    return "it is not a whole number";
  return { expected: { type: "integer", value }, text };
}

/** The number as decimal text, where it has a finite decimal form. */
function decimalOf({ n, d, e }: Exact): string | undefined {
  let [top, under, exponent] = [n, d, e];
  for (const factor of [2n, 5n]) {
    while (under % factor === 0n) {
      top *= 10n / factor;
      under /= factor;
      exponent--;
    }
  }
  return top % under === 0n ? `${top / under}e${exponent}` : undefined;
}

function roundedDecimal({ n, d, e }: Exact): string {
  return `${(n * 10n ** BigInt(DIGITS)) / d}e${e - DIGITS}`;
}

/** As a number where that is the very same value (or its rounded form's nearest), else as decimal text. */
function shortest(decimal: string, exact: Exact): number | string {
  const near = Number(decimal);
  const again = Number.isFinite(near) ? fromDecimal(near) : undefined;
  return again !== undefined && compare(again, exact) === 0 ? near : decimal;
}

function wholeOf({ n, d, e }: Exact): string | undefined {
  if (Math.abs(e) > LONGEST) return undefined;
  const top = n * 10n ** BigInt(Math.max(0, e));
  const under = d * 10n ** BigInt(Math.max(0, -e));
  return top % under === 0n ? String(top / under) : undefined;
}
