import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Schema } from "apache-arrow";
import { fail } from "../pipeline/base/errors.js";
import { arrowSchema, toBatch } from "./arrow.js";
import { checkRow } from "./check-row.js";
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
  const whole = [
    new Output(dir, pool, schema, `pools/${pool.name}.parquet`, ParquetSink),
    new Output(dir, pool, schema, `pools/${pool.name}.arrow`, ArrowSink),
  ];
  const bySplit = new Map<unknown, Output>(
    SPLITS.map((split) => [split, new Output(dir, pool, schema, splitFile(pool, split), ParquetSink)]),
  );
  let position = 0;
  for await (const row of rows as AsyncIterable<Record<string, unknown>>) {
    const size = checkRow(pool, row, position++);
    const split = bySplit.get(row.split);
    if (split === undefined) noSplit(pool, position - 1, row.split);
    for (const output of [...whole, split]) await output.add(row, size);
  }
  const files: PoolFile[] = [];
  for (const output of [...whole, ...bySplit.values()]) files.push(await output.close());
  return files;
}

/** Where the rows of one split lie, named as the Hub expects it. */
export function splitFile(pool: Pool, split: string): string {
  return `pools/${pool.name}/${split}-00000-of-00001.parquet`;
}

function noSplit(pool: Pool, position: number, split: unknown): never {
  fail(
    "internal",
    "row_does_not_fit",
    `pool ${pool.name}, row ${position}: ${String(split)} is not a split`,
    `give one of ${SPLITS.join(", ")}`,
  );
}

/** Gathers rows into batches for one file. */
class Output {
  readonly #sink: Sink;
  #rows: unknown[] = [];
  #size = 0;
  #count = 0;

  constructor(
    dir: string,
    private readonly pool: Pool,
    private readonly schema: Schema,
    private readonly file: string,
    sink: new (path: string, schema: Schema) => Sink,
  ) {
    this.#sink = new sink(join(dir, ...file.split("/")), schema);
  }

  async add(row: unknown, size: number): Promise<void> {
    this.#rows.push(row);
    this.#size += size;
    this.#count++;
    if (this.#size >= BATCH_BYTES || this.#rows.length >= BATCH_ROWS) await this.#flush();
  }

  async close(): Promise<PoolFile> {
    if (this.#rows.length > 0) await this.#flush();
    return { pool: this.pool.name, file: this.file, ...(await this.#sink.close()), rows: this.#count };
  }

  async #flush(): Promise<void> {
    await this.#sink.write(toBatch(this.pool, this.schema, this.#rows));
    this.#rows = [];
    this.#size = 0;
  }
}
