import type { ChatRequest, Message } from "../../stages/model.js";
import type { Json } from "../base/canonical.js";
import type { CallIdentity } from "./call.js";
import { wellFormed } from "./read-reply.js";
import type { Role } from "./role.js";
import { wireSchema } from "./structured.js";

/** All that the reply to a request depends on. */
export function identify(role: Role, request: ChatRequest, messages: readonly Message[]): CallIdentity {
  const { sample = 0, schema, tools = [] } = request;
  return {
    ...role.identity,
    messages: messages.map(wireMessage),
    tools: tools.map((tool): Json => ({ type: "function", function: { ...tool } })),
    sampling: samplingOf(role, request, sample),
    response_format:
      schema === undefined
        ? null
        : { name: schema.name, schema: wireSchema(schema.type).schema, mode: role.spec.structured },
    sample,
  };
}

function samplingOf({ spec }: Role, request: ChatRequest, sample: number): Json {
  const { seed, extra, max_tokens, ...given } = spec.sampling;
  return {
    ...extra,
    ...given,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    max_tokens: request.max_tokens ?? max_tokens,
    ...(seed === false ? {} : { seed: seed + sample }),
  };
}

function wireMessage(given: Message): Json {
  const message = { ...given, content: wellFormed(given.content) };
  const { role, content } = message;
  if (message.role === "tool") return { role, content, tool_call_id: message.tool_call_id };
  if (message.role !== "assistant") return { role, content };
  const { reasoning_content, tool_calls = [] } = message;
  const thoughts =
    reasoning_content === undefined ? {} : { reasoning_content: wellFormed(reasoning_content) };
  if (tool_calls.length === 0) return { role, content, ...thoughts };
  const calls = tool_calls.map(({ id, name, arguments: text }): Json => {
    return { id, type: "function", function: { name, arguments: text } };
  });
  return { role, content, ...thoughts, tool_calls: calls };
}

/** Tokens that a call can take at most: a token of any byte-level vocabulary is one byte or more, and each message has some around it. */
export function worstOf({ messages, tools, sampling }: CallIdentity): { input: number; output: number } {
  const texts = [...(messages as readonly Json[]), ...(tools as readonly Json[])];
  const input = texts.reduce<number>((sum, value) => sum + bytesIn(value) + 16, 0);
  const { max_tokens } = sampling as { readonly max_tokens: number };
  return { input, output: max_tokens };
}

function bytesIn(value: Json | undefined): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : String(value).length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + bytesIn(item), 0);
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + bytesIn(item), 0);
}
