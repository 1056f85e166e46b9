import { Agent as HttpAgent, request as http, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as https } from "node:https";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { guardedLookup, isPublic, type Resolve } from "./addresses.js";
import { HttpFault } from "./http-fault.js";

/** One request. What is asked of the server stands here; redirects, retries and limits are the caller's. */
export interface HttpAsk {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the host may lie in a private network. */
  readonly anywhere: boolean;
  readonly resolve: Resolve;
  /** Milliseconds without a byte. */
  readonly idle: number;
  readonly signal: AbortSignal;
}

const HEADER_BYTES = 32_768;

/** What broke the exchange behind an answer, once something did. */
const CUT = new WeakMap<IncomingMessage, () => Error | undefined>();

/** Packings that {@link unpackedBody} reads, for the header `accept-encoding`. */
export const PACKINGS = "gzip, deflate, br";

/**
 * Sends one request, without cookies, referrer or a connection kept from before, to an address that was judged first.
 * @returns the answer, its body still to come; whoever takes it destroys it
 * @throws HttpFault, or what the signal was aborted with
 */
export async function openHttp(ask: HttpAsk): Promise<IncomingMessage> {
  const literal = ask.url.hostname.replace(/^\[|\]$/g, "");
  // A numeric address is connected to without being looked up.
  if (isIP(literal) !== 0 && !ask.anywhere && !isPublic(literal))
    throw new HttpFault("the host is in a private network", { lasting: true });
  return new Promise((done, failed) => {
    const { url, method, headers, body, signal } = ask;
    const secure = url.protocol === "https:";
    // An agent of its own: a connection kept open would pass by the look-up.
    const agent = secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
    const lookup = guardedLookup(ask.resolve, ask.anywhere);
    const options = { method, headers, lookup, agent, signal, maxHeaderSize: HEADER_BYTES };
    let broken: Error | undefined;
    const request = (secure ? https : http)(url, options, (answer) => {
      CUT.set(answer, () => broken ?? (signal.aborted ? abortError(signal) : undefined));
      done(answer);
    });
    request.setTimeout(ask.idle, () => {
      broken = new HttpFault("the server sends nothing any more");
      request.destroy(broken);
    });
    request.on("error", (error) => {
      broken ??= httpFaultOf(error);
      failed(broken);
    });
    // To Node these are no answers: without a listener it drops the connection, and no event follows that would settle this.
    request.on("upgrade", (_answer, socket) => {
      socket.destroy();
      failed(new HttpFault("the server answers 101", { lasting: true }));
    });
    request.on("close", () => failed(broken ?? new HttpFault("the connection broke")));
    request.end(body);
  });
}

/**
 * The body unpacked. It is counted on both sides: a small body may unpack to any size, and a large one to none.
 * @param most bytes, as sent and unpacked
 * @throws HttpFault while it is read
 */
export async function* unpackedBody(answer: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of unpacked(answer, most) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      yield chunk;
    }
  } catch (error) {
    throw httpFaultOf(error);
  }
  // A body without a length ends with its connection, and to the parser a connection that was cut ends as well.
  const cut = hasEnd(answer) ? undefined : CUT.get(answer)?.();
  if (cut !== undefined) throw cut;
}

/** Whether the answer itself says where its body ends: then a shorter one is an error already. */
function hasEnd({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || /chunked/i.test(headers["transfer-encoding"] ?? "");
}

function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new HttpFault("the exchange was stopped");
}

function unpacked(answer: IncomingMessage, most: number): Readable {
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (coding === "identity" || coding === "") return answer;
  const unpack = UNPACK[coding];
  if (unpack === undefined)
    throw new HttpFault("the page is packed in a way that is not read", { lasting: true });
  const stream = unpack();
  let size = 0;
  answer.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) stream.destroy(tooLarge(most));
  });
  answer.on("error", (error) => stream.destroy(error));
  answer.on("aborted", () => stream.destroy(new HttpFault("the connection broke")));
  stream.on("close", () => answer.destroy());
  answer.pipe(stream);
  return stream;
}

const UNPACK: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function tooLarge(most: number): HttpFault {
  return new HttpFault(`the page is larger than ${most} bytes`, { lasting: true });
}

/** What broke, in words that hold for any machine: system messages name local addresses. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host name could not be looked up",
  ECONNREFUSED: "the server refuses connections",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  ETIMEDOUT: "the server does not answer",
  EHOSTUNREACH: "the server cannot be reached",
  ENETUNREACH: "the server cannot be reached",
  HPE_HEADER_OVERFLOW: "the answer's headers are too long",
  Z_DATA_ERROR: "the page's packing is damaged",
  Z_BUF_ERROR: "the page's packing is damaged",
};

function httpFaultOf(error: unknown): Error {
  if (error instanceof HttpFault || !(error instanceof Error)) return error as Error;
  if (error.name === "AbortError") return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const words =
    WORDS[code] ??
    (/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|ERR_SSL)/.test(code)
      ? "no safe connection to the server can be made"
      : code.startsWith("HPE_")
        ? "the server's answer is no HTTP"
        : "the connection failed");
  return new HttpFault(words, { cause: error, lasting: code === "ENOTFOUND" });
}
