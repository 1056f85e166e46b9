import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { kindOf } from "../datasets/admission.js";
import type { TrajectoryRecord } from "../datasets/schema/index.js";
import type { OwnAdapters } from "../sources/adapters/adapter.js";
import { readRecords } from "../sources/adapters/index.js";
import { type FoundCard, findCard } from "../sources/cards.js";
import { fieldsOfColumn } from "../sources/cells.js";
import { problemColumns } from "../sources/problem-card.js";
import { openSnapshot } from "../sources/snapshot.js";
import type { RejectedItem, Row } from "../stages/stage.js";
import { fail } from "./base/errors.js";
import { listedFile } from "./dataset-file.js";
import { conversationsOf } from "./explain-rollouts.js";
import type { Manifest } from "./manifest.js";
import { readManifest } from "./manifest-file.js";
import { readId } from "./review/fields.js";
import { openRunDir } from "./run-dir.js";
import { rejectionsIn } from "./store.js";
import { missingColumn, readingOf, sourceColumns } from "./task-columns.js";
import { tasksOf } from "./tasks.js";

/** The cells of one source record that a task rests on, as the snapshot writes them. */
export interface SourceRecord {
  readonly table: string;
  readonly key: string;
  readonly record: number;
  readonly snapshot: string;
  readonly sha256: string;
  /** Column id to the raw texts it is read from. */
  readonly cells: Readonly<Record<string, readonly (string | null)[]>>;
}

/** One task's whole life: an accepted row with its source records, or where and why it ended. */
export type Explanation =
  | {
      readonly kind: "accepted";
      readonly row: Row;
      readonly sources: readonly SourceRecord[];
      /** Of the rollouts that were asked for, segment by segment; absent where none was. */
      readonly conversations?: readonly TrajectoryRecord[];
    }
  | {
      readonly kind: "rejected";
      readonly id: string;
      readonly instance: string;
      readonly rejection: RejectedItem;
    };

/**
 * Explains a task of a dataset by its id, or by a prefix of it that no other task shares; `task-` may stand before it, as in review sheets.
 * Rejected rows are found in the run store, as long as it is there.
 * @param rollout whose conversations are read too: one by number, id or `<instance>/<draw>`, or `all`
 * @throws TaskmillError (usage) when no row has the id, or the row no such rollout.
 */
export async function explain(
  dir: string,
  id: string,
  adapters: OwnAdapters = new Map(),
  rollout?: string,
): Promise<Explanation> {
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  for (const name of namesOf(id)) {
    const row = await findRow(path, name);
    if (row !== undefined) {
      const sources = await sourceRecords(path, manifest, row, adapters);
      if (rollout === undefined) return { kind: "accepted", row, sources };
      return { kind: "accepted", row, sources, conversations: await conversationsOf(path, row, rollout) };
    }
    const rejected = await findRejected(path, manifest, name);
    if (rejected !== undefined) return rejected;
  }
  return fail(
    "usage",
    "unknown_task",
    `no task ${id} is in ${dir}`,
    "task ids are in pools/tasks.parquet and in report.html",
  );
}

/** The id as given, since a problem's own id may begin with `task-`, and as a review sheet shows it. */
function namesOf(id: string): string[] {
  return [...new Set([id, readId(id)])].filter((name) => name !== "");
}

async function findRow(path: string, id: string): Promise<Row | undefined> {
  const found: Row[] = [];
  for await (const row of tasksOf(path)) if (row.id.startsWith(id)) found.push(row);
  const exact = found.find((row) => row.id === id);
  if (exact !== undefined || found.length < 2) return exact ?? found[0];
  const some = found.slice(0, 5).map((row) => row.id);
  const message = `${found.length} tasks begin with ${id}`;
  return fail("usage", "ambiguous_id", message, `give more digits: ${some.join(", ")}`);
}

async function findRejected(path: string, manifest: Manifest, id: string): Promise<Explanation | undefined> {
  const file = join(path, "run.duckdb");
  // No link, which may lead anywhere, and no FIFO, which would be waited for.
  if (!(await lstat(file).catch(() => undefined))?.isFile()) return undefined;
  for await (const { instance, line } of rejectionsIn(file)) {
    if (!line.includes(id) || !manifest.stages.some((s) => s.id === instance)) continue;
    const rejection = JSON.parse(line) as RejectedItem;
    if (String(rejection.ref) === id) return { kind: "rejected", id, instance, rejection };
  }
  return undefined;
}

interface Used {
  readonly table: string;
  readonly key: string;
  readonly record: number;
  /** Undefined: those that the card maps to parts of a problem. */
  readonly columns: ReadonlySet<string> | undefined;
}

/** Entities and columns that a row's answer rests on. */
function usedCells(row: Row): Used[] {
  if (kindOf(row) === "problem") {
    const { name, index } = row.origin as { name: string; index: number };
    return [{ table: name, key: row.id, record: index, columns: undefined }];
  }
  const used = new Map<string, Used & { columns: Set<string> }>();
  const add = (entity: { table: string; key: string; record: number }, columns: readonly string[]) => {
    const name = `${entity.table}\n${entity.key}`;
    const entry = used.get(name) ?? { ...entity, columns: new Set<string>() };
    for (const column of columns) entry.columns.add(column);
    used.set(name, entry);
  };
  const task = readingOf(row);
  if (task === undefined) {
    const message = `task ${row.id} has not the form of a task`;
    return fail("verification", "row_unreadable", message, "`pipeline verify` says what else is wrong");
  }
  const { program, selection, aggregate, inputs } = task;
  const { where, select, other } = program;
  const columns = (of: readonly { readonly column: string }[]) =>
    of.flatMap(({ column }) => sourceColumns(program, column));
  if (selection !== undefined)
    add(selection.entity, columns([...where, ...(select === undefined ? [] : [select])]));
  if (other !== undefined && selection?.other !== undefined)
    add(selection.other.entity, columns([...other.where, other.select]));
  for (const { entity, column } of Object.values(inputs)) {
    if (entity !== undefined) add(entity, [column]);
    else
      for (const member of aggregate?.members ?? [])
        add({ table: program.table, ...member }, [column, ...columns(where)]);
  }
  return [...used.values()];
}

async function sourceRecords(
  dir: string,
  manifest: Manifest,
  row: Row,
  adapters: OwnAdapters,
): Promise<SourceRecord[]> {
  const used = usedCells(row);
  const tables = [...Object.keys(row.snapshots as object), ...used.map(({ table }) => table)];
  const cards = await cardsOf(dir, manifest, new Set(tables));
  const missing = missingColumn(row, new Map([...cards].map(([id, { card }]) => [id, card])));
  if (missing !== undefined)
    fail("verification", "column_missing", missing, "`pipeline verify` says what else is wrong");
  return Promise.all(used.map((one) => sourceRecord(manifest, one, cards.get(one.table)!, adapters)));
}

/** The cards of tables, each with its snapshot as the run wrote it. */
async function cardsOf(
  dir: string,
  manifest: Manifest,
  tables: ReadonlySet<string>,
): Promise<Map<string, FoundCard>> {
  const cards = new Map<string, FoundCard>();
  for (const id of tables) {
    const listed = manifest.sources.find((s) => s.id === id);
    if (listed === undefined) {
      const message = `the task is about the table ${id}, which the manifest does not list`;
      return fail("verification", "source_not_listed", message, "`pipeline verify` says what else is wrong");
    }
    for (const file of [listed.card, listed.snapshot]) await listedFile(dir, file);
    cards.set(id, await findCard(`./${listed.card.file}`, dir));
  }
  return cards;
}

async function sourceRecord(
  manifest: Manifest,
  used: Used,
  { card, snapshot }: FoundCard,
  adapters: OwnAdapters,
): Promise<SourceRecord> {
  const columns = [...(used.columns ?? problemColumns(card))].map((id) => ({
    id,
    fields: fieldsOfColumn(card.columns[id]!),
  }));
  const wanted = [...new Set(columns.flatMap((c) => c.fields))];
  const texts = await rawRecord(snapshot, card.snapshot.read, wanted, used.record, adapters);
  const cells = Object.fromEntries(
    columns.map((c) => [c.id, c.fields.map((f) => texts?.[wanted.indexOf(f)] ?? null)]),
  );
  const { table, key, record } = used;
  const { file, sha256 } = manifest.sources.find((s) => s.id === table)!.snapshot;
  return { table, key, record, snapshot: file, sha256, cells };
}

async function rawRecord(
  path: string,
  options: Parameters<typeof readRecords>[0]["options"],
  wanted: readonly string[],
  number: number,
  adapters: OwnAdapters,
): Promise<readonly (string | null)[] | undefined> {
  for await (const batch of readRecords({ snapshot: await openSnapshot(path), options, wanted }, adapters)) {
    const found = batch.records.find((r) => r.record === number);
    if (found !== undefined) return found.fields;
  }
  return undefined;
}
