import { z } from "zod";
import type { Finish, RecordedReply } from "./call.js";
import { errorBody, readErrorIn200, readRefusal } from "./read-refusal.js";
import { readTokens } from "./read-tokens.js";
import { readToolCalls, type WireToolCall } from "./read-tool-calls.js";
import { readUsage } from "./read-usage.js";
import { hideKey, hideSecrets, type Redact } from "./redact.js";
import { ProviderError } from "./transport.js";

const part = z.looseObject({
  type: z.string().optional(),
  text: z.string().optional(),
  thinking: z.unknown().optional(),
});
const tool = z.looseObject({
  id: z.unknown().optional(),
  function: z.looseObject({ name: z.unknown().optional(), arguments: z.unknown().optional() }).nullish(),
});

const message = z.looseObject({
  content: z.union([z.string(), z.array(part)]).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z.array(tool).nullish(),
});
const completion = z.looseObject({
  model: z.string().nullish().catch(null),
  // One is asked for, and no other looked at.
  choices: z.tuple(
    [z.looseObject({ message, finish_reason: z.string().nullish() })],
    z.unknown(),
    "no choices",
  ),
  usage: z.unknown().optional(),
  prompt_token_ids: z.unknown().optional(),
});
type WireMessage = z.infer<typeof message>;

/** What endpoints call the end of a reply. An end of another name (`error`, `abort`) is none. */
const FINISHES: ReadonlyMap<string, Finish> = new Map([
  ["stop", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["content_filter", "content_filter"],
  ["safety", "content_filter"],
]);

/**
 * Reads a chat completion. Nothing that lacks its end is a reply.
 * @param body the JSON of a 200
 * @param key the role's, to be taken out of every text
 * @throws ProviderError, mostly `malformed`
 */
export function readReply(body: unknown, key: string | undefined): RecordedReply {
  const error = errorBody(body);
  if (error !== undefined) return readErrorIn200(error, body, hideSecrets(key));
  const parsed = completion.safeParse(body);
  if (!parsed.success) throw malformed(whatIsWrong(parsed.error));
  const { choices, model, usage, prompt_token_ids } = parsed.data;
  const choice = choices[0];
  const own = (text: string): string => hideKey(key)(wellFormed(text));
  const reply = readMessage(choice.message, finishOf(choice.finish_reason, hideSecrets(key)));
  const wrote = reply.text !== "" || reply.reasoning !== "" || reply.tool_calls.length > 0;
  return {
    finish: reply.finish,
    text: own(reply.text),
    reasoning: own(reply.reasoning),
    tool_calls: reply.tool_calls.map((call) => ({
      id: own(call.id),
      name: own(call.name),
      arguments: own(call.arguments),
    })),
    note: hideSecrets(key)(wellFormed(reply.note)),
    model: own(withoutFolder(model ?? "")),
    usage: readUsage(usage ?? usageIn(choice), wrote),
    ...readTokens(prompt_token_ids, choice),
  };
}

/** Reads what an endpoint answered to one request, be it a reply or a refusal. @throws ProviderError */
export function readAnswer(
  status: number,
  body: unknown,
  key: string | undefined,
  retryAfter?: number,
): RecordedReply {
  if (status >= 200 && status < 300) return readReply(body, key);
  return readRefusal(status, body, hideSecrets(key), retryAfter);
}

type Read = Pick<RecordedReply, "finish" | "text" | "reasoning" | "tool_calls" | "note">;

function readMessage(wire: WireMessage, finish: Finish): Read {
  const { calls, whole } = readToolCalls((wire.tool_calls ?? []) as readonly WireToolCall[]);
  const { text, thoughts } = withoutThoughts(contentOf(wire.content));
  const reasoning = wire.reasoning_content || wire.reasoning || thoughts;
  const said = { text, reasoning, tool_calls: calls, note: "" };
  // A call cut off by the token limit is called `tool_calls` by some servers when they stream.
  if (!whole) return { ...said, finish: "length", note: "the arguments of a tool call are no JSON" };
  if (finish === "length") return { ...said, finish };
  if (finish === "content_filter") return { ...said, finish, note: wire.refusal ?? "" };
  if (calls.length > 0) return { ...said, finish: "tool_calls" };
  const empty = wire.content === null || wire.content === undefined;
  if (wire.refusal && text === "") return { ...said, finish: "refusal", note: wire.refusal };
  if (empty) throw malformed(reasoning === "" ? "null content" : "null content behind its reasoning");
  return { ...said, finish: "stop" };
}

function finishOf(reason: string | null | undefined, redact: Redact): Finish {
  if (reason === null || reason === undefined || reason === "") throw malformed("no finish reason");
  const finish = FINISHES.get(reason.toLowerCase());
  if (finish === undefined) throw malformed(`it ended by \`${redact(reason).slice(0, 40)}\``);
  return finish;
}

/** Content is a text, or parts of which some are thoughts (Mistral). */
function contentOf(content: WireMessage["content"]): { text: string; thoughts: string } {
  if (!Array.isArray(content)) return { text: content ?? "", thoughts: "" };
  const thoughts = content.filter((p) => p.thinking !== undefined).map((p) => textIn(p.thinking));
  return { text: content.map((p) => p.text ?? "").join(""), thoughts: thoughts.join("") };
}

function textIn(thinking: unknown): string {
  if (typeof thinking === "string") return thinking;
  const parts = z.array(part).safeParse(thinking);
  return parts.success ? parts.data.map((p) => p.text ?? "").join("") : "";
}

const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Takes thoughts in tags off the head of a text. Some chat templates open the tag in the prompt, so that only its end is here; and where
 * thoughts were cut off they are all there is.
 */
function withoutThoughts({ text, thoughts }: { text: string; thoughts: string }): {
  text: string;
  thoughts: string;
} {
  const head = text.trimStart();
  const opened = head.startsWith(OPEN);
  const end = text.indexOf(CLOSE);
  if (end < 0)
    return opened ? { text: "", thoughts: thoughts + head.slice(OPEN.length) } : { text, thoughts };
  if (!opened && text.slice(0, end).includes(OPEN)) return { text, thoughts };
  const within = opened ? head.slice(OPEN.length, head.indexOf(CLOSE)) : text.slice(0, end);
  return { text: text.slice(end + CLOSE.length).trimStart(), thoughts: thoughts + within.trim() };
}

/** llama.cpp calls a model by the path of its file, which is nobody's business. */
function withoutFolder(model: string): string {
  return /^(?:[/~]|[A-Za-z]:[\\/]|\\\\)/.test(model) ? model.split(/[\\/]/).at(-1)! : model;
}

/** Half of a surrogate pair has no UTF-8: it would read differently once it has been to a file. */
export function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text, "utf8").toString("utf8") : text;
}

/** Moonshot counts within the choice. */
function usageIn(choice: { readonly [key: string]: unknown }): unknown {
  return choice.usage;
}

function whatIsWrong(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return `${issue.path.join(".") || "the body"}: ${issue.message}`;
}

function malformed(what: string): ProviderError {
  return new ProviderError("malformed", `the reply is not whole: ${what}`, 200);
}
