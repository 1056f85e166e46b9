import type { Json } from "../../pipeline/base/canonical.js";
import type { Conversation, ToolUse, Turn } from "./conversation.js";
import { RawJson, type Writable } from "./json-text.js";

type Object = { readonly [key: string]: Writable | undefined };

/**
 * A message in OpenAI's form. `arguments` as an `object` for templates that print them as JSON, as `text` for loaders that read them
 * themselves; either way as the provider wrote them. Members that a message has not got are left out, never null.
 */
export function openaiMessage(turn: Turn, args: "object" | "text"): Object {
  return {
    role: turn.role,
    content: turn.content,
    reasoning_content: turn.reasoning ?? undefined,
    tool_calls: turn.calls.length === 0 ? undefined : turn.calls.map((call) => openaiCall(call, args)),
    name: turn.role === "tool" ? (turn.name ?? undefined) : undefined,
    tool_call_id: turn.call_id ?? undefined,
  };
}

function openaiCall({ id, name, text }: ToolUse, args: "object" | "text"): Writable {
  return { id, type: "function", function: { name, arguments: args === "text" ? text : new RawJson(text) } };
}

/** The tools as one JSON text: nested schemas in a typed column are filled up with nulls. */
export function toolsText(tools: readonly Json[]): string {
  return JSON.stringify(tools);
}

/** Where a row comes from, for every row-wise target. */
export function origin({ record }: Conversation): Object {
  const { task_id, rollout, segment, model } = record;
  return { task_id, rollout, segment, model };
}
