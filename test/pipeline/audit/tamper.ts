import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type LedgerRecord,
  ledgerTable,
  type TaskRecord,
  tasksPool,
} from "../../../datasets/schema/index.js";
import { type TaskRow, taskRecord } from "../../../datasets/task-record.js";
import { writePool, writeTable } from "../../../datasets/write.js";
import { describeFile } from "../../../pipeline/files.js";
import { readManifest } from "../../../pipeline/manifest-file.js";
import { findCards } from "../../../sources/cards.js";
import { ledgerIn, tasksIn } from "./dataset.js";

/** What somebody could do to a finished dataset. */

/** The manifest's hashes, made to fit what lies there now. */
export async function fitHashes(dir: string): Promise<void> {
  const path = join(dir, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { files: { file: string; sha256: string }[] };
  for (const listed of manifest.files) listed.sha256 = (await describeFile(dir, listed.file))!.sha256;
  writeFileSync(path, JSON.stringify(manifest));
}

let copies = 0;

/** A copy to be spoilt. */
export function copyOf(dir: string): string {
  const copy = `${dir}-copy-${copies++}`;
  cpSync(dir, copy, { recursive: true });
  return copy;
}

export async function changeTasks(dir: string, change: (tasks: TaskRecord[]) => TaskRecord[]): Promise<void> {
  await writePool(dir, tasksPool, change(await tasksIn(dir)));
}

export async function changeLedger(
  dir: string,
  change: (record: LedgerRecord) => LedgerRecord | undefined,
): Promise<void> {
  const records = (await ledgerIn(dir)).map(change).filter((r) => r !== undefined);
  await writeTable(dir, "ledger.parquet", ledgerTable, records);
}

interface Kept {
  probe?: { samples: Sample[]; k: number; power?: object[] };
  solve?: { samples: Sample[] };
}
export interface Sample {
  call: string;
  outcome: string;
  reason: string;
  answer: string | null;
}

export function evidenceIn({ hidden_evidence }: LedgerRecord): Kept {
  return JSON.parse(hidden_evidence) as Kept;
}

export function withEvidence(record: LedgerRecord, change: (evidence: Kept) => void): LedgerRecord {
  const evidence = evidenceIn(record);
  change(evidence);
  return { ...record, hidden_evidence: JSON.stringify(evidence) };
}

interface Line {
  key?: string;
  calls?: number;
  reply?: { text: string; reasoning: string };
  identity?: { messages: { role: string; content: string }[] };
}

/** Rewrites a shipped cassette; its header and the order of its keys are made to fit. */
export function changeCassette(dir: string, change: (line: Line) => Line | undefined): void {
  const path = join(dir, "cassette.ndjson");
  const [header, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  const kept = lines
    .map((line) => change(JSON.parse(line) as Line))
    .filter((line) => line !== undefined)
    .sort((a, b) => (a.key! < b.key! ? -1 : 1));
  const head = { ...(JSON.parse(header!) as Line), calls: kept.length };
  writeFileSync(path, `${[head, ...kept].map((line) => JSON.stringify(line)).join("\n")}\n`);
}

/** The row that a gate turned away as a record of the tasks pool, as if it had passed them all. */
export async function smuggled(dir: string, record: LedgerRecord): Promise<TaskRecord> {
  const row = JSON.parse(record.hidden_row) as TaskRow;
  const passed = ["closed_book", "solve"].map((gate) => ({
    gate,
    status: "passed" as const,
    why: "none right",
  }));
  const gates = [...row.gates.filter(({ gate }) => !passed.some((p) => p.gate === gate)), ...passed];
  const manifest = await readManifest(dir);
  const facts = (await findCards(["planets", "moons"], dir)).map(({ card }) => [
    card.id,
    {
      id: card.id,
      domain: card.domain,
      licence: card.licence.id,
      snapshot_sha256: manifest.sources.find(({ id }) => id === card.id)!.snapshot.sha256,
      links: card.links,
    },
  ]);
  return taskRecord({ ...row, gates, split: "train", group: "smuggled" }, new Map(facts as never));
}
