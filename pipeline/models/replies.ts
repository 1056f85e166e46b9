import type { Reply, Unanswered, Usage } from "../../stages/model.js";
import type { RecordedReply } from "./call.js";

/** A recorded call as stages see it; without the value of a schema. */
export function asReply(
  call: string,
  { finish, text, reasoning, tool_calls, note, usage }: RecordedReply,
): Reply {
  const because = note === "" ? "" : `: ${note}`;
  const without = (why: Unanswered["why"], message: string): Unanswered => {
    return { ok: false, call, why, message: `${message}${because}`, text, usage };
  };
  switch (finish) {
    case "stop":
    case "tool_calls":
      return { ok: true, call, text, reasoning, tool_calls, usage };
    case "length":
      return without("truncated", "the reply was cut off at the limit of tokens");
    case "content_filter":
      return without("filter", "the endpoint filtered the reply");
    case "refusal":
      return without("refusal", "the model declined");
    case "context_length":
      return without("context_length", "the prompt is longer than the model reads");
    case "failed":
      return without("unavailable", "the endpoint gave no reply");
  }
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
