import type { Column } from "../../sources/table.js";
import { round12 } from "../../verifiers/numbers.js";

/** Cells as a solver reads them: in the card's unit, limits marked, unknown said. */

const UNKNOWN = "unknown";

const written = new WeakMap<Column, string[]>();

/** Written once per cell: a table of a thousand rows is shown for each of a thousand tasks. */
export function cellText(column: Column, row: number): string {
  const texts = written.get(column) ?? [];
  written.set(column, texts);
  texts[row] ??= writtenOut(column, row);
  return texts[row];
}

function writtenOut(column: Column, row: number): string {
  if (column.type === "flag") return ["no", "yes", UNKNOWN][column.values[row]!]!;
  if (column.type === "text") {
    const value = column.values[row];
    return value === null || value === undefined ? UNKNOWN : withPhrase(value, column);
  }
  const value = column.values[row]!;
  if (Number.isNaN(value)) return UNKNOWN;
  const limit = ["below ", "", "above "][column.limit[row]! + 1]!;
  return limit + withPhrase(numberText(value), column);
}

/** "MBA (in the main asteroid belt)": the question may use the phrase, the source has the code. */
function withPhrase(value: string, { card }: Column): string {
  const phrase = card.phrase?.values?.[value]?.[0];
  return phrase === undefined ? value : `${value} (${phrase})`;
}

/** The source's digits: 1.8982e27, 142984, 0.0489. What 12 digits do not show is left over from a change of unit, but for whole numbers. */
function numberText(value: number): string {
  return String(Number.isSafeInteger(value) ? value : round12(value)).replace("e+", "e");
}
