import type { Audit } from "../audit/audit.js";
import type { GroupRate } from "../audit/groups.js";
import { percent, rateText } from "../audit/shortcut.js";
import { bars, columns, type Interval, intervals } from "./charts.js";
import { type Chart, draw, fitting } from "./draw.js";

/** Groups that a chart draws; its table has them all. */
const MOST = 12;

/** The charts of the leakage part; those without data are left out. */
export async function leakageFigures({ details }: Audit): Promise<Chart[]> {
  const { recall, one_cell, margins, wording } = details;
  const charts: (Promise<Chart> | undefined)[] = [
    recall === null ? undefined : recallChart(recall),
    recall === null ? undefined : funnelChart(recall),
    recall === null
      ? undefined
      : groupChart(
          "Recall by entity",
          "Rows that some model knew, by how well known the entity may be.",
          recall.fame,
        ),
    recall === null
      ? undefined
      : groupChart(
          "Recall by formula",
          "Rows that some model knew, by the quantity asked for.",
          recall.formulas,
        ),
    one_cell === null
      ? undefined
      : groupChart(
          "One-cell lookups by formula",
          "Tasks whose answer stands ready in one cell of the entity.",
          one_cell.formulas,
        ),
    margins === null ? undefined : marginChart(margins),
    wording === null
      ? undefined
      : groupChart(
          "Misreadings by writer",
          "Questions that the reader took for another task.",
          wording.writers,
        ),
  ];
  return Promise.all(charts.filter((chart) => chart !== undefined));
}

type Recall = NonNullable<Audit["details"]["recall"]>;

async function recallChart({ roles, k }: Recall): Promise<Chart> {
  const lines = roles.flatMap(({ role, model, known, next }) => [
    { label: `${role} (${model}): known`, rate: known },
    { label: `${role} (${model}): one draw more`, rate: next },
  ]);
  return {
    title: "Recall by model",
    about: `Share of rows with a right closed-book answer in ${k} draws, and what one draw more finds in the rows that passed; dots are estimates, lines 95 % intervals.`,
    svg: await draw(intervals(lines.map(({ label, rate }) => intervalOf(fitting(label), rate)))),
    head: ["model", "rate"],
    rows: lines.map(({ label, rate }) => [label, rateText(rate)]),
  };
}

function intervalOf(label: string, { estimate, low, high }: GroupRate["rate"]): Interval {
  return { label, estimate: estimate ?? 0, low, high };
}

async function funnelChart({ funnel }: Recall): Promise<Chart> {
  const data = Object.entries(funnel).map(([label, rows]) => ({ label, rows }));
  return {
    title: "Probe",
    about: "Rows probed, known by heart, passed, and those for which too few samples could be graded.",
    svg: await draw(bars(data)),
    head: ["rows", "count"],
    rows: data.map(({ label, rows }) => [label, rows]),
  };
}

async function groupChart(title: string, about: string, groups: readonly GroupRate[]): Promise<Chart> {
  const label = (group: string) => group.replaceAll("_", " ");
  return {
    title,
    about: groups.length > MOST ? `${about} The ${MOST} largest groups of ${groups.length}.` : about,
    svg: await draw(
      intervals(groups.slice(0, MOST).map(({ group, rate }) => intervalOf(fitting(label(group)), rate))),
    ),
    head: ["group", "rows", "of", "share", "interval"],
    rows: groups.map(({ group, rate: { successes, trials, estimate, low, high } }) => [
      group,
      successes,
      trials,
      percent(estimate ?? 0),
      `${percent(low)} to ${percent(high)}`,
    ]),
  };
}

async function marginChart({ classes }: NonNullable<Audit["details"]["margins"]>): Promise<Chart> {
  return {
    title: "Gap to the closest rival",
    about: "In multiples of the gap that uncertainties and drift require; below 1 a selection is not safe.",
    svg: await draw(
      columns(
        classes.map((c) => ({
          label: c.class.replace(" and more", "+").replace(" to ", "–"),
          rows: c.tasks,
        })),
        "multiples",
      ),
    ),
    head: ["multiple", "tasks"],
    rows: classes.map((c) => [c.class, c.tasks]),
  };
}
