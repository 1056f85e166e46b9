import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import type { RecordedReply } from "./call.js";
import { LONGEST_WAIT } from "./clock.js";
import { readAnswer, readReply } from "./read-reply.js";
import { StreamedBody } from "./read-stream.js";
import { hideSecrets } from "./redact.js";
import type { Role } from "./role.js";
import { ProviderError, type Transport, type WireCall } from "./transport.js";

/** No reply of a model is longer; a server that goes on and on fills no memory. */
const LONGEST = 64 * 2 ** 20;
/** Of an error answer so much is read. */
const LONGEST_ERROR = 2 ** 16;

/**
 * Sends calls one by one to `/chat/completions`. A call that is out is not called back by the signal, which only keeps new ones in:
 * it will be billed in any case, so that its reply is waited for and kept.
 */
export function httpTransport(role: Pick<Role, "spec" | "key">): Transport {
  return new HttpTransport(role);
}

class HttpTransport implements Transport {
  readonly #client: OpenAI;

  constructor(private readonly role: Pick<Role, "spec" | "key">) {
    const { spec, key } = role;
    this.#client = new OpenAI({
      baseURL: spec.base_url,
      // Nothing is read from the environment: the config says what is used.
      apiKey: key ?? "none",
      organization: null,
      project: null,
      defaultHeaders: key === undefined ? { Authorization: null } : {},
      maxRetries: 0,
      // The SDK's own clock stops at the headers; ours runs until the last byte.
      timeout: LONGEST_WAIT,
      logLevel: "off",
      fetch: refusing,
    });
  }

  async send(call: WireCall, signal: AbortSignal): Promise<RecordedReply> {
    signal.throwIfAborted();
    const { spec, key } = this.role;
    // Not `AbortSignal.timeout`: with a listener on it, it holds on to the whole exchange until its time is over.
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), Math.min(spec.limits.timeout * 1000, LONGEST_WAIT));
    try {
      return spec.stream ? await this.#stream(call, clock.signal) : await this.#whole(call, clock.signal);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const refused = refusalIn(error);
      if (refused !== undefined) return readAnswer(refused.status, refused.body, key, refused.retryAfter);
      if (clock.signal.aborted) throw new ProviderError("timeout", `no end after ${spec.limits.timeout} s`);
      throw transportFault(error, key);
    } finally {
      clearTimeout(timer);
    }
  }

  async #whole({ body }: WireCall, signal: AbortSignal): Promise<RecordedReply> {
    const response = await this.#client.post("/chat/completions", { body, signal }).asResponse();
    return readReply(parsed(await this.#begun(signal, () => textOf(response, LONGEST))), this.role.key);
  }

  async #stream({ body }: WireCall, signal: AbortSignal): Promise<RecordedReply> {
    const asked = { ...(body as object), stream: true, stream_options: { include_usage: true } };
    const response = await this.#client.post("/chat/completions", { body: asked, signal }).asResponse();
    // A server that does not stream answers as if it had not been asked to.
    if (/^application\/json\b/i.test(response.headers.get("content-type") ?? "")) {
      return readReply(parsed(await this.#begun(signal, () => textOf(response, LONGEST))), this.role.key);
    }
    return readReply(await this.#begun(signal, () => gathered(response, signal)), this.role.key);
  }

  /** A connection that breaks after the endpoint has begun to answer: the call has most likely been billed. */
  async #begun<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof ProviderError || signal.aborted) throw error;
      const words = hideSecrets(this.role.key)(chain(error));
      throw new ProviderError("malformed", `the reply is not whole: its connection broke (${words})`, 200);
    }
  }
}

async function gathered(response: Response, signal: AbortSignal): Promise<unknown> {
  const whole = new StreamedBody();
  for await (const data of events(response, signal)) {
    whole.add(data === undefined ? "an event that is no JSON" : data);
    if (whole.length > LONGEST) throw tooLong();
  }
  return whole.body();
}

function tooLong(): ProviderError {
  return new ProviderError("malformed", `a reply of over ${LONGEST} bytes`, 200);
}

/** Data of the server-sent events up to `[DONE]`; undefined for one that is no JSON. */
async function* events(response: Response, signal: AbortSignal): AsyncGenerator<unknown> {
  let rest = "";
  if (response.body === null) return;
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    signal.throwIfAborted();
    if (rest.length > LONGEST) throw tooLong();
    // A long line is put together only when its end has come.
    if (!/[\r\n]/.test(piece) && !rest.endsWith("\r")) {
      rest += piece;
      continue;
    }
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = dataOf(line);
      if (data === "[DONE]") return;
      if (data !== "") yield json(data);
    }
  }
  const last = dataOf(rest);
  if (last !== "" && last !== "[DONE]") yield json(last);
}

/** Chat endpoints send each event in one line of data; comments keep the line open. */
function dataOf(line: string): string {
  return line.startsWith("data:") ? line.slice("data:".length).trim() : "";
}

function parsed(text: string): unknown {
  const value = json(text);
  if (value === undefined) {
    const what = text.trim() === "" ? "an empty body" : "a body that is no JSON";
    throw new ProviderError("malformed", `the reply is not whole: ${what}`, 200);
  }
  return value;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body's text. @throws ProviderError `malformed` for one that is longer than that */
async function textOf(response: Response, longest: number): Promise<string> {
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

/** Follows no redirect: prompts go to the address of the config and to no other. (Nor need a request be copied for it.) */
const refusing: typeof fetch = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: "error" });
  if (response.ok) return response;
  const text = await textOf(response, LONGEST_ERROR).catch(() => "");
  throw new Refused(response.status, json(text) ?? text, retryAfterOf(response.headers));
};

function refusalIn(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error;
  return error instanceof Error && error.cause instanceof Refused ? error.cause : undefined;
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

/** What an error of the SDK, of `fetch` or of the connection means; used for `/v1/batches` too. */
export function transportFault(error: unknown, key: string | undefined): ProviderError {
  if (error instanceof ProviderError) return error;
  const redact = hideSecrets(key);
  if (error instanceof APIError && typeof error.status === "number") {
    const body = error.error === undefined ? error.message : { error: error.error };
    try {
      const { note } = readAnswer(error.status, body, key, retryAfterOf(error.headers ?? new Headers()));
      return new ProviderError("bad_request", note, error.status);
    } catch (fault) {
      if (fault instanceof ProviderError) return fault;
      throw fault;
    }
  }
  const words = redact(chain(error));
  if (error instanceof APIConnectionTimeoutError || TIMEOUTS.test(words))
    return new ProviderError("timeout", words);
  const reached = BROKEN.test(words);
  return new ProviderError("connection", words || "the connection broke", undefined, undefined, reached);
}

/** A connection that was there and is no more: an endpoint that is restarted or overrun, not a wrong address. */
const BROKEN = /\b(ECONNRESET|EPIPE|UND_ERR_SOCKET)\b|other side closed|socket hang up/;

/** `fetch failed` says nothing; its causes do. */
function chain(error: unknown): string {
  const words: string[] = [];
  for (let at: unknown = error; at instanceof Error && words.length < 5; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code;
    const text = at.message || (at instanceof AggregateError ? at.errors.map(chain).join(", ") : "");
    words.push(typeof code === "string" && !text.includes(code) ? `${code} ${text}`.trim() : text);
  }
  return words.filter((text, i) => text !== "" && words.indexOf(text) === i).join(": ");
}
