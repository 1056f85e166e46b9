import { type Mention, mentionsIn, NameIndex, type Token, tokensOf } from "./copy-mentions.js";
import { factorsOf, matched } from "./copy-values.js";

/**
 * Whether a text reproduces a table. A row counts as shown where the entity's name stands near at least two of its values. Which factor
 * lies between the page's and the table's unit of a column is found from the page itself, so that any unit is recognised; that values
 * go with their rows, and do not only look alike, is checked against the same page with the rows exchanged.
 */

export interface CopyRow {
  readonly name: string;
  readonly aliases: readonly string[];
  /** A value for each column, NaN where unknown: the same columns in each row. Signs and powers of ten do not matter. */
  readonly values: readonly number[];
}

export interface CopySource {
  /** The table's id. */
  readonly table: string;
  /** Names the table's content. */
  readonly hash: string;
  rows(): readonly CopyRow[];
}

/** Rows that a copy shows at least: 20 and 20 % from 100 rows on; of a smaller table half of them, at least 8 and at most 20. */
export function rowsOfACopy(rows: number): number {
  return rows >= 100 ? Math.max(20, Math.ceil(rows / 5)) : Math.max(8, Math.min(20, Math.ceil(rows / 2)));
}

/** Characters of a text that are looked through. */
const LONGEST = 5_000_000;

/** Judges texts against all tables; linear in the text. The result reads `copy of planets: 23 of 40 rows`. */
export function copyFinder(sources: readonly CopySource[]): (text: string) => string | undefined {
  const fingerprints = sources.map(fingerprintsOf);
  return (text) => {
    const page = tokensOf(text.slice(0, LONGEST));
    for (const print of fingerprints) {
      const shown = rowsShown(page, print);
      if (shown >= rowsOfACopy(print.rows)) return `copy of ${print.table}: ${shown} of ${print.rows} rows`;
    }
    return undefined;
  };
}

interface Fingerprints {
  readonly table: string;
  readonly rows: number;
  readonly columns: number;
  readonly names: NameIndex;
  /** Row after row, log10 of the absolute values modulo 1; NaN where there is none, or too few figures to recognise. */
  readonly logs: Float64Array;
}

function fingerprintsOf(source: CopySource): Fingerprints {
  const rows = source.rows();
  const columns = rows[0]?.values.length ?? 0;
  const logs = new Float64Array(rows.length * columns).fill(Number.NaN);
  for (const [i, row] of rows.entries())
    for (let j = 0; j < columns; j++) logs[i * columns + j] = telling(row.values[j] ?? Number.NaN);
  return { table: source.table, rows: rows.length, columns, names: new NameIndex(rows), logs };
}

/** The mantissa's logarithm of a value with at least three figures: fewer are common to too many numbers. */
function telling(value: number): number {
  if (!Number.isFinite(value) || value === 0) return Number.NaN;
  const figures = Math.abs(value).toExponential().split("e")[0]!.replace(".", "").length;
  if (figures < 3) return Number.NaN;
  const log = Math.log10(Math.abs(value));
  return log - Math.floor(log);
}

/** How many rows a page shows, of those that it shows as rows of their own. */
function rowsShown(page: readonly Token[], print: Fingerprints): number {
  const need = rowsOfACopy(print.rows);
  if (print.rows < need || print.columns < 2) return 0;
  const mentions = mentionsIn(page, print.names);
  if (new Set(mentions.map((m) => m.row)).size < need) return 0;
  const factors = factorsOf(mentions, print);
  const shown = countRows(mentions, print, factors, 0);
  // Values that are alike in all rows match any of them: then the page says nothing about single rows.
  const exchanged = shown < need ? 0 : countRows(mentions, print, factors, Math.ceil(mentions.length / 2));
  return shown < need || exchanged * 2 > shown ? 0 : shown;
}

/** Rows with two or more values beside their name; with `shift`, judged by the values of the mention that comes so much later. */
function countRows(
  mentions: readonly Mention[],
  print: Fingerprints,
  factors: readonly (number | undefined)[],
  shift: number,
): number {
  const rows = new Set<number>();
  for (const [i, mention] of mentions.entries()) {
    if (rows.has(mention.row)) continue;
    let of = mention.row;
    if (shift > 0) {
      const other = mentions[(i + shift) % mentions.length]!.row;
      // The same entity again would be no exchange.
      of = other === of ? (of + 1) % print.rows : other;
    }
    if (matched(mention.numbers, print, of, factors) >= 2) rows.add(mention.row);
  }
  return rows.size;
}
