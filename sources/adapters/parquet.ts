import { dirname } from "node:path";
import type { DuckDBResult } from "duckdb";
import type { SnapshotFormat } from "../card.js";
import { openDatabase } from "../duckdb.js";
import { sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { type Adapter, type RawRecord, unknownFields } from "./adapter.js";

/** Parquet, read by a DuckDB of its own that sees the snapshot's folder only. Nested columns arrive as text. */
export const parquet: Adapter<Extract<SnapshotFormat, { format: "parquet" }>> = {
  format: "parquet",
  async *read({ snapshot, wanted }) {
    const database = await openDatabase(":memory:", { folders: [dirname(snapshot.path)], threads: 2 });
    try {
      const sql = "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM read_parquet($1)";
      const result = await orExplain(snapshot, () => database.connection.stream(sql, [snapshot.path]));
      const positions = columnsOf(result, wanted, snapshot.name);
      let record = 0;
      for (;;) {
        const chunk = await orExplain(snapshot, () => result.fetchChunk());
        if (chunk === null || chunk.rowCount === 0) break;
        const columns = positions.map((p) => chunk.getColumnValues(p) as (string | null)[]);
        const records: RawRecord[] = [];
        for (let row = 0; row < chunk.rowCount; row++) {
          records.push({ record: ++record, fields: columns.map((values) => values[row]!) });
        }
        yield { records, turnedAway: [] };
      }
    } finally {
      database.close();
    }
  },
};

function columnsOf(result: DuckDBResult, wanted: readonly string[], file: string): number[] {
  const names = result.columnNames();
  const missing = wanted.filter((field) => !names.includes(field));
  if (missing.length > 0) unknownFields(missing, names, file);
  return wanted.map((field) => names.indexOf(field));
}

async function orExplain<T>(snapshot: Snapshot, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    return failParquet(snapshot, cause);
  }
}

/** What DuckDB says, in words of ours: its own name its insides, and paths of this machine. */
export function failParquet(snapshot: Snapshot, cause: unknown): never {
  const text = cause instanceof Error ? cause.message : String(cause);
  const what = /not implemented|unsupported/i.test(text)
    ? "it uses a part of the format that is not read here"
    : /magic bytes|too small|footer/i.test(text)
      ? "it does not end as such a file does"
      : "its bytes are damaged";
  const hint = "get the file anew, or write it again with another tool";
  sourceError("bad_parquet", `${snapshot.name} cannot be read as Parquet: ${what}`, { cause, hint });
}
