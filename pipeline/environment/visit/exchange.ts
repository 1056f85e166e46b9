import { Agent as HttpAgent, request as http, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as https } from "node:https";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { guardedLookup, isPublic, listed, type Resolve } from "./addresses.js";
import { PageFault } from "./fault.js";

export interface Limits {
  /** Seconds until the last byte, over all redirects. */
  readonly timeout: number;
  /** Of a body, as sent and unpacked. */
  readonly max_bytes: number;
  readonly private_hosts: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly type: string;
  /** Empty for a redirect, or an answer that is no success. */
  readonly body: Buffer;
}

const HEADERS = {
  "user-agent": "Mozilla/5.0 (compatible; Taskmill)",
  accept:
    "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.9,application/json;q=0.8,*/*;q=0.5",
  "accept-language": "en",
  "accept-encoding": "gzip, deflate, br",
};
const HEADER_BYTES = 32_768;
/** Seconds without a byte. */
const IDLE = 10;

/**
 * One request for one address, without cookies, referrer or a connection kept from before. Redirects are the caller's.
 * @throws PageFault for what the agent is told: no answer, too large, a private address
 */
export async function exchange(
  url: URL,
  limits: Limits,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Answer> {
  const anywhere = listed(url, limits.private_hosts);
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  // A numeric address is connected to without being looked up.
  if (isIP(literal) !== 0 && !anywhere && !isPublic(literal))
    throw new PageFault("the host is in a private network");
  const answer = await respond(url, guardedLookup(resolve, anywhere), limits, signal);
  try {
    const status = answer.statusCode ?? 0;
    const { location, "content-type": type = "" } = answer.headers;
    const body =
      status >= 200 && status < 300 ? await bodyOf(answer, limits.max_bytes, signal) : Buffer.alloc(0);
    return { status, location, type, body };
  } finally {
    answer.destroy();
  }
}

function respond(
  url: URL,
  lookup: ReturnType<typeof guardedLookup>,
  limits: Limits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    const secure = url.protocol === "https:";
    // An agent of its own: a connection kept open would pass by the look-up.
    const agent = secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
    const options = { method: "GET", headers: HEADERS, lookup, agent, signal, maxHeaderSize: HEADER_BYTES };
    const request = (secure ? https : http)(url, options, done);
    request.setTimeout(Math.min(IDLE, limits.timeout) * 1000, () =>
      request.destroy(new PageFault("the server sends nothing any more")),
    );
    request.on("error", (error) => failed(faultOf(error)));
    request.end();
  });
}

async function bodyOf(answer: IncomingMessage, most: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked(answer, most) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      chunks.push(chunk);
    }
  } catch (error) {
    throw signal.aborted ? error : faultOf(error);
  }
  return Buffer.concat(chunks);
}

/** The body unpacked. It is counted on both sides: a small body may unpack to any size, and a large one to none. */
function unpacked(answer: IncomingMessage, most: number): Readable {
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (coding === "identity" || coding === "") return answer;
  const unpack = UNPACK[coding];
  if (unpack === undefined) throw new PageFault("the page is packed in a way that is not read");
  const stream = unpack();
  let size = 0;
  answer.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) stream.destroy(tooLarge(most));
  });
  answer.on("error", (error) => stream.destroy(error));
  answer.on("aborted", () => stream.destroy(new PageFault("the connection broke")));
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

function tooLarge(most: number): PageFault {
  return new PageFault(`the page is larger than ${most} bytes`);
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

function faultOf(error: unknown): Error {
  if (error instanceof PageFault || !(error instanceof Error)) return error as Error;
  if (error.name === "AbortError") return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const words =
    WORDS[code] ??
    (/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|ERR_SSL)/.test(code)
      ? "no safe connection to the server can be made"
      : code.startsWith("HPE_")
        ? "the server's answer is no HTTP"
        : "the connection failed");
  return new PageFault(words, { cause: error });
}
