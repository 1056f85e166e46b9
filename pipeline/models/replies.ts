import type { Reply, Unanswered, Usage } from "../../stages/model.js";
import type { Finish, RecordedReply } from "./call.js";

/** Calls that ended without a whole answer: why, and in words. */
const UNANSWERED: Readonly<Partial<Record<Finish, Pick<Unanswered, "why" | "message">>>> = {
  length: { why: "truncated", message: "the reply was cut off at the limit of tokens" },
  content_filter: { why: "filter", message: "the endpoint filtered the reply" },
  refusal: { why: "refusal", message: "the model declined" },
  context_length: { why: "context_length", message: "the prompt is longer than the model reads" },
  failed: { why: "unavailable", message: "the endpoint gave no reply" },
};

/** Why a call that ended like this has no whole answer; undefined where it has. */
export function whyUnanswered(finish: Finish): Unanswered["why"] | undefined {
  return UNANSWERED[finish]?.why;
}

/** A recorded call as stages see it; without the value of a schema. */
export function asReply(
  call: string,
  { finish, text, reasoning, tool_calls, note, usage, tokens }: RecordedReply,
): Reply {
  const unanswered = UNANSWERED[finish];
  if (unanswered === undefined) {
    const reply = { ok: true as const, call, text, reasoning, tool_calls, usage };
    return tokens === undefined ? reply : { ...reply, tokens };
  }
  const message = note === "" ? unanswered.message : `${unanswered.message}: ${note}`;
  return { ok: false, call, why: unanswered.why, message, text, usage };
}

/** What two calls used together; unknown where one of them is. */
export function bothUsages(a: Usage, b: Usage): Usage {
  const sum = (x: number | null, y: number | null): number | null =>
    x === null || y === null ? null : x + y;
  return {
    input: sum(a.input, b.input),
    cached_input: sum(a.cached_input, b.cached_input),
    output: sum(a.output, b.output),
    reasoning: sum(a.reasoning, b.reasoning),
  };
}
