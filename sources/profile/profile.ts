import { readRecords } from "../adapters/index.js";
import { fileSha256, type Snapshot } from "../snapshot.js";
import { type ColumnProfile, ColumnTally } from "./column.js";
import type { Layout } from "./layout/layout.js";

/** A file as it was found: how its bytes are read, and what its columns hold. */
export interface FileProfile {
  readonly file: string;
  readonly sha256: string;
  readonly layout: Layout;
  /** Records that were read, and those that could not be taken apart, by reason. */
  readonly records: number;
  readonly turnedAway: Readonly<Record<string, number>>;
  /** The first record that could not be taken apart. */
  readonly firstAway: string | null;
  readonly columns: readonly ColumnProfile[];
}

/**
 * Reads a snapshot once through the adapter of its format and tallies every column: bounded memory, any number of records.
 * @throws TaskmillError (source) where the adapter cannot read the file as `layout` says.
 */
export async function profileFile(
  snapshot: Snapshot,
  layout: Layout,
  signal?: AbortSignal,
): Promise<FileProfile> {
  const wanted = layout.fields.map((f) => f.name);
  const tallies = wanted.map((field) => new ColumnTally(field));
  const away = new Map<string, number>();
  let firstAway: string | null = null;
  let records = 0;
  for await (const batch of readRecords({ snapshot, options: layout.read, wanted }, new Map())) {
    signal?.throwIfAborted();
    for (const { reason, record, line, detail } of batch.turnedAway) {
      away.set(reason, (away.get(reason) ?? 0) + 1);
      firstAway ??= `record ${record}${line === undefined ? "" : `, line ${line}`}: ${detail}`;
    }
    for (const { record, line, fields } of batch.records) {
      records++;
      for (let i = 0; i < tallies.length; i++) tallies[i]!.add(fields[i]!, record, line);
    }
  }
  return {
    file: snapshot.name,
    sha256: await fileSha256(snapshot.path),
    layout,
    records,
    turnedAway: Object.fromEntries([...away].sort(([a], [b]) => (a < b ? -1 : 1))),
    firstAway,
    columns: tallies.map((t) => t.profile()),
  };
}
