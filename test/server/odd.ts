import type { FaultName } from "./faults.js";
import type { WholeReply, WireToolCall } from "./reply.js";

/** Surrogate pairs, right-to-left text, joiners and zero-width marks, a combining accent, a separator that JSON lets through. */
export const UNICODE =
  "𝒎 = 5 𝗸𝗴 — שלום ‏مرحبا‏ 👩‍🚀 é zero\u200bwidth \u2066iso\u2069 line\u2028end \ud800 lone";

/** Some megabytes. */
const HUGE = 2_000_000;

/** A reply that arrives whole, but is not as one expects it. */
export function odd(reply: WholeReply, fault: FaultName): WholeReply {
  const { message } = reply;
  const content = message.content ?? "";
  const said = (change: Partial<WholeReply["message"]>): WholeReply => ({
    ...reply,
    message: { ...message, ...change },
  });
  switch (fault) {
    case "null_content":
      return said({ content: null });
    case "no_finish":
      return { ...reply, finish_reason: null };
    case "filter":
      return { ...said({ content: content.slice(0, 3) }), finish_reason: "content_filter" };
    case "refusal":
      return said({ content: null, refusal: "I cannot help with this." });
    case "truncated":
      return { ...said({ content: content.slice(0, content.length / 2) }), finish_reason: "length" };
    case "wrong_schema":
      return said({ content: `{"nothing": "that was asked for", "half` });
    case "duplicate_tool_ids":
      return withCalls(reply, [call("c1", "a"), call("c1", "b")]);
    case "empty_tool_ids":
      return withCalls(reply, [call("", "a"), call("", "b")]);
    case "object_arguments":
      return withCalls(reply, [
        { id: "c1", type: "function", function: { name: "search", arguments: { q: "x" } } },
      ]);
    case "cut_arguments":
      return withCalls(reply, [
        { id: "c1", type: "function", function: { name: "search", arguments: '{"q":"dens' } },
      ]);
    case "no_usage":
      return { ...reply, usage: null };
    case "odd_usage":
      return {
        ...reply,
        usage: {
          prompt_tokens: 0,
          completion_tokens: 3,
          total_tokens: 0,
          prompt_tokens_details: { cached_tokens: 10 },
          completion_tokens_details: { reasoning_tokens: 7 },
        },
      };
    case "unicode":
      return said({ content: `${UNICODE}\n${content}` });
    case "huge":
      return said({ content: `${"x".repeat(HUGE)}\n${content}` });
    case "reasoning":
      return said({ reasoning_content: "Perhaps the final answer: 17? No." });
    case "inline_reasoning":
      return said({ content: `<think>Perhaps the final answer: 17? No.</think>\n${content}` });
    case "strange_members":
      return { ...reply, model: `${reply.model}-2099-01-01`, message: { ...message, ...STRANGE } };
    default:
      return reply;
  }
}

const STRANGE = { annotations: [], audio: null, provider_metadata: { cost: "0.1" } };

function call(id: string, q: string): WireToolCall {
  return { id, type: "function", function: { name: "search", arguments: JSON.stringify({ q }) } };
}

function withCalls(reply: WholeReply, tool_calls: readonly WireToolCall[]): WholeReply {
  return { ...reply, message: { ...reply.message, content: null, tool_calls }, finish_reason: "tool_calls" };
}
