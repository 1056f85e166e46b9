import { databaseOf } from "../../adapters/sqlite.js";
import { type FormatOf, snapshotFormat } from "../../format.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { wholeBytes } from "../../text.js";
import type { Layout } from "./layout.js";

/** As the adapter's. */
const MAX_FILE = 256 * 2 ** 20;
const MAX_TABLES = 200;

/** The table with the most columns, when a user names none; the adapter checks the file when it reads it. */
export async function sqliteLayout(snapshot: Snapshot, wanted?: FormatOf<"sqlite">): Promise<Layout> {
  const tables = await tablesOf(snapshot);
  const widest = [...tables].sort(([, a], [, b]) => b.length - a.length)[0];
  const table = wanted?.table ?? widest?.[0];
  const columns = tables.find(([name]) => name === table)?.[1];
  if (table === undefined || columns === undefined) {
    const listed = tables.map(([name]) => name).join(", ") || "none";
    sourceError("no_records", `${snapshot.name} has no table \`${table ?? ""}\``, {
      hint: `its tables and views: ${listed}`,
    });
  }
  const others = tables.map(([name]) => name).filter((name) => name !== table);
  const said = [
    `format: SQLite; the table \`${table}\`${wanted === undefined ? ", which has the most columns" : ""}`,
  ];
  if (others.length > 0)
    said.push(`others: ${others.slice(0, 20).join(", ")} (--read '{ format: sqlite, table: NAME }')`);
  const read = snapshotFormat.parse({ format: "sqlite", table });
  return { read, fields: columns.map((name) => ({ name })), said };
}

/** Names of tables and views with their columns, in the order of the file. */
async function tablesOf(snapshot: Snapshot): Promise<(readonly [string, readonly string[]])[]> {
  const database = await databaseOf(await wholeBytes(snapshot, MAX_FILE));
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON");
    const [found] = database.exec(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
    );
    const names = (found?.values ?? []).slice(0, MAX_TABLES).map(([name]) => String(name));
    return names.map((name) => {
      const [info] = database.exec("SELECT name FROM pragma_table_info(?)", [name]);
      return [name, (info?.values ?? []).map(([column]) => String(column))] as const;
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return sourceError("bad_sqlite", `${snapshot.name} cannot be read as SQLite: ${message}`, { cause });
  } finally {
    database.close();
  }
}
