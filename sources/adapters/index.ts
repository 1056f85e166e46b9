import type { SnapshotFormat } from "../card.js";
import type { Adapter, RawBatch, ReadRequest } from "./adapter.js";
import { csv } from "./csv.js";
import { json } from "./json.js";
import { ndjson } from "./ndjson.js";
import { parquet } from "./parquet.js";
import { xml } from "./xml.js";

/** One adapter per format; adding one takes its own file and a line here. */
const ADAPTERS: {
  readonly [F in SnapshotFormat["format"]]: Adapter<Extract<SnapshotFormat, { format: F }>>;
} = {
  csv,
  json,
  ndjson,
  parquet,
  xml,
};

/** The raw records of a snapshot, by the adapter of its format. */
export function readRecords(request: ReadRequest): AsyncIterable<RawBatch> {
  return (ADAPTERS[request.options.format] as Adapter).read(request);
}
