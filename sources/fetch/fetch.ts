import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Resolve, systemResolve } from "../../pipeline/base/addresses.js";
import { hashOf } from "../../pipeline/base/canonical.js";
import { systemClock } from "../../pipeline/base/clock.js";
import { fail, type Location, TaskmillError } from "../../pipeline/base/errors.js";
import { NOT_LOCKED } from "../card.js";
import type { FoundCard } from "../cards.js";
import { sourceError } from "../problems.js";
import { fileSha256 } from "../snapshot.js";
import { assemble } from "./assemble.js";
import { Attempts } from "./attempts.js";
import { alone } from "./busy.js";
import { type Changes, changesBetween, changesText } from "./changes.js";
import { Download, type Downloaded } from "./download.js";
import type { FetchEvent } from "./events.js";
import { FetchFault, lasting } from "./fault.js";
import { type FetchClock, Gate, outOfTime } from "./gate.js";
import { inspect } from "./inspect.js";
import { listValues } from "./list.js";
import { receiptOf, writeReceipt } from "./receipt.js";
import { type Records, recordsOf } from "./records.js";
import { judgeRepeated } from "./repeated.js";
import { type Secrets, saidBack, secretsOf } from "./secrets.js";
import { Server } from "./server.js";
import { checkTotal } from "./sound.js";
import type { FetchSpec } from "./spec.js";
import { PageStore } from "./store.js";

export interface FetchOptions {
  /** Private addresses may be asked: all of them, or those listed as `name` or `name:port`. */
  readonly allowPrivate?: boolean;
  readonly allowHosts?: readonly string[];
  /** Replace a locked snapshot. */
  readonly update?: boolean;
  /** Begin anew, with nothing kept from before. */
  readonly fresh?: boolean;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: FetchEvent) => void;
  /** Values of headers; the process's own environment by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: FetchClock;
  readonly resolve?: Resolve;
}

export interface FetchResult {
  readonly card: string;
  /** Path of the snapshot. */
  readonly file: string;
  /** `unchanged`: the very bytes that were there. */
  readonly state: "written" | "replaced" | "unchanged";
  readonly sha256: string;
  readonly bytes: number;
  /** Null for formats that only a plugin reads. */
  readonly records: number | null;
  readonly pages: number;
  readonly requests: number;
  /** Pages that an interrupted download had left. */
  readonly kept: number;
  /** Pages that the server said were as last time. */
  readonly unchanged: number;
  /** Whether the card pins these bytes. */
  readonly locked: boolean;
  /** Against the snapshot that was there. */
  readonly changes?: Changes;
  readonly notes: readonly string[];
}

/**
 * Downloads a card's snapshot, all pages of it, and puts it beside the card. A locked snapshot is not replaced by other bytes without
 * `update`. Runs read the file alone: nothing else asks the network.
 * @throws TaskmillError (source) for what the server says or does not give; (usage) for a card without `fetch`; (interrupted)
 */
export async function fetchSnapshot(found: FoundCard, options: FetchOptions): Promise<FetchResult> {
  const { card } = found;
  if (card.fetch === undefined) {
    const hint = "docs/fetch.md shows the block `fetch`; `sources lock` pins a file that came another way";
    fail("usage", "no_fetch", `the card ${card.id} does not say where its snapshot comes from`, hint);
  }
  const secrets = secretsOf(card.fetch, options.env ?? process.env);
  try {
    const fetching = new Fetching(found, card.fetch, secrets, options);
    return await alone(dirname(found.file), card.id, () => fetching.run());
  } catch (error) {
    if (options.signal.aborted) fail("interrupted", "interrupted", "the download was interrupted");
    if (error instanceof TaskmillError) throw hiddenIn(error, secrets);
    if (!(error instanceof FetchFault)) throw error;
    const hint = error.details.hint === undefined ? undefined : secrets.hide(error.details.hint);
    const message = secrets.hide(error.message);
    // The cause in the same words: whoever prints causes prints no key.
    const cause = new FetchFault(message, { ...error.details, ...(hint === undefined ? {} : { hint }) });
    sourceError("fetch_failed", `${card.id}: ${message}`, { hint, cause });
  }
}

/** Readers quote what they cannot read, and places are quoted too. */
function hiddenIn(error: TaskmillError, { hide }: Secrets): TaskmillError {
  const problems = error.problems.map(({ message, hint, location, ...rest }) => ({
    ...rest,
    message: hide(message),
    ...(hint === undefined ? {} : { hint: hide(hint) }),
    ...(location === undefined ? {} : { location: hiddenAt(location, hide) }),
  }));
  return new TaskmillError(error.kind, problems);
}

function hiddenAt(location: Location, hide: Secrets["hide"]): Location {
  if (location.excerpt === undefined) return location;
  return { ...location, excerpt: hide(location.excerpt) };
}

class Fetching {
  readonly #tell: (event: FetchEvent) => void;
  readonly #clock: FetchClock;

  constructor(
    private readonly found: FoundCard,
    private readonly fetch: FetchSpec,
    private readonly secrets: Secrets,
    private readonly options: FetchOptions,
  ) {
    this.#tell = (event) => options.onEvent?.(this.#hidden(event));
    this.#clock = options.clock ?? systemClock;
  }

  async run(): Promise<FetchResult> {
    const { card, file } = this.found;
    const list = await listValues(this.fetch, file);
    const now = new Date(this.#clock.now()).toISOString();
    const { update = false, fresh = false } = this.options;
    const spec = hashOf({ ...this.#asked(), read: card.snapshot.read, list });
    const store = await PageStore.open(dirname(file), card.id, { spec, now, fresh, ready: update });
    const gate = new Gate(this.fetch, this.#clock, this.options.signal, this.#tell);
    const downloaded = await this.#download(store, list, gate);
    await this.#refuseEmpty(downloaded, store);
    const whole = join(store.folder, "whole", basename(this.found.snapshot));
    await mkdir(dirname(whole), { recursive: true });
    const made = await assemble({ card, fetch: this.fetch }, downloaded.pages, store, whole);
    const records = await this.#read(whole, store, gate);
    const notes = await this.#judge(records, downloaded, store);
    return this.#place(whole, { ...made, records, downloaded, notes }, store);
  }

  async #refuseEmpty({ pages }: Downloaded, store: PageStore): Promise<void> {
    if (pages.some((page) => page.count !== 0)) return;
    await store.enter("done");
    throw lasting(
      "the server gave no record",
      "see `fetch.query`, and `fetch.records` where they stand elsewhere",
    );
  }

  /**
   * The records, after one pass over the whole: pages kept from before may hold a key that was none then, and a packed file may hold more
   * than its size says.
   */
  async #read(whole: string, store: PageStore, gate: Gate): Promise<Records | undefined> {
    const { forms } = this.secrets;
    const late = AbortSignal.timeout(Math.min(Math.max(1, Math.ceil(gate.left())), 2 ** 31 - 1));
    try {
      if (await inspect(whole, { forms, most: this.fetch.limits.bytes, left: () => gate.left() })) {
        await rm(whole, { force: true });
        await store.enter("done");
        throw saidBack("data", "begin anew: --fresh");
      }
      return await recordsOf(this.found.card, whole, AbortSignal.any([this.options.signal, late]));
    } catch (error) {
      this.options.signal.throwIfAborted();
      throw late.aborted ? outOfTime() : error;
    }
  }

  /** What decides which bytes come; how fast and how long is no part of it. */
  #asked(): object {
    const { rate: _, limits: __, hosts: ___, headers: ____, ...asked } = this.fetch;
    return asked;
  }

  #download(store: PageStore, list: readonly string[], gate: Gate): Promise<Downloaded> {
    const { fetch } = this;
    const { card } = this.found;
    const { signal, allowPrivate = false, allowHosts = [], resolve = systemResolve } = this.options;
    const tell = this.#tell;
    const clock = this.#clock;
    const server = new Server(fetch, this.secrets, { allowPrivate, allowHosts, resolve }, signal);
    const attempts = new Attempts(card.id, fetch.limits, gate, clock, signal, tell);
    return new Download({
      card,
      fetch,
      list,
      store,
      server,
      attempts,
      secrets: this.secrets,
      gate,
      clock,
      tell,
    }).run();
  }

  /** Servers may say a key back in an error. */
  #hidden(event: FetchEvent): FetchEvent {
    const { hide } = this.secrets;
    if ("why" in event) return { ...event, why: hide(event.why) };
    return "message" in event ? { ...event, message: hide(event.message) } : event;
  }

  /** Whether all is here, and nothing twice. What is not sound is not gone on with: the next download begins anew. */
  async #judge(
    records: Records | undefined,
    { pages, totals }: Downloaded,
    store: PageStore,
  ): Promise<string[]> {
    try {
      const counted = pages.some((page) => page.count === null) ? undefined : sumOf(pages);
      const count = records?.count ?? counted;
      const notes = records === undefined ? [] : judgeRepeated(this.found.card, records, pages);
      if (count !== undefined) checkTotal(pages, totals, count);
      const told = [...new Set(totals)];
      if (told.length > 1)
        notes.push(`the number of records changed during the download: ${told.slice(0, 5).join(", then ")}`);
      for (const message of notes) this.#tell({ type: "note", message });
      return notes;
    } catch (error) {
      if (error instanceof FetchFault) await store.enter("done");
      throw error;
    }
  }

  async #place(whole: string, made: Made, store: PageStore): Promise<FetchResult> {
    const { card, snapshot } = this.found;
    const pinned = card.snapshot.sha256;
    const standing = await fileSha256(snapshot).catch(() => undefined);
    const changes =
      standing === undefined || standing === made.sha256
        ? undefined
        : await this.#changes(snapshot, made.records);
    if (pinned !== NOT_LOCKED && pinned !== made.sha256 && this.options.update !== true) {
      await store.enter("ready");
      refuseLocked(this.found, changes);
    }
    const receipt = receiptOf(this.fetch, made, made.downloaded);
    if (this.secrets.within(JSON.stringify(receipt)))
      throw saidBack("ETag, date or release", "begin anew: --fresh");
    await writeReceipt(store.folder, receipt);
    await mkdir(dirname(snapshot), { recursive: true });
    if (standing === made.sha256) await rm(whole);
    else await rename(whole, snapshot);
    await store.enter("done");
    const { pages, requests, kept, unchanged } = made.downloaded;
    return {
      card: card.id,
      file: snapshot,
      state: standing === undefined ? "written" : standing === made.sha256 ? "unchanged" : "replaced",
      sha256: made.sha256,
      bytes: made.bytes,
      records: made.records?.count ?? null,
      pages: pages.length,
      requests,
      kept,
      unchanged,
      locked: pinned === made.sha256,
      ...(changes === undefined ? {} : { changes }),
      notes: made.notes,
    };
  }

  /** Undefined where the snapshot that stands there cannot be read: then there is nothing to compare with. */
  async #changes(snapshot: string, after: Records | undefined): Promise<Changes | undefined> {
    if (after === undefined) return undefined;
    const before = await recordsOf(this.found.card, snapshot, this.options.signal).catch(() => undefined);
    return before === undefined ? undefined : changesBetween(before, after);
  }
}

interface Made {
  readonly sha256: string;
  readonly bytes: number;
  readonly records: Records | undefined;
  readonly downloaded: Downloaded;
  readonly notes: readonly string[];
}

function sumOf(pages: readonly { readonly count: number | null }[]): number {
  return pages.reduce((sum, page) => sum + (page.count ?? 0), 0);
}

function refuseLocked({ card, file, snapshot }: FoundCard, changes: Changes | undefined): never {
  const what =
    changes === undefined
      ? `${card.id} is locked, and the publisher's data are not the ones that it is locked to`
      : `${card.id} is locked, and the publisher's data have changed: ${changesText(changes)}`;
  sourceError("locked", what, {
    hint: `to take the new ones: --update, then \`sources lock\`; ${basename(snapshot)} was not touched`,
    location: { file },
  });
}
