import type { OwnAdapters } from "../../sources/adapters/adapter.js";
import type { Catalog, Column } from "../../sources/table.js";
import { canonicalJson, type Json } from "../base/canonical.js";
import { fail } from "../base/errors.js";
import { type Reloaded, reloadSources } from "../verify/sources.js";
import type { Side } from "./side.js";

/** A cell that a row rests on. */
export interface CellRef {
  readonly table: string;
  readonly key: string;
  readonly column: string;
}

/** What two snapshots, read by their cards, say of one entity; null is unknown, and `absent` that there is no such entity or column. */
export interface CellChange extends CellRef {
  readonly a: Json;
  readonly b: Json;
}

/** Loads a dataset's own sources. @throws TaskmillError (verification) when they cannot be loaded, or are not those of the manifest */
export async function sourcesOf(side: Side, adapters: OwnAdapters): Promise<Reloaded> {
  const { reloaded, findings } = await reloadSources(side.path, side.manifest, adapters);
  if (reloaded !== undefined && findings.length === 0) return reloaded;
  reloaded?.database.close();
  const why = findings
    .slice(0, 3)
    .map(({ where, message }) => `${where}: ${message}`)
    .join("; ");
  return fail(
    "verification",
    "sources_not_loaded",
    `the sources of ${side.dir} cannot be loaded: ${why}`,
    "`pipeline verify` says what else is wrong",
  );
}

/** Cells that say something else in the second catalog. Each is named once. */
export function cellChanges(refs: readonly CellRef[], a: Catalog, b: Catalog): CellChange[] {
  const seen = new Set<string>();
  return refs.flatMap(({ table, key, column }) => {
    const name = canonicalJson([table, key, column]);
    if (seen.has(name)) return [];
    seen.add(name);
    const [left, right] = [cellIn(a, table, key, column), cellIn(b, table, key, column)];
    if (canonicalJson(left) === canonicalJson(right)) return [];
    return [{ table, key, column, a: left, b: right }];
  });
}

function cellIn(catalog: Catalog, table: string, key: string, column: string): Json {
  const found = catalog.tables.get(table);
  const row = found?.rowOf(key);
  const values = found?.columns.get(column);
  return row === undefined || values === undefined ? "absent" : cellAt(values, row);
}

/** A value with what else is known of it: its uncertainty, and whether it is a bound. */
function cellAt(column: Column, row: number): Json {
  if (column.type === "text") return column.values[row] ?? null;
  if (column.type === "flag") return [false, true, null][column.values[row]!] ?? null;
  const value = column.values[row]!;
  if (Number.isNaN(value)) return null;
  const [u, limit] = [column.u[row]!, column.limit[row]!];
  const bound = limit === 0 ? {} : { limit: limit < 0 ? "upper" : "lower" };
  return u === 0 && limit === 0 ? value : { value, ...(Number.isNaN(u) ? {} : { u }), ...bound };
}
