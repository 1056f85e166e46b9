import { expect, it } from "vitest";
import { readJudgement } from "../../../verifiers/answer/judgement.js";

it.each([
  ["CORRECT", "correct"],
  ["Correct.", "correct"],
  ["**CORRECT**", "correct"],
  ["Verdict: CORRECT", "correct"],
  ["**Verdict:** INCORRECT", "incorrect"],
  ["INCORRECT", "incorrect"],
  ["incorrect", "incorrect"],
  ["not correct", "incorrect"],
  ["The solution is not correct.", "incorrect"],
  ["The answer isn't correct.", "incorrect"],
  ["Not incorrect.", "correct"],
  ["Step 3 divides by zero.\n\nINCORRECT", "incorrect"],
  ["Every step follows.\n\nVerdict: sound", "correct"],
  ["INCORRECT: step 2 is a correct sum of wrong terms", undefined],
  ["<think>it may be INCORRECT</think>CORRECT", "correct"],
  ["richtig", "correct"],
  ["", undefined],
  [" \n", undefined],
  ["CORRECT or INCORRECT", undefined],
  ["Is it correct?", undefined],
  ["Correct, but step 2 is wrong", undefined],
  ["partially correct", undefined],
  ["Verdict: CORRECT\nVerdict: INCORRECT", undefined],
  ["<think>CORRECT", undefined],
  ["I cannot judge this.", undefined],
  ["The step that finds the correct root is the third one.", undefined],
  ["UNCORRECTED", undefined],
])("[19] %j is %s", (reply, judgement) => {
  expect(readJudgement(reply)).toBe(judgement);
});
