import type { DuckDBValue } from "duckdb";
import type { Json } from "../base/canonical.js";
import { type Aspect, aspectOf, comparedColumns, TASK_POOLS, type TaskPool, TOLD } from "./aspects.js";
import { type Bench, columnsOf } from "./bench.js";
import type { CellRef } from "./cells.js";
import { MADE, type MadePool } from "./members.js";
import type { Side } from "./side.js";

/** Where a row comes from. */
export interface Origin {
  readonly stage: string;
  readonly kind: string;
  readonly name: string;
  readonly index: number | null;
}

/** A row that only one of the datasets has, with what looking for a cause takes. */
export interface OnlyRow {
  readonly id: string;
  readonly pool: TaskPool;
  readonly question: string;
  readonly origin: Origin;
  readonly program: Json;
  readonly formula: Json;
  readonly derived: Json | undefined;
  readonly cells: readonly CellRef[];
  /** Ids of the tables that it reads, with the hash of each. */
  readonly snapshots: Readonly<Record<string, string>>;
  /** The id that it would have in the other dataset; null where ids are made otherwise. */
  readonly alias: string | null;
  readonly key: string;
}

const ONLY: Readonly<Record<TaskPool, readonly string[]>> = {
  tasks: [
    "question",
    "origin",
    "snapshots",
    "hidden_program",
    "hidden_formula",
    "hidden_provenance",
    "hidden_rest",
  ],
  problems: ["question", "origin", "snapshots"],
};

/** The rows of one dataset that have no counterpart, in order, a chunk in memory at a time. */
export async function* onlyRows(bench: Bench, side: Side, pool: TaskPool): AsyncGenerator<OnlyRow> {
  const file = side.files.get(pool);
  if (file === undefined) return;
  const { columns } = await columnsOf(bench, side, pool, ONLY[pool]);
  const table = `${pool}_only_${side.name}`;
  await bench.database.run(
    `CREATE TABLE ${table}_rows AS SELECT o.m, o.id, o.alias, o.key, ${asJson(columns, "r")} AS json
     FROM read_parquet($1) r JOIN (SELECT *, row_number() OVER (ORDER BY n) - 1 AS m FROM ${table}) o ON r.task_id = o.id`,
    [file],
  );
  for await (const [, id, alias, key, json] of inOrder(bench, `${table}_rows`)) {
    const row = JSON.parse(String(json)) as Columns;
    yield {
      id: String(id),
      pool,
      question: String(row.question),
      origin: row.origin as unknown as Origin,
      program: inner(row.hidden_program),
      formula: inner(row.hidden_formula),
      derived: (inner(row.hidden_rest) as { readonly derived?: Json } | null)?.derived,
      cells: cellsIn(row.hidden_provenance),
      snapshots: snapshotsIn(row.snapshots),
      alias: alias === null ? null : String(alias),
      key: String(key),
    };
  }
}

type Columns = Readonly<Record<string, Json | undefined>>;

function asJson(columns: readonly string[], table: string): string {
  return `to_json({${columns.map((column) => `${column}: ${table}."${column}"`).join(", ")}})::VARCHAR`;
}

/** JSON that a column holds as text. */
function inner(text: Json | undefined): Json {
  return typeof text === "string" ? (JSON.parse(text) as Json) : null;
}

function cellsIn(provenance: Json | undefined): CellRef[] {
  return ((provenance ?? []) as unknown as CellRef[]).map(({ table, key, column }) => ({
    table,
    key,
    column,
  }));
}

function snapshotsIn(listed: Json | undefined): Record<string, string> {
  const pairs = (listed ?? []) as unknown as readonly { readonly table: string; readonly hash: string }[];
  return Object.fromEntries(pairs.map(({ table, hash }) => [table, hash]));
}

/** A row that both datasets have, and that is not the same in them. */
export interface ChangedRow {
  readonly a: string;
  readonly b: string;
  readonly pool: TaskPool;
  readonly by: "id" | "program";
  /** Columns that differ, by aspect. */
  readonly columns: ReadonlyMap<Aspect, readonly string[]>;
  /** The columns of the aspects of which every difference is told, and those that causes are looked up by. */
  readonly left: Columns;
  readonly right: Columns;
  readonly cells: readonly CellRef[];
  readonly snapshots: Readonly<Record<string, string>>;
  /** How many rows it has in the pools made from tasks, and whether what is in them differs. */
  readonly members: { readonly a: Members; readonly b: Members; readonly content: boolean };
}
export type Members = Readonly<Record<MadePool, number>>;

/** Changed rows in the order of the first dataset, some thousand in memory at a time. */
export async function* changedRows(bench: Bench, pool: TaskPool): AsyncGenerator<ChangedRow> {
  const { a, b, database } = bench;
  if (!a.files.has(pool) || !b.files.has(pool)) return;
  const compared = comparedColumns(TASK_POOLS[pool]);
  await diffTable(bench, pool, compared);
  const wanted = compared.filter((column) => TOLD.has(aspectOf(column)) || WITNESSES.has(column));
  for (const side of [a, b]) {
    const { columns } = await columnsOf(bench, side, pool, wanted);
    await database.run(
      `CREATE TABLE ${pool}_rows_${side.name} AS SELECT c.m, c.a, c.b, c.matched, c.bits, c.members, ${asJson(columns, "r")} AS json
       FROM read_parquet($1) r JOIN ${pool}_changed c ON r.task_id = c.${side.name}`,
      [side.files.get(pool)!],
    );
  }
  const others = inOrder(bench, `${pool}_rows_b`);
  for await (const [, one, other, matched, bits, members, json] of inOrder(bench, `${pool}_rows_a`)) {
    const left = JSON.parse(String(json)) as Columns;
    const right = JSON.parse(String((await others.next()).value?.[6])) as Columns;
    yield {
      a: String(one),
      b: String(other),
      pool,
      by: matched === "id" ? "id" : "program",
      columns: byAspect(compared, String(bits)),
      left,
      right,
      cells: [...cellsIn(left.hidden_provenance), ...cellsIn(right.hidden_provenance)],
      snapshots: snapshotsIn(left.snapshots),
      members: JSON.parse(String(members)) as ChangedRow["members"],
    };
  }
}

/** Rows that are read at once. */
const BATCH = 2000;

/** The rows of a table in the order of its column m, which counts from 0: a sort of all of them would hold all of them. */
async function* inOrder({ database }: Bench, table: string): AsyncGenerator<DuckDBValue[]> {
  for (let first = 0; ; first += BATCH) {
    const rows = await database.rows(`SELECT * FROM ${table} WHERE m >= $1 AND m < $2 ORDER BY m`, [
      first,
      first + BATCH,
    ]);
    yield* rows;
    if (rows.length < BATCH) return;
  }
}

/** Columns by which causes are found. */
const WITNESSES = new Set([
  "hidden_provenance",
  "snapshots",
  "hidden_program",
  "hidden_formula",
  "hidden_entity_key",
  "origin",
]);

/** `<pool>_changed`: the pairs that differ in a compared column (bits has a 1 for each that does) or in the pools made from them. */
async function diffTable({ database }: Bench, pool: TaskPool, compared: readonly string[]): Promise<void> {
  const bits = compared.map((_, i) => `CASE WHEN a.h${i} = b.h${i} THEN '0' ELSE '1' END`).join(" || ");
  const counts = (table: string) => `{${MADE.map((p) => `${p}: coalesce(${table}.${p}, 0)`).join(", ")}}`;
  await database.run(
    `CREATE OR REPLACE TABLE ${pool}_changed AS SELECT row_number() OVER (ORDER BY n) - 1 AS m, a, b, matched, bits, members FROM (
       SELECT p.n, p.a, p.b, p.matched, ${bits} AS bits, ${counts("ma")} AS left_, ${counts("mb")} AS right_,
         coalesce(ma.content, 0) <> coalesce(mb.content, 0) AS refilled,
         to_json({a: left_, b: right_, content: refilled})::VARCHAR AS members
       FROM ${pool}_pairs p
       JOIN ${pool}_a a ON a.id = p.a JOIN ${pool}_b b ON b.id = p.b
       LEFT JOIN members_a ma ON ma.id = p.a LEFT JOIN members_b mb ON mb.id = p.b)
     WHERE matched <> 'id' OR contains(bits, '1') OR refilled OR left_ <> right_`,
  );
}

function byAspect(compared: readonly string[], bits: string): Map<Aspect, string[]> {
  const found = new Map<Aspect, string[]>();
  for (const [i, column] of compared.entries()) {
    if (bits[i] !== "1") continue;
    const aspect = aspectOf(column);
    found.set(aspect, [...(found.get(aspect) ?? []), column]);
  }
  return found;
}
