import { canonicalJson } from "../../pipeline/base/canonical.js";
import type { Condition } from "../../sources/card.js";
import type { NumberColumn } from "../../sources/table.js";
import { driftOf, MARGIN_SIGMAS, nearThreshold } from "../../verifiers/margin.js";
import { type Axis, lowerBound } from "./axis.js";
import { extendName, nameOfText } from "./identity.js";
import type { Order, TableIndex } from "./table-index.js";

/**
 * A condition made ready for being asked of all rows again and again, beside others. It says the same as `truthOf`
 * (conditions.ts), whose sets are `sure`: holds and not near, and `widen`: unknown or near.
 */
export interface Clause {
  readonly condition: Condition;
  /** See identity.ts. */
  readonly name: number;
  /** Writes the rows for which it surely holds. */
  sure(words: Uint32Array): void;
  /** Adds the rows for which it may hold. */
  widen(words: Uint32Array): void;
  /** Whether `widen` adds nothing. */
  readonly certain: boolean;
  /** Whether some of these rows stands within its uncertainty of a threshold. */
  nearAmong(words: Uint32Array): boolean;
  /** Of a range: what it says with its upper or its lower end left open. */
  readonly ends: readonly [from: Clause, to: Clause] | undefined;
}

/** A condition that holds for a stretch of positions of an axis. */
class Stretch implements Clause {
  readonly name: number;

  constructor(
    readonly condition: Condition,
    readonly axis: Axis,
    readonly low: number,
    readonly high: number,
    readonly near: Int32Array,
    readonly ends: Clause["ends"],
  ) {
    this.name = nameOfClause(condition, ends);
  }

  get certain(): boolean {
    return this.near.length === 0 && !this.axis.hasOpen;
  }

  sure(words: Uint32Array): void {
    this.axis.fill(this.low, this.high, words);
    for (const row of this.near) words[row >>> 5]! &= ~(1 << (row & 31));
  }

  widen(words: Uint32Array): void {
    for (const row of this.near) words[row >>> 5]! |= 1 << (row & 31);
    if (!this.axis.hasOpen) return;
    const open = this.axis.open.words;
    for (let w = 0; w < words.length; w++) words[w]! |= open[w]!;
  }

  nearAmong(words: Uint32Array): boolean {
    for (const row of this.near) if ((words[row >>> 5]! & (1 << (row & 31))) !== 0) return true;
    return false;
  }
}

/** Any other condition, by its truth on every row: lists of texts, bounds, columns of which most values are near. */
class Tabulated implements Clause {
  readonly name: number;
  /** Not known before it is tabulated; only a short cut depends on it. */
  readonly certain = false;

  constructor(
    readonly condition: Condition,
    private readonly index: TableIndex,
    readonly ends: Clause["ends"],
  ) {
    this.name = nameOfClause(condition, ends);
  }

  sure(words: Uint32Array): void {
    const { holds, near } = this.index.truth(this.condition);
    for (let w = 0; w < words.length; w++) words[w] = holds.words[w]! & ~near.words[w]!;
  }

  widen(words: Uint32Array): void {
    const { unknown, near } = this.index.truth(this.condition);
    for (let w = 0; w < words.length; w++) words[w]! |= unknown.words[w]! | near.words[w]!;
  }

  nearAmong(words: Uint32Array): boolean {
    const near = this.index.truth(this.condition).near.words;
    for (let w = 0; w < words.length; w++) if ((near[w]! & words[w]!) !== 0) return true;
    return false;
  }
}

function nameOfClause(condition: Condition, ends: Clause["ends"]): number {
  return ends === undefined ? nameOfText(canonicalJson(condition)) : extendName(ends[0].name, ends[1].name);
}

/** Makes the clause of a condition over a table. */
export function clauseOf(condition: Condition, index: TableIndex): Clause {
  if (condition.op !== "between")
    return stretchOf(condition, index) ?? new Tabulated(condition, index, undefined);
  const { column, low, high } = condition;
  const from = clauseOf({ column, op: "ge", value: low }, index);
  return rangeOf(condition, from, clauseOf({ column, op: "le", value: high }, index), index);
}

/** A range from the clauses of its two ends. */
export function rangeOf(
  condition: Extract<Condition, { op: "between" }>,
  from: Clause,
  to: Clause,
  index: TableIndex,
): Clause {
  if (!(from instanceof Stretch) || !(to instanceof Stretch))
    return new Tabulated(condition, index, [from, to]);
  const near = joined(from.near, to.near);
  return new Stretch(condition, from.axis, from.low, Math.max(from.low, to.high), near, [from, to]);
}

const NONE = new Int32Array(0);

function stretchOf(condition: Condition, index: TableIndex): Stretch | undefined {
  const { column: id } = condition;
  const column = index.table.columns.get(id)!;
  if (column.type === "text" || column.type === "flag") {
    if (condition.op !== (column.type === "text" ? "eq" : "is")) return undefined;
    const { axis, groups } = index.grouped(id);
    const [low, high] = groups.get(String(condition.value)) ?? [0, 0];
    return new Stretch(condition, axis, low, high, NONE, undefined);
  }
  if (index.bounded(id)) return undefined;
  const order = index.order(id);
  const stretch = (low: number, high: number, near: Int32Array | undefined, ends?: Clause["ends"]) =>
    near === undefined ? undefined : new Stretch(condition, order.axis, low, Math.max(low, high), near, ends);
  const last = order.ascending.length;
  switch (condition.op) {
    case "lt":
      return stretch(0, below(order, condition.value), nearRows(index, order, condition.value));
    case "le":
      return stretch(0, upTo(order, condition.value), nearRows(index, order, condition.value));
    case "gt":
      return stretch(upTo(order, condition.value), last, nearRows(index, order, condition.value));
    case "ge":
      return stretch(below(order, condition.value), last, nearRows(index, order, condition.value));
    case "eq":
      if (typeof condition.value !== "number") return undefined;
      return stretch(
        below(order, condition.value),
        upTo(order, condition.value),
        nearRows(index, order, condition.value),
      );
    default:
      return undefined;
  }
}

/** How many values are less than a number. */
export function below({ ascending, column }: Order, value: number): number {
  return lowerBound(ascending.length, (at) => column.values[ascending[at]!]! < value);
}

/** How many values are at most a number. */
export function upTo({ ascending, column }: Order, value: number): number {
  return lowerBound(ascending.length, (at) => column.values[ascending[at]!]! <= value);
}

function joined(a: Int32Array, b: Int32Array): Int32Array {
  return a.length === 0 ? b : b.length === 0 ? a : Int32Array.from(new Set([...a, ...b]));
}

/** So many near rows are listed, or this share of a large table; where more are near, bitmaps are as good. */
const NEAR_LISTED = 2048;
const NEAR_SHARE = 1 / 64;

/** Rows too close to a threshold, as `truthOf` has them; undefined where they are too many to list. */
function nearRows(index: TableIndex, order: Order, threshold: number): Int32Array | undefined {
  const { column } = order;
  if (column.card.scale === "exact") return NONE;
  // Only then does whatever lies beyond a row that is far enough lie far enough too.
  if (!order.declared || (column.card.drift?.relative ?? 0) >= 1) return undefined;
  const known = index.nearRows(column.id);
  let rows = known.get(threshold);
  if (rows === undefined) {
    rows = findNear(order, threshold, Math.max(NEAR_LISTED, index.table.rows * NEAR_SHARE));
    known.set(threshold, rows);
  }
  return rows === "many" ? undefined : rows;
}

function findNear(order: Order, threshold: number, most: number): Int32Array | "many" {
  const { ascending, column, maxU } = order;
  const found: number[] = [];
  const start = below(order, threshold);
  let looked = 0;
  for (const step of [-1, 1]) {
    for (let at = step < 0 ? start - 1 : start; at >= 0 && at < ascending.length; at += step) {
      if (found.length > most || ++looked > 8 * most) return "many";
      if (!inReach(column, ascending[at]!, threshold, maxU)) break;
      const row = ascending[at]!;
      if (nearThreshold(column.values[row]!, column.u[row]!, threshold, column.card.drift)) found.push(row);
    }
  }
  return Int32Array.from(found);
}

/** Whether a value might be near if it were as uncertain as the most uncertain one. */
function inReach({ values, card }: NumberColumn, row: number, threshold: number, maxU: number): boolean {
  const value = values[row]!;
  return Math.abs(value - threshold) < MARGIN_SIGMAS * maxU + driftOf(value, card.drift);
}
