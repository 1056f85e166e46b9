import type { Finish, RecordedReply } from "./call.js";
import { UNKNOWN_USAGE } from "./read-usage.js";
import type { Redact } from "./redact.js";
import { type Fault, ProviderError } from "./transport.js";

/**
 * Reads an answer that is an error. The same fault has another status and other words at each kind of server, so both are looked at.
 * Forms seen: OpenAI, Azure `{error: {message, type, code}}`; vLLM, SGLang `{object: "error", message, type, code}`; llama.cpp
 * `{error: {code, message, type}}`; Ollama `{error: "text"}`; OpenRouter `{error: {code, message, metadata}}`; FastAPI
 * `{detail}`; proxies: HTML.
 */
export interface ErrorBody {
  readonly message: string;
  /** Code and type, in lower case. */
  readonly codes: string;
  /** A number in the place of the code: OpenRouter's and vLLM's status. */
  readonly status: number | undefined;
}

/** Of an error text so much is kept. */
const LONGEST = 600;
/** And so much looked at: a secret that ends where the text is cut would no longer be known as one. */
const LOOKED_AT = 4 * LONGEST;

/** What an error body says, or undefined for what is none. */
export function errorBody(body: unknown): ErrorBody | undefined {
  if (typeof body === "string") return body.trim() === "" ? undefined : said(plain(body));
  if (!isObject(body)) return undefined;
  const error = body.error ?? (body.object === "error" || body.type === "error" ? body : undefined);
  if (typeof error === "string" && error !== "") return said(error);
  if (isObject(error)) return ofObject(error);
  if (body.choices !== undefined) return undefined;
  if (body.detail !== undefined) return said(textOf(body.detail));
  if (typeof body.message === "string") return ofObject(body);
  return undefined;
}

function ofObject(error: Record<string, unknown>): ErrorBody {
  const { code, type, metadata } = error;
  const words = [textOf(error.message ?? error.detail ?? error)];
  // OpenRouter puts the words of whom it asked here.
  if (isObject(metadata) && metadata.raw !== undefined) words.push(textOf(metadata.raw));
  const inner = isObject(error.innererror) ? error.innererror.code : undefined;
  const status = typeof code === "object" ? Number.NaN : Number(code);
  return {
    message: words.join(": ").slice(0, LOOKED_AT),
    codes: [code, type, inner].map(codeOf).join(" "),
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined,
  };
}

function said(message: string): ErrorBody {
  return { message: message.slice(0, LOOKED_AT), codes: "", status: undefined };
}

function codeOf(code: unknown): string {
  return typeof code === "string" || typeof code === "number"
    ? String(code).slice(0, LONGEST).toLowerCase()
    : "";
}

/** An HTML page's text. */
function plain(text: string): string {
  if (!text.trimStart().startsWith("<")) return text;
  return text
    .slice(0, 2 * LOOKED_AT)
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // It nests so deeply that writing it would use up the stack.
    return "";
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const CONTEXT =
  /context_length_exceeded|exceed_context_size|maximum context length|maximum prompt length|context (?:window|size|length)|prompt is too long|input is too long|longer than the model's|reduce the length of the (?:messages|prompt|input)|inputs?\W{0,3}tokens?.{0,60}must be <=|too many (?:input )?tokens|token count .{0,40}exceeds the maximum/i;
/** More tokens asked for than the model has room for: the config's doing, and the same for each row. */
const ROOM = /max_(?:completion_)?tokens['"`\w ]{0,60}(?:too large|must be|exceeds)/i;
const FILTER =
  /content_filter|content_policy|responsibleaipolicy|content management policy|moderation|flagged|usage policy|invalid_prompt|data_inspection_failed/i;
const QUOTA =
  /insufficient_quota|insufficient_balance|insufficient (?:credits?|balance|funds|quota)|exceeded your current quota|credit balance|billing_(?:hard_limit|not_active)|billing hard limit|out of credits/i;
const KEY =
  /invalid_api_key|api key not valid|api_key_invalid|incorrect api key|invalid api key|no auth credentials/i;
const MODEL =
  /model_not_found|model_not_supported|not a valid model|no endpoints found|\bmodels?\b.{0,200}(?:does not exist|do(?:es)? not have access|not found|not available|is not supported|unknown)|unknown model|(?:access to|such) model/is;

/**
 * What an error answer means.
 * @param body its JSON, or its text
 * @returns a reply, where the call is over for good and belongs to its row alone: too long a prompt, or filtered
 * @throws ProviderError
 */
export function readRefusal(
  status: number,
  body: unknown,
  redact: Redact,
  retryAfter?: number,
): RecordedReply {
  const { message, codes } = errorBody(body) ?? { message: "", codes: "" };
  const words = redact(message.trim()).slice(0, LONGEST) || "no word of why";
  const end = finishOf(status, `${codes} ${message}`);
  if (end !== undefined) return replyWithout(end, words);
  throw new ProviderError(
    faultOfStatus(status, `${codes} ${message}`),
    `HTTP ${status}: ${words}`,
    status,
    retryAfter,
  );
}

function finishOf(status: number, text: string): Finish | undefined {
  if (status === 401 || status === 402 || status === 404 || status === 429) return undefined;
  if (status < 500 && FILTER.test(text)) return "content_filter";
  if (CONTEXT.test(text) && !ROOM.test(text)) return "context_length";
  return undefined;
}

function faultOfStatus(status: number, text: string): Fault {
  if (status === 402 || (status < 500 && QUOTA.test(text))) return "quota";
  if (status === 429) return "rate";
  if (status === 401 || (status < 500 && KEY.test(text))) return "auth";
  if (status !== 422 && status < 500 && MODEL.test(text)) return "model";
  if (status === 403) return "auth";
  // The server is there but has nothing at this address.
  if (status === 404 || status === 405 || status < 400) return "connection";
  if (status === 408) return "timeout";
  return status >= 500 || status === 409 || status === 425 ? "server" : "bad_request";
}

/** The record of a call that ended without a word of the model. */
export function replyWithout(finish: Finish, note: string): RecordedReply {
  return { finish, text: "", reasoning: "", tool_calls: [], note, model: "", usage: UNKNOWN_USAGE };
}

/** Faults that an error body under status 200 may tell of; any other makes the reply malformed, whatever it calls itself. */
const TOLD: readonly (Fault | undefined)[] = ["auth", "quota", "model", "rate"];

/**
 * A 200 with an error in place of the reply, as gateways send when it comes up after they have begun.
 * @throws ProviderError
 */
export function readErrorIn200(error: ErrorBody, body: unknown, redact: Redact): RecordedReply {
  const status = error.status ?? 500;
  try {
    return readRefusal(status, body, redact);
  } catch (cause) {
    if (cause instanceof ProviderError && TOLD.includes(cause.fault)) throw cause;
    throw new ProviderError(
      "malformed",
      `an error instead of a reply: ${redact(error.message).slice(0, LONGEST)}`,
      200,
    );
  }
}
