import type { Expected } from "../verifiers/answer/answer.js";

/** The answer of a table task, as rows hold it. */
export interface TableAnswer {
  readonly type: string;
  readonly value: number;
  readonly unit: string;
  readonly digits: number;
  readonly tolerance: number;
}

/** Half a unit of the last of the 12 digits at which answers are stored, at worst. */
const STORED = 5e-12;

/** The reference answer of a table task, for grading. Whole numbers are exact as far as doubles are. */
export function expectedOf({ answer }: { readonly answer: TableAnswer }): Expected {
  const { value, unit, digits } = answer;
  const whole = answer.type === "integer" && unit === "1";
  if (whole && Number.isSafeInteger(value)) return { type: "integer", value: String(value) };
  const tolerance = whole ? Math.max(STORED, answer.tolerance) : answer.tolerance;
  return { type: "quantity", value, unit, tolerance, digits };
}
