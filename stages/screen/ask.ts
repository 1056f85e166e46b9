import { outcomeOf } from "../../verifiers/answer/outcome.js";
import { gradeReply } from "../../verifiers/answer/reply.js";
import type { SampleEvidence } from "../evidence.js";
import type { Message, Models, Reply } from "../model.js";
import type { Gradable } from "../question.js";

/** A question as a role is asked it. */
export interface Asking {
  readonly role: string;
  readonly row: string;
  readonly question: string;
  readonly messages: readonly Message[];
  readonly graded: Pick<Gradable, "expected" | "language">;
}

/** A graded draw, and the reply that it was read from. */
export interface Draw {
  readonly evidence: SampleEvidence;
  readonly reply: Reply;
}

/** Draws one reply and grades it. @throws what {@link Models.ask} throws. */
export async function draw(models: Models, asking: Asking, sample: number): Promise<Draw> {
  const { role, row, messages } = asking;
  const reply = await models.ask({ role, row, messages, sample });
  const model = models.identity(role)!.model;
  return { evidence: { role, model, sample, call: reply.call, ...grade(reply, asking) }, reply };
}

function grade(reply: Reply, asking: Asking): Pick<SampleEvidence, "outcome" | "answer" | "reason"> {
  if (!reply.ok) return { outcome: "no_reply", answer: null, reason: reply.why };
  const { expected, language } = asking.graded;
  const verdict = gradeReply(reply.text, expected, { language, question: asking.question });
  return { outcome: outcomeOf(verdict), answer: verdict.answer, reason: verdict.reason };
}

/** Runs tasks at once and waits for all of them: of several failures the first in order is thrown, whichever came first. */
export async function inOrder<T>(tasks: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(tasks);
  return settled.map((s) => {
    if (s.status === "rejected") throw s.reason;
    return s.value;
  });
}
