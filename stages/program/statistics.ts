import type { NumberColumn } from "../../sources/table.js";
import { median } from "../../verifiers/chance.js";
import { driftOf } from "../../verifiers/margin.js";
import type { Bits } from "./bits.js";
import type { Statistic } from "./program.js";

/** Known plain values of the members, in the order of rows. */
function valuesOf({ values, limit }: NumberColumn, members: Bits): number[] {
  const found: number[] = [];
  members.each((row) => {
    if (!Number.isNaN(values[row]!) && limit[row] === 0) found.push(values[row]!);
  });
  return found;
}

/** One figure of a column over its members, those without a plain value left out; NaN where none has one. */
export function statistic(column: NumberColumn, members: Bits, take: Statistic): number {
  const values = valuesOf(column, members);
  return values.length === 0 ? Number.NaN : figureOf(values, take);
}

/** One figure of some numbers, at least one. */
export function figureOf(values: readonly number[], take: Statistic): number {
  if (take === "median") return median(values)!;
  const total = compensatedSum(values);
  return take === "total" ? total : total / values.length;
}

/**
 * Standard uncertainty of {@link statistic}, as if the members' errors were all of one sign: what they share (a scale, a constant) is
 * seldom known, and this is never too small.
 */
export function statisticU({ u }: NumberColumn, members: Bits, take: Statistic): number {
  return moved(members, take, (row) => u[row]!);
}

/** How far published values move {@link statistic}: drifts are no chance, so that they add up. */
export function statisticDrift({ values, card }: NumberColumn, members: Bits, take: Statistic): number {
  return moved(members, take, (row) => driftOf(values[row]!, card.drift));
}

/** By how much a figure moves at most when each member moves by its own amount. */
function moved(members: Bits, take: Statistic, by: (row: number) => number): number {
  let sum = 0;
  let largest = 0;
  let count = 0;
  members.each((row) => {
    const own = by(row);
    sum += own;
    largest = Math.max(largest, own);
    count++;
  });
  if (take === "total") return sum;
  return take === "mean" ? sum / count : largest;
}

/** What a statistic becomes without the one member that moves it most. */
export interface Influence {
  readonly row: number;
  readonly left: number;
  /** |left − value| / |value|. */
  readonly relative: number;
}

/** Leaves each member out in turn; O(n log n). All members must have plain values. */
export function mostInfluential(column: NumberColumn, members: Bits, take: Statistic): Influence | undefined {
  const { values } = column;
  const rows: number[] = [];
  members.each((row) => rows.push(row));
  if (rows.length < 2) return undefined;
  const whole = statistic(column, members, take);
  const without = leaveOneOut(values, rows, take);
  let most: Influence | undefined;
  rows.forEach((row, i) => {
    const left = without(i);
    const relative = whole === 0 ? Number.POSITIVE_INFINITY : Math.abs(left - whole) / Math.abs(whole);
    if (most === undefined || relative > most.relative) most = { row, left, relative };
  });
  return most;
}

function leaveOneOut(values: Float64Array, rows: readonly number[], take: Statistic): (i: number) => number {
  if (take === "median") {
    const order = rows.map((_, i) => i).sort((a, b) => values[rows[a]!]! - values[rows[b]!]! || a - b);
    const sorted = Float64Array.from(order, (i) => values[rows[i]!]!);
    const place = new Int32Array(rows.length);
    order.forEach((i, at) => {
      place[i] = at;
    });
    return (i) => middleWithout(sorted, place[i]!);
  }
  const sum = compensatedSum(rows.map((row) => values[row]!));
  const divisor = take === "mean" ? rows.length - 1 : 1;
  return (i) => (sum - values[rows[i]!]!) / divisor;
}

function middleWithout(sorted: Float64Array, place: number): number {
  const at = (i: number): number => sorted[i < place ? i : i + 1]!;
  const length = sorted.length - 1;
  const half = length >> 1;
  return length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
}

/** Neumaier's compensated sum: the order of the members does not show in the digits that are kept. */
function compensatedSum(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}
