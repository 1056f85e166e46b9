import type { PlannedCalls } from "../stage.js";

/** Tokens of a call, as a rule: a system prompt with a question, and a worked answer of some steps. */
const INPUT = 350;
const OUTPUT = 500;

/** The same number of calls of each role for one row, at most. */
export function rolesCalls(roles: readonly string[], calls: number, input = INPUT): PlannedCalls[] {
  return [...new Set(roles)].map((role) => ({ role, calls, input, output: OUTPUT }));
}
