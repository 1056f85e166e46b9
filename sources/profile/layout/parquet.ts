import { dirname } from "node:path";
import { failParquet } from "../../adapters/parquet.js";
import { openDatabase } from "../../duckdb.js";
import type { Snapshot } from "../../snapshot.js";
import type { Layout } from "./layout.js";

/** The columns of a Parquet file, in its order. */
export async function guessParquet(snapshot: Snapshot): Promise<Layout> {
  const database = await openDatabase(":memory:", { folders: [dirname(snapshot.path)], threads: 1 });
  try {
    const rows = await database.rows("DESCRIBE SELECT * FROM read_parquet($1)", [snapshot.path]);
    const fields = rows.map(([name]) => ({ name: String(name) }));
    return { read: { format: "parquet" }, fields, said: ["format: Parquet (its first bytes say so)"] };
  } catch (cause) {
    return failParquet(snapshot, cause);
  } finally {
    database.close();
  }
}
