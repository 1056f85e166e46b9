import { numberReader } from "../numbers.js";

/** How a number is written; the forms of a card, and two that a card's `prefix`, `suffix` and `decimal` say. */
export type Form =
  | "plain"
  | "grouped"
  | "spaced"
  | "plus_minus"
  | "parenthesis"
  | "sexagesimal"
  | "decimal_comma"
  /** Dots between groups of three digits: "1.059.600", "1.991,0". */
  | "dot_grouped";

/** A text that reads as a number. */
export interface Written {
  readonly value: number;
  readonly form: Form;
  /** Half the step of the last written digit. */
  readonly halfStep: number;
  /** Digits after the decimal mark, the exponent aside. */
  readonly decimals: number;
  /** Significant digits, leading zeros aside. */
  readonly digits: number;
  /** A text before or after the number: "R", "million sq km", "*". */
  readonly prefix?: string;
  readonly suffix?: string;
}

/** Of codes such as 007 the zeros would be lost. */
export function hasLeadingZeros(text: string): boolean {
  return /^0\d/.test(text);
}

const PLAIN = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:[eE][+-]?\d+)?$/;
const OTHER_FORMS: readonly (readonly [Form, ReturnType<typeof numberReader>])[] = (
  ["grouped", "plus_minus", "parenthesis", "spaced"] as const
).map((form) => [form, reader({ forms: [form] })]);
const plain = reader({ forms: ["plain"] });
const comma = reader({ forms: ["plain"], decimal: "," });
const dotted = reader({ forms: ["grouped"], decimal: ",", group: "." });
const sexagesimal = reader({ forms: ["sexagesimal"] });
const MAX_LENGTH = 60;

function reader(format: Partial<NonNullable<Parameters<typeof numberReader>[0]>>) {
  const rest = { decimal: ".", group: ",", prefix: [], suffix: [], factor: 1 } as const;
  return numberReader({ forms: ["plain"], ...rest, prefix: [], suffix: [], ...format });
}

/** Reads a text as a number in whatever form it is written, or gives undefined. Most cells take the first branch. */
export function readNumber(text: string): Written | undefined {
  const quick = PLAIN.exec(text);
  if (quick !== null) return ofPlain(text, quick);
  if (text.length > MAX_LENGTH || !/\d/.test(text)) return undefined;
  return inOtherForm(text) ?? withAffix(text);
}

function ofPlain(text: string, found: RegExpExecArray): Written | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  const decimals = (found[1] ?? found[2] ?? "").length;
  const at = text.search(/[eE]/);
  const mantissa = at < 0 ? text : text.slice(0, at);
  const power = at < 0 ? 0 : Number(text.slice(at + 1));
  const halfStep = Number(`5e${power - decimals - 1}`);
  return { value, form: "plain", halfStep, decimals, digits: significant(mantissa) };
}

/** Digits from the first that is not 0; asked of every cell. */
function significant(mantissa: string): number {
  let digits = 0;
  for (let i = 0; i < mantissa.length; i++) {
    const code = mantissa.charCodeAt(i);
    if (code >= 48 && code <= 57 && (digits > 0 || code > 48)) digits++;
  }
  return digits;
}

function inOtherForm(text: string): Written | undefined {
  for (const [form, read] of OTHER_FORMS) {
    const found = read(text);
    if (!("unreadable" in found)) return written(text, form, found);
  }
  if (/[\d]/.test(text[0]!) || /[+\-\u2212.]/.test(text[0]!)) {
    const byComma = comma(text);
    if (!("unreadable" in byComma)) return written(text, "decimal_comma", byComma);
    const byDots = dotted(text);
    if (!("unreadable" in byDots)) return written(text, "dot_grouped", byDots);
    const parts = sexagesimal(text);
    if (!("unreadable" in parts)) return written(text, "sexagesimal", parts);
  }
  const typeset = plain(text);
  return "unreadable" in typeset ? undefined : written(text, "plain", typeset);
}

function written(text: string, form: Form, found: { value: number; halfStep: number }): Written {
  const mark = form === "decimal_comma" || form === "dot_grouped" ? "," : ".";
  const fraction = text.includes(mark) ? (/^[\d ]*/.exec(text.slice(text.indexOf(mark) + 1))?.[0] ?? "") : "";
  const { value, halfStep } = found;
  return { value, form, halfStep, decimals: fraction.replaceAll(" ", "").length, digits: significant(text) };
}

const THREE_BEHIND_DOT = /^[+\-\u2212]?[1-9]\d{0,2}\.\d{3}$/u;
const ONE_GROUP = /^[+\-\u2212]?\d{1,3},\d{3}$/u;

/** Whether a dot may stand between groups of three digits as well as before decimals: 371.000. */
export function mayBeDotGrouped(text: string): boolean {
  return THREE_BEHIND_DOT.test(text);
}

/** What a number is where commas stand before decimals and dots between groups of three digits. */
export function underCommas(text: string, { value, form }: Written): number {
  if (form === "plain" && mayBeDotGrouped(text)) return Math.round(value * 1000);
  return form === "grouped" && ONE_GROUP.test(text) ? value / 1000 : value;
}

const AFTER = /^([+\-\u2212]?\d[\d.,]*(?:[eE][+-]?\d+)?)( ?)([^\d\s.,][^\d]{0,40})$/u;
const BEFORE = /^([^\d\s.+\-\u2212]{1,4}) ?([+\-\u2212]?[\d.][\d.,]*(?:[eE][+-]?\d+)?)$/u;

/** A number with a text beside it: "14.2 million sq km", "0.384*", "<5", "14.2R". */
function withAffix(text: string): Written | undefined {
  const after = AFTER.exec(text);
  const before = after === null ? BEFORE.exec(text) : null;
  const body = after?.[1] ?? before?.[2];
  if (body === undefined) return undefined;
  const quick = PLAIN.exec(body);
  const inner = quick === null ? inOtherForm(body) : ofPlain(body, quick);
  if (inner === undefined) return undefined;
  return after === null ? { ...inner, prefix: before![1]! } : { ...inner, suffix: after[3]!.trim() };
}
