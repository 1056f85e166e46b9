import type { AnswerType } from "../../sources/card.js";
import type { Expected } from "../../verifiers/answer/answer.js";
import { gradeAnswer } from "../../verifiers/answer/grade.js";
import { plainAnswer } from "../../verifiers/answer/latex.js";
import { expectedSchema } from "../../verifiers/answer/schema.js";
import { type AnswerCells, type Fault, jsonOf, type Read } from "./cells.js";
import { readInterval, readMatrix, readSequence } from "./lists.js";
import { readInteger, readNumber } from "./numbers.js";

const RIGHT: Readonly<Record<AnswerType, string>> = {
  quantity: "write one number in the question's language, perhaps with its unit: 1.27e3 kg/m^3",
  integer: "write one whole number in the question's language",
  entity: "write one name, and others in `aliases`",
  boolean: "write true or false, yes or no",
  choice: "write the label of one option, or the text of one",
  date: "write it as 1846, 1846-09 or 1846-09-23",
  list: 'part the items with `;`, or write JSON: ["Io", "Europa"]',
  set: 'part the items with `;`, or write JSON: ["Io", "Europa"]',
  tuple: "part the items with `;`, or write JSON: [1, 2.5]",
  vector: "part the numbers with `;`, or write JSON: [1, 2.5]",
  interval: "write both ends in brackets, a round one where the end does not belong to it: [1; 2)",
  matrix: "write the rows as JSON: [[1, 2], [3, 4]]",
  expression: "write one expression, in LaTeX or plain: x^2 + 2x",
  text: "write the answer as it is to be given",
};

/**
 * The right answer that a record's cells state, in the form that replies are graded by. What the verifier would not know again, given
 * the cell's own words as a reply, is no answer that anything can be graded by.
 */
export function readExpected(cells: AnswerCells): { readonly expected: Expected } | Fault {
  const whole = wholeForm(cells);
  if (whole !== undefined) return whole;
  const read = readCell(cells);
  if ("why" in read) return read;
  const checked = expectedSchema.safeParse(read.expected);
  if (!checked.success) return { why: checked.error.issues[0]!.message, right: RIGHT[cells.type] };
  const verdict = gradeAnswer(read.text, read.expected, { language: cells.language });
  if (verdict.verdict === "right") return { expected: read.expected };
  return { why: `as a reply it would be ${verdict.verdict}: ${verdict.why}`, right: RIGHT[cells.type] };
}

/** A cell that holds an answer in the verifier's own form, as JSON: for what no plain text says, such as an expression's domain. */
function wholeForm({ type, answer }: AnswerCells): { readonly expected: Expected } | Fault | undefined {
  if (!answer.startsWith("{") || type === "text") return undefined;
  const json = jsonOf(answer);
  if (typeof json !== "object" || json === null || !("type" in json)) return undefined;
  const checked = expectedSchema.safeParse(json);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return { why: `${issue!.path.join(".")}: ${issue!.message}`, right: RIGHT[type] };
  }
  return checked.data.type === type
    ? { expected: checked.data }
    : { why: `it is of type ${checked.data.type}`, right: `give an answer of type ${type}` };
}

function readCell(cells: AnswerCells): Read {
  const { type, answer, aliases } = cells;
  const fault = (why: string): Fault => ({ why, right: RIGHT[type] });
  const or = (read: Read | string): Read => (typeof read === "string" ? fault(read) : read);
  switch (type) {
    case "quantity":
      return or(readNumber(answer, cells));
    case "integer":
      return or(readInteger(answer, cells));
    case "entity":
      return { expected: { type, name: answer, aliases }, text: answer };
    case "boolean":
      return or(readBoolean(answer));
    case "choice":
      return or(readChoice(cells));
    case "date":
      return { expected: { type, value: answer }, text: answer };
    case "expression":
      return { expected: { type, text: answer }, text: answer };
    case "text":
      return { expected: { type, value: answer }, text: answer };
    case "matrix":
      return or(readMatrix(cells));
    case "interval":
      return or(readInterval(plainAnswer(answer), cells));
    default:
      return or(readSequence(type, cells));
  }
}

function readBoolean(answer: string): Read | string {
  const value = [true, false].find(
    (v) => gradeAnswer(answer, { type: "boolean", value: v }).verdict === "right",
  );
  return value === undefined
    ? "it is neither yes nor no"
    : { expected: { type: "boolean", value }, text: answer };
}

function readChoice({ answer, options = {} }: AnswerCells): Read | string {
  const labels = Object.keys(options);
  if (labels.length < 2) return "there are fewer than two options";
  const right = labels.filter(
    (value) => gradeAnswer(answer, { type: "choice", value, options }).verdict === "right",
  );
  if (right.length !== 1) return right.length === 0 ? "it is none of the options" : "it is several options";
  return { expected: { type: "choice", value: right[0]!, options }, text: answer };
}
