import { compareText } from "../pipeline/base/canonical.js";
import type { Card, Condition } from "./card.js";
import { holds, valueAt } from "./conditions.js";
import type { Database } from "./duckdb.js";
import {
  type LoadedSource,
  layoutOf,
  loadedSources,
  type PhysicalColumn,
  type PhysicalTable,
  storedReport,
} from "./layout.js";
import { nameTables, type UnnamedTable } from "./names.js";
import { sourceError } from "./problems.js";
import type { Catalog, Column, Table } from "./table.js";

export type { PhysicalColumn, PhysicalTable } from "./layout.js";

/** SQL names of a loaded table and its columns. @throws TaskmillError (source) for a table that is not loaded. */
export async function physicalNames(database: Database, tableId: string): Promise<PhysicalTable> {
  const found = (await loadedSources(database)).find((s) => s.id === tableId);
  if (found === undefined) sourceError("no_table", `no table \`${tableId}\` is loaded`);
  return layoutOf(found.card, found.number);
}

/**
 * Reads loaded tables back, rows in the order of their keys, names and aliases resolved. With `ids` only those tables;
 * tables that they link to must be among them.
 */
export async function loadCatalog(database: Database, ids?: readonly string[]): Promise<Catalog> {
  const sources = (await loadedSources(database)).filter((s) => ids === undefined || ids.includes(s.id));
  const bare = new Map<string, UnnamedTable>();
  for (const source of sources) bare.set(source.id, await readTable(database, source));
  return { tables: nameTables(bare) };
}

async function readTable(database: Database, source: LoadedSource): Promise<UnnamedTable> {
  const layout = layoutOf(source.card, source.number);
  const [count] = await database.rows(`SELECT count(*) FROM ${layout.table}`);
  const rows = Number(count![0]);
  const keys = new Array<string>(rows);
  const records = new Int32Array(rows);
  const columns = Object.entries(source.card.columns).map(([id, card]) => emptyColumn(id, card, rows));
  const names = columns.flatMap((column) => namesRead(column, layout.columns.get(column.id)!));
  const result = await database.connection.stream(
    `SELECT ${["key", "record", ...names].join(", ")} FROM ${layout.table} ORDER BY key`,
  );
  let row = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    fill(keys, row, chunk.getColumnValues(0) as string[]);
    fill(records, row, chunk.getColumnValues(1) as number[]);
    let at = 2;
    for (const column of columns)
      at += fillColumn(column, row, (offset) => chunk.getColumnValues(at + offset));
    row += chunk.rowCount;
  }
  return inCodeUnitOrder({
    id: source.id,
    card: source.card,
    hash: source.hash,
    rows,
    keys,
    records,
    columns,
    leftOut: (await storedReport(database, source.id)).left_out,
  });
}

/** A column without limits has none to read. */
function namesRead(column: Column, names: PhysicalColumn): string[] {
  if (names.u === undefined) return [names.value];
  return column.card.limit === undefined ? [names.value, names.u] : [names.value, names.u, names.limit!];
}

function emptyColumn(id: string, card: Card["columns"][string], rows: number): Column {
  if (card.type === "text")
    return { type: "text", id, card, values: new Array<string | null>(rows).fill(null) };
  if (card.type === "flag") return { type: "flag", id, card, values: new Uint8Array(rows) };
  const { type } = card;
  return {
    type,
    id,
    card,
    values: new Float64Array(rows),
    u: new Float64Array(rows),
    limit: new Int8Array(rows),
  };
}

interface Fillable<T> {
  [index: number]: T;
}

function fill<T>(target: Fillable<T>, from: number, values: readonly T[]): void {
  for (let i = 0; i < values.length; i++) target[from + i] = values[i]!;
}

/** Copies one chunk of a column; gives how many physical columns it took. */
function fillColumn(column: Column, row: number, get: (offset: number) => readonly unknown[]): number {
  if (column.type === "text") {
    fill(column.values as (string | null)[], row, get(0) as (string | null)[]);
    return 1;
  }
  if (column.type === "flag") {
    const values = get(0) as (boolean | null)[];
    for (let i = 0; i < values.length; i++)
      column.values[row + i] = values[i] === null ? 2 : Number(values[i]);
    return 1;
  }
  fillNumbers(column.values, row, get(0) as (number | null)[]);
  fillNumbers(column.u, row, get(1) as (number | null)[]);
  if (column.card.limit === undefined) return 2;
  fill(column.limit, row, get(2) as number[]);
  return 3;
}

function fillNumbers(target: Float64Array, row: number, values: readonly (number | null)[]): void {
  for (let i = 0; i < values.length; i++) target[row + i] = values[i] ?? Number.NaN;
}

/** DuckDB orders text by its UTF-8 bytes, which differs from code units beyond the basic plane only. */
function inCodeUnitOrder(table: UnnamedTable): UnnamedTable {
  const { keys, rows } = table;
  if (keys.every((key, i) => i === 0 || compareText(keys[i - 1]!, key) < 0)) return table;
  const order = Array.from({ length: rows }, (_, i) => i).sort((a, b) => compareText(keys[a]!, keys[b]!));
  const floats = (values: Float64Array): Float64Array => Float64Array.from(order, (i) => values[i]!);
  return {
    ...table,
    keys: order.map((i) => keys[i]!),
    records: Int32Array.from(order, (i) => table.records[i]!),
    columns: table.columns.map((c): Column => {
      if (c.type === "text") return { ...c, values: order.map((i) => c.values[i]!) };
      if (c.type === "flag") return { ...c, values: Uint8Array.from(order, (i) => c.values[i]!) };
      return {
        ...c,
        values: floats(c.values),
        u: floats(c.u),
        limit: Int8Array.from(order, (i) => c.limit[i]!),
      };
    }),
  };
}

/** A class of entities whose declared total was counted in the table. */
export interface ClassCount {
  readonly where: readonly Condition[];
  readonly total: number;
  /** Rows for which `where` holds. */
  readonly present: number;
  /** Records that were left out and may belong to it. */
  readonly leftOut: number;
  readonly source: string;
}

const counted = new WeakMap<Table, readonly ClassCount[]>();

/** Every class that the card declares complete, with what the table really has of it. */
export function classCounts(table: Table): readonly ClassCount[] {
  let counts = counted.get(table);
  if (counts === undefined) {
    counts = table.card.complete.map((c, i) => ({
      ...c,
      present: countRows(table, c.where),
      leftOut: table.leftOut?.[i] ?? 0,
    }));
    counted.set(table, counts);
  }
  return counts;
}

/** The classes that are complete indeed: as many rows as the known total, and no record left out that may be of them. */
export function completeClasses(table: Table): readonly ClassCount[] {
  return classCounts(table).filter((c) => c.present === c.total && c.leftOut === 0);
}

function countRows(table: Table, where: readonly Condition[]): number {
  let count = 0;
  for (let row = 0; row < table.rows; row++) {
    if (where.every((c) => holds(c, valueAt(table.columns.get(c.column)!, row)) === true)) count++;
  }
  return count;
}
