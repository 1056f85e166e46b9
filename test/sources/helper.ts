import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type TaskmillError, TaskmillError as Thrown } from "../../pipeline/base/errors.js";
import { type Card, cardSchema } from "../../sources/card.js";
import { loadCatalog } from "../../sources/catalog.js";
import { type Database, openDatabase } from "../../sources/duckdb.js";
import { loadSource } from "../../sources/load.js";
import { fileSha256 } from "../../sources/snapshot.js";
import type { FlagColumn, IngestReport, NumberColumn, Table, TextColumn } from "../../sources/table.js";
import { LEAST_CARD } from "../fixtures/least-card.js";

/** Tests write broken files here. */
export const folder = mkdtempSync(join(tmpdir(), "taskmill-sources-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

/** Writes a snapshot; gives its path. */
export function snapshotFile(content: string | Uint8Array, name = "data"): string {
  const path = join(folder, `${name}-${files++}`);
  writeFileSync(path, content);
  return path;
}

type Spec = Record<string, unknown>;

/** Short forms of columns for tests. */
export const text = (from: unknown, more: Spec = {}): Spec => ({
  from,
  type: "text",
  scale: "nominal",
  ...more,
});
export const number = (from: unknown, more: Spec = {}): Spec => ({
  from,
  type: "number",
  scale: "ratio",
  unit: "1",
  uncertainty: { rounding: true },
  ...more,
});
export const integer = (from: unknown, more: Spec = {}): Spec =>
  number(from, { type: "integer", scale: "count", ...more });
export const flag = (from: unknown, more: Spec = {}): Spec => ({
  from,
  type: "flag",
  scale: "flag",
  flag: { true: ["true"], false: ["false"] },
  ...more,
});

/** A card with the least that a card needs; `id` is the key. */
export function cardOf(spec: Spec): Card {
  return cardSchema.parse({
    ...LEAST_CARD,
    ...spec,
  });
}

export interface Loaded {
  readonly report: IngestReport;
  readonly table: Table;
}

/** One database serves all loads of a test file: each replaces the table of the one before. */
let shared: Promise<Database> | undefined;
afterAll(async () => (await shared)?.close());

/** Loads a file's content through a card whose hash is filled in. */
export async function load(content: string | Uint8Array, spec: Spec & { read: Spec }): Promise<Loaded> {
  shared ??= openDatabase(":memory:", { folders: [folder], threads: 2 });
  return loadInto(await shared, content, spec);
}

export async function loadInto(
  database: Database,
  content: string | Uint8Array,
  { read, ...spec }: Spec & { read: Spec },
): Promise<Loaded> {
  const path = snapshotFile(content);
  const card = cardOf({ ...spec, snapshot: { file: "data", sha256: await fileSha256(path), read } });
  const report = await loadSource(card, path, database);
  const catalog = await loadCatalog(database);
  return { report, table: catalog.tables.get(card.id)! };
}

/** The one error that a load must end in. */
export async function failure(loading: Promise<unknown>): Promise<TaskmillError> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof Thrown) return error;
    throw error;
  }
  throw new Error("it loaded");
}

export const numbers = (table: Table, id: string): number[] => [
  ...(table.columns.get(id) as NumberColumn).values,
];
export const us = (table: Table, id: string): number[] => [...(table.columns.get(id) as NumberColumn).u];
export const limits = (table: Table, id: string): number[] => [
  ...(table.columns.get(id) as NumberColumn).limit,
];
export const texts = (table: Table, id: string): (string | null)[] => [
  ...(table.columns.get(id) as TextColumn).values,
];
export const flags = (table: Table, id: string): number[] => [
  ...(table.columns.get(id) as FlagColumn).values,
];

/** records = loaded + Σ rejected, and the table holds what the report says. */
export function conserved({ report, table }: Loaded): boolean {
  const rejected = Object.values(report.rejected).reduce((sum, n) => sum + n, 0);
  return report.records === report.loaded + rejected && report.loaded === table.rows;
}
