import { rm, stat } from "node:fs/promises";
import pLimit from "p-limit";
import { keepOf } from "./answer.js";
import { throttleOf } from "./answers.js";
import { FetchFault, lasting } from "./fault.js";
import { inspect } from "./inspect.js";
import { askHash, firstAsk, nextAsk, nthAsk, type PageAsk, pageCount } from "./paging.js";
import { Part } from "./part.js";
import { readPage } from "./read-page.js";
import { type Secrets, saidBack } from "./secrets.js";
import type { Got } from "./server.js";
import { refuseOdd } from "./sound.js";
import type { Page } from "./store.js";
import type { Tools } from "./tools.js";
import { askTotal } from "./total.js";

/** All pages of a card's snapshot. */
export interface Downloaded {
  /** In order. */
  readonly pages: readonly Page[];
  /** What the server said of the number of records, in the order in which it said so. */
  readonly totals: readonly number[];
  readonly requests: number;
  readonly kept: number;
  readonly unchanged: number;
}

/** Gets the pages that are not here yet, in order or several at a time, each durable before the next is decided on. */
export class Download {
  readonly #pages = new Map<number, Page>();
  readonly #asked = new Set<string>();
  #expected: number | undefined;
  #bytes = 0;
  #requests = 0;
  #kept = 0;
  #unchanged = 0;

  constructor(private readonly tools: Tools) {}

  /** @throws FetchFault; what is here stays here, and the next download goes on with it */
  async run(): Promise<Downloaded> {
    const { fetch, list } = this.tools;
    const before = await this.#askTotal();
    const first = await this.#get(firstAsk(fetch, list));
    this.#expected = before ?? first?.total;
    const count = pageCount(fetch, this.#expected, list);
    if (count === undefined) await this.#oneByOne(firstAsk(fetch, list), first!);
    else await this.#known(count);
    const after = await this.#askTotal();
    const pages = [...this.#pages.values()].sort((a, b) => a.number - b.number);
    const told = [before, ...pages.map((page) => page.total), after].filter((n) => n !== undefined);
    const listed = fetch.total !== undefined && "of" in fetch.total ? [list.length] : [];
    return {
      pages,
      totals: [...told, ...listed],
      requests: this.#requests,
      kept: this.#kept,
      unchanged: this.#unchanged,
    };
  }

  /** The number of records, where the card says that it is told by itself. */
  #askTotal(): Promise<number | undefined> {
    return askTotal(this.tools, () => this.#requests++);
  }

  async #known(count: number): Promise<void> {
    const { fetch, list } = this.tools;
    if (count > fetch.limits.pages) throw tooMany(count, fetch.limits.pages);
    const limit = pLimit(fetch.rate.concurrency);
    let failed = false;
    const rest = Array.from({ length: count - 1 }, (_, i) =>
      limit(async () => {
        // After a failure nothing new is begun; what is under way ends.
        if (failed) return;
        try {
          await this.#get(nthAsk(fetch, i + 2, list));
        } catch (error) {
          failed = true;
          throw error;
        }
      }),
    );
    const results = await Promise.allSettled(rest);
    const fault = results.find((result) => result.status === "rejected");
    if (fault !== undefined) throw fault.reason;
  }

  /** A short page is no sign of the end: some servers give less than they are asked for. The end is a page without records. */
  async #oneByOne(firstPage: PageAsk, first: Page): Promise<void> {
    const { fetch } = this.tools;
    let ask = firstPage;
    let page: Page | undefined = first;
    while (page !== undefined) {
      const next = nextAsk(fetch, ask, page);
      if (next === undefined) return;
      if (next.number > fetch.limits.pages) throw tooMany(next.number, fetch.limits.pages);
      this.#refuseLoop(next);
      ask = next;
      page = await this.#get(ask);
      this.#refuseSmallPages(page);
    }
  }

  #refuseLoop(next: PageAsk): void {
    const ask = askHash(next);
    if (this.#asked.has(ask))
      throw lasting(`page ${next.number} would be an earlier page again: the server leads in a circle`);
  }

  /** Offsets count by the size asked for: a server that gives fewer on each page would lose the rest. */
  #refuseSmallPages(page: Page | undefined): void {
    const { paging } = this.tools.fetch;
    if (page === undefined || paging?.by !== "offset" || (page.count ?? 0) === 0) return;
    const before = this.#pages.get(page.number - 1)!.count ?? 0;
    if (before >= paging.size) return;
    throw lasting(
      `page ${page.number - 1} has ${before} records and not ${paging.size}, though more follow: records are lost between pages`,
      `if that is the most that the server gives: \`size: ${before}\``,
    );
  }

  #records(): number {
    return [...this.#pages.values()].reduce((sum, page) => sum + (page.count ?? 0), 0);
  }

  /** A page, from the store or from the server. Undefined where the server says that there is none. */
  async #get(ask: PageAsk): Promise<Page | undefined> {
    const { store, attempts } = this.tools;
    const name = askHash(ask);
    this.#asked.add(name);
    const old = await store.page(ask.number, name);
    if (old?.round === store.round) {
      this.#kept++;
      return this.#take(old, "kept");
    }
    try {
      return await attempts.make(ask.number, () => this.#ask(ask, name, old));
    } catch (error) {
      throw this.tools.fetch.paging === undefined ? error : placed(error, ask.number);
    }
  }

  async #ask(ask: PageAsk, name: string, old: Page | undefined): Promise<Page | undefined> {
    const { fetch, server, store, gate, clock } = this.tools;
    const into = store.draft(ask.number);
    this.#requests++;
    const validators = { etag: old?.etag, last_modified: old?.last_modified };
    const most = fetch.limits.bytes - this.#bytes;
    try {
      const got = await server.ask(ask, { validators, into, most, left: gate.left() });
      const rest = throttleOf(got.headers);
      if (rest !== undefined) gate.pause(rest, "the server says that its limits are nearly reached");
      if (got.what === "end") return undefined;
      const retrieved = new Date(clock.now()).toISOString();
      if (got.what === "unchanged") {
        if (old === undefined) throw lasting("the server answers 304, though nothing was kept from before");
        this.#unchanged++;
        return await this.#settle({ ...old, round: store.round, retrieved }, "unchanged");
      }
      return await this.#settle(await this.#read(ask, name, got, { into, retrieved }), "new");
    } finally {
      await rm(into, { force: true });
    }
  }

  async #read(
    ask: PageAsk,
    name: string,
    got: Got,
    { into, retrieved }: { into: string; retrieved: string },
  ): Promise<Page> {
    const { store, card, fetch, secrets } = this.tools;
    const held = await this.#holdsSecret(into, got);
    const part = await Part.begin(store.path(ask.number));
    try {
      const facts = await readPage(
        { file: into, headers: got.headers, url: got.url },
        { card, fetch },
        part,
      ).catch((error: unknown) => {
        throw held ? withoutWords(error) : error;
      });
      const { etag, "last-modified": modified } = got.headers;
      const page: Page = {
        number: ask.number,
        round: store.round,
        ask: name,
        url: got.url.href,
        ...(await part.end()),
        retrieved,
        ...(etag === undefined ? {} : { etag }),
        ...(modified === undefined ? {} : { last_modified: modified }),
        ...facts,
      };
      if (held) await this.#refuseHeld(page);
      refuseTold(page, secrets);
      return page;
    } catch (error) {
      await part.drop();
      throw error;
    }
  }

  /** Whether an answer says a key back. What stands beside the records is left behind; an answer that is kept whole is refused. */
  async #holdsSecret(into: string, { bytes, headers }: Got): Promise<boolean> {
    const { fetch, card, secrets, gate } = this.tools;
    if (secrets.within(headers["content-type"] ?? "")) throw saidBack("Content-Type");
    if (bytes === 0) return false;
    const most = fetch.limits.bytes - this.#bytes;
    const held = await inspect(into, { forms: secrets.forms, most, left: () => gate.left() });
    if (held && keepOf(fetch) === "answer") {
      const { format } = card.snapshot.read;
      const records = format === "csv" ? undefined : "`keep: records` leaves behind what is no record";
      throw saidBack("answer, which would become the snapshot", records);
    }
    return held;
  }

  /** The bytes of a page become the snapshot's. */
  async #refuseHeld({ number }: Page): Promise<void> {
    const { store, secrets, gate, fetch } = this.tools;
    const path = store.path(number);
    const limits = { forms: secrets.forms, most: fetch.limits.bytes, left: () => gate.left() };
    if ((await stat(path)).size === 0 || !(await inspect(path, limits))) return;
    await rm(path, { force: true });
    throw saidBack("records");
  }

  /** Holds a new page against those before it, then makes it count. */
  async #settle(page: Page, how: "new" | "unchanged"): Promise<Page> {
    refuseOdd(page, [...this.#pages.values()]);
    await this.tools.store.keep(page);
    return this.#take(page, how);
  }

  #take(page: Page, how: "new" | "kept" | "unchanged"): Page {
    const { fetch, list, tell } = this.tools;
    this.#pages.set(page.number, page);
    this.#bytes += page.bytes;
    if (this.#bytes > fetch.limits.bytes)
      throw lasting("the download is larger than `fetch.limits.bytes` allows");
    const total = this.#expected ?? page.total;
    tell({
      type: "page",
      done: this.#pages.size,
      pages: pageCount(fetch, total, list),
      records: this.#records(),
      total,
      bytes: this.#bytes,
      how,
    });
    return page;
  }
}

/** What of a page is written beside its bytes, in words. */
const TOLD: Readonly<Partial<Record<keyof Page, string>>> = {
  url: "address",
  etag: "ETag",
  last_modified: "Last-Modified",
  release: "release",
  next: "address of the next page",
  head: "header line",
  columns: "column names",
  fields: "field names",
};

function refuseTold(page: Page, secrets: Secrets): void {
  for (const [name, what] of Object.entries(TOLD)) {
    const value = page[name as keyof Page];
    if (value !== undefined && secrets.within(JSON.stringify(value))) throw saidBack(what);
  }
}

/** An answer that holds a key is not quoted: an excerpt may end in the middle of it. */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof FetchFault)) return error;
  return new FetchFault("the answer cannot be read; it holds the key, so that nothing of it is shown", {
    passing: error.details.passing,
  });
}

/** Says which page a fault is of. */
function placed(error: unknown, page: number): unknown {
  if (!(error instanceof FetchFault) || /^pages? \d/.test(error.message)) return error;
  return new FetchFault(`page ${page}: ${error.message}`, error.details, { cause: error });
}

function tooMany(pages: number, most: number): FetchFault {
  return lasting(
    `the download has ${pages} pages or more, and at most ${most} are allowed`,
    "raise `fetch.limits.pages`, or ask for larger pages",
  );
}
