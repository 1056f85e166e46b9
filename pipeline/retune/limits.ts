import type { Dataset } from "../audit/dataset.js";
import type { Changes } from "./changes.js";
import type { GatedRow } from "./rows.js";

/** Where kept evidence ends, in sentences with exact counts. */
export function limitsOf(dataset: Dataset, rows: readonly GatedRow[], changes: Changes): string[] {
  const { k, drop, margin, tolerance } = changes;
  const probed = rows.flatMap(({ entries }) => entries.filter((e) => e.gate === "closed_book"));
  const limits: string[] = [];
  if (k !== undefined || drop !== undefined) {
    if (probed.length === 0) limits.push("No row was probed, so k and the drop rule change nothing here.");
    const most = Math.max(0, ...probed.map((e) => e.evidence.probe?.k ?? 0));
    if (k !== undefined && k > most && probed.length > 0)
      limits.push(`${most} draws of each role were taken; ${k} need a run with more. No call is made here.`);
    const unprobed = probed.filter(
      (e) => e.status !== "rejected" && (e.evidence.probe?.samples.length ?? 0) === 0,
    ).length;
    if (unprobed > 0) limits.push(`${unprobed} rows have no closed-book sample and stay as they are.`);
  }
  if (margin !== undefined && margin < 1)
    limits.push(
      "What `select` turned away for its margin is not kept, so a margin below 1 lets nothing in here.",
    );
  if (tolerance !== undefined) limits.push(...toleranceLimits(rows, tolerance));
  limits.push(...earlier(dataset, rows.length));
  limits.push(
    "`balance` and the target chose among the rows before the gates; a run with these thresholds draws others in place of those that go.",
  );
  return limits;
}

function toleranceLimits(rows: readonly GatedRow[], tolerance: number): string[] {
  const tasks = rows.flatMap(({ question }) => (question.task === undefined ? [] : [question.task.answer]));
  const exact = tasks.filter((a) => a.tolerance === 0).length;
  const uncertain = tasks.filter((a) => a.tolerance > 0 && tolerance < a.uncertainty).length;
  const limits: string[] = [];
  if (exact > 0) limits.push(`${exact} rows have exact answers, which no tolerance changes.`);
  if (uncertain > 0)
    limits.push(
      `For ${uncertain} rows ${tolerance} is less than the uncertainty of their inputs: \`compute\` would not set it.`,
    );
  return limits;
}

/** How many rows ended before any gate that keeps its rows. */
function earlier({ manifest, entries }: Dataset, kept: number): string[] {
  const gates = new Set(entries.map((e) => e.instance));
  const first = manifest.stages.find(({ id }) => gates.has(id));
  if (first === undefined) return ["No gate kept evidence: only the tasks themselves are looked at."];
  const at = manifest.stages.indexOf(first);
  const before = manifest.stages.slice(0, at).filter(({ stage }) => stage !== "ingest");
  const gone = before.flatMap(({ rejected }) => Object.values(rejected)).reduce((a, b) => a + b, 0);
  return [`${kept} rows came to ${first.id}; ${gone} candidates and rows ended before it and stay out.`];
}
