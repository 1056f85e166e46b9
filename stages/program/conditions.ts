import type { Condition } from "../../sources/card.js";
import type { Column, NumberColumn, Table } from "../../sources/table.js";
import { MARGIN_SIGMAS } from "../../verifiers/margin.js";
import { Bits } from "./bits.js";

/** A condition over a whole table, in three values: where neither set has a row, the condition is false there. */
export interface Truth {
  readonly holds: Bits;
  /** Value missing, or a bound that does not decide. */
  readonly unknown: Bits;
  /** Decided by the stored value, but too close to a threshold for its uncertainty. */
  readonly near: Bits;
}

/** Three-valued truth of one comparison. */
type Verdict = "true" | "false" | "unknown";

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
  const thresholds = thresholdsOf(condition);
  const range = rangeOf(condition);
  if (range !== undefined && column.type !== "text" && column.type !== "flag") {
    fillRange(truth, column, condition, range, thresholds);
    return truth;
  }
  for (let row = 0; row < table.rows; row++) {
    const verdict = judge(column, row, condition);
    if (verdict === "true") truth.holds.set(row);
    else if (verdict === "unknown") truth.unknown.set(row);
  }
  return truth;
}

/** A comparison as a closed interval: the next double stands for an open end. Undefined for other operators. */
function rangeOf(condition: Condition): readonly [number, number] | undefined {
  switch (condition.op) {
    case "lt":
      return [Number.NEGATIVE_INFINITY, nextBelow(condition.value)];
    case "le":
      return [Number.NEGATIVE_INFINITY, condition.value];
    case "gt":
      return [-nextBelow(-condition.value), Number.POSITIVE_INFINITY];
    case "ge":
      return [condition.value, Number.POSITIVE_INFINITY];
    default:
      return undefined;
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
function fillRange(
  { holds, unknown, near }: Truth,
  column: NumberColumn,
  condition: Condition,
  [low, high]: readonly [number, number],
  thresholds: readonly number[],
): void {
  const { values, u, limit } = column;
  const { drift, scale } = column.card;
  const relative = drift?.relative ?? 0;
  const absolute = drift?.absolute ?? 0;
  const measured = scale !== "exact";
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value !== value) unknown.set(row);
    else if (limit[row] !== 0) {
      const verdict = judgeBound(value, limit[row]!, condition);
      if (verdict === "true") holds.set(row);
      else if (verdict === "unknown") unknown.set(row);
    } else {
      if (value >= low && value <= high) holds.set(row);
      if (!measured) continue;
      const reach = MARGIN_SIGMAS * u[row]! + Math.max(relative * Math.abs(value), absolute);
      for (const t of thresholds) if (!(Math.abs(value - t) >= reach)) near.set(row);
    }
  }
}

/** The numbers that a condition compares with. */
function thresholdsOf(condition: Condition): number[] {
  switch (condition.op) {
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return [condition.value];
    default:
      return [];
  }
}

function judge(column: Column, row: number, condition: Condition): Verdict {
  switch (column.type) {
    case "flag":
      return judgeFlag(column.values[row]!, condition);
    case "text":
      return judgeText(column.values[row] ?? null, condition);
    default:
      return judgeNumber(column.values[row]!, column.limit[row]!, condition);
  }
}

const decided = (holds: boolean): Verdict => (holds ? "true" : "false");

function judgeFlag(value: number, condition: Condition): Verdict {
  if (condition.op === "known") return decided(value !== 2);
  if (value === 2) return "unknown";
  return decided(condition.op === "is" && (value === 1) === condition.value);
}

function judgeText(value: string | null, condition: Condition): Verdict {
  if (condition.op === "known") return decided(value !== null);
  if (value === null) return "unknown";
  switch (condition.op) {
    case "eq":
      return decided(value === String(condition.value));
    case "in":
      return decided(condition.values.some((v) => value === String(v)));
    case "starts_with":
      return decided(condition.values.some((v) => value.toLowerCase().startsWith(v.toLowerCase())));
    default:
      return "false";
  }
}

/** An upper limit (`limit` -1) says that the truth is below `value`, a lower limit (+1) that it is above. */
function judgeNumber(value: number, limit: number, condition: Condition): Verdict {
  if (condition.op === "known") return decided(!Number.isNaN(value) && limit === 0);
  if (Number.isNaN(value)) return "unknown";
  if (limit !== 0) return "unknown";
  switch (condition.op) {
    case "eq":
      return decided(value === Number(condition.value));
    case "in":
      return decided(condition.values.some((v) => value === Number(v)));
    default:
      return "false";
  }
}

function judgeBound(value: number, limit: number, condition: Condition): Verdict {
  switch (condition.op) {
    case "lt":
    case "le":
      if (limit < 0) return value <= condition.value ? "true" : "unknown";
      return value >= condition.value ? "false" : "unknown";
    case "gt":
    case "ge":
      if (limit > 0) return value >= condition.value ? "true" : "unknown";
      return value <= condition.value ? "false" : "unknown";
    default:
      return "unknown";
  }
}
