import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPool } from "../../datasets/read.js";
import { type LedgerRecord, ledgerTable } from "../../datasets/schema/index.js";
import type { Catalog } from "../../sources/table.js";
import type { Row } from "../../stages/stage.js";
import { TaskmillError } from "../base/errors.js";
import { LEDGER } from "../finish.js";
import type { Draft } from "../manifest.js";
import { missingColumn } from "../task-columns.js";
import { tasksOf } from "../tasks.js";
import { type Evidence, evidenceOf } from "./evidence.js";
import type { AuditFinding } from "./finding.js";
import { type Question, questionOf } from "./rows.js";

/** One decision of one gate on one row. */
export interface Entry {
  readonly id: string;
  readonly instance: string;
  readonly gate: string;
  readonly status: string;
  readonly reason: string;
  readonly accepted: boolean;
  /** The row as the gate saw it, or, of an accepted one, as the tasks pool has it. Undefined if it is in neither. */
  readonly question: Question | undefined;
  readonly evidence: Evidence;
}

/** Tasks and gate decisions of a dataset, as its files have them. */
export interface Dataset {
  readonly dir: string;
  readonly manifest: Draft;
  readonly catalog: Catalog;
  readonly tasks: readonly Question[];
  readonly entries: readonly Entry[];
  /** What of it cannot be read as what it should be. */
  readonly findings: readonly AuditFinding[];
}

/** Reads tasks pool and ledger. @throws TaskmillError (verification) for a pool that is missing or damaged. */
export async function readDataset(dir: string, manifest: Draft, catalog: Catalog): Promise<Dataset> {
  const findings: AuditFinding[] = [];
  const domainOf = (table: string): string => catalog.tables.get(table)?.card.domain ?? "unknown";
  const tasks: Question[] = [];
  const cards = new Map([...catalog.tables].map(([id, { card }]) => [id, card]));
  for await (const row of tasksOf(dir)) {
    const task = questionOf(row, domainOf);
    const missing = missingColumn(row, cards);
    if (task !== undefined && missing === undefined) tasks.push(task);
    else if (missing !== undefined)
      findings.push({ code: "column_missing", where: row.id, message: missing });
    else
      findings.push({
        code: "row_unreadable",
        where: row.id,
        message: "it is neither a table task nor a problem",
      });
  }
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const entries: Entry[] = [];
  if (existsSync(join(dir, LEDGER))) {
    for await (const record of readPool(join(dir, LEDGER), ledgerTable)) {
      const { evidence, question } = contents(record, byId, domainOf);
      // What is computed has no question yet.
      const asked = record.gate !== "twice_computed";
      if (evidence === undefined || (question === undefined && asked)) {
        const what = evidence === undefined ? "evidence" : "row";
        const message = `the ledger's ${what} of ${record.instance} cannot be read`;
        findings.push({ code: "ledger_unreadable", where: record.task_id, message });
      }
      const { task_id: id, instance, gate, status, reason, accepted } = record;
      entries.push({ id, instance, gate, status, reason, accepted, question, evidence: evidence ?? {} });
    }
  }
  return { dir, manifest, catalog, tasks, entries, findings };
}

function contents(
  record: LedgerRecord,
  tasks: ReadonlyMap<string, Question>,
  domainOf: (table: string) => string,
): { evidence: Evidence | undefined; question: Question | undefined } {
  const evidence = evidenceOf(record.hidden_evidence);
  if (record.accepted) return { evidence, question: tasks.get(record.task_id) };
  try {
    const row = JSON.parse(record.hidden_row) as Row | null;
    return { evidence, question: row === null ? undefined : questionOf(row, domainOf) };
  } catch (error) {
    if (error instanceof TaskmillError) throw error;
    return { evidence, question: undefined };
  }
}

/** The entries of one gate; a row that met it twice counts as its last instance decided. */
export function entriesOf({ entries }: Dataset, gate: string): Entry[] {
  const last = new Map<string, Entry>();
  for (const entry of entries) if (entry.gate === gate) last.set(entry.id, entry);
  return [...last.values()];
}

/** How many rows stages of these kinds turned away for these reasons, as the funnel has it: no file holds those rows. */
export function turnedAway(
  { manifest }: Dataset,
  kinds: readonly string[],
  reasons?: readonly string[],
): number {
  return manifest.stages
    .filter(({ stage }) => kinds.includes(stage))
    .flatMap(({ rejected }) => Object.entries(rejected))
    .filter(([reason]) => reasons === undefined || reasons.includes(reason))
    .reduce((sum, [, count]) => sum + count, 0);
}
