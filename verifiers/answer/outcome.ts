import type { Verdict } from "./answer.js";

/** Verdicts on texts that decline, say nothing or break off: as with an endpoint's refusal, nothing is known. */
const SILENT: ReadonlySet<string> = new Set(["refusal", "no_answer", "unfinished"]);

/** What a graded reply counts as: one that states no answer is no miss. */
export function outcomeOf({ verdict, reason }: Verdict): Verdict["verdict"] | "no_reply" {
  return SILENT.has(reason) ? "no_reply" : verdict;
}
