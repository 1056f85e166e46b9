import type { Verdict } from "./answer.js";

/** Longest final answer that is looked at, in UTF-16 units. */
export const MAX_ANSWER = 20_000;
/** How much of a reply is looked at: its end, where final answers stand. */
export const MAX_REPLY = 200_000;

type Make = (reason: string, why: string, read?: string | null) => Verdict;

const make =
  (verdict: Verdict["verdict"]): Make =>
  (reason, why, read = null) => ({ verdict, reason, why, read: read === null ? null : clip(read) });

export const right = make("right");
export const wrong = make("wrong");
export const undecided = make("undecided");

/** Evidence is for people: enough of a long text to know it by. */
function clip(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
