import type { Condition } from "../../sources/card.js";
import type { Column, NumberColumn, Table } from "../../sources/table.js";
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

/** Three-valued truth of one comparison. */
type Verdict = "true" | "false" | "unknown";

/** Evaluates a condition on every row. The column must exist and fit the operator (the stages' checks see to that). */
export function truthOf(table: Table, condition: Condition): Truth {
  const truth: Truth = {
    holds: new Bits(table.rows),
    unknown: new Bits(table.rows),
    near: new Bits(table.rows),
  };
  const column = table.columns.get(condition.column)!;
  const thresholds = thresholdsOf(condition);
  for (let row = 0; row < table.rows; row++) {
    const verdict = judge(column, row, condition);
    if (verdict === "true") truth.holds.set(row);
    else if (verdict === "unknown") truth.unknown.set(row);
    if (thresholds.length > 0 && verdict !== "unknown" && isNear(column as NumberColumn, row, thresholds)) {
      truth.near.set(row);
    }
  }
  return truth;
}

/** The numbers that a condition compares with. */
export function thresholdsOf(condition: Condition): number[] {
  switch (condition.op) {
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return [condition.value];
    case "between":
      return [condition.low, condition.high];
    default:
      return [];
  }
}

function isNear(column: NumberColumn, row: number, thresholds: readonly number[]): boolean {
  if (column.card.scale === "exact") return false;
  return thresholds.some((t) => nearThreshold(column.values[row]!, column.u[row]!, t, column.card.drift));
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
  if (limit !== 0) return judgeBound(value, limit, condition);
  switch (condition.op) {
    case "lt":
      return decided(value < condition.value);
    case "le":
      return decided(value <= condition.value);
    case "gt":
      return decided(value > condition.value);
    case "ge":
      return decided(value >= condition.value);
    case "between":
      return decided(value >= condition.low && value <= condition.high);
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
    case "between":
      if (limit < 0) return value <= condition.low ? "false" : "unknown";
      return value >= condition.high ? "false" : "unknown";
    default:
      return "unknown";
  }
}
