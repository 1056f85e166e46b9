import { z } from "zod";
import { hashOf } from "../../pipeline/base/canonical.js";
import { type Random, stream } from "../../pipeline/base/random.js";

/** What the server takes for a chat request: the members that it reads, all others let through and counted into the key. */

const call = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: z.string() }),
  z.looseObject({ role: z.literal("user"), content: z.string() }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.string().nullish(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.looseObject({ role: z.literal("tool"), content: z.string(), tool_call_id: z.string().min(1) }),
]);

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const responseFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({
      name,
      schema: z.record(z.string(), z.json()),
      strict: z.boolean().optional(),
    }),
  }),
]);

export const chatBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  seed: z.int().optional(),
  temperature: z.number().optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function"),
        function: z.looseObject({ name, parameters: z.json().optional() }),
      }),
    )
    .min(1)
    .optional(),
  response_format: responseFormat.optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});
export type ChatBody = z.infer<typeof chatBody>;

/** A request as brains, faults and tests see it. */
export interface ServedRequest {
  /** SHA-256 of the body: two requests with one key ask for the same. */
  readonly key: string;
  readonly model: string;
  readonly body: ChatBody;
  /** How many requests with this key came before. */
  readonly attempt: number;
  /** How many requests of any kind came before. */
  readonly nth: number;
  /** System prompt and the last message of the user. */
  readonly system: string;
  readonly prompt: string;
  /** What a reply may draw from: the same for the same body, unless the server is to `differ`. */
  readonly random: Random;
}

/** Whether a body is what an endpoint would take. @returns what is wrong with it, or undefined. */
export function refusal(body: ChatBody): string | undefined {
  if (body.stream_options != null && body.stream !== true) return "stream_options without stream";
  const open = new Set<string>();
  for (const m of body.messages) {
    if (m.role === "tool" && !open.delete(m.tool_call_id))
      return `no open tool call with id ${m.tool_call_id}`;
    if (m.role !== "tool" && open.size > 0)
      return "an assistant message with tool_calls needs a reply to each";
    if (m.role !== "assistant") continue;
    for (const { id } of m.tool_calls ?? []) {
      if (open.has(id)) return `tool call id ${id} twice`;
      open.add(id);
    }
  }
  return undefined;
}

export function served(
  body: ChatBody,
  counts: { attempt: number; nth: number; differ: boolean },
): ServedRequest {
  const key = keyOf(body);
  const last = body.messages.findLast((m) => m.role === "user");
  return {
    key,
    model: body.model,
    body,
    attempt: counts.attempt,
    nth: counts.nth,
    system: body.messages
      .filter((m) => m.role === "system")
      .map((m) => m.content)
      .join("\n"),
    prompt: last?.content ?? "",
    random: counts.differ ? stream("server", key, counts.nth) : stream("server", key),
  };
}

/** The identity of a request: how it is to be sent back is no part of what it asks. */
export function keyOf(body: ChatBody): string {
  const { stream: _stream, stream_options: _options, ...rest } = body;
  return hashOf(rest);
}
