import type { Table } from "../../sources/table.js";

/** Bearers of each name of a table, by its lower-case text; -1 for several. */
const bearers = new WeakMap<Table, ReadonlyMap<string, number>>();

/** Other names of an entity, in their order: aliases, and its key where that reads as a name. A name that another entity bears too names nobody. */
export function aliasesOf(table: Table, row: number): string[] {
  const borne = bearers.get(table) ?? bearersIn(table);
  bearers.set(table, borne);
  return othersOf(table, row).filter((name) => borne.get(name.toLowerCase()) === row);
}

function bearersIn(table: Table): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let row = 0; row < table.rows; row++) {
    for (const name of [table.names[row]!, ...othersOf(table, row)]) {
      const key = name.toLowerCase();
      const known = found.get(key);
      found.set(key, known === undefined || known === row ? row : -1);
    }
  }
  return found;
}

function othersOf(table: Table, row: number): string[] {
  const key = table.keys[row]!;
  const named = /\p{L}/u.test(key) && key !== table.names[row] ? [key] : [];
  return [...new Set([...table.aliases[row]!, ...named])];
}
