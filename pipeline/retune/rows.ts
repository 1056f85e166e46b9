import type { Dataset, Entry } from "../audit/dataset.js";
import type { Question } from "../audit/rows.js";

/** A row that came to the gates, with what each of them said of it, in the order of the graph. */
export interface GatedRow {
  readonly question: Question;
  readonly inDataset: boolean;
  readonly entries: readonly Entry[];
  /** Whether every gate that saw it let it pass. */
  readonly passed: boolean;
}

/** Gates that rows meet before `dedup` and `balance` choose among them: what came through these need not have come to the others. */
const EARLY: ReadonlySet<string> = new Set(["twice_computed", "lint"]);

/** The dataset with the decisions of those gates alone that thresholds can change, or that stand behind them. */
export function lateGates(dataset: Dataset): Dataset {
  return { ...dataset, entries: dataset.entries.filter(({ gate }) => !EARLY.has(gate)) };
}

/** All rows of which the dataset keeps evidence: its tasks, and what a gate turned away or the target cut off. */
export function gatedRows({ tasks, entries, manifest }: Dataset): GatedRow[] {
  const order = new Map(manifest.stages.map(({ id }, i) => [id, i]));
  const byRow = new Map<string, Entry[]>(tasks.map(({ id }) => [id, []]));
  for (const entry of entries) {
    const of = byRow.get(entry.id);
    if (of === undefined) byRow.set(entry.id, [entry]);
    else of.push(entry);
  }
  const accepted = new Map(tasks.map((task) => [task.id, task]));
  return [...byRow].flatMap(([id, of]) => {
    const sorted = [...of].sort((a, b) => (order.get(a.instance) ?? 0) - (order.get(b.instance) ?? 0));
    const question = accepted.get(id) ?? sorted.findLast((e) => e.question !== undefined)?.question;
    if (question === undefined) return [];
    const passed = sorted.every(({ status }) => status !== "rejected");
    return [{ question, inDataset: accepted.has(id), entries: sorted, passed }];
  });
}
