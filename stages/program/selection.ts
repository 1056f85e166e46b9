import { z } from "zod";
import type { Condition } from "../../sources/card.js";
import { driftOf } from "../../verifiers/margin.js";
import { lowerBound } from "./axis.js";
import type { Bits } from "./bits.js";
import { gapNeeded, reachOf } from "./gap.js";
import type { Select } from "./program.js";
import type { Candidates, Order, TableIndex } from "./table-index.js";

/** Why a program selects nobody safely. */
export type SelectReason =
  | "too_few_candidates"
  | "near_threshold"
  | "unknown_rival"
  | "unbounded_rival"
  | "uncertain_member"
  | "undeclared_uncertainty"
  | "tie"
  | "margin"
  | "decorative_condition";

/** A refusal, and the datum that causes it. */
export interface Refusal {
  readonly reason: SelectReason;
  /** The row that breaks it. */
  readonly row?: number;
  /** Index of the condition that breaks it. */
  readonly condition?: number;
  readonly gap?: number;
  readonly required?: number;
  readonly count?: number;
}

/** The rival that comes closest to undoing the selection; `required` is 0 in exact columns. */
export interface TightestRival {
  readonly row: number;
  readonly gap: number;
  readonly required: number;
}

export interface Selected {
  readonly row: number;
  readonly candidates: number;
  readonly tightest: TightestRival | undefined;
  /** Who would be selected without each condition; -1 for nobody. */
  readonly without: readonly number[];
}

/** Thresholds of the select checks; the default is the strict reading. */
export const selectLimits = z.strictObject({
  /** `refuse`: no candidate may stand within its uncertainty of a threshold. `must_lose`: it may, if it cannot win. */
  near_threshold: z.enum(["refuse", "must_lose"]).default("refuse"),
});
export type SelectLimits = z.infer<typeof selectLimits>;

/**
 * Selects the entity that a program asks for, or says which datum makes the choice unsafe. The entity must win against
 * every row that meets the conditions or may meet them; values must be apart by the margin; each condition must change
 * who wins. O(words × conditions + rows walked until the margin is beyond reach).
 */
export function select(
  index: TableIndex,
  where: readonly Condition[],
  wanted: Select,
  limits: SelectLimits,
): Selected | Refusal {
  const candidates = index.candidates(where);
  const count = candidates.definite.count();
  // The last of all is the first from the other end.
  if (count <= wanted.rank) return { reason: "too_few_candidates", count };
  if (limits.near_threshold === "refuse") {
    const refusal = nearest(index, where, candidates.possible);
    if (refusal !== undefined) return refusal;
  }
  const order = index.order(wanted.column);
  const winner = nth(order, wanted, candidates.definite);
  if (winner < 0) return { reason: "too_few_candidates", count };
  if (Number.isNaN(order.column.u[winner]!)) return { reason: "undeclared_uncertainty", row: winner };
  const rivals = judgeRivals(order, wanted, winner, candidates);
  if ("reason" in rivals) return rivals;
  const without: number[] = [];
  for (let i = 0; i < where.length; i++) {
    const other = nth(order, wanted, index.candidates(where, i).definite);
    if (isAlike(order, other, winner) || idleEnd(index, where, i, wanted, winner))
      return { reason: "decorative_condition", condition: i, row: winner };
    without.push(other);
  }
  return { row: winner, candidates: count, tightest: rivals.tightest, without };
}

/** A range is two conditions in one: whether the winner would win with one of its ends left open. */
function idleEnd(
  index: TableIndex,
  where: readonly Condition[],
  at: number,
  wanted: Select,
  winner: number,
): boolean {
  const range = where[at]!;
  if (range.op !== "between") return false;
  const { column, low, high } = range;
  const open: Condition[] = [
    { column, op: "ge", value: low },
    { column, op: "le", value: high },
  ];
  const order = index.order(wanted.column);
  return open.some((end) =>
    isAlike(order, nth(order, wanted, index.candidates(where.with(at, end)).definite), winner),
  );
}

/** Whether another might as well be taken for the winner: of two with the same value nobody can say who is selected. */
function isAlike({ column: { values } }: Order, other: number, winner: number): boolean {
  return other === winner || (other >= 0 && values[other] === values[winner]);
}

/** The row at the wanted rank among `rows`, by plain values; -1 when there are too few. */
export function nth(order: Order, wanted: Select, rows: Bits): number {
  let left = wanted.rank;
  const { ascending } = order;
  for (let i = 0; i < ascending.length; i++) {
    const row = ascending[wanted.order === "min" ? i : ascending.length - 1 - i]!;
    if (rows.has(row) && --left === 0) return row;
  }
  return -1;
}

/** The row at the wanted rank among `rows` with all of them that have its value, in the wanted order: each may be taken for it. */
export function nthAndAlike(order: Order, wanted: Select, rows: Bits): Int32Array {
  const { ascending, column } = order;
  const { values } = column;
  const row = nth(order, wanted, rows);
  if (row < 0) return new Int32Array(0);
  const value = values[row]!;
  const first = lowerBound(ascending.length, (at) => values[ascending[at]!]! < value);
  const next = lowerBound(ascending.length, (at) => values[ascending[at]!]! <= value);
  const found = ascending.slice(first, next).filter((tied) => rows.has(tied));
  return wanted.order === "min" ? found : found.reverse();
}

/** The best `limit` rows of a set, best first. */
export function ranking(order: Order, wanted: Select, rows: Bits, limit: number): number[] {
  const best: number[] = [];
  const { ascending } = order;
  for (let i = 0; i < ascending.length && best.length < limit; i++) {
    const row = ascending[wanted.order === "min" ? i : ascending.length - 1 - i]!;
    if (rows.has(row)) best.push(row);
  }
  return best;
}

function nearest(index: TableIndex, where: readonly Condition[], possible: Bits): Refusal | undefined {
  for (let i = 0; i < where.length; i++) {
    const { near } = index.truth(where[i]!);
    for (let w = 0; w < near.words.length; w++) {
      const word = near.words[w]! & possible.words[w]!;
      if (word !== 0)
        return { reason: "near_threshold", condition: i, row: (w << 5) + (31 - Math.clz32(word & -word)) };
    }
  }
  return undefined;
}

/** The margin against every rival: the plain reading, row by row. */
export function judgeRivals(
  order: Order,
  wanted: Select,
  winner: number,
  { definite, possible }: Candidates,
): Refusal | { tightest: TightestRival | undefined } {
  if (order.hasOpen) {
    const refusal = judgeOpen(order, wanted, winner, possible);
    if (refusal !== undefined) return refusal;
  }
  const { column, ascending } = order;
  const { values } = column;
  const { drift, scale } = column.card;
  const exact = scale === "exact";
  const value = values[winner]!;
  const reach = reachOf(column, winner, order.maxU);
  let tightest: TightestRival | undefined;
  let before = true;
  let previous = Number.NaN;
  let judgedAfter = false;
  for (let i = 0; i < ascending.length; i++) {
    const row = ascending[wanted.order === "min" ? i : ascending.length - 1 - i]!;
    if (row === winner) {
      before = false;
      continue;
    }
    const gap = Math.abs(values[row]! - value);
    if (judgedAfter && gap > reach + driftOf(values[row]!, drift)) break;
    if (!possible.has(row)) continue;
    judgedAfter = !before;
    if (before && !definite.has(row)) return { reason: "uncertain_member", row };
    // Two that share a place before the winner leave open whether places or values are counted: "the third-largest number".
    if (gap === 0 || (before && values[row] === previous)) return { reason: "tie", row, gap: 0, required: 0 };
    previous = values[row]!;
    const required = exact ? 0 : gapNeeded(column, winner, row);
    if (Number.isNaN(required)) return { reason: "undeclared_uncertainty", row };
    if (gap < required) return { reason: "margin", row, gap: finite(gap), required: finite(required) };
    if (tightest === undefined || gap - required < tightest.gap - tightest.required)
      tightest = { row, gap: finite(gap), required: finite(required) };
  }
  return { tightest };
}

/** Evidence is JSON: a card's absurd uncertainty may ask for a gap that no double holds. */
function finite(x: number): number {
  return Math.min(x, Number.MAX_VALUE);
}

/** Rows without a plain value: only a bound that already loses by the margin is harmless. */
export function judgeOpen(order: Order, wanted: Select, winner: number, possible: Bits): Refusal | undefined {
  const { values, limit } = order.column;
  const losing = wanted.order === "max" ? -1 : 1;
  for (let w = 0; w < possible.words.length; w++) {
    let word = possible.words[w]! & order.open.words[w]!;
    while (word !== 0) {
      const low = word & -word;
      const row = (w << 5) + (31 - Math.clz32(low));
      word ^= low;
      if (Number.isNaN(values[row]!)) return { reason: "unknown_rival", row };
      const lead = (values[winner]! - values[row]!) * -losing;
      if (limit[row] !== losing || !(lead >= gapNeeded(order.column, winner, row)))
        return { reason: "unbounded_rival", row };
    }
  }
  return undefined;
}
