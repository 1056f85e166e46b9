import type { Column, NumberColumn, Table } from "../../sources/table.js";

/** `values = factor × representative + offset`, row by row. */
export interface Tie {
  /** The column that stands for all that are tied to it: the first of them on the card. */
  readonly to: string;
  readonly factor: number;
  readonly offset: number;
}

/** How closely one column must follow another in order to be the same figure in other words. */
const CLOSE = 1e-6;
/** Two columns that share fewer different values may agree by chance. */
const LEAST = 5;

const known = new WeakMap<Table, ReadonlyMap<string, Tie>>();

/**
 * Number columns that say the same thing: a period in days and in years, a diameter and a radius. They are known in the same rows
 * and follow one another on a straight line. A reading that uses either is right, so no world may part them.
 */
export function tiesOf(table: Table): ReadonlyMap<string, Tie> {
  let ties = known.get(table);
  if (ties === undefined) {
    ties = findTies(table);
    known.set(table, ties);
  }
  return ties;
}

function findTies(table: Table): Map<string, Tie> {
  const ties = new Map<string, Tie>();
  const firsts: NumberColumn[] = [];
  for (const column of table.columns.values()) {
    if (!isNumber(column)) continue;
    const tie = firsts.map((first) => tieOf(first, column)).find((t) => t !== undefined);
    if (tie === undefined) firsts.push(column);
    ties.set(column.id, tie ?? { to: column.id, factor: 1, offset: 0 });
  }
  return ties;
}

const isNumber = (column: Column): column is NumberColumn =>
  column.type === "number" || column.type === "integer";

/** The straight line from one column to another through two of their points, if all others lie on it. */
function tieOf(first: NumberColumn, column: NumberColumn): Tie | undefined {
  const from = farApart(first);
  if (from === undefined) return undefined;
  const [a, b] = from;
  const factor = (column.values[b]! - column.values[a]!) / (first.values[b]! - first.values[a]!);
  const offset = column.values[a]! - factor * first.values[a]!;
  if (!Number.isFinite(factor) || factor === 0) return undefined;
  const different = new Set<number>();
  for (let row = 0; row < first.values.length; row++) {
    const x = first.values[row]!;
    const y = column.values[row]!;
    if (Number.isNaN(x) !== Number.isNaN(y) || first.limit[row]! * Math.sign(factor) !== column.limit[row]!) {
      return undefined;
    }
    if (Number.isNaN(x)) continue;
    if (!(Math.abs(factor * x + offset - y) <= CLOSE * Math.abs(y))) return undefined;
    if (different.size < LEAST) different.add(x);
  }
  return different.size < LEAST ? undefined : { to: first.id, factor, offset: snapped(offset, column, a) };
}

/** An offset that is nothing but rounding is none. */
function snapped(offset: number, column: NumberColumn, row: number): number {
  return Math.abs(offset) <= CLOSE * Math.abs(column.values[row]!) ? 0 : offset;
}

/** The rows of a column's least and greatest value, if there are two. */
function farApart({ values }: NumberColumn): [number, number] | undefined {
  let least = -1;
  let most = -1;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    if (least < 0 || value < values[least]!) least = row;
    if (most < 0 || value > values[most]!) most = row;
  }
  return least < 0 || values[least] === values[most] ? undefined : [least, most];
}
