import { clusteredWilson } from "../../verifiers/clusters.js";
import { decider, said } from "./again.js";
import type { Stages } from "./bench.js";
import { type Dataset, type Entry, entriesOf } from "./dataset.js";
import type { AuditFinding } from "./finding.js";
import { type GroupRate, ratesBy } from "./groups.js";
import { notRun, rateText, rows, type Shortcut, tested } from "./shortcut.js";

/** How often a reader took a question for another task. */
export interface Wording {
  readonly writers: readonly GroupRate[];
  readonly reasons: Readonly<Record<string, number>>;
  /** Whether each reading was run again, or the ledger's verdict stands. */
  readonly again: boolean;
}

const TEST =
  "a second model reads each question back into a program, which must do the same on the data and on perturbed data";

export interface WordingResult {
  readonly shortcut: Shortcut;
  readonly wording: Wording | null;
  readonly findings: readonly AuditFinding[];
}

/** @param stages to run every recorded reading again; without them the ledger's verdicts stand */
export async function wordingOf(dataset: Dataset, stages: Stages | undefined): Promise<WordingResult> {
  const entries = entriesOf(dataset, "round_trip");
  const read = entries.filter(({ status, question }) => status !== "not_run" && question !== undefined);
  if (read.length === 0) {
    const why =
      entries.length === 0
        ? "no stage of the graph reads questions back"
        : "no model was configured, or none replied";
    return { shortcut: notRun("wording", TEST, why), wording: null, findings: [] };
  }
  const findings: AuditFinding[] = [];
  const failed = new Map<Entry, string>();
  const decide = stages === undefined ? undefined : decider(dataset, stages);
  for (const entry of read) {
    const again = await decide?.({ ...entry, question: entry.question! });
    const verdict = again?.verdict ?? said(entry);
    if (verdict !== "passed") failed.set(entry, verdict);
    if (verdict !== said(entry)) {
      const message = `read again from the recorded reply it is ${verdict}; the ledger says ${said(entry)}`;
      findings.push({ code: "reading_judged_otherwise", where: entry.id, message });
    }
  }
  const trials = read.map((entry) => ({
    cluster: entry.question!.entity,
    success: failed.has(entry),
    by: entry.question!.by,
  }));
  const open = read.filter((entry) => entry.accepted && failed.has(entry)).length;
  const reasons: Record<string, number> = {};
  for (const reason of failed.values()) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const rate = clusteredWilson(trials);
  const shortcut = tested("wording", dataset.tasks.length, {
    test: TEST,
    tested: read.filter(({ accepted }) => accepted).length,
    untested: "the reader gave no reply",
    open,
    result: `${open > 0 ? `${rows(open)} misread; ` : ""}readings that differ: ${rateText(rate)}`,
    rate,
    removed: failed.size - open,
    reach:
      "A misunderstanding that reader and writer share is not seen, nor a condition that binds in none of the perturbed worlds.",
  });
  return {
    shortcut,
    wording: { writers: ratesBy(trials, (t) => t.by), reasons, again: stages !== undefined },
    findings,
  };
}
