import type { ChatBody, ServedRequest } from "./request.js";

export interface WireToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly arguments: string | Readonly<Record<string, unknown>>;
  };
}

/** What a brain makes of a request: text alone, or more. */
export interface BrainReply {
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly refusal?: string;
  readonly tool_calls?: readonly WireToolCall[];
  readonly finish_reason?: string | null;
  readonly usage?: WireUsage | null;
}

export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens: number };
}

export type Brain = (request: ServedRequest) => string | BrainReply | Promise<string | BrainReply>;

/** A reply with nothing left open; still to be written as JSON or as a stream. */
export interface WholeReply {
  readonly id: string;
  readonly model: string;
  readonly message: {
    readonly content: string | null;
    readonly reasoning_content?: string;
    readonly refusal?: string;
    readonly tool_calls?: readonly WireToolCall[];
  };
  readonly finish_reason: string | null;
  readonly usage: WireUsage | null;
}

/** Roughly: what a tokenizer would count, and the same each time. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Fills in what the brain left open: finish reason, usage, the cut at `max_tokens` and at a stop word. */
export function wholeReply(request: ServedRequest, said: string | BrainReply): WholeReply {
  const reply = typeof said === "string" ? { content: said } : said;
  const { content, cut } = atLimits(reply.content ?? null, request.body);
  const calls = reply.tool_calls;
  const prompt = tokens(request.body.messages.map((m) => m.content ?? "").join("\n"));
  const thought = tokens(reply.reasoning_content ?? "");
  const written = tokens(content ?? "") + tokens(JSON.stringify(calls ?? "")) + thought;
  return {
    id: `chatcmpl-${request.key.slice(0, 12)}-${request.nth}`,
    model: request.model,
    message: {
      content,
      ...(reply.reasoning_content === undefined ? {} : { reasoning_content: reply.reasoning_content }),
      ...(reply.refusal === undefined ? {} : { refusal: reply.refusal }),
      ...(calls === undefined ? {} : { tool_calls: calls }),
    },
    finish_reason:
      reply.finish_reason !== undefined
        ? reply.finish_reason
        : cut
          ? "length"
          : calls === undefined
            ? "stop"
            : "tool_calls",
    usage:
      reply.usage !== undefined
        ? reply.usage
        : {
            prompt_tokens: prompt,
            completion_tokens: written,
            total_tokens: prompt + written,
            prompt_tokens_details: { cached_tokens: 0 },
            completion_tokens_details: { reasoning_tokens: thought },
          },
  };
}

function atLimits(content: string | null, body: ChatBody): { content: string | null; cut: boolean } {
  if (content === null) return { content, cut: false };
  const stops = typeof body.stop === "string" ? [body.stop] : (body.stop ?? []);
  const ends = stops.map((stop) => content.indexOf(stop)).filter((at) => at >= 0);
  const stopped = ends.length === 0 ? content : content.slice(0, Math.min(...ends));
  const most = (body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY) * 4;
  return stopped.length > most
    ? { content: stopped.slice(0, most), cut: true }
    : { content: stopped, cut: false };
}

/** As one JSON text. */
export function asJson(reply: WholeReply): Record<string, unknown> {
  return {
    id: reply.id,
    object: "chat.completion",
    created: 1700000000,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", ...reply.message },
        logprobs: null,
        finish_reason: reply.finish_reason,
      },
    ],
    ...(reply.usage === null ? {} : { usage: reply.usage }),
  };
}

/** As server-sent events, the last one `[DONE]`. Pieces of text end wherever they end, in the middle of a surrogate pair too. */
export function asEvents(reply: WholeReply, includeUsage: boolean): string[] {
  const head = { id: reply.id, object: "chat.completion.chunk", created: 1700000000, model: reply.model };
  const chunk = (delta: unknown, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const { content, reasoning_content, refusal, tool_calls } = reply.message;
  const chunks: unknown[] = [chunk({ role: "assistant", content: content === null ? null : "" })];
  for (const piece of pieces(reasoning_content ?? "")) chunks.push(chunk({ reasoning_content: piece }));
  for (const piece of pieces(content ?? "")) chunks.push(chunk({ content: piece }));
  if (refusal !== undefined) chunks.push(chunk({ refusal }));
  (tool_calls ?? []).forEach((call, index) => {
    const { name, arguments: args } = call.function;
    chunks.push(
      chunk({ tool_calls: [{ index, id: call.id, type: "function", function: { name, arguments: "" } }] }),
    );
    for (const piece of typeof args === "string" ? pieces(args) : [args])
      chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  });
  if (reply.finish_reason !== null) chunks.push(chunk({}, reply.finish_reason));
  if (includeUsage && reply.usage !== null) chunks.push({ ...head, choices: [], usage: reply.usage });
  return [...chunks.map((c) => `data: ${JSON.stringify(c)}\n\n`), "data: [DONE]\n\n"];
}

/** At most some hundred pieces, seven units long in short texts. */
function pieces(text: string): string[] {
  const size = Math.max(7, Math.ceil(text.length / 300));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}
