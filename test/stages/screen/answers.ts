import type { WordedRow } from "../../../stages/task.js";
import type { Expected } from "../../../verifiers/answer/answer.js";

/** A task's reference answer as a solver would write it. */
export function answerText({ answer }: Pick<WordedRow, "answer">): string {
  return answer.unit === "1" ? answer.text : `${answer.text} ${answer.unit}`;
}

/** An expected answer as a solver would write it. */
export function expectedText(expected: Expected): string {
  switch (expected.type) {
    case "quantity":
      return expected.unit === "1" ? `${expected.value}` : `${expected.value} ${expected.unit}`;
    case "entity":
      return expected.name;
    case "integer":
    case "text":
    case "choice":
    case "date":
      return expected.value;
    case "boolean":
      return expected.value ? "yes" : "no";
    default:
      throw new Error(`no text for ${expected.type}`);
  }
}
