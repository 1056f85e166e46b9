import type { Card, Condition } from "../../sources/card.js";
import type { Program } from "../program/program.js";
import { type ColumnWords, columnWords } from "./columns.js";
import { numberWord } from "./english.js";

/** A column and how far it goes at most. */
export interface Bound {
  readonly column: string;
  readonly at: number;
}

/** What of a card's scope a question still has to say. */
interface Scope {
  readonly scope: string;
  /** The scope's own bound of a column, where the condition on it is to say both ends. */
  readonly bound?: Bound;
}

/**
 * The scope without what the conditions say more narrowly: no "with conductor at most 1000" where the conductor is below 12. Of two
 * entities both must say it.
 */
export function scopeOf(card: Card, { where, other }: Pick<Program, "where" | "other">): Scope {
  const { scope } = card.entity;
  for (const { column } of where) {
    const words = columnWords(card, column);
    const said = boundIn(scope, words);
    if (said === undefined) continue;
    const rest = without(scope, said.text);
    const own = [where, ...(other === undefined ? [] : [other.where])].map((list) =>
      list.filter((c) => c.column === column),
    );
    if (own.every((list) => list.some((c) => most(c) <= said.at))) return { scope: rest };
    const open = own.every((list) => list.length === 1 && ["gt", "ge"].includes(list[0]!.op));
    if (open && words.counted === undefined) return { scope: rest, bound: { column, at: said.at } };
  }
  return { scope };
}

/** How far a condition lets its column go. */
function most(condition: Condition): number {
  switch (condition.op) {
    case "lt":
    case "le":
      return condition.value;
    case "between":
      return condition.high;
    case "eq":
      return Number(condition.value);
    case "in":
      return Math.max(...condition.values.map(Number));
    default:
      return Number.POSITIVE_INFINITY;
  }
}

const NUMBER = String.raw`(\d[\d,]*(?:\.\d+)?|[a-z]+)`;
const UP_TO = "(?:at most|up to|no more than)";

/** "with an atomic number of at most 103", "of order at most 127", "with one to seven vertices", "up to atomic number 103" */
function boundIn(scope: string, { noun, counted }: ColumnWords): { text: string; at: number } | undefined {
  const name = (text: string) => text.replace(/[^\w ]/g, "\\$&");
  const ways = [
    `(?:with|of) (?:an? |the )?${name(noun)}(?: of)? ${UP_TO} ${NUMBER}`,
    `up to (?:an? )?${name(noun)} ${NUMBER}`,
    ...(counted === undefined ? [] : [`with (?:[\\w,]+ to|${UP_TO}) ${NUMBER} ${name(counted)}`]),
  ];
  for (const way of ways) {
    const [text, number] = new RegExp(`\\b${way}`).exec(scope) ?? [];
    const at = number === undefined ? Number.NaN : numberOf(number);
    if (text !== undefined && !Number.isNaN(at)) return { text, at };
  }
  return undefined;
}

function numberOf(text: string): number {
  if (/^\d/.test(text)) return Number(text.replaceAll(",", ""));
  const word = Array.from({ length: 21 }, (_, n) => numberWord(n)).indexOf(text);
  return word < 0 ? Number.NaN : word;
}

/** A text without a part of it, and without the brackets or commas that were the part's. */
function without(text: string, part: string): string {
  const left = text
    .replace(part, "")
    .replace(/\(\s*,?\s*|,\s*,/g, (mark) => (mark.startsWith("(") ? "(" : ","));
  return left
    .replace("()", "")
    .replace(/ {2,}/g, " ")
    .replace(/,? *\)/g, ")")
    .trim();
}
