import { rmSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDBBlobValue } from "duckdb";
import { type Database, type OpenOptions, openDatabase } from "../sources/duckdb.js";
import { fail, TaskmillError } from "./base/errors.js";
import type { Counts } from "./events.js";
import { diskProblem } from "./fs.js";
import { PageWriter, readPage } from "./pages.js";

/** Raised when the tables below change; a store of another version is begun afresh, as it holds nothing but savings. */
const STORE_VERSION = 2;
/** Results that none of the last so many runs looked at are dropped. */
const KEEP_RUNS = 5;
/** A commit costs about 5 ms of fsync: small results wait for each other this long, or until this much has gathered. */
const FLUSH_AFTER_MS = 100;
const FLUSH_BYTES = 4_000_000;
/** Three DuckDB headers. A shorter file was killed while being made and has never held anything. */
const STILLBORN_BYTES = 12_288;

/** Everything about a finished call of a stage but its rows. */
export interface StoredResult {
  readonly id: number;
  readonly key: string;
  readonly instance: string;
  readonly counts: Counts;
  /** Of a source: whether it has further blocks. */
  readonly more: boolean;
  /** Whether the rows themselves were kept, or the counts only. */
  readonly hasRows: boolean;
}

export interface NewResult {
  readonly key: string;
  readonly instance: string;
  readonly counts: Counts;
  readonly more: boolean;
  /** One text per row out: a row as canonical JSON, or the position of the input row that it equals. Null: counts only. */
  readonly rows: Iterable<string> | null;
  /** One canonical JSON text per rejected item. */
  readonly rejections: Iterable<string>;
}

const ROWS = 0;
const REJECTIONS = 1;

const SCHEMA = [
  "CREATE TABLE meta (version INTEGER, generation INTEGER)",
  `CREATE TABLE results (id INTEGER, key VARCHAR, instance VARCHAR, counts VARCHAR, more BOOLEAN, has_rows BOOLEAN)`,
  "CREATE TABLE pages (result INTEGER, part TINYINT, lines BLOB)",
  "CREATE TABLE uses (generation INTEGER, result INTEGER)",
  "CREATE TABLE row_cache (stage VARCHAR, row VARCHAR, line VARCHAR)",
  "CREATE TABLE notes (key VARCHAR, generation INTEGER, value VARCHAR)",
];
const TABLES = ["meta", "results", "pages", "uses", "row_cache", "notes"];

/** DuckDB's file lock keeps other processes out, but not this one. */
const openHere = new Set<string>();

/**
 * The run store: finished work under the hash of all it depends on, in `<run>/run.duckdb`. A result is seen whole or not
 * at all: its pages may be committed bit by bit, but it exists only once its record is, and pages without a record are
 * dropped at the next opening. It is a cache: deleting the file costs time and nothing else.
 */
export class RunStore {
  /** For stages: another connection than the one that writes, so that no transaction is shared. */
  readonly database: Database;
  readonly #writer: Database;
  readonly #path: string;
  readonly #results = new Map<string, StoredResult>();
  #nextId = 1;
  #generation = 1;
  #pages: { result: number; part: number; lines: Uint8Array }[] = [];
  #records: StoredResult[] = [];
  #used = new Set<number>();
  #unsavedUses: number[] = [];
  readonly #known = new Map<string, Set<string>>();
  #rowLines: { stage: string; row: string; line: string }[] = [];
  #bytes = 0;
  #flushedAt = performance.now();
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, database: Database, writer: Database) {
    this.#path = path;
    this.database = database;
    this.#writer = writer;
  }

  /**
   * Opens or begins a store.
   * @throws TaskmillError (source, `store_held`) when a run in this or another process has it open.
   */
  static async open(path: string, options: OpenOptions = {}): Promise<RunStore> {
    const real = join(await realpath(dirname(path)), "run.duckdb");
    if (openHere.has(real)) {
      fail("source", "store_held", `this process has ${path} open already`, "wait for the other run to end");
    }
    openHere.add(real);
    let database: Database | undefined;
    try {
      database = await openOrReplaceStillborn(path, options);
      const store = new RunStore(real, database, await database.fork());
      await store.#load();
      return store;
    } catch (error) {
      database?.close();
      openHere.delete(real);
      throw error;
    }
  }

  async #load(): Promise<void> {
    if ((await this.#version()) !== STORE_VERSION) await this.#begin();
    await this.#writer.run("DELETE FROM pages WHERE result NOT IN (SELECT id FROM results)");
    const meta = await this.#writer.rows("SELECT generation FROM meta");
    this.#generation = Number(meta[0]?.[0]) + 1;
    const rows = await this.#writer.rows(
      "SELECT id, key, instance, counts, more, has_rows FROM results ORDER BY id",
    );
    for (const [id, key, instance, counts, more, hasRows] of rows) {
      this.#results.set(String(key), {
        id: Number(id),
        key: String(key),
        instance: String(instance),
        counts: JSON.parse(String(counts)) as Counts,
        more: more === true,
        hasRows: hasRows === true,
      });
      this.#nextId = Number(id) + 1;
    }
  }

  async #version(): Promise<number | undefined> {
    const found = await this.#writer.rows("SELECT 1 FROM duckdb_tables() WHERE table_name = 'meta'");
    if (found.length === 0) return undefined;
    return Number((await this.#writer.rows("SELECT version FROM meta"))[0]?.[0]);
  }

  async #begin(): Promise<void> {
    await this.#transaction(async () => {
      for (const table of TABLES) await this.#writer.run(`DROP TABLE IF EXISTS ${table}`);
      for (const statement of SCHEMA) await this.#writer.run(statement);
      await this.#writer.run("INSERT INTO meta VALUES ($1, 0)", [STORE_VERSION]);
    });
  }

  /** The result under a key, if this or an earlier run finished it. */
  find(key: string): StoredResult | undefined {
    const found = this.#results.get(key);
    if (found !== undefined) this.#use(found.id);
    return found;
  }

  #use(id: number): void {
    if (this.#used.has(id)) return;
    this.#used.add(id);
    this.#unsavedUses.push(id);
  }

  /** Keeps a result; it is on disk after the next {@link flush}, which comes by itself within a short time of work. */
  async save(result: NewResult): Promise<StoredResult> {
    const id = this.#nextId++;
    await this.#savePages(id, ROWS, result.rows ?? []);
    await this.#savePages(id, REJECTIONS, result.rejections);
    const { key, instance, counts, more } = result;
    const record = { id, key, instance, counts, more, hasRows: result.rows !== null };
    this.#records.push(record);
    this.#results.set(key, record);
    this.#use(id);
    await this.#flushWhenDue();
    return record;
  }

  async #savePages(result: number, part: number, lines: Iterable<string>): Promise<void> {
    const writer = new PageWriter((page) => {
      this.#pages.push({ result, part, lines: page });
      this.#bytes += page.length;
    });
    for (const line of lines) {
      writer.add(line);
      if (this.#bytes >= FLUSH_BYTES) await this.flush();
    }
    writer.end();
  }

  /** The kept rows of a result, see {@link NewResult.rows}. */
  rows(id: number): AsyncGenerator<string> {
    return this.#lines(id, ROWS);
  }

  /** The kept rejections of a result, in order. */
  rejections(id: number): AsyncGenerator<string> {
    return this.#lines(id, REJECTIONS);
  }

  async *#lines(id: number, part: number): AsyncGenerator<string> {
    await this.flush();
    const reader = await this.#writer.fork();
    try {
      yield* linesOf(reader, id, part);
    } finally {
      reader.close();
    }
  }

  /** Outcomes of a costly row stage that are known, by the hash of the row that went in. */
  async cachedRows(stage: string, rows: readonly string[]): Promise<Map<string, string>> {
    const known = await this.#rowsKnown(stage);
    const wanted = rows.filter((row) => known.has(row));
    if (wanted.length === 0) return new Map();
    await this.flush();
    return this.#exclusive(async () => {
      await this.#writer.run("CREATE OR REPLACE TEMP TABLE wanted (row VARCHAR)");
      await this.#append("wanted", wanted, (a, row) => a.appendVarchar(row));
      const lines = await this.#writer.rows(
        "SELECT row, line FROM row_cache WHERE stage = $1 AND row IN (SELECT row FROM wanted)",
        [stage],
      );
      return new Map(lines.map(([row, line]) => [String(row), String(line)]));
    });
  }

  /** Hashes of the rows whose outcome is known: read once, so that new rows cost no query. */
  async #rowsKnown(stage: string): Promise<Set<string>> {
    let known = this.#known.get(stage);
    if (known === undefined) {
      const rows = await this.#exclusive(() =>
        this.#writer.rows("SELECT row FROM row_cache WHERE stage = $1", [stage]),
      );
      known = new Set(rows.map(([row]) => String(row)));
      this.#known.set(stage, known);
    }
    return known;
  }

  /** Keeps the outcome of a costly row stage, by the row, so that an interrupted stage goes on where it was. */
  async saveRow(stage: string, row: string, line: string): Promise<void> {
    (await this.#rowsKnown(stage)).add(row);
    this.#rowLines.push({ stage, row, line });
    this.#bytes += line.length;
    await this.#flushWhenDue();
  }

  /** A small value under the hash of what it depends on. */
  async note(key: string): Promise<string | undefined> {
    return this.#exclusive(async () => {
      const rows = await this.#writer.rows("SELECT value FROM notes WHERE key = $1", [key]);
      if (rows.length > 0) {
        await this.#writer.run("UPDATE notes SET generation = $1 WHERE key = $2", [this.#generation, key]);
      }
      return rows[0] === undefined ? undefined : String(rows[0][0]);
    });
  }

  async setNote(key: string, value: string): Promise<void> {
    await this.#exclusive(() =>
      this.#transaction(async () => {
        await this.#writer.run("DELETE FROM notes WHERE key = $1", [key]);
        await this.#writer.run("INSERT INTO notes VALUES ($1, $2, $3)", [key, this.#generation, value]);
      }),
    );
  }

  async #flushWhenDue(): Promise<void> {
    if (this.#bytes >= FLUSH_BYTES || performance.now() - this.#flushedAt >= FLUSH_AFTER_MS)
      await this.flush();
  }

  /** Commits all that was saved so far. */
  async flush(): Promise<void> {
    await this.#exclusive(async () => {
      const [pages, records, uses, rowLines] = [
        this.#pages,
        this.#records,
        this.#unsavedUses,
        this.#rowLines,
      ];
      this.#pages = [];
      this.#records = [];
      this.#unsavedUses = [];
      this.#rowLines = [];
      this.#bytes = 0;
      if (pages.length + records.length + uses.length + rowLines.length > 0) {
        await this.#transaction(async () => {
          await this.#append("pages", pages, (a, p) => {
            a.appendInteger(p.result);
            a.appendTinyInt(p.part);
            a.appendBlob(p.lines);
          });
          await this.#append("results", records, (a, r) => {
            a.appendInteger(r.id);
            a.appendVarchar(r.key);
            a.appendVarchar(r.instance);
            a.appendVarchar(JSON.stringify(r.counts));
            a.appendBoolean(r.more);
            a.appendBoolean(r.hasRows);
          });
          if (uses.length > 0) await this.#writer.run("UPDATE meta SET generation = $1", [this.#generation]);
          await this.#append("uses", uses, (a, id) => {
            a.appendInteger(this.#generation);
            a.appendInteger(id);
          });
          await this.#append("row_cache", rowLines, (a, r) => {
            a.appendVarchar(r.stage);
            a.appendVarchar(r.row);
            a.appendVarchar(r.line);
          });
        });
      }
      this.#flushedAt = performance.now();
    });
  }

  async #append<T>(
    table: string,
    items: readonly T[],
    append: (to: Appender, item: T) => void,
  ): Promise<void> {
    if (items.length === 0) return;
    const appender = await this.#writer.connection.createAppender(table);
    for (const item of items) {
      append(appender, item);
      appender.endRow();
    }
    appender.closeSync();
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    await this.#writer.run("BEGIN");
    try {
      await work();
      await this.#writer.run("COMMIT");
    } catch (error) {
      await this.#writer.run("ROLLBACK").catch(() => {});
      throw diskProblem(error, this.#path) ?? error;
    }
  }

  /** One writer at a time: rows of a costly stage are saved while others are still at work. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work);
    this.#writing = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  /** Drops results that none of the last {@link KEEP_RUNS} runs used. Called when a run is complete. */
  async prune(): Promise<void> {
    await this.flush();
    const oldest = this.#generation - KEEP_RUNS;
    await this.#exclusive(() =>
      this.#transaction(async () => {
        await this.#writer.run("DELETE FROM uses WHERE generation <= $1", [oldest]);
        await this.#writer.run("DELETE FROM notes WHERE generation <= $1", [oldest]);
        await this.#writer.run("DELETE FROM results WHERE id NOT IN (SELECT result FROM uses)");
        await this.#writer.run("DELETE FROM pages WHERE result NOT IN (SELECT id FROM results)");
      }),
    );
  }

  /** Commits and closes; the store can be opened again. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      this.#writer.close();
      this.database.close();
      openHere.delete(this.#path);
    }
  }
}

type Appender = Awaited<ReturnType<Database["connection"]["createAppender"]>>;

async function openOrReplaceStillborn(path: string, options: OpenOptions): Promise<Database> {
  try {
    return await openDatabase(path, options);
  } catch (error) {
    const damaged = error instanceof TaskmillError && error.problems[0]?.code === "store_damaged";
    if (!damaged || !isStillborn(path)) throw diskProblem(error, path) ?? error;
    rmSync(path, { force: true });
    return openDatabase(path, options);
  }
}

function isStillborn(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  return file?.isFile() === true && file.size <= STILLBORN_BYTES;
}

/**
 * Every rejected item of the last run that a store has seen, the latest results first. Opens the file read-only and leaves no
 * trace in it. @throws TaskmillError (source, `store_held`) while a run holds it.
 */
export async function* rejectionsIn(path: string): AsyncGenerator<{ instance: string; line: string }> {
  const database = await openDatabase(path, { readOnly: true });
  try {
    const results = await database.rows(
      `SELECT id, instance FROM results
       WHERE id IN (SELECT result FROM uses WHERE generation = (SELECT max(generation) FROM uses)) ORDER BY id DESC`,
    );
    for (const [id, instance] of results) {
      for await (const line of linesOf(database, Number(id), REJECTIONS))
        yield { instance: String(instance), line };
    }
  } finally {
    database.close();
  }
}

async function* linesOf(database: Database, result: number, part: number): AsyncGenerator<string> {
  const pages = await database.connection.stream(
    "SELECT lines FROM pages WHERE result = $1 AND part = $2 ORDER BY rowid",
    [result, part],
  );
  for (
    let chunk = await pages.fetchChunk();
    chunk !== null && chunk.rowCount > 0;
    chunk = await pages.fetchChunk()
  ) {
    for (const page of chunk.getColumnValues(0)) yield* readPage((page as DuckDBBlobValue).bytes);
  }
}
