import { canonicalJson } from "../base/canonical.js";
import type { Chart } from "./charts.js";
import { figures, percent, superscript } from "./figures.js";
import type { FunnelReason, FunnelStage } from "./funnel.js";
import type { Report, Sample } from "./gather.js";
import { type Html, html, trusted, visible } from "./html.js";
import { leakageSection } from "./leakage.js";
import { leakageFigures } from "./leakage-figures.js";
import { problemSection } from "./problems.js";
import { rolloutFigures } from "./rollout-figures.js";
import { rolloutSection } from "./rollout-section.js";
import { STYLE } from "./style.js";

/** `report.html`: one file without scripts or links to anything outside. The same report gives the same bytes. */
export async function page(report: Report): Promise<string> {
  const charts = await figures(report);
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${report.name}: dataset report</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
${head(report)}
<main>
${samples(report)}
${coverage(charts)}${problemSection(report.problems)}
${funnel(report)}
${gates(report)}
${rolloutSection(report.rollouts, { table, figure }, report.rollouts === undefined ? [] : await rolloutFigures(report.rollouts))}
${report.leakage === undefined ? html`` : leakageSection(report.leakage, { table, figure }, await leakageFigures(report.leakage))}
${quotas(report)}
${sources(report)}
${pools(report)}
<footer>Made by taskmill ${report.taskmill} with seed ${report.seed}. The same figures as data: <code>report.json</code>.</footer>
</main>
</body>
</html>
`;
  return text;
}

function head(report: Report): Html {
  const { coverage, accepted, target } = report;
  const asked =
    target.accepted === null
      ? undefined
      : Math.min(target.accepted, target.limit ?? Number.POSITIVE_INFINITY);
  const clear = Object.values(report.gates).every((g) => g.not_run === 0 && g.failed === 0);
  const tiles: [string, string][] = [
    ["accepted tasks", grouped(accepted)],
    ["candidates looked at", grouped(report.candidates)],
    ["tables", grouped(coverage.tables.length)],
    ["formulas", grouped(coverage.formulas.length)],
    ["entities", grouped(coverage.entities.distinct)],
  ];
  return html`<header>
<aside class="banner${clear ? " clear" : ""}" aria-label="What was not checked">${report.unscreened.map((line) => html`<p>${line}</p>`)}</aside>
<h1>${report.name}</h1>
<p class="lead">${
    asked === undefined
      ? "Tasks whose answers were known before their questions were written."
      : `${grouped(accepted)} of the ${grouped(asked)} tasks asked for: ${report.reached ? "the target is met" : "the target is not met"}.`
  }</p>
<dl class="tiles">${tiles.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<nav aria-label="On this page">${NAV.filter(([id]) => id !== "leakage" || report.leakage !== undefined).map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav>
</header>`;
}

const NAV = [
  ["samples", "Tasks"],
  ["coverage", "Coverage"],
  ["funnel", "Funnel"],
  ["gates", "Gates"],
  ["rollouts", "Rollouts"],
  ["leakage", "Leakage"],
  ["quotas", "Quotas"],
  ["sources", "Sources"],
  ["pools", "Pools"],
] as const;

function samples({ samples: all }: Report): Html {
  if (all.length === 0)
    return html`<h2 id="samples">Tasks</h2><p class="note">No task was accepted; the funnel below says why.</p>`;
  return html`<h2 id="samples">${all.length} tasks drawn by seed</h2>
<p class="note">Try one before you open its answer.</p>
${all.map(sample)}`;
}

function sample({ id, split, question, entity, answer, chain, gates: met }: Sample): Html {
  const labels = new Map(chain.map((s) => [s.id, s.label]));
  const rows = chain.map((s) => [
    s.label,
    raised(s.text),
    s.depends_on.map((d) => labels.get(d) ?? d).join(", "),
  ]);
  return html`<article class="card">
<div class="meta">${split} · <code>${id}</code></div>
<p class="question">${question}</p>
<details><summary>Answer and chain</summary>
<p class="answer">${answer.text} ${answer.unit === "1" ? "" : raised(answer.unit)} <span>within ${(100 * answer.tolerance).toPrecision(2)} % · ${entity}</span></p>
${table(["step", "value", "from"], rows)}
<p class="meta">${met.map((g) => html`<span class="${g.status}">${g.gate} ${g.status.replace("_", " ")}</span> `)}</p>
</details>
</article>`;
}

function coverage(charts: readonly Chart[]): Html {
  return html`<h2 id="coverage">Coverage</h2>
<p class="note">What the accepted tasks are about and how hard they are.</p>
<div class="grid">${charts.map(figure)}</div>`;
}

function figure(chart: Chart): Html {
  return html`<figure>
<figcaption><h3>${chart.title}</h3><p>${chart.about}</p></figcaption>
${labelled(chart)}
<details><summary>As a table</summary>${table(chart.head, chart.rows)}</details>
</figure>`;
}

/** One image to a screen reader, which finds the numbers in the table below it. */
function labelled({ svg, title, about }: Chart): Html {
  const label = html`role="img" aria-label="${title}. ${about}"`.text;
  const hidden = svg.replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, "");
  return trusted(visible(hidden).replace("<svg ", () => `<svg ${label} `));
}

function funnel({ funnel: stages }: Report): Html {
  return html`<h2 id="funnel">Funnel</h2>
<p class="note">For each stage, in + created = out + rejected. Open a reason to see what was turned away.</p>
${stages.map(stage)}`;
}

function stage(s: FunnelStage): Html {
  const all = s.in + s.created;
  const kept = all === 0 ? 0 : Math.round((1000 * s.out) / all) / 10;
  return html`<section class="card" aria-label="Stage ${s.id}">
<div class="stage"><h3>${s.id}${s.stage === s.id ? "" : ` (${s.stage})`}</h3>
<div class="flow">${s.created > 0 ? `${grouped(s.created)} created` : `${grouped(s.in)} in`} → <b>${grouped(s.out)}</b> out</div>
<div class="track" aria-hidden="true"><i style="width:${kept}%"></i></div></div>
${s.rejected.map((r) => reason(r, all))}
</section>`;
}

function reason(r: FunnelReason, all: number): Html {
  return html`<details class="reason"><summary><span class="n">${grouped(r.rows)} · ${percent(r.rows, all)}</span>${r.reason.replaceAll("_", " ")}</summary>
<p>${r.meaning}</p>
${r.samples.map((s) => html`<pre tabindex="0"><b>${s.ref}</b>\n${shorten(canonicalJson(s.evidence))}</pre>`)}
</details>`;
}

function gates(report: Report): Html {
  const rows = Object.entries(report.gates).map(([gate, g]) => [
    gate,
    grouped(g.passed),
    grouped(g.failed),
    grouped(g.not_run),
  ]);
  return html`<h2 id="gates">Gates</h2>
<p class="note">A gate that did not run has not been passed.${
    report.admit_unscreened.length > 0
      ? ` Admitted into the RL pool by name without: ${report.admit_unscreened.join(", ")}.`
      : ""
  }</p>
<div class="card">${table(["gate", "passed", "failed", "not run"], rows)}</div>`;
}

function quotas({ quotas: all, accepted }: Report): Html {
  const rows = all.map((q) => [
    q.property.replaceAll("_", " "),
    q.largest,
    grouped(q.rows),
    percent(q.rows, accepted),
    percent(q.allowed, 1),
  ]);
  return html`<h2 id="quotas">Quotas</h2>
<p class="note">The largest share that one value of a property has, and what the config allows. Small datasets may hold a few rows more, as configured.</p>
<div class="card">${rows.length === 0 ? html`<p class="note">No share is limited.</p>` : table(["property", "largest", "tasks", "share", "allowed"], rows)}</div>`;
}

function sources({ sources: all }: Report): Html {
  const cells = all.flatMap((s) =>
    Object.entries(s.cells).flatMap(([column, reasons]) =>
      Object.entries(reasons).map(([why, n]) => [s.id, column, why.replaceAll("_", " "), grouped(n)]),
    ),
  );
  const rows = all.map((s) => [
    s.id,
    s.title,
    grouped(s.rows),
    grouped(s.records),
    s.licence,
    s.as_of,
    s.publisher,
  ]);
  return html`<h2 id="sources">Sources</h2>
<div class="card">${table(["id", "title", "rows", "records", "licence", "as of", "publisher"], rows)}
${cells.length === 0 ? "" : html`<details><summary>Cells that became unknown</summary>${table(["source", "column", "why", "cells"], cells)}</details>`}</div>`;
}

function pools({ pools: all }: Report): Html {
  const rows = all.map((p) => [p.file, grouped(p.rows), grouped(p.bytes)]);
  return html`<h2 id="pools">Pools</h2><div class="card">${table(["file", "rows", "bytes"], rows)}</div>`;
}

/** Numbers, and texts that are numbers, stand to the right. */
function table(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): Html {
  const numeric = titles.map(
    (_, i) => rows.length > 0 && rows.every((row) => /^[\d,.]+( %)?$/.test(String(row[i]))),
  );
  const cell = (value: string | number, i: number) =>
    i === 0
      ? html`<th scope="row">${value}</th>`
      : html`<td${trusted(numeric[i] ? ' class="n"' : "")}>${typeof value === "number" ? grouped(value) : value}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of ${titles.join(", ")}"><table>
<thead><tr>${titles.map((title, i) => html`<th scope="col"${trusted(numeric[i] ? ' class="n"' : "")}>${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
</table></div>`;
}

/** Powers as people write them: g/cm^3 becomes g/cm³. */
function raised(text: string): string {
  return text.replace(/\^(-?\d+)/g, (_, power: string) => superscript(power));
}

function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function shorten(text: string): string {
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text;
}
