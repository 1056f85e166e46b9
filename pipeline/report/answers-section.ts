import type { Answers } from "./answers.js";
import { columnsWithMarks, heat } from "./charts.js";
import { type Chart, fitting } from "./draw.js";
import { grid, number, raised, section, table } from "./elements.js";
import { classFigure, decadeFigure, drawn, type Figure, MOST, percent, power } from "./figures.js";
import { type Html, html } from "./html.js";

/** What is answered, and how surely. */
export async function answersSection(answers: Answers): Promise<Html> {
  const units = answers.units.map((u) => [raised(u.unit), u.rows, number(u.smallest), number(u.largest)]);
  return section(
    "answers",
    "Answers and margins",
    html`<p class="note">How large the answers are, how far the selected entities stand from their rivals, and within what an answer counts as right.</p>`,
    grid(await charts(answers)),
    html`<div class="card"><h3>Range by unit</h3>${table("answers by unit", ["unit", "tasks", "smallest", "largest"], units)}</div>`,
  );
}

const PERCENT = (share: number): string =>
  share < 1e-6 ? "0" : String(Number((100 * share).toPrecision(3)));

function charts(answers: Answers): Promise<Chart[]> {
  const { sizes, same, multiples, exact, margins, tolerances, influence } = answers;
  const alone =
    exact === 0
      ? ""
      : ` Not drawn: ${exact} tasks whose values are exact, whose entity has no rival, or that select nobody.`;
  return drawn([
    decadeFigure("Answers", "Size of the answer in the unit asked for.", "|answer|", sizes),
    unitFigure(answers),
    leadingFigure(answers),
    classFigure(
      "Answers alike",
      "Different answers (as they are written, with their unit) by how many tasks share them.",
      "tasks",
      same,
      { whole: true, counted: "answers", least: "1" },
    ),
    classFigure(
      "Margins",
      `Gap to the closest rival in multiples of the gap that uncertainties and drift require.${alone}`,
      "multiples of the required gap",
      multiples,
    ),
    classFigure(
      "One entity’s influence",
      "Figures of all candidates by how much they move without the entity that moves them most.",
      "change in %",
      influence,
      { counted: "figures", text: PERCENT },
    ),
    decadeFigure(
      "Relative margins",
      "Gap to the closest rival, relative to the selected value.",
      "relative gap",
      margins,
    ),
    classFigure(
      "Tolerances",
      "Relative tolerance within which an answer counts as right.",
      "tolerance in %",
      tolerances,
      { text: PERCENT, least: "exact" },
    ),
  ]);
}

/** Units by row, orders of magnitude by column. */
function unitFigure({ units }: Answers): Figure | undefined {
  if (units.length < 2) return undefined;
  const shown = units.slice(0, MOST);
  const all = shown.flatMap(({ sizes }) => sizes.map((d) => d.exponent));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = Array.from({ length: high - low + 1 }, (_, i) => power(low + i));
  const cells = shown.flatMap(({ unit, sizes }) =>
    sizes
      .filter(({ rows }) => rows > 0)
      .map(({ exponent, rows }) => ({ x: power(exponent), y: fitting(raised(unit), 84), rows })),
  );
  const rest = units.length - shown.length;
  return {
    title: "Answers by unit",
    about: `Size of the answer by unit; the stronger the colour, the more tasks.${rest > 0 ? ` Not drawn: ${rest} more.` : ""}`,
    spec: heat(
      cells,
      x,
      shown.map(({ unit }) => fitting(raised(unit), 84)),
      "|answer|",
    ),
    head: ["unit", "from", "tasks"],
    rows: units.flatMap(({ unit, sizes }) =>
      sizes.filter(({ rows }) => rows > 0).map(({ exponent, rows }) => [raised(unit), power(exponent), rows]),
    ),
  };
}

/** Shares in % of first digits in data that spread over many orders of magnitude: log₁₀(1 + 1/d) (Benford 1938). */
const BENFORD = [30.1, 17.61, 12.49, 9.69, 7.92, 6.69, 5.8, 5.12, 4.58];

function leadingFigure({ leading }: Answers): Figure {
  const all = leading.reduce((sum, { rows }) => sum + rows, 0);
  const data = BENFORD.map((expected, i) => {
    const rows = leading.find(({ value }) => value === String(i + 1))?.rows ?? 0;
    return { label: String(i + 1), rows, expected: Math.round(expected * all) / 100 };
  });
  return {
    title: "Leading digits",
    about:
      "Answers by their first digit; marks show Benford’s law, which answers of many sizes come close to. A tall bar lets guesses pay.",
    spec: columnsWithMarks(data, "first digit"),
    head: ["digit", "tasks", "share", "by Benford’s law"],
    rows: all === 0 ? [] : data.map((d, i) => [d.label, d.rows, percent(d.rows, all), `${BENFORD[i]} %`]),
  };
}
