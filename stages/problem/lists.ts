import type { Expected } from "../../verifiers/answer/answer.js";
import { notationOf } from "../../verifiers/answer/language.js";
import { plainAnswer } from "../../verifiers/answer/latex.js";
import { cut, topLevel, unwrap } from "../../verifiers/answer/split.js";
import { type AnswerCells, jsonOf, type Read } from "./cells.js";
import { readNumber } from "./numbers.js";

type Sequence = Extract<Expected, { items: readonly Expected[] }>["type"];

/** The items of a list, set, tuple or vector: a JSON list, or texts between `;` or `,`. */
export function readSequence(type: Sequence, cells: AnswerCells): Read | string {
  const parts = partsOf(cells);
  if (typeof parts === "string") return parts;
  const items: Expected[] = [];
  for (const part of parts.items) {
    const item = itemOf(part, { ...cells, unit: cells.unit ?? parts.unit }, type === "vector");
    if (typeof item === "string") return item;
    items.push(item);
  }
  const text = wordsOf(items, cells.language);
  return { expected: { type, items }, text: type === "set" ? text : `[${text}]` };
}

/** An item as written. JSON's own numbers have a decimal point in every language. */
type Part = string | number;

interface Parts {
  readonly items: readonly Part[];
  /** What stands behind the closing bracket. */
  readonly unit?: string;
}

function partsOf(cells: AnswerCells): Parts | string {
  const json = jsonOf(cells.answer);
  if (Array.isArray(json)) {
    const items = json.filter((i) => typeof i === "string" || typeof i === "number");
    return items.length === json.length ? { items } : "an item is neither a number nor a text";
  }
  const plain = plainAnswer(cells.answer);
  const box = unwrap(plain);
  const parts = between(box?.inside ?? plain, cells.language);
  if (typeof parts === "string") return parts;
  return box === undefined || box.behind === "" ? { items: parts } : { items: parts, unit: box.behind };
}

/** Texts between marks outside of brackets. A comma that may be part of a number parts nothing. */
function between(text: string, language: string): string[] | string {
  if (text.trim() === "") return [];
  const semicolons = topLevel(text, ";");
  if (semicolons.length > 0) return cut(text, semicolons);
  const commas = topLevel(text, ",");
  const tight = commas.filter((i) => /\d/.test(text[i - 1] ?? "") && /\d/.test(text[i + 1] ?? ""));
  const doubtful =
    notationOf(language).decimal === ","
      ? tight.length > 0
      : tight.some((i) => /^\d{3}(?!\d)/.test(text.slice(i + 1)));
  return doubtful ? "a comma in it may part items or be part of a number" : cut(text, commas);
}

/** A number where it reads as one, else a name. Vectors, matrices and intervals hold numbers alone. */
function itemOf(part: Part, cells: AnswerCells, numeric: boolean): Expected | string {
  const text = String(part).trim();
  if (text === "") return "an item is empty";
  const language = typeof part === "number" ? "en" : cells.language;
  const number = readNumber(text, { ...cells, language });
  if (typeof number !== "string" && !("why" in number)) return number.expected;
  return numeric ? `${JSON.stringify(text)} is not one number` : { type: "entity", name: text, aliases: [] };
}

/** Items as a reply in the question's language would give them; semicolons are marks in every language. */
function wordsOf(items: readonly Expected[], language: string): string {
  return items.map((item) => itemText(item, language)).join("; ");
}

function itemText(item: Expected, language: string): string {
  if (item.type !== "quantity") return item.type === "entity" ? item.name : "";
  const number = String(item.value).replace(".", notationOf(language).decimal);
  return item.unit === "1" ? number : `${number} ${item.unit}`;
}

/** Rows of a matrix, as JSON. */
export function readMatrix(cells: AnswerCells): Read | string {
  const json = jsonOf(cells.answer);
  if (!Array.isArray(json)) return "it is no JSON list of rows";
  const rows: Expected[][] = [];
  for (const row of json as unknown[]) {
    if (!Array.isArray(row)) return "a row is no list";
    const parts = row.map((entry) => (typeof entry === "number" ? entry : String(entry)));
    const entries = parts.map((part) => itemOf(part, cells, true));
    const bad = entries.find((e) => typeof e === "string");
    if (bad !== undefined) return bad;
    rows.push(entries.filter((e) => typeof e !== "string"));
  }
  const text = rows.map((row) => `[${wordsOf(row, cells.language)}]`).join("; ");
  return { expected: { type: "matrix", rows }, text: `[${text}]` };
}

const ENDLESS = /^[+-]? ?(?:∞|infinity|inf|oo)$/i;

/** An interval in brackets; ∞ for no end. */
export function readInterval(plain: string, cells: AnswerCells): Read | string {
  const match = /^([[(\]])(.{1,400})([\])[])$/su.exec(plain.trim());
  if (match === null) return "it does not stand in brackets";
  const ends = between(match[2]!, cells.language);
  if (typeof ends === "string") return ends;
  if (ends.length !== 2) return `it has ${ends.length} ends`;
  const [low, high] = ends.map((end) => (ENDLESS.test(end) ? null : itemOf(end, cells, true)));
  if (typeof low === "string") return low;
  if (typeof high === "string") return high;
  const closed = [match[1] === "[" && low !== null, match[3] === "]" && high !== null] as const;
  return {
    expected: { type: "interval", low: low ?? null, high: high ?? null, closed },
    text: `${match[1]}${ends.join("; ")}${match[3]}`,
  };
}
