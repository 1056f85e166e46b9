import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBValue } from "duckdb";
import { type Bindable, type Database, openDatabase } from "../../sources/duckdb.js";
import { fail, TaskmillError } from "../base/errors.js";
import { copyOf, FILE_NAMES, type FileName, fileIn, openSide, type Side } from "./side.js";

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
  } catch (error) {
    throw damagedFile(error, [a, b], scratch) ?? error;
  } finally {
    database?.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

const HINT = "run its config again";

/** What DuckDB says of a copy is said of the dataset's own file. */
function damagedFile(error: unknown, dirs: readonly string[], scratch: string): TaskmillError | undefined {
  if (error instanceof TaskmillError || !(error instanceof Error)) return undefined;
  for (const [side, dir] of [
    ["a", dirs[0]!],
    ["b", dirs[1]!],
  ] as const)
    for (const name of FILE_NAMES) {
      const copy = copyOf(scratch, side, name);
      if (!error.message.includes(copy)) continue;
      const file = fileIn(dir, name);
      const said = error.message.split("\n")[0]!.replace(`Failed to read file "${copy}": `, "");
      const why = said.replaceAll(copy, file).slice(0, 300);
      const problem = { code: "pool_damaged", message: `${file} is damaged (${why})`, hint: HINT };
      return new TaskmillError("verification", [problem], { cause: error });
    }
  return undefined;
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
 * @throws TaskmillError (verification, `pool_damaged`) for a file that has not got the `needed` ones
 */
export async function columnsOf(
  { database }: Bench,
  side: Side,
  file: FileName,
  known: readonly string[],
  needed: readonly string[] = [],
): Promise<{ columns: string[]; strange: string[] }> {
  const path = side.files.get(file)!;
  const described = await database.rows("DESCRIBE SELECT * FROM read_parquet($1)", [path]);
  const found = new Set(described.map(([column]) => String(column)));
  const missing = needed.find((column) => !found.has(column));
  if (missing !== undefined)
    fail("verification", "pool_damaged", `${fileIn(side.dir, file)} has no column ${missing}`, HINT);
  return {
    columns: known.filter((column) => found.has(column)),
    strange: [...found].filter((column) => !known.includes(column)),
  };
}
