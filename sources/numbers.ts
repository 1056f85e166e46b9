import { Decimal } from "decimal.js";
import type { ColumnCard } from "./card.js";

/** A column's number format with its defaults filled in. */
export type NumberFormat = NonNullable<ColumnCard["number"]>;

/** A number exactly as written: ± digits × 10^exponent. */
interface Written {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
  /** Divides the number: 60 or 3600 for sexagesimal fields. */
  readonly per: number;
}

/** A number read from text. */
export interface ReadNumber {
  readonly value: number;
  /** Half the last written digit, times the factor. */
  readonly halfStep: number;
  /** The uncertainty written beside it (`170.±25.`, `1.234(5)`), times the factor. */
  readonly writtenU: number | null;
  /** The value as an integer, where it is one and below 2^53. */
  readonly integer: boolean;
}

export type NumberResult = ReadNumber | { readonly unreadable: string };

/** How numbers are written where a card does not say. */
export const PLAIN: NumberFormat = {
  forms: ["plain"],
  decimal: ".",
  group: ",",
  prefix: [],
  suffix: [],
  factor: 1,
};
const MAX_LENGTH = 400;
/** Beyond this no double exists; it also keeps integers small enough to test. */
const MAX_EXPONENT = 400;
/** Every character that typesetters put for a minus sign. */
const MINUS = "\\-\u2010\u2011\u2012\u2013\u2212\uFE63\uFF0D";
const SPACE = " \u00A0\u2007\u2009\u202F";
const SIGN = `([+${MINUS}]?)`;
const EXPONENT = `(?:[eE]([+${MINUS}]?\\d+))?`;

/** Reads texts of one column; compile once, call per cell. */
export function numberReader(format: NumberFormat = PLAIN): (text: string) => NumberResult {
  const forms = format.forms.map((form) => formReader(form, format));
  const factor = writtenFactor(format.factor);
  return (raw) => {
    if (raw.length > MAX_LENGTH) return { unreadable: `longer than ${MAX_LENGTH} characters` };
    const text = strip(raw, format);
    for (const read of forms) {
      const found = read(text);
      if (found !== null) return scaled(found.number, found.u, factor);
    }
    return { unreadable: `not a number of the form ${format.forms.join(" or ")}` };
  };
}

function strip(raw: string, format: NumberFormat): string {
  let text = raw;
  const prefix = longest(format.prefix, (p) => text.startsWith(p));
  if (prefix !== undefined) text = text.slice(prefix.length).trimStart();
  const suffix = longest(format.suffix, (s) => text.endsWith(s));
  if (suffix !== undefined) text = text.slice(0, text.length - suffix.length).trimEnd();
  return text;
}

function longest(texts: readonly string[], fits: (text: string) => boolean): string | undefined {
  return texts
    .filter(fits)
    .reduce<string | undefined>((a, b) => (a && a.length >= b.length ? a : b), undefined);
}

type Form = NumberFormat["forms"][number];
type Reader = (text: string) => { number: Written; u: Written | null } | null;

function formReader(form: Form, format: NumberFormat): Reader {
  const point = format.decimal === "." ? "\\." : ",";
  const plain = `${SIGN}(\\d+(?:${point}\\d*)?|${point}\\d+)${EXPONENT}`;
  switch (form) {
    case "plain":
      return single(new RegExp(`^${plain}$`), point);
    case "grouped":
      return single(grouped(format.group, point), point);
    case "spaced":
      return single(spaced(point), point);
    case "plus_minus":
      return plusMinus(plain, point);
    case "parenthesis":
      return parenthesis(point);
    case "sexagesimal":
      return sexagesimal(point);
  }
}

function grouped(group: NumberFormat["group"], point: string): RegExp {
  const g = group === " " ? `[${SPACE}]` : group === "." ? "\\." : group;
  return new RegExp(`^${SIGN}(\\d{1,3}(?:${g}\\d{3})+(?:${point}\\d*)?)${EXPONENT}$`);
}

/** Digits in groups of three on both sides, as CODATA prints them; the last group may have one to four. */
function spaced(point: string): RegExp {
  const s = `[${SPACE}]`;
  const fraction = `${point}(?:\\d*|\\d{3}(?:${s}\\d{3})*${s}\\d{1,4})`;
  return new RegExp(
    `^${SIGN}(\\d{1,3}(?:${s}\\d{3})*(?:${fraction})?|\\d+(?:${fraction})?)(?:${s}?[eE]([+${MINUS}]?\\d+))?$`,
  );
}

function single(pattern: RegExp, point: string): Reader {
  const noise = new RegExp(`[^0-9${point}]`, "g");
  return (text) => {
    const m = pattern.exec(text);
    if (m === null) return null;
    const clean = m[2]!.replace(noise, "");
    return { number: written(m[1]!, clean, point, m[3]), u: null };
  };
}

function plusMinus(plain: string, point: string): Reader {
  const pattern = new RegExp(`^${plain}[${SPACE}]*(?:±|\\+/-|\\+-)[${SPACE}]*${plain}$`);
  return (text) => {
    const m = pattern.exec(text);
    if (m === null || m[4] !== "") return null;
    return { number: written(m[1]!, m[2]!, point, m[3]), u: written("", m[5]!, point, m[6]) };
  };
}

/** `1.234(5)e-3`: the digits in parentheses count in units of the last written place. */
function parenthesis(point: string): Reader {
  const pattern = new RegExp(`^${SIGN}(\\d+(?:${point}\\d*)?)\\((\\d+)\\)${EXPONENT}$`);
  return (text) => {
    const m = pattern.exec(text);
    if (m === null) return null;
    const number = written(m[1]!, m[2]!, point, m[4]);
    return { number, u: { negative: false, digits: m[3]!, exponent: number.exponent, per: 1 } };
  };
}

/** `-0 12 30.5`, `40:05:51`: the sign belongs to the whole, minutes and seconds run from 0 to 59. */
function sexagesimal(point: string): Reader {
  const pattern = new RegExp(
    `^${SIGN}(\\d+)[${SPACE}:]([0-5]?\\d(?:${point}\\d*)?)(?:[${SPACE}:]([0-5]?\\d(?:${point}\\d*)?))?$`,
  );
  return (text) => {
    const m = pattern.exec(text);
    if (m === null) return null;
    const [minutes, seconds] = [m[3]!, m[4]];
    if (seconds !== undefined && !/^\d+$/.test(minutes)) return null;
    const last = written("", seconds ?? minutes, point, undefined);
    const whole = seconds === undefined ? BigInt(m[2]!) * 60n : (BigInt(m[2]!) * 60n + BigInt(minutes)) * 60n;
    const digits = whole * 10n ** BigInt(-last.exponent) + BigInt(last.digits);
    const per = seconds === undefined ? 60 : 3600;
    const negative = m[1] !== "" && m[1] !== "+";
    return { number: { negative, digits: String(digits), exponent: last.exponent, per }, u: null };
  };
}

function written(sign: string, mantissa: string, point: string, exponent: string | undefined): Written {
  const at = mantissa.indexOf(point === "," ? "," : ".");
  const digits = at < 0 ? mantissa : mantissa.slice(0, at) + mantissa.slice(at + 1);
  const fraction = at < 0 ? 0 : mantissa.length - at - 1;
  const power = exponent === undefined ? 0 : Number(exponent.replace(/^[^+\d]/, "-"));
  return { negative: sign !== "" && sign !== "+", digits, exponent: power - fraction, per: 1 };
}

/** A factor as digits and a power of ten, so that multiplying by it is exact. */
interface Factor {
  readonly digits: bigint;
  readonly exponent: number;
}

function writtenFactor(factor: number): Factor {
  const m = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(factor))!;
  const fraction = m[2] ?? "";
  return { digits: BigInt(m[1]! + fraction), exponent: Number(m[3] ?? 0) - fraction.length };
}

function scaled(number: Written, u: Written | null, factor: Factor): NumberResult {
  if (Math.abs(number.exponent) > MAX_EXPONENT) return { unreadable: "its exponent is out of range" };
  const value = product(number, factor);
  if (!Number.isFinite(value)) return { unreadable: "too large for a double" };
  const half: Written = { negative: false, digits: "5", exponent: number.exponent - 1, per: number.per };
  return {
    value,
    halfStep: product(half, factor),
    writtenU: u === null ? null : product(u, factor),
    integer: Number.isSafeInteger(value) && isWhole(number, factor, value),
  };
}

/** The nearest double to number × factor: the product is formed in whole numbers and rounded once. */
function product(number: Written, factor: Factor): number {
  const digits = factor.digits === 1n ? number.digits : String(BigInt(number.digits) * factor.digits);
  const text = `${number.negative ? "-" : ""}${digits}e${number.exponent + factor.exponent}`;
  if (number.per === 1) return Number(text) + 0;
  return new (Decimal.clone({ precision: 60 }))(text).div(number.per).toNumber();
}

/** Whether the double is the very integer that was written (5e15 + 0.1 is not). */
function isWhole(number: Written, factor: Factor, value: number): boolean {
  if (number.per !== 1) return false;
  const power = number.exponent + factor.exponent;
  const digits = BigInt(number.digits) * factor.digits;
  const exact = BigInt(Math.abs(value));
  return power >= 0 ? digits * 10n ** BigInt(power) === exact : digits === exact * 10n ** BigInt(-power);
}
