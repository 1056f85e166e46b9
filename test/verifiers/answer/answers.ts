import type { Expected } from "../../../verifiers/answer/answer.js";

/** Short forms for right answers in tests. */
export const quantity = (value: number | string, unit = "1", tolerance = 0): Expected => ({
  type: "quantity",
  value,
  unit,
  tolerance,
});
export const integer = (value: number | bigint | string): Expected => ({
  type: "integer",
  value: String(value),
});
export const entity = (
  name: string,
  others: readonly string[] = [],
  aliases: readonly string[] = [],
): Expected => ({
  type: "entity",
  name,
  aliases,
  others,
});
export const date = (value: string): Expected => ({ type: "date", value });
export const text = (value: string): Expected => ({ type: "text", value });
export const list = (...items: Expected[]): Expected => ({ type: "list", items });
export const set = (...items: Expected[]): Expected => ({ type: "set", items });
export const tuple = (...items: Expected[]): Expected => ({ type: "tuple", items });
export const vector = (...items: Expected[]): Expected => ({ type: "vector", items });
export const integers = (...values: number[]): Expected[] => values.map(integer);
export const matrix = (...rows: number[][]): Expected => ({
  type: "matrix",
  rows: rows.map((r) => integers(...r)),
});
export const interval = (low: number | null, high: number | null, marks: string): Expected => ({
  type: "interval",
  low: low === null ? null : integer(low),
  high: high === null ? null : integer(high),
  closed: [marks[0] === "[", marks[1] === "]"],
});
export const planets = { A: "Mars", B: "Venus", C: "Both A and B" };
export const choice = (value: string, options: Readonly<Record<string, string>> = planets): Expected => ({
  type: "choice",
  value,
  options,
});
