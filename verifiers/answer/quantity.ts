/** Numbers with units: reading `1.27 × 10^3 kg m^-3`, `(1.27 ± 0.02) g/cm³`, `25 °C`, and judging them. */
import { parseUnit, sameDimension, type Unit } from "../units.js";
import type { Expected, Verdict } from "./answer.js";
import { compoundOf } from "./compound.js";
import {
  absolute,
  compare,
  type Exact,
  fromDecimal,
  negate,
  over,
  plus,
  scale,
  times,
  within,
  ZERO,
} from "./exact.js";
import type { Notation } from "./language.js";
import { type NumberReading, numberAt, type Unread } from "./number.js";
import { withoutLead } from "./phrases.js";
import { gradeStatements } from "./statements.js";
import { unitBehind } from "./unit-behind.js";
import { right, undecided, wrong } from "./verdicts.js";

type Quantity = Extract<Expected, { type: "quantity" }>;

export interface QuantityReading {
  readonly number: NumberReading;
  /** Null where none is written; several where the text has more than one reading. */
  readonly units: readonly (Unit | null)[];
  /** Half width of a stated uncertainty, in the same unit. */
  readonly plusMinus: Exact | undefined;
}

/** Slack for factors that are rounded (π/180, IAU masses) and for roots, relative. */
const SLACK = fromDecimal("1e-12")!;

/** Judges one or several statements of one value: `1270 kg/m³ (1.27 g/cm³)` is right if both are. */
export function gradeQuantity(plain: string, expected: Quantity, notation: Notation): Verdict {
  return gradeStatements(plain, {
    grade: (text) => gradeValue(text, expected, notation),
    within: (text, tolerance) => gradeValue(text, { ...expected, tolerance }, notation),
    value: (text) => {
      const reading = readQuantity(text, notation);
      return typeof reading === "string" || reading.number.value === "beyond"
        ? undefined
        : reading.number.value;
    },
  });
}

function gradeValue(plain: string, expected: Quantity, notation: Notation): Verdict {
  const reading = readQuantity(withoutLead(plain), notation);
  if (typeof reading === "string") return unread(reading, plain);
  const verdicts = reading.units.map((unit) => judge(reading, unit, expected, plain));
  const agreed = verdicts.every((v) => v.verdict === verdicts[0]!.verdict);
  return agreed ? verdicts[0]! : undecided("ambiguous_unit", "the unit has more than one reading", plain);
}

export function unread(why: Unread, plain: string): Verdict {
  return why === "foreign"
    ? undecided(
        "ambiguous_number",
        "the marks in the number have no single meaning in the question's language",
        plain,
      )
    : undecided("unreadable", "the answer cannot be read as one number", plain);
}

/** A number, then perhaps a unit, and nothing else. */
export function readQuantity(text: string, notation: Notation): QuantityReading | Unread {
  const plain = trimmed(text);
  const concise = /^([+-]?\d+\.\d[\d ]{0,40}\d|[+-]?\d+\.\d)\((\d{1,6})\)(.*)$/s.exec(plain);
  if (concise !== null)
    return uncertain(
      concise[1]!.replaceAll(" ", ""),
      inLastDigits(concise[1]!, concise[2]!),
      concise[3]!,
      notation,
    );
  const bracketed = /^\(([^()±]{1,80})±([^()±]{1,80})\)(.{0,200})$/su.exec(plain);
  if (bracketed !== null) return uncertain(bracketed[1]!, bracketed[2]!, bracketed[3]!, notation);
  const compound = compoundOf(plain, notation);
  if (compound !== undefined) {
    const number = { value: compound.value, rounded: true, end: plain.length };
    return { number, units: [compound.unit], plusMinus: undefined };
  }
  const sides = plain.split("±");
  if (sides.length === 2 && sides[0]!.trim() !== "") return withUncertainty(sides[0]!, sides[1]!, notation);
  return sides.length === 1 ? readPlain(plain, notation) : "unreadable";
}

/** 6.674 30(15): the digits in brackets are in units of the last digit. */
function inLastDigits(value: string, digits: string): string {
  return `${digits}e-${value.replaceAll(" ", "").split(".")[1]!.length}`;
}

function uncertain(value: string, half: string, tail: string, notation: Notation): QuantityReading | Unread {
  const english = { ...notation, decimal: "." } as const;
  const mark = /e-\d+$/.test(half) ? english : notation;
  const read = readPlain(trimmed(`${value.trim()}${tail}`), mark);
  const width = readPlain(trimmed(`${half.trim()}${/e-\d+$/.test(half) ? "" : tail}`), mark);
  if (typeof read === "string" || typeof width === "string")
    return typeof read === "string" ? read : "unreadable";
  if (read.number.value === "beyond" || width.number.value === "beyond") return "unreadable";
  const shift = /e-\d+$/.test(half) ? powerIn(tail, mark) : 0;
  return { ...read, plusMinus: absolute(scale(width.number.value, shift)) };
}

/** The power of ten with which a tail such as " × 10^-11 m" begins. */
function powerIn(tail: string, notation: Notation): number {
  const one = numberAt(`1${tail}`, 0, notation);
  return typeof one === "string" || one.value === "beyond" ? 0 : one.value.e;
}

/** "1.27 g/cm³ ± 0.02 g/cm³", "1.27 ± 0.02 g/cm³", "1.27 g/cm³ ± 2 %". */
function withUncertainty(left: string, right_: string, notation: Notation): QuantityReading | Unread {
  const value = readPlain(trimmed(left), notation);
  const width = readPlain(trimmed(right_), notation);
  if (typeof value === "string" || typeof width === "string")
    return typeof value === "string" ? value : "unreadable";
  if (value.number.value === "beyond" || width.number.value === "beyond") return "unreadable";
  const unit = width.units[0] ?? null;
  if (unit?.text === "%" || unit?.text === "percent")
    return { ...value, plusMinus: absolute(times(value.number.value, scale(width.number.value, -2))) };
  if (value.units[0] === null)
    return { ...value, units: width.units, plusMinus: absolute(width.number.value) };
  const same = unit === null || unit.text === value.units[0]!.text;
  return same ? { ...value, plusMinus: absolute(width.number.value) } : "unreadable";
}

function readPlain(plain: string, notation: Notation): QuantityReading | Unread {
  const inner = /^\(([^()]*)\)$/.exec(plain)?.[1];
  const text = inner ?? plain;
  const number = numberAt(text, 0, notation);
  if (typeof number === "string") return number;
  const units = unitBehind(text, number.end);
  return units === undefined ? "unreadable" : { number, units, plusMinus: undefined };
}

function judge(reading: QuantityReading, unit: Unit | null, expected: Quantity, plain: string): Verdict {
  const asked = parseUnit(expected.unit);
  const value = fromDecimal(expected.value);
  if (value === undefined) return undecided("unreadable", "the reference value is no decimal number", plain);
  const given = unit ?? parseUnit("1");
  if (!sameDimension(given, asked)) {
    return unit === null
      ? wrong("missing_unit", `the answer has no unit; \`${expected.unit}\` is asked for`, plain)
      : wrong("wrong_dimension", `\`${unit.text}\` does not measure what \`${expected.unit}\` does`, plain);
  }
  const { number } = reading;
  if (number.value === "beyond")
    return wrong("wrong_value", "the number is beyond any size that could be meant", plain);
  const isNear = (a: Exact, converted: boolean) =>
    near(a, value, expected.tolerance, converted || number.rounded, asked);
  const converted = given.factor !== asked.factor || given.offset !== asked.offset;
  if (isNear(convertExact(number.value, given, asked), converted))
    return asPrecise(reading, given, asked, value, expected, plain);
  if (unit === null && converted && isNear(number.value, false))
    return wrong("missing_unit", `the answer has no unit; \`${expected.unit}\` is asked for`, plain);
  if (converted && isNear(number.value, false))
    return wrong("wrong_unit", `the number is right for \`${expected.unit}\`, not for the unit given`, plain);
  if (isNear(negate(convertExact(number.value, given, asked)), converted))
    return wrong("wrong_sign", "the sign is wrong", plain);
  return wrong("wrong_value", "the value is not within the tolerance", plain);
}

/** A right value whose own uncertainty is wider than the tolerance says less than was asked. */
function asPrecise(
  reading: QuantityReading,
  given: Unit,
  asked: Unit,
  value: Exact,
  expected: Quantity,
  plain: string,
): Verdict {
  const half = reading.plusMinus;
  if (half !== undefined) {
    const width = times(half, over(factorOf(given), factorOf(asked))!);
    const allowed = times(absolute(value), plus(fromDecimal(expected.tolerance)!, SLACK));
    if (compare(width, allowed) > 0)
      return wrong("too_wide", "the stated uncertainty is wider than the tolerance", plain);
  }
  return right("equal", "the value is within the tolerance", plain);
}

function near(a: Exact, value: Exact, tolerance: number, inexact: boolean, asked: Unit): boolean {
  const relative = fromDecimal(tolerance)!;
  if (tolerance === 0 && !inexact) return compare(a, value) === 0;
  // A zero of its own: rounding of the factors is relative to the SI value.
  const si = plus(absolute(value), over(fromDecimal(Math.abs(asked.offset))!, factorOf(asked)) ?? ZERO);
  return within(a, value, relative, times(si, SLACK));
}

const factorOf = (unit: Unit): Exact => fromDecimal(unit.factor)!;

/** SI value = value · factor + offset, on the shortest decimals of the factors. */
function convertExact(value: Exact, from: Unit, to: Unit): Exact {
  if (from.factor === to.factor && from.offset === to.offset) return value;
  const si = plus(times(value, factorOf(from)), fromDecimal(from.offset)!);
  return over(plus(si, negate(fromDecimal(to.offset)!)), factorOf(to))!;
}

/** Without what may stand around a value and says nothing: end marks, "to three significant figures". */
function trimmed(text: string): string {
  return text
    .slice(0, 20_000)
    .trim()
    .replace(/[\s.;,]{1,20}$/, "")
    .replace(
      /,? ?\(?(?:rounded )?\(?(?:to|at|with) \w{1,10} (?:significant (?:figures|digits)|sig\.? ?figs?\.?|s\.?f\.?|decimal places|decimals)\)?$/i,
      "",
    )
    .replace(
      / ?\((?:\d|\p{L}{2,6}) (?:significant figures|significant digits|sig\.? ?figs?\.?|s\.?f\.?)\)$/iu,
      "",
    )
    .trim();
}
