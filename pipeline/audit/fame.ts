import type { Catalog, Table } from "../../sources/table.js";

/**
 * How well known an entity may be, from the sources alone, as nobody counts how often texts mention it:
 *
 * - `small table`: one of a set so small that each member is in every textbook (the planets): the card says `tiny`, or 25 rows or fewer
 * - `record holder`: it has the largest or smallest value of a column by which programs may select
 * - `other`
 */
export type Fame = "small table" | "record holder" | "other";

const SMALL = 25;

export function fameIn(catalog: Catalog): (entity: string) => Fame {
  const holders = new Map([...catalog.tables].map(([id, table]) => [id, recordHolders(table)]));
  return (entity) => {
    const slash = entity.indexOf("/");
    const [id, key] = [entity.slice(0, slash), entity.slice(slash + 1)];
    const table = catalog.tables.get(id);
    if (table === undefined) return "other";
    if (table.rows <= SMALL || table.card.entity.tiny === true) return "small table";
    return holders.get(id)!.has(key) ? "record holder" : "other";
  };
}

function recordHolders(table: Table): Set<string> {
  const keys = new Set<string>();
  for (const column of table.columns.values()) {
    if (column.type === "text" || column.type === "flag" || !column.card.may.includes("select")) continue;
    let [low, high] = [-1, -1];
    column.values.forEach((value, row) => {
      if (Number.isNaN(value) || column.limit[row] !== 0) return;
      if (low < 0 || value < column.values[low]!) low = row;
      if (high < 0 || value > column.values[high]!) high = row;
    });
    for (const row of [low, high]) if (row >= 0) keys.add(table.keys[row]!);
  }
  return keys;
}
