import { type Coefficient, phi, rolePairs } from "../../verifiers/agreement.js";
import { clusteredWilson } from "../../verifiers/clusters.js";
import type { Judged, JudgedEntries } from "./calls.js";
import { type Dataset, entriesOf } from "./dataset.js";
import type { AuditFinding } from "./finding.js";
import { type GroupRate, ratesBy } from "./groups.js";
import { notRun, rateText, rows, type Shortcut, tested } from "./shortcut.js";

/** What independent solves came to. */
export interface Solves {
  readonly n: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly formulas: readonly GroupRate[];
  /** Whether two roles (or two draws of one) are right and wrong together. */
  readonly pairs: readonly {
    readonly roles: readonly [string, string];
    readonly rows: number;
    readonly phi: Coefficient | null;
  }[];
}

const TEST = "independent solves of each task, graded again from the recorded replies";

export interface SolveResult {
  readonly shortcut: Shortcut;
  readonly solves: Solves | null;
  readonly findings: readonly AuditFinding[];
}

export function solvesOf(dataset: Dataset, judgedEntries: JudgedEntries): SolveResult {
  const entries = entriesOf(dataset, "solve");
  const solved = entries.flatMap((entry) => {
    const judged = judgedEntries.get(entry);
    const graded = judged?.filter(isVote) ?? [];
    return entry.evidence.solve === undefined || graded.length === 0
      ? []
      : [{ entry, judged: judged!, graded }];
  });
  if (solved.length === 0) {
    const why = entries.length === 0 ? "no stage of the graph solves" : whyNot(dataset);
    return { shortcut: notRun("disagreement", TEST, why), solves: null, findings: [] };
  }
  const findings: AuditFinding[] = [];
  const trials = solved.map(({ entry, graded }) => {
    const disagrees = graded.some(({ grade }) => grade!.outcome === "wrong");
    const n = entry.evidence.solve!.n;
    if (entry.status === "passed" && (disagrees || graded.length < n)) {
      const right = graded.filter(({ grade }) => grade!.outcome === "right").length;
      const message = `${right} of ${n} recorded solves are right, so ${entry.instance} would not pass it`;
      findings.push({ code: "solve_passed_otherwise", where: entry.id, message });
    }
    return { cluster: entry.question?.entity ?? entry.id, success: disagrees, entry };
  });
  const open = trials.filter(({ entry, success }) => entry.accepted && success).length;
  const rate = clusteredWilson(trials);
  const shortcut = tested("disagreement", dataset.tasks.length, {
    test: TEST,
    tested: trials.filter(
      ({ entry }) => entry.accepted && (entry.status === "passed" || entry.status === "failed"),
    ).length,
    untested: whyNot(dataset),
    open,
    result: `${open > 0 ? `${rows(open)} admitted; ` : ""}rows with a differing solve: ${rateText(rate)}`,
    rate,
    removed: entries.filter(({ status }) => status === "rejected").length,
    reach:
      "With the book open solvers choose among the rows given, so that search is not tested. Errors that all solvers share are not seen.",
  });
  const pairs = rolePairs(solved.map(({ judged }) => judged.map(outcomeOf))).map(({ roles, counts }) => {
    const { both, first, second, neither } = counts;
    return { roles, rows: both + first + second + neither, phi: phi(counts) };
  });
  const reasons: Record<string, number> = {};
  for (const { status, reason } of entries)
    if (status === "rejected") reasons[reason] = (reasons[reason] ?? 0) + 1;
  const n = solved[0]!.entry.evidence.solve!.n;
  return {
    shortcut,
    solves: { n, reasons, pairs, formulas: ratesBy(trials, (t) => t.entry.question?.formula ?? null) },
    findings,
  };
}

function isVote({ grade }: Judged): boolean {
  return grade?.outcome === "right" || grade?.outcome === "wrong";
}

const outcomeOf = ({ sample, grade }: Judged) => ({
  role: sample.role,
  outcome: grade?.outcome ?? ("no_reply" as const),
});

function whyNot({ tasks }: Dataset): string {
  const whys = tasks.flatMap(({ gates }) =>
    gates.filter((g) => g.gate === "solve" && g.status !== "passed").map((g) => g.why),
  );
  return [...new Set(whys)].slice(0, 2).join("; ") || "no row was solved";
}
