import type { Conversation, ToolUse, Turn } from "./conversation.js";
import { pythonJson } from "./json-text.js";

/**
 * Conversations whose tools, calls, observations and reasoning are words of plain messages, in the form of Hermes: what the templates of
 * Qwen2.5 and Qwen3 make of the structured form, so that both render to the same tokens. For targets whose files or loaders spoil
 * nested arguments.
 */
export interface PlainMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export function plainMessages({ turns, tools }: Conversation): PlainMessage[] {
  const out: PlainMessage[] = [];
  const first = turns[0];
  const system = first?.role === "system" ? first.content : undefined;
  if (tools.length > 0)
    out.push({ role: "system", content: `${system ?? DEFAULT_SYSTEM}${toolsIntroduction(tools)}` });
  else if (system !== undefined) out.push({ role: "system", content: system });
  const rest = system === undefined ? turns : turns.slice(1);
  rest.forEach((turn, i) => {
    if (turn.role !== "tool") {
      out.push({ role: turn.role, content: spoken(turn) });
      return;
    }
    const response = `<tool_response>\n${turn.content}\n</tool_response>`;
    // Observations of one turn share a message.
    const previous = rest[i - 1]?.role === "tool" ? out.pop()!.content : undefined;
    out.push({ role: "user", content: previous === undefined ? response : `${previous}\n${response}` });
  });
  return out;
}

/** What the template of Qwen2.5 says where a conversation has no system message. */
const DEFAULT_SYSTEM = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.";

function toolsIntroduction(tools: Conversation["tools"]): string {
  const lines = tools.map((tool) => `\n${pythonJson(JSON.stringify(tool))}`).join("");
  return `\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>${lines}\n</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>`;
}

/** All that an assistant wrote, reasoning first. */
function spoken(turn: Turn): string {
  return `${thought(turn)}${withCalls(turn.content, turn.calls)}`;
}

/** Reasoning as it stands before the text of a message; empty where there is none. */
export function thought({ reasoning }: Turn): string {
  return reasoning === null ? "" : `<think>\n${reasoning}\n</think>\n\n`;
}

/** Reasoning and text, for targets without a field for the former. */
export function reasoningText(turn: Turn): string {
  return `${thought(turn)}${turn.content}`;
}

/** Content and calls of an assistant message. */
export function withCalls(content: string, calls: readonly ToolUse[]): string {
  const lines = calls.map(
    ({ name, text }) => `<tool_call>\n{"name": "${name}", "arguments": ${pythonJson(text)}}\n</tool_call>`,
  );
  return [...(content === "" && lines.length > 0 ? [] : [content]), ...lines].join("\n");
}
