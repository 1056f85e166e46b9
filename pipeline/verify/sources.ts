import { join } from "node:path";
import type { OwnAdapters } from "../../sources/adapters/adapter.js";
import { type FoundCard, findCard } from "../../sources/cards.js";
import { loadCatalog } from "../../sources/catalog.js";
import { type Database, openDatabase } from "../../sources/duckdb.js";
import { loadSource } from "../../sources/load.js";
import type { Catalog } from "../../sources/table.js";
import { TaskmillError } from "../base/errors.js";
import { describeFile, oddity, pathIn } from "../files.js";
import type { Manifest } from "../manifest.js";
import type { Finding } from "./finding.js";

/** The dataset's own copies of its sources, loaded into a database in memory. */
export interface Reloaded {
  readonly database: Database;
  readonly catalog: Catalog;
}

/**
 * Reads cards and snapshots that lie in the dataset, checks their hashes against the cards and the manifest, and loads them.
 * Without all of them nothing can be derived again, and `reloaded` is undefined.
 */
export async function reloadSources(
  dir: string,
  manifest: Manifest,
  adapters: OwnAdapters,
): Promise<{ findings: Finding[]; reloaded?: Reloaded }> {
  const findings: Finding[] = [];
  const say = (code: string, where: string, message: string) =>
    findings.push({ check: "sources", code, where, message });
  for (const { id, card, snapshot } of manifest.sources) {
    for (const [what, listed] of [
      ["card", card],
      ["snapshot", snapshot],
    ] as const) {
      const found = await describeFile(dir, listed.file);
      if (found === undefined)
        say(`${what}_missing`, id, `${listed.file} ${await oddity(pathIn(dir, listed.file))}`);
      else if (found.sha256 !== listed.sha256) {
        say(
          `${what}_changed`,
          id,
          `${listed.file} has sha256 ${found.sha256}, the manifest says ${listed.sha256}`,
        );
      }
    }
  }
  let database: Database | undefined;
  try {
    const cards = await Promise.all(manifest.sources.map((s) => findCard(`./${s.card.file}`, dir)));
    database = await openDatabase(":memory:", {
      folders: manifest.sources.map((s) => join(dir, "sources", s.id)),
    });
    for (const found of cards) await reload(found, database, manifest, adapters, say);
    const catalog = await loadCatalog(database);
    for (const { id, table, rows } of manifest.sources) {
      const now = catalog.tables.get(id);
      if (now === undefined) say("source_renamed", id, "no card in the dataset has this id");
      else if (now.hash !== table)
        say("table_hash_differs", id, `card and snapshot give ${now.hash}, the manifest says ${table}`);
      else if (now.rows !== rows)
        say("table_rows_differ", id, `${now.rows} rows load, the manifest says ${rows}`);
    }
    return { findings, reloaded: { database, catalog } };
  } catch (error) {
    database?.close();
    if (!(error instanceof TaskmillError)) throw error;
    for (const problem of error.problems)
      say(problem.code, problem.location?.file ?? "sources", problem.message);
    return { findings };
  }
}

async function reload(
  { card, snapshot }: FoundCard,
  database: Database,
  manifest: Manifest,
  adapters: OwnAdapters,
  say: (code: string, where: string, message: string) => void,
): Promise<void> {
  const report = await loadSource(card, snapshot, database, { adapters });
  const listed = manifest.sources.find((s) => s.id === card.id);
  if (listed === undefined) return say("source_added", card.id, "the manifest has no such source");
  if (report.records !== listed.records || report.loaded !== listed.loaded) {
    say(
      "ingest_differs",
      card.id,
      `${report.records} records and ${report.loaded} rows, the manifest says ${listed.records} and ${listed.loaded}`,
    );
  }
}
