import { randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ModelIdentity } from "../../stages/model.js";
import { canonicalJson, type Json } from "../base/canonical.js";
import { fail } from "../base/errors.js";
import type {
  Asker,
  CallRecord,
  Cassette,
  CassetteRecord,
  Intent,
  Mode,
  ObservationRecord,
  RecordedReply,
} from "./call.js";
import { type LogEvent, logEvent } from "./cassette-events.js";
import { Ledger, type SpentCalls } from "./cassette-ledger.js";
import { type Line, openPlain, refuseOddFolder } from "./cassette-lines.js";
import { AppendLog, type Tail } from "./cassette-log.js";
import { Found, formatOf, misnamed, readRecord, readShipped, type Source, scanLog } from "./cassette-read.js";
import { writeShippedFile } from "./cassette-shipped.js";

/** Where a run directory keeps its recorded calls. */
export const CALLS = "calls";
/** In there: calls that ended, each on disk before it is used; */
export const LOG = "log.ndjson";
/** and calls that were about to be sent, in a file of their own, so that sending one never waits for another's way to the disk. */
export const INTENTS = "intents.ndjson";

export interface CassetteOptions {
  readonly mode: Mode;
  /** Further cassettes, read only: shipped ones, or logs of other runs. The log comes first, then these in order. */
  readonly also?: readonly string[];
}

/** The models of a shipped cassette, by role. */
export interface ShippedModels {
  readonly path: string;
  readonly models: Readonly<Record<string, ModelIdentity>>;
  /** What the tools stood for, if agents used any. */
  readonly environment?: Json | undefined;
}

/**
 * Recorded calls in `<dir>/log.ndjson` and in further files. Keys and places are in memory, replies are read when asked for.
 * Whoever opens one for anything but `replay` must hold the run directory's lock.
 */
export class FileCassette implements Cassette {
  /** Lines of the log that could not be read: torn by a kill, or damaged. They are left where they are. */
  torn = 0;
  /** Calls that an earlier process sent and of which no end is known: they may have been billed. */
  pending: readonly Intent[] = [];
  /** What shipped cassettes among the further files say of roles. */
  readonly shipped: ShippedModels[] = [];
  readonly #ledger = new Ledger();
  readonly #places = new Map<string, Found>();
  readonly #used = new Set<string>();
  readonly #files: FileHandle[] = [];
  #log: AppendLog;
  #intents: AppendLog;
  /** Names of the intents of calls that are on their way, by key. */
  readonly #sent = new Map<string, string>();
  /** The log as this process appends to it. */
  #appended: Source | undefined;
  /** Whether the log holds a call. */
  #recorded = false;
  /** Of the shipped cassette that was written last. */
  #lastShipped = "";

  private constructor(
    readonly path: string,
    private readonly mode: Mode,
  ) {
    this.#log = new AppendLog(path, { lines: 0, torn: false });
    this.#intents = new AppendLog(intentsBeside(path), { lines: 0, torn: false });
  }

  /** @see openCassette */
  static async open(dir: string, { mode, also = [] }: CassetteOptions): Promise<FileCassette> {
    await refuseOddFolder(dir);
    const cassette = new FileCassette(join(dir, LOG), mode);
    try {
      await cassette.#openLog();
      for (const path of also) await cassette.#openFurther(path);
    } catch (error) {
      await cassette.close();
      throw error;
    }
    return cassette;
  }

  async #openLog(): Promise<void> {
    const torn = (): void => void this.torn++;
    const tail = await scanIntents(intentsBeside(this.path), (event) => this.#ledger.add(event), torn);
    this.#intents = new AppendLog(intentsBeside(this.path), tail);
    await this.#openEnds();
    this.pending = this.#ledger.pending().map(({ id: _id, ...intent }) => intent);
  }

  async #openEnds(): Promise<void> {
    const file = await openPlain(this.path, true);
    if (file === undefined) return;
    this.#files.push(file);
    const tail = await this.#scan({ file, path: this.path, format: "log" }, true, () => void this.torn++);
    this.#log = new AppendLog(this.path, tail);
  }

  #scan(source: Source, own: boolean, onDamage: () => void): Promise<Tail> {
    const onEvent = (event: LogEvent, line: Line): void => {
      if (own) this.#ledger.add(event);
      if (own && event.event === "shipped") this.#lastShipped = event.sha256;
      if (event.event !== "end" && event.event !== "observed") return;
      if (own) this.#recorded = true;
      this.#place(event.key, foundAt(source, line), own);
    };
    return scanLog(source.file, onEvent, onDamage);
  }

  /** Of a log's records with one key the last is meant; of several files the first that has it. */
  #place(key: string, found: Found, own: boolean): void {
    if (this.mode === "refresh") return;
    const before = this.#places.get(key);
    if (own || before === undefined || before.source === found.source) this.#places.set(key, found);
  }

  async #openFurther(path: string): Promise<void> {
    const file = await openPlain(path, false);
    if (file === undefined) fail("source", "no_cassette", `there is no cassette ${path}`, "look at its path");
    this.#files.push(file);
    if ((await formatOf(file)) === "shipped") return this.#openShipped(file, path);
    let bad = 0;
    const { lines } = await this.#scan({ file, path, format: "log" }, false, () => void bad++);
    // A log that a kill cut short is still of use; a file of which no line is a log's is something else.
    if (lines === bad) {
      fail(
        "source",
        "no_cassette",
        `${path} is no cassette`,
        "give a `cassette.ndjson` or a run's `calls/log.ndjson`",
      );
    }
  }

  async #openShipped(file: FileHandle, path: string): Promise<void> {
    const source: Source = { file, path, format: "shipped" };
    const onRecord = ({ key }: CassetteRecord, line: Line): void =>
      this.#place(key, foundAt(source, line), false);
    const header = await readShipped(file, path, onRecord);
    this.shipped.push({ path, models: header.models, environment: header.environment });
  }

  find(key: string): RecordedReply | undefined {
    return this.record(key)?.reply;
  }

  /** The recorded call whole. */
  record(key: string): CallRecord | undefined {
    const record = this.#read(key);
    return record === undefined || "tool" in record ? undefined : record;
  }

  /** What a tool answered. */
  observation(key: string): ObservationRecord["observation"] | undefined {
    const record = this.#read(key);
    return record !== undefined && "tool" in record ? record.observation : undefined;
  }

  #read(key: string): CassetteRecord | undefined {
    const found = this.#places.get(key);
    return found === undefined ? undefined : readRecord(found, key);
  }

  /** Writes down what a tool answered; resolves when it is on disk. */
  async observed(record: ObservationRecord): Promise<void> {
    this.#writable();
    const { key, tool, observation } = record;
    await this.#append(key, textOf({ event: "observed", key, tool, observation }));
  }

  async intend(intent: Intent): Promise<void> {
    this.#writable();
    const { key, model, instance, role, row, sample } = intent;
    const id = randomBytes(8).toString("hex");
    const event: LogEvent = { event: "intent", id, key, model, instance, role, row, sample };
    await this.#intents.append(textOf(event), false);
    this.#sent.set(key, id);
    this.#ledger.intended({ id, ...intent });
  }

  async keep({ key, identity, reply }: CallRecord, { instance, role, row, sample }: Asker): Promise<void> {
    this.#writable();
    const asker = { instance, role, row, sample };
    const intent = this.#sent.get(key);
    const tied = intent === undefined ? {} : { intent };
    const text = textOf({ event: "end", key, identity, reply, asker, ...tied });
    const why = misnamed({ key, identity, reply });
    if (why !== undefined) throw new TypeError(`not kept, ${why}`);
    await this.#append(key, text);
    this.#sent.delete(key);
    this.#ledger.ended(asker, reply.usage, intent);
  }

  async #append(key: string, text: string): Promise<void> {
    const { file, line, offset, length } = await this.#log.append(text, true);
    this.#recorded = true;
    this.#appended ??= { file, path: this.path, format: "log" };
    this.#places.set(key, new Found(this.#appended, line, offset, length));
  }

  async unbilled(key: string): Promise<void> {
    this.#writable();
    const intent = this.#sent.get(key);
    if (intent === undefined) return;
    await this.#intents.append(textOf({ event: "unbilled", intent }), false);
    this.#sent.delete(key);
    this.#ledger.closed(intent);
  }

  #writable(): void {
    if (this.mode === "replay") throw new TypeError("a cassette opened for replay is never written to");
  }

  use(key: string): void {
    this.#used.add(key);
  }

  /** What the calls that are recorded in this directory's log took, those of this process included. */
  spent(): readonly SpentCalls[] {
    return this.#ledger.spent();
  }

  /**
   * Writes the calls that were used, sorted by key: the same bytes for the same set. The file is not yet synced.
   * @returns how many.
   */
  async writeShipped(path: string, roles: Pick<ShippedModels, "models" | "environment">): Promise<number> {
    const keys = [...this.#used].sort();
    const record = (key: string): CassetteRecord => {
      const found = this.#read(key);
      if (found === undefined) throw new TypeError(`call ${key} was used and is not recorded`);
      return found;
    };
    const sha256 = await writeShippedFile(path, roles, keys, record);
    if (this.mode !== "replay" && this.#recorded && sha256 !== this.#lastShipped) {
      await this.#log.append(textOf({ event: "shipped", sha256 }), false);
      this.#lastShipped = sha256;
    }
    return keys.length;
  }

  /** What was appended is on disk when this resolves. */
  async close(): Promise<void> {
    await this.#intents.close();
    await this.#log.close();
    await Promise.all(this.#files.splice(0).map((file) => file.close()));
  }
}

/**
 * Opens the recorded calls of a run directory (`dir` is its `calls/`; it need not exist, and is made with the first call) and of
 * further files.
 *
 * - `auto`, `replay`: {@link FileCassette.find} gives what is recorded; in `replay` nothing is ever written.
 * - `refresh`: it gives only what was recorded since this opening, and that replaces the older records.
 *
 * @throws TaskmillError (source) for files that cannot be read, are none, or, of further ones, are damaged.
 */
export function openCassette(dir: string, options: CassetteOptions): Promise<FileCassette> {
  return FileCassette.open(dir, options);
}

/** Where the intents of a log stand. */
export function intentsBeside(log: string): string {
  return join(dirname(log), INTENTS);
}

/** Reads the intents of a run, if it has any. */
export async function scanIntents(
  path: string,
  onEvent: (event: LogEvent) => void,
  onDamage: () => void,
): Promise<Tail> {
  const file = await openPlain(path, true);
  if (file === undefined) return { lines: 0, torn: false };
  try {
    return await scanLog(file, onEvent, onDamage);
  } finally {
    await file.close();
  }
}

function foundAt(source: Source, { number, offset, bytes }: Line): Found {
  return new Found(source, number, offset, bytes!.length);
}

/** An event as it is written. What could not be read again would be a paid call lost, so it is an error of whoever gives it. */
function textOf(event: LogEvent): string {
  const issue = logEvent.safeParse(event).error?.issues[0];
  if (issue !== undefined)
    throw new TypeError(`not a recorded call: ${issue.path.join(".")}: ${issue.message}`);
  return canonicalJson(event);
}
