import type { ColumnProfile } from "../column.js";
import type { Frequent } from "../frequent.js";

/** Spellings that often stand for "not known", in lower case. Each of them is also a value somewhere: NA is Namibia. */
const SPELLINGS = new Set([
  ...["na", "n/a", "n.a.", "#n/a", "nan", "null", "nil", "none", "\\n", "nd", "n.d.", "tbd", "tba"],
  ...["-", "--", "---", "—", "–", "?", "??", ".", "..", "...", "*", "x"],
  ...[
    "unknown",
    "unknown*",
    "unk",
    "missing",
    "not available",
    "not known",
    "not applicable",
    "undefined",
    "no data",
    "blank",
  ],
]);

export function isNullSpelling(text: string): boolean {
  return SPELLINGS.has(text.trim().toLowerCase());
}

/** Texts among the numbers, or words, that may mean "not known", as they are written, most frequent first. */
export function nullCandidates(column: ColumnProfile): Frequent[] {
  return column.others.filter(({ text }) => isNullSpelling(text));
}
