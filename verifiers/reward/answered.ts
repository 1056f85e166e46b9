import type { Verdict } from "../answer/answer.js";

/** What is wrong with an answer that was read as the type asked for. All else (no unit, another dimension, a hedge, a range) was not. */
const WRONG_ANSWERS: ReadonlySet<string> = new Set([
  "wrong_value",
  "wrong_unit",
  "wrong_sign",
  "too_wide",
  "less_precise",
  "other_entity",
  "wrong_count",
  "wrong_shape",
  "wrong_item",
  "wrong_end",
  "wrong_closure",
]);

/** Whether a final answer was submitted that parses as the type asked for, right or not. */
export function isAnswer(verdict: Verdict["verdict"], reason: string): boolean {
  return verdict === "right" || (verdict === "wrong" && WRONG_ANSWERS.has(reason));
}
