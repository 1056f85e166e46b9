import { open } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { listed, type Resolve } from "../../pipeline/base/addresses.js";
import { type HttpAsk, openHttp, PACKINGS, unpackedBody } from "../../pipeline/base/http.js";
import { HttpFault } from "../../pipeline/base/http-fault.js";
import { sameHost, targetOf } from "./addresses.js";
import { refusal } from "./answers.js";
import { FetchFault, lasting, passing } from "./fault.js";
import { outOfTime } from "./gate.js";
import type { PageAsk } from "./paging.js";
import type { Secrets } from "./secrets.js";
import type { FetchSpec } from "./spec.js";

/** Which addresses may be asked at all, as the command line says. */
export interface Reach {
  readonly allowPrivate: boolean;
  /** `name` or `name:port`: private hosts that may be asked. */
  readonly allowHosts: readonly string[];
  readonly resolve: Resolve;
}

/** What the server said of a page when it gave it the last time. */
export interface Validators {
  readonly etag?: string;
  readonly last_modified?: string;
}

export interface Got {
  /** `unchanged`: the page of last time still holds. `end`: there is no such page. */
  readonly what: "page" | "unchanged" | "end";
  /** Where it was found at last. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

const AGENT = "Taskmill (snapshots of open data; asks one page at a time and obeys Retry-After)";
const REDIRECTS = 5;
/** Of an error's body. */
const READ_OF_ERROR = 65_536;
/** Milliseconds without a byte. Databases may think for minutes before they answer. */
const IDLE = 180_000;

/** The server of a card: asks for one page, follows its redirects as far as the card allows. */
export class Server {
  constructor(
    private readonly spec: FetchSpec,
    private readonly secrets: Secrets,
    private readonly reach: Reach,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Asks once. The body of a page goes into the file `into`.
   * @param most bytes. @param left milliseconds for the whole. @throws FetchFault
   */
  async ask(
    page: PageAsk,
    {
      validators = {},
      into,
      most,
      left,
    }: { validators?: Validators; into: string; most: number; left: number },
  ): Promise<Got> {
    const clock = new AbortController();
    const stop = (): void => clock.abort();
    const seconds = Math.min(this.spec.limits.request, left / 1000);
    const timer = setTimeout(stop, seconds * 1000);
    this.signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.#follow(page, validators, into, most, clock.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      if (clock.signal.aborted)
        throw left / 1000 <= seconds ? outOfTime() : passing(`no end of the answer within ${seconds} s`);
      if (error instanceof HttpFault)
        throw new FetchFault(
          worded(error, page.url),
          { passing: !error.lasting, ...hintOf(error) },
          { cause: error },
        );
      throw error;
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener("abort", stop);
    }
  }

  async #follow(
    page: PageAsk,
    validators: Validators,
    into: string,
    most: number,
    signal: AbortSignal,
  ): Promise<Got> {
    let url = new URL(page.url);
    let body = page.body;
    for (let hops = 0; hops <= REDIRECTS; hops++) {
      this.#judge(url);
      const answer = await openHttp(this.#askOf(url, body, validators, signal));
      try {
        const status = answer.statusCode ?? 0;
        const { location } = answer.headers;
        if (![301, 302, 303, 307, 308].includes(status) || location === undefined)
          return await this.#take(answer, { page, url, into, most });
        if (body !== undefined && status < 303)
          throw lasting(`the server moves a POST (${status})`, moved(this.secrets.hide(location)));
        if (status === 303) body = undefined;
        url = targetOf(location, url);
      } finally {
        answer.destroy();
      }
    }
    throw lasting(`the address redirects more than ${REDIRECTS} times`);
  }

  /** An answer may lead to where the card says, over connections no less safe. */
  #judge(url: URL): void {
    const own = new URL(this.spec.url);
    if (url.protocol !== "https:" && (url.protocol !== "http:" || own.protocol === "https:"))
      throw lasting(`the server leads to ${url.protocol}//, away from a safe connection`);
    if (url.username !== "" || url.password !== "")
      throw lasting("the server leads to an address with a password");
    if (sameHost(url, own) || listed(url, this.spec.hosts)) return;
    throw lasting(
      `the server leads to another host, ${url.host}`,
      `if the data does lie there: \`fetch: { hosts: [${url.hostname}] }\``,
    );
  }

  #askOf(
    url: URL,
    body: string | undefined,
    { etag, last_modified }: Validators,
    signal: AbortSignal,
  ): HttpAsk {
    const { accept } = this.spec;
    const { allowPrivate, allowHosts, resolve } = this.reach;
    const anywhere = allowPrivate || listed(url, allowHosts);
    const trusted = sameHost(url, new URL(this.spec.url));
    if (trusted && url.protocol === "http:" && !anywhere) this.#refuseClear();
    const headers: Record<string, string> = {
      "user-agent": AGENT,
      accept: accept ?? "*/*",
      "accept-encoding": PACKINGS,
      ...(trusted ? lowered(this.secrets.headers) : {}),
      ...(body === undefined ? {} : FORM(body)),
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(last_modified === undefined ? {} : { "if-modified-since": last_modified }),
    };
    const idle = Math.min(IDLE, this.spec.limits.request * 1000);
    return {
      url,
      method: body === undefined ? "GET" : "POST",
      headers,
      body,
      anywhere,
      resolve,
      idle,
      signal,
    };
  }

  /** A key may go to a server of one's own in clear, but not over the open net. */
  #refuseClear(): void {
    const secret = Object.keys(this.secrets.headers).find((name) => !/^(?:user-agent|from)$/i.test(name));
    if (secret !== undefined) throw lasting(`\`${secret}\` would go over the net in clear`, "use https");
  }

  async #take(
    answer: IncomingMessage,
    { page, url, into, most }: { page: PageAsk; url: URL; into: string; most: number },
  ): Promise<Got> {
    const status = answer.statusCode ?? 0;
    const got = { url, headers: answer.headers };
    if (status === 304) return { ...got, what: "unchanged", bytes: 0 };
    const { paging } = this.spec;
    const end = paging !== undefined && "past_end" in paging ? paging.past_end : undefined;
    if (page.number > 1 && status === end) return { ...got, what: "end", bytes: 0 };
    if (status !== 200) throw refusal(status, answer.headers, await firstWords(answer), this.secrets.hide);
    return { ...got, what: "page", bytes: await store(answer, into, most) };
  }
}

const FORM = (body: string): Record<string, string> => ({
  "content-type": "application/x-www-form-urlencoded",
  "content-length": String(Buffer.byteLength(body)),
});

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function moved(location: string): string {
  return `write the address it moved to into the card: ${location.slice(0, 200)}`;
}

/** The host, without the query that may be long; redirects lead no further than the card says. */
function worded(fault: HttpFault, url: string): string {
  return `${new URL(url).host}: ${fault.message}`;
}

function hintOf(fault: HttpFault): { hint?: string } {
  if (fault.message !== "the host is in a private network") return {};
  return { hint: "if that is meant: --allow-host HOST, or --allow-private for all" };
}

async function firstWords(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of unpackedBody(answer, READ_OF_ERROR)) chunks.push(chunk);
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function store(answer: IncomingMessage, into: string, most: number): Promise<number> {
  const file = await open(into, "w");
  let size = 0;
  try {
    for await (const chunk of unpackedBody(answer, most)) {
      size += chunk.length;
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return size;
}
