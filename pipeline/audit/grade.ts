import { outcomeOf } from "../../verifiers/answer/outcome.js";
import { gradeReply } from "../../verifiers/answer/reply.js";
import type { RecordedReply } from "../models/call.js";
import { whyUnanswered } from "../models/replies.js";
import type { Sample } from "./evidence.js";
import type { Question } from "./rows.js";

/** A recorded reply, judged. */
export type Grade = Pick<Sample, "outcome" | "answer" | "reason">;

/** Judges a recorded reply to a question. */
export function gradeRecorded(
  reply: Pick<RecordedReply, "finish" | "text">,
  { expected, language, question }: Pick<Question, "expected" | "language" | "question">,
): Grade {
  const why = whyUnanswered(reply.finish);
  if (why !== undefined) return { outcome: "no_reply", answer: null, reason: why };
  const verdict = gradeReply(reply.text, expected, { language, question });
  return { outcome: outcomeOf(verdict), answer: verdict.answer, reason: verdict.reason };
}
