import { dots } from "./charts.js";
import type { Difficulty, Measure } from "./difficulty.js";
import type { Chart } from "./draw.js";
import { grid, number, section, table, words } from "./elements.js";
import { classFigure, drawn, type Figure, wholeFigure } from "./figures.js";
import { type Html, html } from "./html.js";

/** What the figures that rows carry mean; others are shown by their name. */
const MEANINGS: Readonly<Record<string, string>> = {
  conditions: "Conditions of the filter; each is necessary.",
  hops: "Links followed to another table.",
  candidates: "Entities that meet all conditions.",
  rank: "Place of the selected entity in its order: 2 asks for the second largest or smallest.",
  formula_inputs: "Values that have to be found to compute the answer.",
  formula_depth: "Nested operations of the formula.",
  evidence: "Steps of the hidden chain before the answer: entities, attributes, values on the way.",
};

/** How hard the tasks are, as far as their programs tell. */
export async function difficultySection(difficulty: Difficulty): Promise<Html> {
  const rows = difficulty.measures.map((m) => [
    words(m.measure),
    number(m.smallest),
    number(m.mean),
    number(m.largest),
  ]);
  return section(
    "difficulty",
    "Difficulty",
    html`<p class="note">What a task asks of a solver, counted from its program. How often solvers succeed is another matter, and stands under rollouts.</p>
<div class="card">${table("figures of difficulty", ["figure", "least", "mean", "most"], rows)}</div>`,
    grid(await charts(difficulty)),
  );
}

function charts({ measures, conditions_rank }: Difficulty): Promise<Chart[]> {
  const told = measures.filter((m) => m.smallest !== m.largest);
  return drawn([crossFigure(conditions_rank), ...told.map(measureFigure)]);
}

function measureFigure({ measure, values, classes }: Measure): Figure {
  const title = words(measure).replace(/^./, (c) => c.toUpperCase());
  const about = MEANINGS[measure] ?? "";
  return classes === null
    ? wholeFigure(title, about, words(measure), values ?? [])
    : classFigure(title, about, words(measure), classes, { whole: true });
}

function crossFigure(cross: Difficulty["conditions_rank"]): Figure {
  const data = cross.map((d) => ({ x: String(d.rank), y: String(d.conditions), rows: d.rows }));
  const ranked = [...data].sort((a, b) => Number(a.x) - Number(b.x) || Number(a.y) - Number(b.y));
  return {
    title: "Conditions and rank",
    about: "Tasks by number of conditions and by rank, the area for the count.",
    spec: dots(ranked, "rank", "conditions"),
    head: ["conditions", "rank", "tasks"],
    rows: cross.map((d) => [d.conditions, d.rank, d.rows]),
  };
}
