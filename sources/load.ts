import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { hashOf } from "../pipeline/base/canonical.js";
import type { OwnAdapters } from "./adapters/adapter.js";
import { readRecords } from "./adapters/index.js";
import { type Card, NOT_LOCKED } from "./card.js";
import type { Value } from "./conditions.js";
import type { Database } from "./duckdb.js";
import { loadPlainCsv } from "./fast-csv.js";
import {
  columnDefinitions,
  type Load,
  layoutOf,
  loadedSources,
  type PhysicalColumn,
  type PhysicalTable,
  registerSource,
  storedReport,
} from "./layout.js";
import { excerpt, sourceError } from "./problems.js";
import { fieldsOfCard, RecordReader } from "./records.js";
import { RowWriter } from "./row-writer.js";
import { fileSha256, openSnapshot, type Snapshot } from "./snapshot.js";
import type { IngestReport } from "./table.js";
import { Tally } from "./tally.js";

/** Raised when the same card and snapshot would give another table: part of every table's hash. */
const LOADER_VERSION = 1;

/** Names a table's very data: its card, but for what it says about solvers' ways and its origin, and the snapshot that it pins. */
export function tableHash({ mirrors: _, reach: __, fetch: ___, ...card }: Card): string {
  return hashOf({ loader: LOADER_VERSION, card, snapshot: card.snapshot.sha256 });
}

/** The snapshot of a card in folder `folder`. @throws TaskmillError (source) when it would lie outside. */
export function snapshotPath(card: Card, folder: string): string {
  const path = resolve(folder, card.snapshot.file);
  const inside = relative(folder, path);
  // A link may lie inside and lead out.
  const really = existsSync(path) ? relative(realpathSync(folder), realpathSync(path)) : inside;
  if (leadsOut(inside) || leadsOut(really)) {
    sourceError(
      "snapshot_outside",
      `the snapshot of ${card.id}, ${card.snapshot.file}, lies outside the card's folder`,
      {
        hint: "put the snapshot beside its card",
      },
    );
  }
  return join(folder, inside);
}

function leadsOut(inside: string): boolean {
  return inside === "" || inside.startsWith(`..${sep}`) || inside === ".." || isAbsolute(inside);
}

export interface LoadOptions {
  readonly signal?: AbortSignal;
  /** Adapters of the user's own. */
  readonly adapters?: OwnAdapters;
}

/**
 * Loads one source into the run store: checks the snapshot's hash, reads its records through the card and leaves a table
 * that {@link layoutOf} describes. A source that is there already under the same hash is not read again; one under another
 * hash is replaced. All or nothing: until a load is complete the table does not count, and a failed one is dropped.
 * @throws TaskmillError (source) for a snapshot that is missing, changed or damaged, and where the card's policy says `fail`.
 */
export async function loadSource(
  card: Card,
  path: string,
  database: Database,
  { signal, adapters }: LoadOptions = {},
): Promise<IngestReport> {
  const hash = tableHash(card);
  const known = await loadedSources(database);
  const old = known.find((s) => s.id === card.id);
  const snapshot = await openSnapshot(path);
  await checkHash(card, snapshot);
  // The same data under another card (its mirrors were changed) is loaded again: the card is stored with it.
  if (old?.hash === hash && JSON.stringify(old.card) === JSON.stringify(card)) {
    const report = await storedReport(database, card.id);
    // A store of an earlier version does not know what was left out.
    if (report.left_out !== undefined) return report;
  }
  const number = Math.max(0, ...known.map((s) => s.number + 1));
  const layout = layoutOf(card, number);
  try {
    const report = await load({ card, snapshot, database, layout, signal, adapters });
    await registerSource(database, { number, id: card.id, hash, card }, report);
    return report;
  } catch (error) {
    await database.run(`DROP TABLE IF EXISTS ${layout.table}`);
    throw error;
  }
}

async function checkHash(card: Card, snapshot: Snapshot): Promise<void> {
  const found = await fileSha256(snapshot.path);
  if (found === card.snapshot.sha256) return;
  if (card.snapshot.sha256 === NOT_LOCKED) {
    sourceError("not_locked", `the card of ${card.id} does not pin its snapshot ${snapshot.name} yet`, {
      hint: "`pipeline sources lock CARD` writes its hash into the card",
      location: { file: snapshot.path },
    });
  }
  sourceError(
    "snapshot_changed",
    `the snapshot of ${card.id} is not the one that its card pins: the card says ${card.snapshot.sha256}, ${snapshot.name} has ${found}`,
    {
      hint: "restore the file, or check the new one and put its hash into the card",
      location: { file: snapshot.path },
    },
  );
}

async function load(task: Load): Promise<IngestReport> {
  const { card, database, layout } = task;
  const tally = new Tally(card.complete);
  const plain = await loadPlainCsv(task);
  if (plain === undefined) await loadByRecords(task, tally);
  else tally.records = plain.records;
  await settleDuplicates(card, database, layout, tally);
  const [row] = await database.rows(`SELECT count(*) FROM ${layout.table}`);
  return tally.report(card.id, Number(row![0]));
}

/** The long way: an adapter takes the records apart, the card is applied to each. Replaces the table. */
export async function loadByRecords(
  { card, snapshot, database, layout, signal, adapters = new Map() }: Load,
  tally: Tally,
): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${layout.table} (${columnDefinitions(layout)})`);
  const wanted = fieldsOfCard(card);
  const reader = new RecordReader(card, snapshot, tally, wanted);
  const writer = await RowWriter.open(database, layout);
  try {
    for await (const batch of readRecords({ snapshot, options: card.snapshot.read, wanted }, adapters)) {
      signal?.throwIfAborted();
      for (const away of batch.turnedAway) reader.refuse(away);
      for (const raw of batch.records) {
        const row = reader.read(raw);
        if (row !== undefined) writer.write(row);
      }
    }
    writer.flush();
  } finally {
    writer.close();
  }
}

/** Records that share a key cannot be told apart: all of them go, so that their order decides nothing. */
async function settleDuplicates(
  card: Card,
  database: Database,
  layout: PhysicalTable,
  tally: Tally,
): Promise<void> {
  const { table, columns } = layout;
  const asked = [...new Set(card.complete.flatMap((c) => c.where.map((w) => w.column)))];
  const values = asked.map((id) => valueSql(columns.get(id)!));
  const repeated = `SELECT key FROM ${table} GROUP BY key HAVING count(*) > 1`;
  const rows = await database.rows(
    `SELECT ${["key", "record", ...values].join(", ")} FROM ${table} WHERE key IN (${repeated}) ORDER BY record`,
  );
  if (rows.length === 0) return;
  if (card.on_duplicate_key === "fail") {
    const [key] = rows[0]!;
    const records = rows.filter((r) => r[0] === key).map((r) => r[1]);
    sourceError(
      "duplicate_key",
      `${card.id} has ${rows.length} records that share their key with another, e.g. ${JSON.stringify(key)} in records ${records.slice(0, 5).join(", ")}`,
      {
        hint: "choose a key that is unique, or set `on_duplicate_key: reject_row` to leave all such records out",
      },
    );
  }
  for (const [key, record, ...cells] of rows) {
    const text = excerpt(String(key));
    tally.leave(
      { reason: "duplicate_key", record: Number(record), column: card.key, text },
      (column) => cells[asked.indexOf(column)] as Value,
    );
  }
  await database.run(`DELETE FROM ${table} WHERE key IN (${repeated})`);
}

/** A bound is no value. */
function valueSql({ value, limit }: PhysicalColumn): string {
  return limit === undefined ? value : `CASE WHEN ${limit} = 0 THEN ${value} END`;
}
