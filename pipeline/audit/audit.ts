import { checkDecisions } from "./again.js";
import type { Stages } from "./bench.js";
import { type BoundResult, type Bounds, type Figures, judgeBounds } from "./bounds.js";
import { regrade } from "./calls.js";
import type { Dataset } from "./dataset.js";
import { contaminationOf, duplicatesOf } from "./duplicates.js";
import type { AuditFinding } from "./finding.js";
import { leaksOf } from "./leaks.js";
import { checkLedger } from "./ledger-check.js";
import { type Leniency, leniencyOf } from "./leniency.js";
import { type OneCells, oneCells } from "./one-cell.js";
import { type Priors, priorsOf } from "./priors.js";
import { type Recall, recallOf } from "./recall.js";
import { type RolloutAudit, rolloutsOf } from "./rollouts.js";
import { type Margins, selectionOf } from "./selection.js";
import type { Shortcut } from "./shortcut.js";
import { type Solves, solvesOf } from "./solves.js";
import { type Wording, wordingOf } from "./wording.js";

/** The leakage report: for each shortcut what was tested, what came of it, and how far that reaches. */
export interface Audit {
  readonly audit: 1;
  readonly name: string;
  readonly accepted: number;
  readonly shortcuts: readonly Shortcut[];
  readonly findings: readonly AuditFinding[];
  readonly bounds: readonly BoundResult[];
  readonly details: {
    readonly recall: Recall | null;
    readonly one_cell: OneCells | null;
    readonly priors: Priors | null;
    readonly wording: Wording | null;
    readonly solves: Solves | null;
    readonly margins: Margins | null;
    readonly leniency: Leniency;
    /** What was followed again of agents' attempts; null where there are none. */
    readonly rollouts: RolloutAudit | null;
  };
}

/**
 * Audits what was read of a dataset.
 * @param rerun whether gates decide once more, from the recorded calls: what a run has just done need not be
 */
export async function auditDataset(
  dataset: Dataset,
  stages: Stages,
  bounds: Bounds | undefined,
  { rerun }: { readonly rerun: boolean },
): Promise<Audit> {
  const { judged, findings: calls } = await regrade(dataset);
  const recall = recallOf(dataset, judged);
  const { leaks, sourceNamed, findings: leaked } = await leaksOf(dataset, stages);
  const { shortcut: cell, cells } = oneCells(dataset);
  const { shortcut: guessing, priors } = await priorsOf(dataset, stages);
  const doubles = await duplicatesOf(dataset, stages);
  const contamination = contaminationOf(dataset);
  const wording = await wordingOf(dataset, rerun ? stages : undefined);
  const solves = solvesOf(dataset, judged);
  const { shortcut: selection, margins } = selectionOf(dataset);
  const grader = leniencyOf(dataset);
  const attempts = await rolloutsOf(dataset, stages);
  const decided = rerun ? await checkDecisions(dataset, stages) : [];
  const shortcuts = [
    recall.shortcut,
    leaks,
    sourceNamed,
    cell,
    guessing,
    doubles.shortcut,
    contamination,
    wording.shortcut,
    solves.shortcut,
    selection,
    grader.shortcut,
  ];
  const ledger = checkLedger(dataset, (kind) => stages.registry.get(kind)?.gate);
  const parts = [dataset.findings, ledger, calls, recall.findings, decided, leaked, doubles.findings];
  const findings = [...parts, wording.findings, solves.findings, grader.findings, attempts.findings].flat();
  const details = {
    recall: recall.recall,
    one_cell: cells,
    priors,
    wording: wording.wording,
    solves: solves.solves,
    margins,
    leniency: grader.leniency,
    rollouts: attempts.rollouts,
  };
  const accepted = dataset.tasks.length;
  const figures = figuresOf(shortcuts, details, findings.length, accepted);
  const judgedBounds = bounds === undefined ? [] : judgeBounds(bounds, figures, shortcuts, accepted);
  return {
    audit: 1,
    name: dataset.manifest.name,
    accepted,
    shortcuts,
    findings,
    bounds: judgedBounds,
    details,
  };
}

/** What bounds are held against. */
function figuresOf(
  shortcuts: readonly Shortcut[],
  { priors, leniency }: Audit["details"],
  findings: number,
  accepted: number,
): Figures {
  const of = (id: Shortcut["id"]): Shortcut => shortcuts.find((s) => s.id === id)!;
  const guesses = priors?.guesses.map(({ right }) => right) ?? [];
  return {
    recall_upper: of("recall").rate?.high ?? null,
    known_rows: of("recall").open,
    leaks: of("leaks").open,
    sources_named: of("source_named").open,
    one_cell_share: of("one_cell").rate?.estimate ?? null,
    chance_share: priors === null || accepted === 0 ? null : Math.max(0, ...guesses) / accepted,
    near_duplicates: of("near_duplicates").open,
    contaminated: of("contamination").open,
    round_trip_failures: of("wording").rate?.high ?? null,
    disagreement: of("disagreement").rate?.high ?? null,
    unstable: of("selection").open,
    leniency: leniency.kinds.reduce((sum, { accepted: taken }) => sum + taken, 0),
    findings,
  };
}
