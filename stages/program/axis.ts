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
  private readonly marks: Uint32Array[] = [];
  private readonly step: number;

  /** @param rows ascending by value, ties by row; @param open all others. */
  constructor(
    readonly rows: Int32Array,
    readonly open: Bits,
  ) {
    this.step = Math.max(MIN_STEP, Math.ceil(rows.length / MARKS));
    const prefix = new Bits(open.size);
    for (let at = 0; at <= rows.length; at++) {
      if (at % this.step === 0) this.marks.push(prefix.words.slice());
      if (at < rows.length) prefix.set(rows[at]!);
    }
  }

  get hasOpen(): boolean {
    return this.rows.length < this.open.size;
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

  /** The first position at or after `from` (for direction 1) or at or before it (-1) of a row of `words`; -1 if there is none. */
  next(words: Uint32Array, from: number, direction: 1 | -1): number {
    const { rows, step } = this;
    // Candidates are met within a few rows, unless the column runs against the conditions: then whole stretches are passed over.
    const near = from + direction * 2 * step;
    const walked = this.walk(words, from, near, direction);
    if (walked >= 0 || near < 0 || near >= rows.length) return walked;
    let at = near;
    for (let stretch = 2 * step; at >= 0 && at < rows.length; stretch *= 2) {
      const end = at + direction * stretch;
      if (this.meets(words, at, end, direction)) return this.within(words, at, end, direction);
      at = end;
    }
    return -1;
  }

  /** Whether a row of `words` stands in a stretch that begins at `from` and ends before `to`, in either direction. */
  meets(words: Uint32Array, from: number, to: number, direction: 1 | -1): boolean {
    const { rows, step, marks } = this;
    const low = Math.max(0, direction > 0 ? from : to + 1);
    const high = Math.min(rows.length, direction > 0 ? to : from + 1);
    const first = Math.ceil(low / step);
    const last = Math.floor(high / step);
    if (first >= last) return this.walk(words, low, high, 1) >= 0;
    const inner = marks[first]!;
    const outer = marks[last]!;
    for (let w = 0; w < words.length; w++) if (((inner[w]! ^ outer[w]!) & words[w]!) !== 0) return true;
    return this.walk(words, low, first * step, 1) >= 0 || this.walk(words, last * step, high, 1) >= 0;
  }

  /** Halves a stretch that holds a row of `words` until it is short enough to walk. */
  private within(words: Uint32Array, from: number, to: number, direction: 1 | -1): number {
    let at = from;
    let length = Math.abs(to - from);
    while (length > 2 * this.step) {
      const half = length >> 1;
      if (this.meets(words, at, at + direction * half, direction)) length = half;
      else {
        at += direction * half;
        length -= half;
      }
    }
    return this.walk(words, at, at + direction * length, direction);
  }

  private walk(words: Uint32Array, from: number, to: number, direction: 1 | -1): number {
    const { rows } = this;
    const steps = direction > 0 ? Math.min(to, rows.length) - from : from - Math.max(to, -1);
    for (let k = 0, at = from; k < steps; k++, at += direction) {
      const row = rows[at]!;
      if ((words[row >>> 5]! & (1 << (row & 31))) !== 0) return at;
    }
    return -1;
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
