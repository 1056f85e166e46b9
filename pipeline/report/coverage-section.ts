import { stacks } from "./charts.js";
import type { Coverage } from "./coverage.js";
import { type Chart, fitting } from "./draw.js";
import { grid, section, table } from "./elements.js";
import { classFigure, drawn, type Figure, listed, MOST, percent, plain, shareFigure } from "./figures.js";
import { type Html, html } from "./html.js";
import type { Variety } from "./tally.js";

/** What the tasks are about. */
export async function coverageSection(coverage: Coverage): Promise<Html> {
  return section(
    "coverage",
    "Coverage",
    html`<p class="note">What the accepted tasks are about. “As varied as” tells how many values of the same frequency would be as varied (inverse Simpson index): one value that has most of the rows brings it down to 1.</p>
<div class="card">${table("variety by property", ["property", "different", "as varied as", "largest", "share"], varieties(coverage))}</div>`,
    grid(await charts(coverage)),
  );
}

function varieties({ domains, tables, formulas, entities, forms, shapes }: Coverage): (string | number)[][] {
  const all: [string, Variety][] = [
    ["domain", domains],
    ["table", tables],
    ["formula", formulas],
    ["entity", entities],
    ["form", forms],
    ["shape", shapes],
  ];
  return all.map(([name, { distinct, effective, top, rows }]) => [
    name,
    distinct,
    effective,
    top[0]?.value ?? "",
    percent(top[0]?.rows ?? 0, rows),
  ]);
}

function charts(coverage: Coverage): Promise<Chart[]> {
  const { domains, tables, formulas, entities, asked, forms, shapes, splits } = coverage;
  const { distinct, once } = entities;
  return drawn([
    domains.distinct > 1
      ? shareFigure("Domains", "Tasks by the field of science of their table.", "domain", domains)
      : undefined,
    shareFigure("Tables", "Tasks by the table whose entities are filtered.", "table", tables),
    shareFigure("Formulas", "Tasks by the quantity that is computed.", "formula", formulas),
    columnFigure(coverage),
    shareFigure(
      "Entities",
      `${distinct} different entities are selected, ${once} of them once; the most frequent:`,
      "entity",
      entities,
    ),
    classFigure("Tasks of one entity", "Entities by how many tasks select them.", "tasks", asked, {
      whole: true,
      counted: "entities",
      least: "1",
    }),
    forms.distinct > 1
      ? shareFigure(
          "Forms",
          "Tasks by what they do: select an entity, hop to another, compare two, or aggregate all.",
          "form",
          forms,
        )
      : undefined,
    shareFigure(
      "Shapes",
      "Tasks by the form of their program: table, conditions, selection and links, without numbers and formula.",
      "shape",
      shapes,
    ),
    shareFigure(
      "Splits",
      "Tasks by split; tasks with the same entity and formula stay together.",
      "split",
      listed(splits),
    ),
  ]);
}

const USES = ["filter", "select", "compute"] as const;

function columnFigure({ columns: all }: Coverage): Figure {
  const most = all.slice(0, MOST);
  const data = most.flatMap((c) =>
    USES.map((part, place) => ({ label: fitting(plain(c.column)), part, place, rows: c[part] })),
  );
  return {
    title: "Columns",
    about: `Tasks that read a column: as a condition, to select by, as an input${all.length > MOST ? `; the ${MOST} most used of ${all.length}` : ""}.`,
    spec: stacks(data, USES, ["var(--accent)", "var(--second)", "var(--third)"]),
    head: ["column", ...USES],
    rows: all.map((c) => [c.column, c.filter, c.select, c.compute]),
  };
}
