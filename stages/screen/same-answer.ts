import type { Expected } from "../../verifiers/answer/answer.js";
import type { Exact } from "../../verifiers/answer/exact.js";
import { gradeAnswer } from "../../verifiers/answer/grade.js";
import { notationOf } from "../../verifiers/answer/language.js";
import { type QuantityReading, readQuantity } from "../../verifiers/answer/quantity.js";
import { expectedSchema } from "../../verifiers/answer/schema.js";
import type { Gradable } from "../question.js";

/**
 * Whether two answers to one question are equal, by the rules that grade it: the second is graded as if the first were the reference.
 * What cannot be made a reference (a list, say) is compared as text, case, spaces and punctuation aside.
 */
export function sameAnswer(
  a: string,
  b: string,
  { expected, language }: Pick<Gradable, "expected" | "language">,
): boolean {
  const reference = referenceOf(a, expected, language);
  if (reference === undefined) return folded(a) === folded(b);
  return gradeAnswer(b, reference, { language }).verdict === "right";
}

/** An answer as a reference of the same type as the question's own. */
function referenceOf(answer: string, like: Expected, language: string): Expected | undefined {
  const candidates = candidatesOf(answer, like, language);
  return candidates.find(
    (c) => expectedSchema.safeParse(c).success && gradeAnswer(answer, c, { language }).verdict === "right",
  );
}

function candidatesOf(answer: string, like: Expected, language: string): Expected[] {
  switch (like.type) {
    case "text":
      return [{ type: "text", value: answer }];
    case "expression":
      return [{ ...like, text: answer }];
    case "entity":
      return [{ type: "entity", name: answer, aliases: [] }];
    case "boolean":
      return [true, false].map((value) => ({ type: "boolean", value }));
    case "choice":
      return Object.keys(like.options).map((value) => ({ ...like, value }));
    case "date":
      return [{ type: "date", value: readAs(answer, like, language) }];
    case "integer":
      return readings(answer, like, language)
        .flatMap(({ value }) => wholeText(value) ?? [])
        .map((value) => ({ type: "integer", value }));
    case "quantity":
      return readings(answer, like, language).map(({ value, unit }) => ({
        ...like,
        value: decimalText(value),
        unit,
      }));
    default:
      return [];
  }
}

/** The answer in the verifier's own writing. */
function readAs(answer: string, like: Expected, language: string): string {
  return gradeAnswer(answer, like, { language }).read ?? answer;
}

/** The number with each unit that is read behind it. */
function readings(answer: string, like: Expected, language: string): { value: Exact; unit: string }[] {
  const reading: QuantityReading | string = readQuantity(
    readAs(answer, like, language),
    notationOf(language),
  );
  if (typeof reading === "string" || reading.number.value === "beyond") return [];
  const { value } = reading.number;
  return reading.units.map((unit) => ({ value, unit: unit?.text ?? "1" }));
}

/** Digits that a fraction without a finite decimal form is written to; far beyond any tolerance. */
const DIGITS = 40;

function decimalText({ n, d, e }: Exact): string {
  return d === 1n ? `${n}e${e}` : `${(n * 10n ** BigInt(DIGITS)) / d}e${e - DIGITS}`;
}

/** A whole number's digits; undefined for others, and for more digits than an answer has. */
function wholeText({ n, d, e }: Exact): string | undefined {
  if (Math.abs(e) > 5000) return undefined;
  const over = n * 10n ** BigInt(Math.max(0, e));
  const under = d * 10n ** BigInt(Math.max(0, -e));
  return over % under === 0n ? String(over / under) : undefined;
}

function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, "");
}
