import type { Expected } from "../../verifiers/answer/answer.js";
import { notationOf } from "../../verifiers/answer/language.js";
import { parseUnit, sameDimension, toSI } from "../../verifiers/units.js";
import type { Question } from "./rows.js";

/** An answer that is wrong, and how it was made from the right one. */
export interface Mutation {
  readonly kind: string;
  readonly text: string;
}

type Of<T extends Expected["type"]> = Extract<Expected, { readonly type: T }>;

/** The reference itself, as a solver would write it in the question's language; undefined for types that have no one form. */
export function referenceText({
  expected,
  language,
}: Pick<Question, "expected" | "language">): string | undefined {
  const text = plainText(expected);
  return text === undefined ? undefined : inLanguage(text, expected, language);
}

/** Numbers with the language's decimal mark: in German 1.275 is a thousand and more. */
function inLanguage(text: string, { type }: Expected, language: string): string {
  if (type !== "quantity" && type !== "integer") return text;
  return text.replace(/(\d)\.(?=\d)/g, `$1${notationOf(language).decimal}`);
}

function plainText(expected: Expected): string | undefined {
  switch (expected.type) {
    case "quantity":
      return withUnit(expected.value, expected.unit);
    case "integer":
    case "date":
    case "text":
    case "choice":
      return expected.value;
    case "boolean":
      return expected.value ? "yes" : "no";
    case "entity":
      return expected.name;
    case "expression":
      return expected.text;
    default:
      return undefined;
  }
}

/** Wrong answers made from the reference, and those that the task itself has on record. None is within the tolerance. */
export function mutationsOf({ expected, language, task, question }: Question): Mutation[] {
  const reference = referenceText({ expected, language });
  const words: Mutation[] = [
    { kind: "no answer", text: "It cannot be determined." },
    { kind: "question copied", text: question },
  ];
  const said = ({ kind, text }: Mutation): Mutation => ({ kind, text: inLanguage(text, expected, language) });
  const own = ofType(expected).map(said);
  const recorded = (task?.wrong_answers ?? []).map(({ how, value }): Mutation & { value: number } => {
    return { kind: `on record: ${how}`, text: withUnit(value, task!.answer.unit), value };
  });
  const wrong = recorded.filter(({ value }) => isOff(value, expected));
  const hedged =
    own[0] === undefined || reference === undefined
      ? []
      : [{ kind: "hedged", text: `${reference} or ${own[0].text}` }];
  return [...own, ...wrong.map(said), ...hedged, ...words];
}

function ofType(expected: Expected): Mutation[] {
  switch (expected.type) {
    case "quantity":
      return ofQuantity(expected);
    case "integer":
      return ofInteger(expected);
    case "boolean":
      return [{ kind: "opposite", text: expected.value ? "no" : "yes" }];
    case "choice":
      return Object.entries(expected.options)
        .filter(([label, text]) => label !== expected.value && text !== expected.value)
        .map(([label]) => ({ kind: "another choice", text: label }));
    case "date":
      return [{ kind: "another year", text: otherYear(expected.value) }];
    case "entity":
      return (expected.others ?? []).slice(0, 20).map((text) => ({ kind: "another entity", text }));
    case "expression":
      return [
        { kind: "sign", text: `-(${expected.text})` },
        { kind: "one more", text: `(${expected.text}) + 1` },
        { kind: "twice", text: `2*(${expected.text})` },
      ];
    case "text":
      return [{ kind: "another text", text: `not ${expected.value}` }];
    default:
      return [];
  }
}

function ofQuantity(expected: Of<"quantity">): Mutation[] {
  const value = Number(expected.value);
  if (!Number.isFinite(value)) return [];
  const { unit, tolerance } = expected;
  // Exact answers have neighbours too: one part in ten thousand.
  const step = tolerance > 0 ? tolerance : 1e-4;
  const numbers: [string, number][] = [
    ["sign", -value],
    ["power of ten", value * 10],
    ["power of ten", value / 10],
    ["power of ten", value * 1000],
    ["power of ten", value / 1000],
    ["rounded too far", value * (1 + 1.1 * step)],
    ["rounded too far", value * (1 - 1.1 * step)],
    ["rounded too far", value * (1 + 3 * step)],
    ["rounded too far", value * (1 - 3 * step)],
  ];
  return [
    ...numbers.filter(([, n]) => isOff(n, expected)).map(([kind, n]) => ({ kind, text: withUnit(n, unit) })),
    ...otherUnits(expected).map((other) => ({ kind: "unit", text: withUnit(value, other) })),
  ];
}

function ofInteger(expected: Of<"integer">): Mutation[] {
  const value = BigInt(expected.value.replace(/^\+/, ""));
  const others: [string, bigint][] = [
    ["sign", -value],
    ["power of ten", value * 10n],
    ["one off", value + 1n],
    ["one off", value - 1n],
    ["one off", value + 2n],
  ];
  return [
    ...others.filter(([, n]) => n !== value).map(([kind, n]) => ({ kind, text: String(n) })),
    { kind: "rounded too far", text: `${value}.4` },
  ];
}

/** Whether a number in the reference's own unit is none that its tolerance takes in. */
function isOff(value: number, expected: Expected): boolean {
  if (expected.type === "integer") return String(value) !== expected.value;
  if (expected.type !== "quantity") return false;
  const right = Number(expected.value);
  return Math.abs(value - right) > 1.0001 * expected.tolerance * Math.abs(right) && value !== right;
}

const UNITS = [
  "m",
  "km",
  "cm",
  "au",
  "g",
  "kg",
  "s",
  "min",
  "h",
  "d",
  "K",
  "degC",
  "km/s",
  "m/s",
  "g/cm^3",
  "kg/m^3",
  "m/s^2",
  "cm/s^2",
  "J",
  "eV",
  "Pa",
  "bar",
  "W",
  "km^2",
  "m^2",
  "km^3",
  "m^3",
];

/** A unit of the same dimension and another size, and one of another dimension. */
function otherUnits({ value, unit, tolerance }: Of<"quantity">): string[] {
  const own = parseUnit(unit);
  const number = Number(value);
  if (number === 0) return [];
  const right = toSI(number, own);
  const off = (other: string): boolean =>
    Math.abs(toSI(number, other) - right) > 2 * tolerance * Math.abs(right);
  const alike = UNITS.find((other) => sameDimension(other, own) && off(other));
  const unlike = UNITS.find((other) => !sameDimension(other, own) && unit !== "1");
  return [alike, unlike].filter((other) => other !== undefined);
}

function withUnit(value: number | string, unit: string): string {
  return unit === "1" ? String(value) : `${value} ${unit}`;
}

function otherYear(date: string): string {
  const year = /^-?\d+/.exec(date)![0];
  return `${Number(year) + 1}${date.slice(year.length)}`;
}
