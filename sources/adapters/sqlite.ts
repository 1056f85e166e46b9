import { stat } from "node:fs/promises";
import type { Database, Statement } from "sql.js";
import { TaskmillError } from "../../pipeline/base/errors.js";
import type { FormatOf } from "../format.js";
import { excerpt, sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { wholeBytes } from "../text.js";
import { type Adapter, type RawRecord, unknownFields } from "./adapter.js";
import { doubleText } from "./value-text.js";

/** The file is read into memory, and SQLite keeps a copy of it there. In bytes. */
const MAX_FILE = 256 * 2 ** 20;
const MARK = "SQLite format 3\0";
/** Records handed on at a time. */
const SLICE = 4096;
const CREATED = new Set(["table", "view"]);

/**
 * One table or view of a SQLite database, read by a WebAssembly build of SQLite that sees nothing but this file's bytes. Whole
 * numbers keep all digits; REAL values arrive as DuckDB writes doubles.
 */
export const sqlite: Adapter<FormatOf<"sqlite">> = {
  format: "sqlite",
  async *read({ snapshot, options, wanted }) {
    const database = await opened(snapshot);
    try {
      const statement = select(database, options.table, wanted, snapshot);
      let record = 0;
      for (;;) {
        const records = nextRows(statement, wanted, record, snapshot);
        record += records.length;
        yield { records, turnedAway: [] };
        // A statement that is asked again after its end begins anew.
        if (records.length < SLICE) break;
      }
    } finally {
      database.close();
    }
  },
};

/** A file's bytes as a database. */
export async function databaseOf(bytes: Uint8Array): Promise<Database> {
  // Marks of the write-ahead log, which is not there: the file alone is complete, but is not opened with these.
  if (bytes[18] === 2) bytes[18] = 1;
  if (bytes[19] === 2) bytes[19] = 1;
  const { default: start } = await import("sql.js");
  const sql = await start();
  return new sql.Database(bytes);
}

async function opened(snapshot: Snapshot): Promise<Database> {
  const bytes = await wholeBytes(snapshot, MAX_FILE);
  if (Buffer.from(bytes.subarray(0, MARK.length)).toString("latin1") !== MARK) {
    sourceError("bad_sqlite", `${snapshot.name} is not a SQLite 3 database (or it is encrypted)`);
  }
  await refuseUnfinished(snapshot);
  const database = await databaseOf(bytes);
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
    return database;
  } catch (error) {
    database.close();
    return damaged(snapshot, error);
  }
}

/** Rows that wait in a log beside the file would be missing without a word. */
async function refuseUnfinished(snapshot: Snapshot): Promise<void> {
  for (const ending of ["-wal", "-journal"]) {
    const size = await stat(snapshot.path + ending).then(
      (found) => found.size,
      () => 0,
    );
    if (size > 0) {
      sourceError(
        "bad_sqlite",
        `${snapshot.name} was not closed: a part of it is still in ${snapshot.name}${ending}`,
        {
          hint: "open it with sqlite3, `VACUUM INTO` a new file, and make that the snapshot",
        },
      );
    }
  }
}

function select(database: Database, table: string, wanted: readonly string[], snapshot: Snapshot): Statement {
  try {
    const type = checkTable(database, table, snapshot);
    const from = `${quoted(table)}${type === "table" ? " NOT INDEXED" : ""}`;
    const probe = database.prepare(`SELECT * FROM ${from}`);
    const names = probe.getColumnNames();
    probe.free();
    const missing = wanted.filter((field) => !names.includes(field));
    if (missing.length > 0) unknownFields(missing, names, `${snapshot.name}, table ${table}`);
    const sql = `SELECT ${wanted.map(quoted).join(", ") || "1"} FROM ${from}`;
    if (type === "view") refuseRecursion(database, sql, table, snapshot);
    return database.prepare(sql);
  } catch (error) {
    return damaged(snapshot, error);
  }
}

/** A name that SQL takes as a name only. It stands in SQL after it was found among the file's own names. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What the file has under its name, after a look at whether its pages hang together. */
function checkTable(database: Database, table: string, snapshot: Snapshot): string {
  const [found] = database.exec("SELECT name, type, sql FROM sqlite_master");
  const created = (found?.values ?? [])
    .map(([name, type, sql]) => ({ name: String(name), type: String(type), sql: String(sql) }))
    .filter(({ name, type }) => CREATED.has(type) && !name.startsWith("sqlite_"));
  const row = created.find(({ name }) => name === table);
  if (row === undefined) {
    const names = created.map(({ name }) => name);
    return noTable(table, names, snapshot);
  }
  if (isVirtual(row.sql)) {
    sourceError(
      "bad_sqlite",
      `\`${table}\` of ${snapshot.name} is a virtual table, which only its own program can read`,
      { hint: "copy it: CREATE TABLE copy AS SELECT * FROM ..." },
    );
  }
  const used = row.type === "table" ? [row] : created.filter((c) => c.type === "table" && !isVirtual(c.sql));
  for (const { name } of used) checkPages(database, name, snapshot);
  return row.type;
}

function isVirtual(sql: string): boolean {
  return /^\s*CREATE\s+VIRTUAL\b/i.test(sql);
}

/** Pages that are used twice would give rows without end. */
function checkPages(database: Database, table: string, snapshot: Snapshot): void {
  const [found] = database.exec(`PRAGMA quick_check(${quoted(table)})`);
  const said = String(found?.values[0]?.[0]);
  if (said !== "ok") sourceError("bad_sqlite", `${snapshot.name} is damaged: ${excerpt(said, 200)}`);
}

function noTable(table: string, names: readonly string[], snapshot: Snapshot): never {
  const listed = names.slice(0, 30).map((name) => `\`${excerpt(name)}\``);
  sourceError("no_records", `${snapshot.name} has no table \`${excerpt(table)}\``, {
    hint: listed.length === 0 ? "it has no tables at all" : `its tables are ${listed.join(", ")}`,
  });
}

/** A view is SQL of the file's author. One that calls itself might never end. */
function refuseRecursion(database: Database, sql: string, view: string, snapshot: Snapshot): void {
  const [plan] = database.exec(`EXPLAIN QUERY PLAN ${sql}`);
  if (plan?.values.some((row) => String(row[3]).startsWith("RECURSIVE STEP"))) {
    sourceError("bad_sqlite", `the view \`${view}\` of ${snapshot.name} is recursive, and might never end`, {
      hint: "make a table of it: CREATE TABLE copy AS SELECT * FROM ...",
    });
  }
}

type Value = number | bigint | string | Uint8Array | null;
/** What the library has beyond its types: whole numbers as bigints, and a column's bytes. */
interface ExactStatement {
  step(): boolean;
  get(params: null, config: { useBigInt: true }): Value[];
  getBlob(position: number): Uint8Array;
}

function nextRows(
  statement: Statement,
  wanted: readonly string[],
  before: number,
  snapshot: Snapshot,
): RawRecord[] {
  const exact = statement as unknown as ExactStatement;
  const records: RawRecord[] = [];
  try {
    while (records.length < SLICE && exact.step()) {
      const record = before + records.length + 1;
      const values = exact.get(null, { useBigInt: true });
      records.push({
        record,
        fields: wanted.map((field, i) => {
          const text = valueText(values[i]!, () => exact.getBlob(i));
          return text instanceof Unfit ? text.refuse(snapshot, record, field) : text;
        }),
      });
    }
  } catch (error) {
    damaged(snapshot, error);
  }
  return records;
}

/** A value that is no cell. */
class Unfit {
  constructor(
    readonly code: string,
    readonly what: string,
    readonly hint: string,
  ) {}

  refuse(snapshot: Snapshot, record: number, field: string): never {
    const message = `${snapshot.name}, record ${record}: \`${excerpt(field)}\` holds ${this.what}`;
    sourceError(this.code, message, { hint: this.hint });
  }
}

const BLOB = new Unfit(
  "nested_field",
  "a BLOB, which is no text or number",
  "leave the column out, or store text",
);
const BYTES = new Unfit("bad_encoding", "bytes that are not UTF-8", "mend them in the database");
const strict = new TextDecoder("utf-8", { fatal: true });

function valueText(value: Value, bytes: () => Uint8Array): string | null | Unfit {
  if (value === null) return null;
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return doubleText(value);
  if (typeof value !== "string") return BLOB;
  return value.includes("\uFFFD") && !isUtf8(bytes()) ? BYTES : value;
}

/** The library puts U+FFFD for bytes that are none, but a text may hold that character itself. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function damaged(snapshot: Snapshot, cause: unknown): never {
  if (cause instanceof TaskmillError) throw cause;
  const what = cause instanceof Error ? cause.message : String(cause);
  sourceError("bad_sqlite", `${snapshot.name} cannot be read as SQLite: ${excerpt(what, 200)}`, { cause });
}
