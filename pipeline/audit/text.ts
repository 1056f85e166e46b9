import type { ClusteredRate } from "../../verifiers/clusters.js";
import { counted, grouped, table } from "../terminal.js";
import type { Audit } from "./audit.js";
import type { BoundResult } from "./bounds.js";
import type { GroupRate } from "./groups.js";
import { percent, rateText, type Shortcut } from "./shortcut.js";

/** Findings and groups that a terminal shows; `--json` has all. */
const SHOWN = 20;
const GROUPS = 8;

/** An audit for a terminal: one line a shortcut, what is behind it, how far each test reaches. */
export function auditText(audit: Audit, columns = 100): string {
  const { name, accepted, shortcuts, findings, bounds } = audit;
  const parts = [
    [`${name}: ${counted(accepted, "task")}, ${shortcuts.length} ways to an answer without the work`],
    table([["shortcut", "result", "tested", "removed"], ...shortcuts.map((s) => lineOf(s, accepted))]),
    ...detailsOf(audit),
    reach(shortcuts, columns),
    findingsText(findings),
    boundsText(bounds),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function lineOf({ title, status, result, why, tested, removed }: Shortcut, accepted: number): string[] {
  const what = status === "not_run" ? clipped(`not run: ${why}`) : result;
  const share =
    status === "not_run" ? "" : tested >= accepted ? "all" : `${grouped(tested)} of ${grouped(accepted)}`;
  return [title, what, share, removed === null ? "" : grouped(removed)];
}

/** The whole reason stands below. */
function clipped(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function detailsOf({ details }: Audit): string[][] {
  const { recall, one_cell, priors, wording, solves, margins, leniency, rollouts } = details;
  return [
    recall === null ? [] : recallText(recall),
    one_cell === null || one_cell.tasks.length === 0
      ? []
      : ["One-cell lookups by formula", ...groupTable(one_cell.formulas)],
    priors === null
      ? []
      : [
          "Guesses that would be right",
          ...table(priors.guesses.map(({ how, tasks, right }) => [how, `${right} of ${tasks}`])),
        ],
    wording === null ? [] : ["Questions read as another task, by writer", ...groupTable(wording.writers)],
    solves === null ? [] : solvesText(solves),
    margins === null
      ? []
      : [
          "Gap to the closest rival, in multiples of what is needed",
          ...table(
            margins.classes.filter((c) => c.tasks > 0).map((c) => [c.class, counted(c.tasks, "task")]),
          ),
        ],
    leniency.kinds.length === 0
      ? []
      : [
          "Wrong answers that the grader takes as right",
          ...table(leniency.kinds.map(({ kind, tried, accepted }) => [kind, `${accepted} of ${tried}`])),
        ],
    rollouts === null
      ? []
      : [
          `Rollouts: ${counted(rollouts.rollouts, "rollout")} followed again from the recorded calls`,
          ...table([
            ["conversations compared", grouped(rollouts.conversations)],
            [
              "observations and their addresses judged",
              `${grouped(rollouts.observations)}, ${grouped(rollouts.addresses)}`,
            ],
            ["observations that show blocked content", grouped(rollouts.served)],
          ]),
        ],
  ];
}

function recallText(recall: NonNullable<Audit["details"]["recall"]>): string[] {
  const { roles, k, drop, funnel } = recall;
  const lines = roles.map(({ role, model, known, by_chance, next, power }) => [
    `${role} (${model})`,
    `knows ${rateText(known)}`,
    `one draw more: ${rateText(next)}`,
    by_chance === 0 ? "" : `${by_chance} perhaps by luck`,
    power === null ? "" : `famous facts: ${power.right} of ${power.asked}`,
  ]);
  const { probed, known, passed, undecided } = funnel;
  return [
    `Recall, k = ${k}, drop ${drop}: ${counted(probed, "row")} probed, ${known} known, ${passed} passed, ${undecided} undecided`,
    ...table(lines),
    "  by entity",
    ...groupTable(recall.fame),
    "  by domain",
    ...groupTable(recall.domains),
    "  by formula",
    ...groupTable(recall.formulas),
  ];
}

function solvesText({ n, pairs, reasons }: NonNullable<Audit["details"]["solves"]>): string[] {
  const why = Object.entries(reasons).map(([reason, count]) => [reason, counted(count, "row")]);
  const together = pairs.map(({ roles: [a, b], rows, phi }) => [
    a === b ? `two draws of ${a}` : `${a} and ${b}`,
    phi === null
      ? "always alike"
      : `φ = ${phi.estimate.toFixed(2)} (${phi.low.toFixed(2)} to ${phi.high.toFixed(2)})`,
    `over ${counted(rows, "row")}`,
  ]);
  return [`Solves, n = ${n}: whether they are right and wrong together`, ...table([...together, ...why])];
}

function groupTable(groups: readonly GroupRate[]): string[] {
  const rest = groups.length - GROUPS;
  const lines = table(groups.slice(0, GROUPS).map(({ group, rate }) => [group, groupText(rate)]));
  return rest > 0 ? [...lines, `  and ${rest} more`] : lines;
}

function groupText({ successes, trials, low, high }: ClusteredRate): string {
  return `${successes} of ${trials} (${percent(low).replace(" %", "")} to ${percent(high)})`;
}

function reach(shortcuts: readonly Shortcut[], columns: number): string[] {
  const width = Math.max(40, Math.min(columns, 120)) - 4;
  const lines = shortcuts.flatMap((shortcut) => [
    `  ${shortcut.title}`,
    ...wrap(reachText(shortcut), width).map((line) => `    ${line}`),
  ]);
  return ["How far this reaches", ...lines];
}

function reachText({ reach: text, why, status }: Shortcut): string {
  if (status === "not_run") return `Not run: ${why}. Nothing is closed.`;
  return status === "partly" ? `${text} Left out: ${why}.` : text;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function findingsText(findings: Audit["findings"]): string[] {
  if (findings.length === 0) return ["Evidence: all of it follows from the dataset's own files"];
  const lines = findings
    .slice(0, SHOWN)
    .map(({ code, where, message }) => `  ${where}: ${message} [${code}]`);
  const rest = findings.length - SHOWN;
  return [
    `Evidence: ${counted(findings.length, "finding")}`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more; --json has all`] : []),
  ];
}

function boundsText(bounds: readonly BoundResult[]): string[] {
  if (bounds.length === 0) return ["Bounds: none are set"];
  const broken = bounds.filter((b) => b.broken).length;
  const lines = bounds.map((b) => [
    b.broken ? "broken" : "kept",
    b.bound,
    `at most ${b.most}`,
    b.broken ? b.why : `${Number(b.found!.toPrecision(4))}`,
  ]);
  return [`Bounds: ${broken === 0 ? "all kept" : `${broken} of ${bounds.length} broken`}`, ...table(lines)];
}
