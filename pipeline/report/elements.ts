import type { Chart } from "./draw.js";
import { superscript } from "./figures.js";
import { type Html, html, trusted, visible } from "./html.js";

export type Cell = string | number;

/** Rows of one table that the page holds; `report.json` has all. */
const MOST_ROWS = 100;

/** A part of the page under its heading. */
export function section(id: string, title: string, ...content: readonly Html[]): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>
`;
}

/**
 * A table that scrolls by itself where it is too wide. Numbers, and texts that are numbers, stand to the right.
 * @param caption what it lists; for screen readers, as the page says it above the table
 */
export function table(caption: string, titles: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  const shown = rows.slice(0, MOST_ROWS);
  const numeric = titles.map(
    (_, i) => shown.length > 0 && shown.every((row) => /^-?[\d,.]+( %)?$/.test(String(row[i]))),
  );
  const cell = (value: Cell, i: number) =>
    i === 0
      ? html`<th scope="row">${shownCell(value)}</th>`
      : html`<td${trusted(numeric[i] ? ' class="n"' : "")}>${shownCell(value)}</td>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table: ${caption}"><table>
<caption class="heard">${caption}</caption>
<thead><tr>${titles.map((title, i) => html`<th scope="col"${trusted(numeric[i] ? ' class="n"' : "")}>${title}</th>`)}</tr></thead>
<tbody>${shown.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
</table></div>${rows.length > MOST_ROWS ? html`<p class="note">${grouped(rows.length - MOST_ROWS)} more in report.json.</p>` : html``}`;
}

function shownCell(value: Cell): string {
  return typeof value === "number" ? grouped(value) : value;
}

export function figure(chart: Chart): Html {
  return html`<figure>
<figcaption><h3>${chart.title}</h3><p>${chart.about}</p></figcaption>
${labelled(chart)}
<details><summary>${chart.title} as a table</summary>${table(chart.title, chart.head, chart.rows)}</details>
</figure>`;
}

/** Charts side by side, as the page's width allows. */
export function grid(charts: readonly Chart[]): Html {
  return charts.length === 0 ? html`` : html`<div class="grid">${charts.map(figure)}</div>`;
}

/** One image to a screen reader, which finds the numbers in the table below it. */
export function labelled({ svg, title, about }: Pick<Chart, "svg" | "title" | "about">): Html {
  const label = html`role="img" aria-label="${title}. ${about}"`.text;
  const hidden = svg.replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, "");
  return trusted(visible(hidden).replace("<svg ", () => `<svg ${label} `));
}

/** Powers as people write them: g/cm^3 becomes g/cm³. */
export function raised(text: string): string {
  return text.replace(/\^(-?\d+)/g, (_, power: string) => superscript(power));
}

/** "1,234,567" */
export function grouped(n: number): string {
  const [whole, ...rest] = String(n).split(".");
  return [whole!.replace(/\B(?=(\d{3})+(?!\d))/g, ","), ...rest].join(".");
}

/** A figure at six significant digits as people write it: "1,234.5", "5.04576 × 10¹⁰". */
export function number(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) {
    const [digits, power] = value.toExponential(5).split("e");
    return `${Number(digits)} × 10${superscript(String(Number(power)))}`;
  }
  return grouped(Number(value.toPrecision(6)));
}

/** A figure with its unit, where it has one. */
export function quantity(value: number, unit: string): string {
  return unit === "1" || unit === "" ? number(value) : `${number(value)} ${raised(unit)}`;
}

/** Ids read better without their underscores. */
export function words(id: string): string {
  return id.replaceAll("_", " ");
}
