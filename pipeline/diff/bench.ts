import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBValue } from "duckdb";
import { type Bindable, type Database, openDatabase } from "../../sources/duckdb.js";
import { fail } from "../base/errors.js";
import { type FileName, openSide, type Side } from "./side.js";

/** More than this DuckDB keeps on disk; each thread has buffers of its own. */
const MEMORY = "512MB";
const THREADS = 2;

/** Both datasets, and a database of the comparison's own that sees copies of their files. */
export interface Bench {
  readonly a: Side;
  readonly b: Side;
  readonly database: Database;
}

/** Opens both datasets for the time of `work`; nothing is written into either. @throws TaskmillError as {@link openSide} */
export async function withBench<T>(a: string, b: string, work: (bench: Bench) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), "taskmill-diff-"));
  let database: Database | undefined;
  try {
    const sides = { a: await openSide("a", a, scratch), b: await openSide("b", b, scratch) };
    // A file, so that what does not fit into memory lies beside it.
    database = await openDatabase(join(scratch, "diff.duckdb"), {
      folders: [scratch],
      memoryLimit: MEMORY,
      threads: THREADS,
    });
    return await work({ ...sides, database });
  } finally {
    database?.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

export const otherOf = (bench: Bench, { name }: Side): Side => (name === "a" ? bench.b : bench.a);

/** Rows of a query, a chunk in memory at a time, on a connection of its own. */
export async function* streamed(
  database: Database,
  sql: string,
  params: readonly Bindable[] = [],
): AsyncGenerator<DuckDBValue[]> {
  const connection = await database.fork();
  try {
    const result = await connection.connection.stream(sql, [...params]);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield* chunk.getRows();
    }
  } finally {
    connection.close();
  }
}

/**
 * Columns of a file that `known` has too: names from a file never stand in SQL.
 * @throws TaskmillError (verification, `pool_damaged`) for what is no Parquet file, or has not got the `needed` ones
 */
export async function columnsOf(
  { database }: Bench,
  side: Side,
  file: FileName,
  known: readonly string[],
  needed: readonly string[] = [],
): Promise<{ columns: string[]; strange: string[] }> {
  const damaged = (why: string) =>
    fail(
      "verification",
      "pool_damaged",
      `the ${file} of ${side.dir} cannot be read: ${why}`,
      "run its config again",
    );
  let described: DuckDBValue[][];
  try {
    described = await database.rows("DESCRIBE SELECT * FROM read_parquet($1)", [side.files.get(file)!]);
  } catch (error) {
    return damaged(error instanceof Error ? error.message.split("\n")[0]!.slice(0, 200) : String(error));
  }
  const found = new Set(described.map(([column]) => String(column)));
  const missing = needed.find((column) => !found.has(column));
  if (missing !== undefined) damaged(`it has no column ${missing}`);
  return {
    columns: known.filter((column) => found.has(column)),
    strange: [...found].filter((column) => !known.includes(column)),
  };
}
