import type { Condition } from "../../sources/card.js";
import { holds, valueAt } from "../../sources/conditions.js";
import type { NumberColumn, Table } from "../../sources/table.js";
import { nearThreshold } from "../../verifiers/margin.js";
import { Bits } from "./bits.js";

/** A condition over a whole table, in three values: where neither set has a row, the condition is false there. */
export interface Truth {
  readonly holds: Bits;
  /** Value missing, or a bound that does not decide. */
  readonly unknown: Bits;
  /** Decided by the stored value, but too close to a threshold for its uncertainty. */
  readonly near: Bits;
}

/** A comparison with one threshold. */
type Comparison = Extract<Condition, { op: "lt" | "le" | "gt" | "ge" }>;

/** Evaluates a condition on every row; `part` may know the truth of its parts already. The column must exist and fit the operator (the stages' checks see to that). */
export function truthOf(
  table: Table,
  condition: Condition,
  part: (condition: Condition) => Truth = (c) => truthOf(table, c),
): Truth {
  const { column: name } = condition;
  if (condition.op === "between") {
    const above = part({ column: name, op: "ge", value: condition.low });
    return both(above, part({ column: name, op: "le", value: condition.high }));
  }
  const truth: Truth = {
    holds: new Bits(table.rows),
    unknown: new Bits(table.rows),
    near: new Bits(table.rows),
  };
  const column = table.columns.get(condition.column)!;
  if (isComparison(condition)) fillComparison(truth, column as NumberColumn, condition);
  else {
    for (let row = 0; row < table.rows; row++) note(truth, row, holds(condition, valueAt(column, row)));
    for (const value of equalsOf(condition)) noteNear(truth, column as NumberColumn, value);
  }
  return truth;
}

/** The numbers that a condition asks for exactly: a count that may be one more or less is near each of its neighbours. */
function equalsOf(condition: Condition): readonly number[] {
  const values = condition.op === "eq" ? [condition.value] : condition.op === "in" ? condition.values : [];
  return values.filter((value) => typeof value === "number");
}

function noteNear({ near }: Truth, { values, u, limit, card }: NumberColumn, threshold: number): void {
  if (card.scale === "exact") return;
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row]!) || limit[row] !== 0) continue;
    if (nearThreshold(values[row]!, u[row]!, threshold, card.drift)) near.set(row);
  }
}

function isComparison(condition: Condition): condition is Comparison {
  const { op } = condition;
  return op === "lt" || op === "le" || op === "gt" || op === "ge";
}

function note({ holds, unknown }: Truth, row: number, verdict: boolean | null): void {
  if (verdict === null) unknown.set(row);
  else if (verdict) holds.set(row);
}

/** A comparison as a closed interval: the next double stands for an open end. */
function rangeOf({ op, value }: Comparison): readonly [number, number] {
  switch (op) {
    case "lt":
      return [Number.NEGATIVE_INFINITY, nextBelow(value)];
    case "le":
      return [Number.NEGATIVE_INFINITY, value];
    case "gt":
      return [-nextBelow(-value), Number.POSITIVE_INFINITY];
    case "ge":
      return [value, Number.POSITIVE_INFINITY];
  }
}

/** Three-valued conjunction. */
function both(a: Truth, b: Truth): Truth {
  const holds = a.holds.copy().and(b.holds);
  const possible = a.holds.copy().or(a.unknown).and(b.holds.copy().or(b.unknown));
  return { holds, unknown: possible.minus(holds), near: a.near.copy().or(b.near) };
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The greatest double below a finite one. */
function nextBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += value > 0 ? -1n : 1n;
  return double[0];
}

/** The hot loop of enumeration: one pass over plain numbers; bounds (limits) take the general way. */
function fillComparison(truth: Truth, { values, u, limit, card }: NumberColumn, condition: Comparison): void {
  const { holds, unknown, near } = truth;
  const { drift, scale } = card;
  const [low, high] = rangeOf(condition);
  const threshold = condition.value;
  const measured = scale !== "exact";
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) unknown.set(row);
    else if (limit[row] !== 0) note(truth, row, boundHolds(value, limit[row]!, condition));
    else {
      if (value >= low && value <= high) holds.set(row);
      if (measured && nearThreshold(value, u[row]!, threshold, drift)) near.set(row);
    }
  }
}

/** What a bound tells: an upper limit (-1) says that the truth is below `value`, a lower one (+1) that it is above. */
function boundHolds(value: number, limit: number, { op, value: threshold }: Comparison): boolean | null {
  if (op === "lt" || op === "le") {
    if (limit < 0) return value <= threshold ? true : null;
    return value >= threshold ? false : null;
  }
  if (limit > 0) return value >= threshold ? true : null;
  return value <= threshold ? false : null;
}
