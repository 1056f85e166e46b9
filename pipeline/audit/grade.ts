import { gradeReply } from "../../verifiers/answer/reply.js";
import type { RecordedReply } from "../models/call.js";
import type { Sample } from "./evidence.js";
import type { Question } from "./rows.js";

/** A recorded reply, judged. */
export type Grade = Pick<Sample, "outcome" | "answer" | "reason">;

/** Why a call that ended has no whole answer; as the gates name it. */
const UNANSWERED: Readonly<Record<string, string>> = {
  length: "truncated",
  content_filter: "filter",
  refusal: "refusal",
  context_length: "context_length",
  failed: "unavailable",
};

/** Verdicts on texts that decline, say nothing or break off: nothing is known, so they are no misses. */
const SILENT: ReadonlySet<string> = new Set(["refusal", "no_answer", "unfinished"]);

/** Judges a recorded reply to a question. */
export function gradeRecorded(
  reply: Pick<RecordedReply, "finish" | "text">,
  { expected, language, question }: Pick<Question, "expected" | "language" | "question">,
): Grade {
  const why = UNANSWERED[reply.finish];
  if (why !== undefined) return { outcome: "no_reply", answer: null, reason: why };
  const verdict = gradeReply(reply.text, expected, { language, question });
  const outcome = SILENT.has(verdict.reason) ? "no_reply" : verdict.verdict;
  return { outcome, answer: verdict.answer, reason: verdict.reason };
}
