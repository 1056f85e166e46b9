import type { RawBatch } from "../../sources/adapters/adapter.js";
import { csv } from "../../sources/adapters/csv.js";
import { ndjson } from "../../sources/adapters/ndjson.js";
import { parquet } from "../../sources/adapters/parquet.js";
import { snapshotFormat } from "../../sources/card.js";
import { openSnapshot } from "../../sources/snapshot.js";

/** One text of a file that the pool is compared with. */
export interface BenchmarkText {
  /** 1-based; a CSV's header is not a record. */
  readonly record: number;
  /** The named columns, one below the other. */
  readonly text: string;
}

/** Endings that say how a file is read; `.gz` and `.zst` may follow. */
const FORMATS = { parquet: "parquet", jsonl: "ndjson", ndjson: "ndjson", csv: "csv", tsv: "csv" } as const;

/** The ending that decides how a file is read, or undefined for one that is not. */
export function endingOf(file: string): keyof typeof FORMATS | undefined {
  const ending = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(file)?.[1]?.toLowerCase();
  return ending !== undefined && Object.hasOwn(FORMATS, ending)
    ? (ending as keyof typeof FORMATS)
    : undefined;
}

/**
 * Streams a file's texts, whatever its length. Records that cannot be taken apart are an error: a benchmark that is read in part
 * screens nothing.
 * @param name as the config has it: decides the format
 * @throws TaskmillError (source) for a damaged file and for columns that are not in it
 */
export async function* benchmarkTexts(
  name: string,
  path: string,
  columns: readonly string[],
): AsyncGenerator<BenchmarkText> {
  for await (const { records } of await batches(name, path, columns)) {
    for (const { record, fields } of records) {
      const text = fields.filter((f) => f !== null && f !== "").join("\n");
      if (text !== "") yield { record, text };
    }
  }
}

async function batches(
  name: string,
  path: string,
  wanted: readonly string[],
): Promise<AsyncIterable<RawBatch>> {
  const snapshot = await openSnapshot(path);
  const ending = endingOf(name) ?? "jsonl";
  const format = FORMATS[ending];
  if (format === "parquet") return parquet.read({ snapshot, wanted, options: { format } });
  if (format === "ndjson") return ndjson.read({ snapshot, wanted, options: { format } });
  const options = snapshotFormat.parse({ format, delimiter: ending === "tsv" ? "\t" : "," });
  return csv.read({ snapshot, wanted, options: options as Extract<typeof options, { format: "csv" }> });
}
