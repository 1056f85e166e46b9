import type { RawRecord } from "../../../sources/adapters/adapter.js";
import { readRecords } from "../../../sources/adapters/index.js";
import { snapshotFormat } from "../../../sources/format.js";
import { openSnapshot } from "../../../sources/snapshot.js";
import { snapshotFile } from "../helper.js";

/** All raw records that a format gives of a file's content. */
export async function recordsOf(
  content: string | Uint8Array,
  read: Record<string, unknown>,
  wanted: readonly string[],
): Promise<RawRecord[]> {
  return recordsOfFile(snapshotFile(content), read, wanted);
}

export async function recordsOfFile(
  path: string,
  read: Record<string, unknown>,
  wanted: readonly string[],
): Promise<RawRecord[]> {
  const options = snapshotFormat.parse(read);
  const records: RawRecord[] = [];
  for await (const batch of readRecords({ snapshot: await openSnapshot(path), options, wanted }, new Map())) {
    records.push(...batch.records);
  }
  return records;
}

/** The cells alone. */
export async function cellsOf(
  content: string | Uint8Array,
  read: Record<string, unknown>,
  wanted: readonly string[],
): Promise<(string | null)[][]> {
  return (await recordsOf(content, read, wanted)).map((record) => [...record.fields]);
}
