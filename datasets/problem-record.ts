import { canonicalJson } from "../pipeline/base/canonical.js";
import { fail } from "../pipeline/base/errors.js";
import type { Expected } from "../verifiers/answer/answer.js";
import { completeGates, type Gate, metGates } from "./admission.js";
import { objectIn } from "./json-text.js";
import type { ProblemRecord } from "./schema/index.js";
import type { SourceFacts } from "./source-facts.js";

/** A finished row of a user's own problem, as far as pools look into it; `stages/problem.ts` says all of it. */
export interface ProblemTaskRow {
  readonly id: string;
  readonly question: string;
  readonly gates: readonly Gate[];
  readonly problem: {
    readonly source: string;
    readonly domain: string;
    readonly language: string;
    readonly topic?: string;
  };
  readonly expected: Expected;
  readonly origin: ProblemRecord["origin"];
  readonly snapshots: Readonly<Record<string, string>>;
  readonly split: string;
  readonly group: string;
}

/** Fields that have columns of their own; what else a row has goes into `hidden_rest`. */
const PLACED = new Set([
  "id",
  "question",
  "gates",
  "problem",
  "expected",
  "origin",
  "snapshots",
  "split",
  "group",
]);

/**
 * The row of the problems pool for a problem; {@link problemTaskRow} is its inverse.
 * @throws TaskmillError (internal, `task_not_lossless`) for a row that the pool would not keep whole.
 */
export function problemRecord(row: ProblemTaskRow, sources: ReadonlyMap<string, SourceFacts>): ProblemRecord {
  const { source, domain, language, topic } = row.problem;
  const record: ProblemRecord = {
    task_id: row.id,
    split: row.split,
    source,
    domain,
    question: row.question,
    answer_type: row.expected.type,
    language,
    topic: topic ?? null,
    gates: completeGates(row.gates, "problem"),
    licences: [sources.get(source)!.licence],
    snapshots: Object.entries(row.snapshots)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([table, hash]) => ({ table, hash })),
    origin: row.origin,
    hidden_group: row.group,
    hidden_answer: canonicalJson(row.expected),
    hidden_rest: canonicalJson(Object.fromEntries(Object.entries(row).filter(([name]) => !PLACED.has(name)))),
  };
  if (canonicalJson(problemTaskRow(record)) !== canonicalJson(row)) {
    fail(
      "internal",
      "task_not_lossless",
      `problem ${row.id} has fields that the problems pool has no place for`,
    );
  }
  return record;
}

/** The problem that a row of the problems pool was made from. @throws as `taskRow` */
export function problemTaskRow(record: ProblemRecord, where = `problem ${record.task_id}`): ProblemTaskRow {
  const { source, domain, language, topic } = record;
  return {
    ...objectIn(record.hidden_rest, "hidden_rest", where),
    id: record.task_id,
    question: record.question,
    gates: metGates(record.gates as readonly Gate[]),
    problem: { source, domain, language, ...(topic === null ? {} : { topic }) },
    expected: objectIn(record.hidden_answer, "hidden_answer", where) as Expected,
    origin: record.origin,
    snapshots: Object.fromEntries(record.snapshots.map(({ table, hash }) => [table, hash])),
    split: record.split,
    group: record.hidden_group,
  };
}
