import { findCards } from "../../sources/cards.js";
import { loadCatalog } from "../../sources/catalog.js";
import { openDatabase } from "../../sources/duckdb.js";
import { loadSource } from "../../sources/load.js";
import type { Column, IngestReport, NumberColumn, Table } from "../../sources/table.js";

/** Bundled sources, loaded as a run loads them. */
export async function loadBundled(
  ids: readonly string[],
): Promise<{ tables: ReadonlyMap<string, Table>; reports: ReadonlyMap<string, IngestReport> }> {
  const database = await openDatabase(":memory:");
  try {
    const reports = new Map<string, IngestReport>();
    for (const { card, snapshot } of await findCards(ids, ".")) {
      reports.set(card.id, await loadSource(card, snapshot, database));
    }
    return { tables: (await loadCatalog(database)).tables, reports };
  } finally {
    database.close();
  }
}

export function numbers(table: Table, id: string): NumberColumn {
  return table.columns.get(id) as NumberColumn;
}

/** A cell as text, `undefined` where it is unknown. */
export function cell(column: Column, row: number): string | undefined {
  if (column.type === "text") return column.values[row] ?? undefined;
  if (column.type === "flag") return ["no", "yes"][column.values[row]!];
  return Number.isNaN(column.values[row]!) ? undefined : String(column.values[row]);
}
