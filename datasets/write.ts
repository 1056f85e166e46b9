import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Schema } from "apache-arrow";
import { fail } from "../pipeline/base/errors.js";
import { arrowSchema, toBatch } from "./arrow.js";
import { checkRow } from "./check-row.js";
import { poolFile, splitFile } from "./layout.js";
import { type Pool, type RowOf, SPLITS } from "./schema/index.js";
import { ArrowSink, ParquetSink, type Sink } from "./sinks.js";

/** One file of a pool. */
export interface PoolFile {
  readonly pool: string;
  /** Relative to the run directory, with `/`. */
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
}

/** About so many bytes of rows go into one record batch. */
const BATCH_BYTES = 512 * 1024;
const BATCH_ROWS = 4096;

/**
 * Writes a pool below `dir`: `pools/<pool>.parquet` and `.arrow` with all rows in the order given, and for loaders that go by
 * split `pools/<pool>/<split>-00000-of-00001.parquet`. All of them are there even when empty. The same rows give the same
 * bytes on any machine; memory is bounded by a batch and a row group per file, whatever the number of rows.
 * @throws TaskmillError (internal) for a row that the schema has no place for.
 */
export async function writePool<P extends Pool>(
  dir: string,
  pool: P,
  rows: AsyncIterable<RowOf<P>> | Iterable<RowOf<P>>,
): Promise<PoolFile[]> {
  await mkdir(join(dir, "pools", pool.name), { recursive: true });
  const schema = arrowSchema(pool);
  const whole = new Output(
    pool,
    schema,
    {
      [poolFile(pool)]: ParquetSink,
      [poolFile(pool, "arrow")]: ArrowSink,
    },
    dir,
  );
  const bySplit = new Map<unknown, Output>(
    SPLITS.map((split) => [split, new Output(pool, schema, { [splitFile(pool, split)]: ParquetSink }, dir)]),
  );
  const outputs = [whole, ...bySplit.values()];
  try {
    let position = 0;
    for await (const row of rows as AsyncIterable<PoolRow>) {
      const size = checkRow(pool, row, position);
      const split = bySplit.get(row.split) ?? noSplit(pool, position, row.split);
      await whole.add(row, size);
      await split.add(row, size);
      position++;
    }
    const files: PoolFile[] = [];
    for (const output of outputs) files.push(...(await output.close()));
    return files;
  } catch (error) {
    for (const output of outputs) output.abort();
    throw error;
  }
}

/**
 * Writes rows that no trainer loads into one Parquet file, `file` below `dir`.
 * @throws TaskmillError (internal) for a row that the schema has no place for.
 */
export async function writeTable<P extends Pool>(
  dir: string,
  file: string,
  pool: P,
  rows: AsyncIterable<RowOf<P>> | Iterable<RowOf<P>>,
): Promise<void> {
  const output = new Output(pool, arrowSchema(pool), { [file]: ParquetSink }, dir);
  try {
    let position = 0;
    for await (const row of rows as AsyncIterable<PoolRow>)
      await output.add(row, checkRow(pool, row, position++));
    await output.close();
  } catch (error) {
    output.abort();
    throw error;
  }
}

function noSplit(pool: Pool, position: number, split: unknown): never {
  fail(
    "internal",
    "row_does_not_fit",
    `pool ${pool.name}, row ${position}: ${String(split)} is not a split`,
    `give one of ${SPLITS.join(", ")}`,
  );
}

type SinkKind = new (path: string, schema: Schema) => Sink;
type PoolRow = Readonly<Record<string, unknown>>;

/** Gathers rows into batches, each of which goes into one or more files. */
class Output {
  readonly #sinks: ReadonlyMap<string, Sink>;
  #rows: PoolRow[] = [];
  #size = 0;
  #count = 0;

  constructor(
    private readonly pool: Pool,
    private readonly schema: Schema,
    files: Readonly<Record<string, SinkKind>>,
    dir: string,
  ) {
    this.#sinks = new Map(
      Object.entries(files).map(([file, kind]) => [file, new kind(join(dir, ...file.split("/")), schema)]),
    );
  }

  async add(row: PoolRow, size: number): Promise<void> {
    this.#rows.push(row);
    this.#size += size;
    this.#count++;
    if (this.#size >= BATCH_BYTES || this.#rows.length >= BATCH_ROWS) await this.#flush();
  }

  async close(): Promise<PoolFile[]> {
    if (this.#rows.length > 0) await this.#flush();
    const files: PoolFile[] = [];
    for (const [file, sink] of this.#sinks) {
      files.push({ pool: this.pool.name, file, ...(await sink.close()), rows: this.#count });
    }
    return files;
  }

  abort(): void {
    for (const sink of this.#sinks.values()) sink.abort();
  }

  async #flush(): Promise<void> {
    const batch = toBatch(this.pool, this.schema, this.#rows);
    for (const sink of this.#sinks.values()) await sink.write(batch);
    this.#rows = [];
    this.#size = 0;
  }
}
