import { type SnapshotFormat, snapshotFormat } from "../../format.js";
import { readNumber } from "../numbers.js";
import type { Layout } from "./layout.js";

type Rows = readonly (readonly string[])[];

/**
 * Whether records stand in columns: rows hold one kind of thing each (numbers, or texts), columns hold both. Asked of small
 * tables only, as a fact sheet is.
 */
export function looksTransposed(rows: Rows): boolean {
  const width = rows[0]?.length ?? 0;
  if (rows.length < 4 || rows.length > 100 || width < 3 || width > 200) return false;
  const body = rows.slice(1).map((row) => row.slice(1));
  const columns = Array.from({ length: width - 1 }, (_, i) => body.map((row) => row[i] ?? ""));
  const firstColumn = rows.slice(1).map((row) => row[0] ?? "");
  if (firstColumn.some((t) => t.trim() === "" || readNumber(t.trim()) !== undefined)) return false;
  // A unit in brackets in the first column of most lines, and in no header: nothing else writes its table so.
  const united = firstColumn.filter((t) => /[([][^()[\]]+[)\]]\s*$/.test(t)).length;
  const headed = rows[0]!.filter((t) => /[([][^()[\]]+[)\]]\s*$/.test(t)).length;
  if (united * 2 >= firstColumn.length && headed === 0) return true;
  return body.length <= 60 && pure(body) >= 0.95 && pure(columns) <= 0.3;
}

/** Share of the lists that hold numbers only, or none. */
function pure(lists: Rows): number {
  const of = lists.filter((list) => {
    const filled = list.filter((t) => t.trim() !== "");
    const numeric = filled.filter((t) => readNumber(t.trim()) !== undefined).length;
    return numeric === 0 || numeric === filled.length;
  });
  return of.length / lists.length;
}

/** A line is a field of all records, named by its first cell; one without a name is called by its number. */
export function transposedLayout(base: object, rows: Rows, said: string[]): Layout {
  const read: SnapshotFormat = snapshotFormat.parse({ ...base, transposed: true });
  const names = rows.map((row, i) => (row[0]?.trim() === "" ? `#${i + 1}` : row[0]!));
  const why = "lines hold one kind of value each, columns do not; the first cells name the fields";
  return {
    read,
    fields: names.map((name) => ({ name })),
    said: [...said, `transposed: records stand in columns (${why})`],
  };
}
