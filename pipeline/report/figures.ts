import { bars, type Chart, columns, dots, draw, stacks } from "./charts.js";
import type { Coverage } from "./coverage.js";
import type { Report } from "./gather.js";
import type { Decade, Share } from "./tally.js";

/** Ids read better without their underscores; tables keep them as they are. */
const plain = (id: string): string => id.replaceAll("_", " ").replace(".", ": ");

/** A chart draws so many bars at most; its table has them all. */
const MOST = 12;

interface Figure {
  readonly title: string;
  readonly about: string;
  readonly spec: object;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The charts of the report, those without data left out. */
export async function figures({ coverage }: Report): Promise<Chart[]> {
  const all: (Figure | undefined)[] = [
    shareFigure("Tables", "Tasks by the table whose entities are filtered.", "table", coverage.tables),
    shareFigure("Formulas", "Tasks by the quantity that is computed.", "formula", coverage.formulas),
    columnFigure(coverage),
    entityFigure(coverage),
    difficultyFigure(coverage),
    decadeFigure(
      "Candidates",
      "Entities that meet all conditions, by power of ten.",
      "candidates",
      coverage.candidates,
    ),
    decadeFigure(
      "Margins",
      "Relative gap between the selected entity and its closest rival.",
      "relative gap",
      coverage.margins,
    ),
    decadeFigure("Answers", "Size of the answer in the unit asked for.", "|answer|", coverage.answers),
    decadeFigure(
      "Tolerances",
      "Relative tolerance within which an answer counts as right.",
      "tolerance",
      coverage.tolerances,
    ),
    wholeFigure(
      "Formula inputs",
      "Values that have to be found to compute the answer.",
      "inputs",
      coverage.formula_inputs,
    ),
    wholeFigure("Hops", "Links followed to another table.", "hops", coverage.hops),
    shareFigure(
      "Splits",
      "Tasks by split; tasks with the same entity and formula stay together.",
      "split",
      coverage.splits,
    ),
  ];
  const charts: Chart[] = [];
  for (const figure of all) {
    if (figure === undefined || figure.rows.length === 0) continue;
    const { spec, ...rest } = figure;
    charts.push({ ...rest, svg: await draw(spec) });
  }
  return charts;
}

function shareFigure(title: string, about: string, name: string, shares: readonly Share[]): Figure {
  const total = shares.reduce((n, s) => n + s.rows, 0);
  const rest = shares.slice(MOST);
  const others = rest.reduce((n, s) => n + s.rows, 0);
  return {
    title,
    about: rest.length === 0 ? about : `${about} Not drawn: ${rest.length} others with ${others} tasks.`,
    spec: bars(shares.slice(0, MOST).map((s) => ({ label: plain(s.value), rows: s.rows }))),
    head: [name, "tasks", "share"],
    rows: shares.map((s) => [s.value, s.rows, percent(s.rows, total)]),
  };
}

const USES = ["filter", "select", "compute"] as const;

function columnFigure({ columns: all }: Coverage): Figure {
  const sum = (c: Coverage["columns"][number]) => c.filter + c.select + c.compute;
  const most = [...all].sort((a, b) => sum(b) - sum(a) || (a.column < b.column ? -1 : 1)).slice(0, MOST);
  const data = most.flatMap((c) =>
    USES.map((part, place) => ({ label: plain(c.column), part, place, rows: c[part] })),
  );
  return {
    title: "Columns",
    about: `Tasks that read a column, by use${all.length > MOST ? `; the ${MOST} most used of ${all.length}` : ""}.`,
    spec: stacks(data, USES, ["var(--accent)", "var(--second)", "var(--third)"]),
    head: ["column", ...USES],
    rows: all.map((c) => [c.column, c.filter, c.select, c.compute]),
  };
}

function entityFigure({ entities }: Coverage): Figure {
  return {
    title: "Entities",
    about: `${entities.distinct} different entities are selected, ${entities.once} of them once; the most frequent:`,
    spec: bars(entities.top.slice(0, MOST).map((s) => ({ label: s.value, rows: s.rows }))),
    head: ["entity", "tasks"],
    rows: entities.top.map((s) => [s.value, s.rows]),
  };
}

function difficultyFigure({ difficulty }: Coverage): Figure {
  const data = difficulty.map((d) => ({ x: String(d.rank), y: String(d.conditions), rows: d.rows }));
  const ranked = [...data].sort((a, b) => Number(a.x) - Number(b.x) || Number(a.y) - Number(b.y));
  return {
    title: "Conditions and rank",
    about: "Every condition is necessary; rank 2 asks for the second largest or smallest.",
    spec: dots(ranked, "rank", "conditions"),
    head: ["conditions", "rank", "tasks"],
    rows: difficulty.map((d) => [d.conditions, d.rank, d.rows]),
  };
}

function decadeFigure(title: string, about: string, axis: string, decades: readonly Decade[]): Figure {
  const data = decades.map((d) => ({ label: power(d.exponent), rows: d.rows }));
  const rows = decades.map((d) => [`${power(d.exponent)} to ${power(d.exponent + 1)}`, d.rows]);
  return { title, about, spec: columns(data, axis), head: [axis, "tasks"], rows };
}

function wholeFigure(title: string, about: string, axis: string, shares: readonly Share[]): Figure {
  const data = shares.map((s) => ({ label: s.value, rows: s.rows }));
  return {
    title,
    about,
    spec: columns(data, axis),
    head: [axis, "tasks"],
    rows: shares.map((s) => [s.value, s.rows]),
  };
}

const RAISED: Readonly<Record<string, string>> = {
  "-": "⁻",
  0: "⁰",
  1: "¹",
  2: "²",
  3: "³",
  4: "⁴",
  5: "⁵",
  6: "⁶",
  7: "⁷",
  8: "⁸",
  9: "⁹",
};

function power(exponent: number): string {
  if (exponent >= -2 && exponent <= 3) return String(10 ** exponent).slice(0, 4);
  return `10${superscript(String(exponent))}`;
}

/** Digits and minus signs, raised. */
export function superscript(digits: string): string {
  return [...digits].map((c) => RAISED[c] ?? c).join("");
}

/** e.g. "12.5 %". */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}
