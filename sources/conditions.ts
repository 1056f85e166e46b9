import type { Condition } from "./card.js";
import type { Column } from "./table.js";

/** A value as conditions see it. */
export type Value = number | string | boolean | null;

/** A cell as conditions see it; a bound is no value. */
export function valueAt(column: Column, row: number): Value {
  if (column.type === "text") return column.values[row]!;
  if (column.type === "flag") return column.values[row] === 2 ? null : column.values[row] === 1;
  return Number.isNaN(column.values[row]!) || column.limit[row] !== 0 ? null : column.values[row]!;
}

/** Whether a condition holds for a value: null where the value is not known. */
export function holds(condition: Condition, value: Value): boolean | null {
  if (condition.op === "known") return value !== null;
  if (value === null) return null;
  switch (condition.op) {
    case "lt":
      return (value as number) < condition.value;
    case "le":
      return (value as number) <= condition.value;
    case "gt":
      return (value as number) > condition.value;
    case "ge":
      return (value as number) >= condition.value;
    case "between":
      return (value as number) >= condition.low && (value as number) <= condition.high;
    case "eq":
      return value === condition.value;
    case "in":
      return (condition.values as readonly Value[]).includes(value);
    case "starts_with":
      return condition.values.some((v) => String(value).toLowerCase().startsWith(v.toLowerCase()));
    case "is":
      return value === condition.value;
  }
}
