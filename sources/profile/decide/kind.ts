import type { ColumnProfile } from "../column.js";
import { isNullSpelling } from "./nulls.js";

/** What the cells of a column are, by their texts alone. */
export type Kind = "empty" | "flag" | "number" | "text";

/** From this share of numbers on, the rest are exceptions. */
const MOSTLY = 0.8;
const FLAG_SHARE = 0.995;
const PAIRS: readonly (readonly [string, string])[] = [
  ["yes", "no"],
  ["true", "false"],
  ["y", "n"],
  ["t", "f"],
];
const FLAG_NAME = /(?:^|[_\s])(?:is|has|flag|fpflag)(?:[_\s]|$)|flag$/i;

export function kindOf(column: ColumnProfile): Kind {
  const { numbers, texts, others } = column;
  if (numbers + texts === 0) return "empty";
  if (flagTexts(column) !== undefined) return "flag";
  const nullish = others.filter((o) => isNullSpelling(o.text)).reduce((n, o) => n + o.count, 0);
  const share = numbers / Math.max(1, numbers + texts - nullish);
  if (numbers === 0 || share < MOSTLY) return "text";
  return isCode(column) || isNumberedClass(column) ? "text" : "number";
}

/** Zeros in front belong to codes: 00003, 007. So do whole numbers past 2^53. */
function isCode({ leadingZeros, numbers, low, high, whole, forms, prefixes }: ColumnProfile): boolean {
  if (leadingZeros > 0 && whole === numbers) return true;
  // K00001.01 is a designation; "<5" and "~5" are numbers.
  const lettered = prefixes.filter((p) => /\p{L}/u.test(p.text)).reduce((n, p) => n + p.count, 0);
  if (lettered * 5 > numbers) return true;
  const far = Math.max(Math.abs(low[0]?.value ?? 0), Math.abs(high[0]?.value ?? 0));
  // With commas in it, it is a list of numbers: 1294,295,296.
  const listed = (forms.grouped ?? 0) + (forms.decimal_comma ?? 0) + (forms.dot_grouped ?? 0) > 0;
  return (whole === numbers || listed) && far > Number.MAX_SAFE_INTEGER;
}

/** A flag with more than two values is a class. */
function isNumberedClass({ field, distinct }: ColumnProfile): boolean {
  return FLAG_NAME.test(field) && (distinct ?? 99) <= 10;
}

/** The texts that mean true and false, as they are written; undefined for a column that is no flag. */
export function flagTexts(column: ColumnProfile): { true: string[]; false: string[] } | undefined {
  const { frequent, frequentExact, numbers, texts, field } = column;
  if (!frequentExact) return undefined;
  const said = frequent.filter(({ text }) => !isNullSpelling(text));
  for (const [yes, no] of PAIRS) {
    const as = (word: string): string[] =>
      said.map((f) => f.text).filter((t) => t.trim().toLowerCase() === word);
    const [on, off] = [as(yes), as(no)];
    if (on.length + off.length === said.length && on.length > 0 && off.length > 0)
      return { true: on, false: off };
  }
  const count = (text: string): number => column.frequent.find((f) => f.text === text)?.count ?? 0;
  const [on, off] = [count("1"), count("0")];
  if (on === 0 || off === 0)
    return on + off > 0 && FLAG_NAME.test(field) && on + off === numbers + texts
      ? { true: ["1"], false: ["0"] }
      : undefined;
  const share = (on + off) / (numbers + texts);
  return share === 1 || (FLAG_NAME.test(field) && share >= FLAG_SHARE)
    ? { true: ["1"], false: ["0"] }
    : undefined;
}
