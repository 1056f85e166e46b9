import OpenAI, { APIConnectionTimeoutError } from "openai";
import { parseJson } from "./json-text.js";
import { readAnswer } from "./read-reply.js";
import { hideSecrets } from "./redact.js";
import type { Role } from "./role.js";
import { ProviderError } from "./transport.js";

/** No reply of a model is longer, in bytes; a server that goes on and on fills no memory. */
export const LONGEST = 64 * 2 ** 20;
/** Of an error answer so much is read. */
const LONGEST_ERROR = 2 ** 16;

/**
 * The SDK's way to an endpoint. It tries nothing twice and reads nothing from the environment: the config says what is used. Its
 * errors are for {@link faultIn}.
 * @param timeout milliseconds until the head of an answer
 */
export function openEndpoint(
  { spec, key }: Pick<Role, "spec" | "key">,
  timeout: number,
  fetch = refusing,
): OpenAI {
  return new OpenAI({
    baseURL: spec.base_url,
    apiKey: key ?? "none",
    organization: null,
    project: null,
    defaultHeaders: key === undefined ? { Authorization: null } : {},
    maxRetries: 0,
    timeout,
    logLevel: "off",
    fetch,
  });
}

/** An answer that is an error, on its way past the SDK: that keeps only bodies of OpenAI's form. Its text must say nothing. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly retryAfter: number | undefined,
  ) {
    super("refused");
  }
}

/**
 * What is sent follows no redirect: prompts go to the address of the config and to no other. (Nor need a request be copied for
 * it.) What is fetched may be kept elsewhere, as some endpoints do with the files of batches.
 */
export const refusing: typeof fetch = async (url, init) => {
  const redirect = init?.method?.toUpperCase() === "GET" ? "follow" : "error";
  const response = await fetch(url, { ...init, redirect });
  if (response.ok) return response;
  const text = await textOf(response, LONGEST_ERROR).catch(() => "");
  throw new Refused(response.status, parseJson(text) ?? text, retryAfterOf(response.headers));
};

export function refusalIn(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error;
  return error instanceof Error && error.cause instanceof Refused ? error.cause : undefined;
}

export function tooLong(): ProviderError {
  return new ProviderError("malformed", `a reply of over ${LONGEST} bytes`, 200);
}

/** A body's text. @throws ProviderError `malformed` for one that is longer than that */
export async function textOf(response: Response, longest: number): Promise<string> {
  if (response.body === null) return "";
  // Where the length is known to be fair, the quick way: reading a stream piece by piece costs as much as all the rest of a call.
  if (
    Number(response.headers.get("content-length") ?? Number.NaN) <= longest &&
    !response.headers.has("content-encoding")
  )
    return response.text();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > longest) throw tooLong();
    pieces.push(piece);
  }
  // As `Response.text` reads it: without a byte order mark.
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/**
 * Lines of a body as they come, ended by CR, LF or both; not by U+2028, which a line of JSON may hold.
 * @throws ProviderError `malformed` for a line without an end
 */
export async function* linesIn({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  // A line of many pieces is put together once, when its end has come.
  let pieces: string[] = [];
  let held = 0;
  let cut = false;
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    pieces.push(piece);
    held += piece.length;
    if (cut || /[\r\n]/.test(piece)) {
      const lines = pieces.join("").split(/\r\n|\n|\r(?!$)/);
      const rest = lines.pop() ?? "";
      pieces = [rest];
      held = rest.length;
      yield* lines;
    }
    // What follows a CR at the end of a piece may be its LF.
    cut = piece.endsWith("\r");
    if (held > LONGEST) throw tooLong();
  }
  if (held > 0) yield pieces.join("");
}

/** Seconds until the endpoint wants to be asked again. */
function retryAfterOf(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds / 1000;
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Codes of Node and undici that mean waiting in vain. */
const TIMEOUTS = /ETIMEDOUT|UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|TimeoutError/;
/** A connection that was there and is no more: an endpoint that is restarted or overrun, not a wrong address. */
const BROKEN = /\b(ECONNRESET|EPIPE|UND_ERR_SOCKET)\b|other side closed|socket hang up/;

/** What an error of the SDK, of `fetch` or of the connection means. */
export function faultIn(error: unknown, key: string | undefined): ProviderError {
  if (error instanceof ProviderError) return error;
  const refused = refusalIn(error);
  if (refused !== undefined) return faultOf(refused, key);
  const words = wordsOf(error, key);
  if (error instanceof APIConnectionTimeoutError || TIMEOUTS.test(words))
    return new ProviderError("timeout", words);
  const reached = BROKEN.test(words);
  return new ProviderError("connection", words || "the connection broke", undefined, undefined, reached);
}

function faultOf({ status, body, retryAfter }: Refused, key: string | undefined): ProviderError {
  try {
    const { note } = readAnswer(status, body, key, retryAfter);
    return new ProviderError("bad_request", note, status);
  } catch (fault) {
    if (fault instanceof ProviderError) return fault;
    throw fault;
  }
}

/** `fetch failed` says nothing; its causes do. */
export function wordsOf(error: unknown, key: string | undefined): string {
  return hideSecrets(key)(chain(error));
}

function chain(error: unknown): string {
  const words: string[] = [];
  for (let at: unknown = error; at instanceof Error && words.length < 5; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code;
    const text = at.message || (at instanceof AggregateError ? at.errors.map(chain).join(", ") : "");
    words.push(typeof code === "string" && !text.includes(code) ? `${code} ${text}`.trim() : text);
  }
  return words.filter((text, i) => text !== "" && words.indexOf(text) === i).join(": ");
}
