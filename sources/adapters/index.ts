import type { SnapshotFormat } from "../card.js";
import { sourceError } from "../problems.js";
import type { Adapter, OwnAdapters, RawBatch, ReadRequest } from "./adapter.js";
import { arrow } from "./arrow.js";
import { csv } from "./csv.js";
import { fixed } from "./fixed.js";
import { json } from "./json.js";
import { ndjson } from "./ndjson.js";
import { parquet } from "./parquet.js";
import { sqlite } from "./sqlite.js";
import { stanzas } from "./stanzas.js";
import { xml } from "./xml.js";
import { yaml } from "./yaml.js";

/** One adapter per format; adding one takes its own file and a line here. */
const ADAPTERS: {
  readonly [F in Exclude<SnapshotFormat["format"], "plugin">]: Adapter<
    Extract<SnapshotFormat, { format: F }>
  >;
} = {
  arrow,
  csv,
  fixed,
  json,
  ndjson,
  parquet,
  sqlite,
  stanzas,
  xml,
  yaml,
};

/**
 * The raw records of a snapshot, by the adapter of its format.
 * @throws TaskmillError (source) `unknown_adapter` for a plugin's format without that plugin.
 */
export function readRecords(request: ReadRequest, own: OwnAdapters): AsyncIterable<RawBatch> {
  const { options } = request;
  if (options.format !== "plugin") return (ADAPTERS[options.format] as Adapter).read(request);
  const adapter = own.get(options.adapter);
  if (adapter === undefined) {
    const hint = `give the plugin that brings it: --plugin FILE (adapters here: ${[...own.keys()].join(", ") || "none"})`;
    sourceError(
      "unknown_adapter",
      `${request.snapshot.name} is read by the adapter \`${options.adapter}\`, which is not here`,
      { hint },
    );
  }
  return adapter.read({ ...request, options });
}
