import { type FileHandle, open, stat } from "node:fs/promises";
import { type RecordBatch, RecordBatchReader, type Schema } from "apache-arrow";
import { fail, TaskmillError } from "../pipeline/base/errors.js";
import { arrowSchema, fromBatch, schemaText } from "./arrow.js";
import { parquetBatches } from "./parquet.js";
import type { Pool, RowOf } from "./schema/index.js";

/**
 * Reads the rows of a pool file (`.parquet` or `.arrow`) in order, a row group or record batch in memory at a time.
 * @throws TaskmillError (verification): `pool_missing`; `pool_damaged` for a file that cannot be read;
 *   `pool_schema_differs` when its columns are not the pool's.
 */
export async function* readPool<P extends Pool>(path: string, pool: P): AsyncGenerator<RowOf<P>> {
  try {
    // Asked first: a FIFO would be waited for.
    if (!(await stat(path)).isFile()) fail("verification", "pool_damaged", `${path} is not a regular file`);
    const check = (schema: Schema) => checkSchema(path, pool, schema);
    const batches = path.endsWith(".arrow") ? arrowBatches(path, check) : parquetBatches(path, check);
    for await (const batch of batches) {
      yield* fromBatch(pool, batch) as Generator<RowOf<P>>;
    }
  } catch (cause) {
    if (cause instanceof TaskmillError) throw cause;
    const missing =
      (cause as NodeJS.ErrnoException).code === "ENOENT" ||
      (cause as NodeJS.ErrnoException).code === "ENOTDIR";
    const message = missing ? `there is no ${path}` : `${path} is damaged (${textOf(cause)})`;
    const hint = "run the config again; a dataset is complete or it is not there";
    throw new TaskmillError(
      "verification",
      [{ code: missing ? "pool_missing" : "pool_damaged", message, hint }],
      { cause },
    );
  }
}

type Check = (schema: Schema) => void;

async function* arrowBatches(path: string, check: Check): AsyncGenerator<RecordBatch> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, "r");
    const reader = await RecordBatchReader.from(handle);
    await reader.open();
    check(reader.schema);
    yield* reader;
  } finally {
    await handle?.close().catch(() => {});
  }
}

function checkSchema(path: string, pool: Pool, found: Schema): void {
  const wanted = schemaText(arrowSchema(pool)).split("\n");
  const differing = schemaText(found).split("\n");
  const at = wanted.findIndex((field, i) => field !== differing[i]);
  if (at < 0 && differing.length === wanted.length) return;
  const place = at < 0 ? wanted.length : at;
  fail(
    "verification",
    "pool_schema_differs",
    `${path} does not have the columns of pool ${pool.name}: column ${place} is ${differing[place] ?? "absent"}, not ${wanted[place] ?? "absent"}`,
    "the file was written by another version or changed since: run the config again",
  );
}

function textOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split("\n")[0]!.slice(0, 200);
}
