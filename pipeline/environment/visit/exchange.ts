import { listed, type Resolve } from "../../base/addresses.js";
import { openHttp, PACKINGS, unpackedBody } from "../../base/http.js";
import { HttpFault } from "../../base/http-fault.js";
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
  "accept-encoding": PACKINGS,
};
/** Seconds without a byte. */
const IDLE = 10;

/**
 * One request for one address. Redirects are the caller's.
 * @throws PageFault for what the agent is told: no answer, too large, a private address
 */
export async function exchange(
  url: URL,
  limits: Limits,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await ask(url, limits, resolve, signal);
  } catch (error) {
    throw error instanceof HttpFault ? new PageFault(error.message, { cause: error }) : error;
  }
}

async function ask(url: URL, limits: Limits, resolve: Resolve, signal: AbortSignal): Promise<Answer> {
  const anywhere = listed(url, limits.private_hosts);
  const idle = Math.min(IDLE, limits.timeout) * 1000;
  const answer = await openHttp({ url, method: "GET", headers: HEADERS, anywhere, resolve, idle, signal });
  try {
    const status = answer.statusCode ?? 0;
    const { location, "content-type": type = "" } = answer.headers;
    const chunks: Buffer[] = [];
    if (status >= 200 && status < 300)
      for await (const chunk of unpackedBody(answer, limits.max_bytes)) chunks.push(chunk);
    return { status, location, type, body: Buffer.concat(chunks) };
  } finally {
    answer.destroy();
  }
}
