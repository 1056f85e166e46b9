/** A document cut into what is read at once: sentences, items of lists, rows of tables. Linear in the text's length. */
import { plainText } from "../plain-text.js";

/** One cell of a table's row. */
export interface Cell {
  readonly text: string;
  /** The column's heading; empty where the table has none. */
  readonly heading: string;
}

/** In plain form (see `plainText`). */
export type Passage =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "row"; readonly text: string; readonly cells: readonly Cell[] };

/** Longer ones are cut: what stands further off is not near. */
const LONGEST = 600;
/** Cells of a row that are looked at. */
const MOST_CELLS = 64;

/** The passages of a document's main text, in order. Tables are those of Markdown. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  let headings: readonly string[] = [];
  let row: readonly string[] | undefined;
  for (const line of plainText(text).split("\n")) {
    const cells = cellsOf(line);
    if (cells === undefined) {
      headings = [];
      row = undefined;
      passages.push(...sentencesOf(line).map((s): Passage => ({ kind: "prose", text: s })));
    } else if (cells.every((c) => /^:?-{3,}:?$/.test(c))) {
      // The line under the headings: what stood above it was no row.
      if (row !== undefined) passages.pop();
      headings = row ?? [];
    } else {
      row = cells;
      passages.push(rowOf(cells, headings));
    }
  }
  return passages;
}

/** The cells of a Markdown table's line; undefined for other lines. */
function cellsOf(line: string): string[] | undefined {
  const trimmed = line.trim();
  if (!trimmed.startsWith("|") || trimmed.length < 3) return undefined;
  const inner = trimmed.slice(1, trimmed.endsWith("|") ? -1 : undefined);
  return inner.split("|", MOST_CELLS).map((cell) => cell.trim().slice(0, LONGEST));
}

function rowOf(cells: readonly string[], headings: readonly string[]): Passage {
  const text = cells.filter((c) => c !== "").join(" | ");
  return { kind: "row", text, cells: cells.map((cell, i) => ({ text: cell, heading: headings[i] ?? "" })) };
}

/** Before a full stop these end no sentence. */
const SHORTENED = /(?:^|[ (])(?:\p{Lu}|St|Mt|Dr|Mr|vs|cf|ca|No|e\.g|i\.e)$/u;

/** Ends of sentences: a mark, a space and what may begin one. */
function sentencesOf(line: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const end of line.matchAll(/[.!?;] +(?=[\p{Lu}\p{N}("'-])/gu)) {
    if (end[0].startsWith(".") && SHORTENED.test(line.slice(Math.max(from, end.index - 5), end.index)))
      continue;
    sentences.push(line.slice(from, end.index + 1));
    from = end.index + end[0].length;
  }
  sentences.push(line.slice(from));
  return sentences.map((s) => s.trim().slice(0, LONGEST)).filter((s) => s !== "");
}
