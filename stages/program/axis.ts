import { compareText } from "../../pipeline/base/canonical.js";
import type { Column, NumberColumn } from "../../sources/table.js";
import { Bits } from "./bits.js";

/** Snapshots of the growing prefix that an axis keeps, at most: together as large as one column of numbers. */
const MARKS = 64;
/** Rows between two snapshots, at least: fewer are as quickly set one by one. */
const MIN_STEP = 64;

/**
 * The rows of a column in its order. A condition on the column holds for a stretch of positions, and the bitmap of any stretch is
 * had from two snapshots of the growing prefix and the few rows between these and its ends, so that no bitmap of a condition
 * need be kept.
 */
export class Axis {
  /** Position of each row; -1 where the column has no plain value. */
  readonly ranks: Int32Array;
  private readonly marks: Uint32Array[] = [];
  private readonly step: number;

  /** @param rows ascending by value, ties by row; @param open all others. */
  constructor(
    readonly rows: Int32Array,
    readonly open: Bits,
  ) {
    this.ranks = new Int32Array(open.size).fill(-1);
    rows.forEach((row, at) => {
      this.ranks[row] = at;
    });
    this.step = Math.max(MIN_STEP, Math.ceil(rows.length / MARKS));
    const prefix = new Bits(open.size);
    for (let at = 0; at <= rows.length; at++) {
      if (at % this.step === 0) this.marks.push(prefix.words.slice());
      if (at < rows.length) prefix.set(rows[at]!);
    }
  }

  get hasOpen(): boolean {
    return this.rows.length < this.ranks.length;
  }

  /** Writes the rows at positions [low, high) into `words`, whatever these held. */
  fill(low: number, high: number, words: Uint32Array): void {
    const { step, marks, rows } = this;
    if (high - low <= 2 * step) {
      words.fill(0);
      for (let at = low; at < high; at++) {
        const row = rows[at]!;
        words[row >>> 5]! |= 1 << (row & 31);
      }
      return;
    }
    const first = this.nearestMark(low);
    const last = this.nearestMark(high);
    const inner = marks[first]!;
    const outer = marks[last]!;
    for (let w = 0; w < words.length; w++) words[w] = inner[w]! ^ outer[w]!;
    this.toggle(first * step, low, words);
    this.toggle(last * step, high, words);
  }

  private nearestMark(at: number): number {
    return Math.min(Math.round(at / this.step), this.marks.length - 1);
  }

  private toggle(a: number, b: number, words: Uint32Array): void {
    const end = Math.max(a, b);
    for (let at = Math.min(a, b); at < end; at++) {
      const row = this.rows[at]!;
      words[row >>> 5]! ^= 1 << (row & 31);
    }
  }
}

/** A number column's rows in order: those with a plain value; a bound is none. */
export function numberAxis({ values, limit }: NumberColumn): Axis {
  const plain = (row: number) => !Number.isNaN(values[row]!) && limit[row] === 0;
  const open = new Bits(values.length);
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    if (plain(row)) count++;
    else open.set(row);
  }
  const sorted = new Float64Array(count);
  let filled = 0;
  for (let row = 0; row < values.length; row++) if (plain(row)) sorted[filled++] = values[row]!;
  sorted.sort();
  // Numbers alone sort many times faster than rows by a comparison; then each row, in turn, takes the next place of its value.
  const taken = new Int32Array(count);
  const rows = new Int32Array(count);
  for (let row = 0; row < values.length; row++) {
    if (!plain(row)) continue;
    const first = lowerBound(count, (at) => sorted[at]! < values[row]!);
    rows[first + taken[first]!++] = row;
  }
  return new Axis(rows, open);
}

/** A column of texts or flags: one stretch of positions for each value, in code-unit order. */
export interface GroupAxis {
  readonly axis: Axis;
  readonly groups: ReadonlyMap<string, readonly [low: number, high: number]>;
}

export function groupAxis(column: Exclude<Column, NumberColumn>): GroupAxis {
  const size = column.values.length;
  const open = new Bits(size);
  const byValue = new Map<string, number[]>();
  for (let row = 0; row < size; row++) {
    const value = column.type === "flag" ? flagText(column.values[row]!) : column.values[row]!;
    if (value === null) {
      open.set(row);
      continue;
    }
    const group = byValue.get(value);
    if (group === undefined) byValue.set(value, [row]);
    else group.push(row);
  }
  const rows = new Int32Array(size - open.count());
  const groups = new Map<string, readonly [number, number]>();
  let at = 0;
  for (const [value, members] of [...byValue].sort(([a], [b]) => compareText(a, b))) {
    rows.set(members, at);
    groups.set(value, [at, at + members.length]);
    at += members.length;
  }
  return { axis: new Axis(rows, open), groups };
}

function flagText(value: number): string | null {
  return value === 2 ? null : String(value === 1);
}

/** The first position of `count` for which `before` no longer holds. */
export function lowerBound(count: number, before: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
