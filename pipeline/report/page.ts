import { answersSection } from "./answers-section.js";
import { coverageSection } from "./coverage-section.js";
import { difficultySection } from "./difficulty-section.js";
import { grouped, section, table, words } from "./elements.js";
import { funnelSection } from "./funnel-section.js";
import type { Report } from "./gather.js";
import { type Html, html, trusted } from "./html.js";
import { leakageSection } from "./leakage.js";
import { leakageFigures } from "./leakage-figures.js";
import { nearMissSection } from "./near-miss-section.js";
import { problemSection } from "./problems.js";
import { rolloutFigures } from "./rollout-figures.js";
import { rolloutSection } from "./rollout-section.js";
import { sharesSection } from "./shares-section.js";
import { STYLE } from "./style.js";
import { tasksSection } from "./task-card.js";
import { verdictSection } from "./verdict-section.js";
import { wordingSection } from "./wording-section.js";

/** `report.html`: one file without scripts or links to anything outside. The same report gives the same bytes. */
export async function page(report: Report): Promise<string> {
  const parts = await partsOf(report);
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
<header>
${banner(report)}
<h1>${report.name}</h1>
<p class="lead">Tasks whose answers were known before their questions were written.</p>
</header>
<main>
${verdictSection(report)}
<nav aria-label="On this page">${parts.map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav>
${parts.map(([, , part]) => part)}
</main>
<footer>Made by taskmill ${report.taskmill} with seed ${report.seed}. The same figures as data: <code>report.json</code>.</footer>
</body>
</html>
`;
  return text;
}

type PagePart = readonly [id: string, name: string, part: Html];

/** The sections in their order; those that a dataset has nothing for are left out. */
async function partsOf(report: Report): Promise<PagePart[]> {
  const { samples, funnel, near_misses, quotas, turned_away, rollouts, problems, leakage } = report;
  const tasks = report.coverage.tables.rows > 0;
  const all: (PagePart | undefined)[] = [
    ["samples", "Tasks", await tasksSection(samples)],
    problems && ["problems", "Problems", problemSection(problems)],
    ["funnel", "Funnel", await funnelSection(funnel)],
    ["near-misses", "Near-misses", await nearMissSection(near_misses)],
    ["shares", "Shares", await sharesSection(quotas, turned_away)],
    ...(tasks ? await contentOf(report) : []),
    ["gates", "Gates", gates(report)],
    [
      "rollouts",
      "Rollouts",
      rolloutSection(rollouts, rollouts === undefined ? [] : await rolloutFigures(rollouts)),
    ],
    leakage && ["leakage", "Leakage", leakageSection(leakage, await leakageFigures(leakage))],
    ["sources", "Sources", sources(report)],
    ["pools", "Pools", pools(report)],
  ];
  return all.filter((part) => part !== undefined);
}

async function contentOf({ coverage, answers, difficulty, wording }: Report): Promise<PagePart[]> {
  return [
    ["coverage", "Coverage", await coverageSection(coverage)],
    ["answers", "Answers", await answersSection(answers)],
    ["difficulty", "Difficulty", await difficultySection(difficulty)],
    ["wording", "Wording", await wordingSection(wording)],
  ];
}

function banner({ unscreened, gates: all }: Report): Html {
  const clear = Object.values(all).every((g) => g.not_run === 0 && g.failed === 0);
  return html`<div class="banner${clear ? " clear" : ""}" role="group" aria-label="What was not checked">${unscreened.map((line) => html`<p>${line}</p>`)}</div>`;
}

function gates({ gates: all, admit_unscreened }: Report): Html {
  const rows = Object.entries(all).map(([gate, g]) => [words(gate), g.passed, g.failed, g.not_run]);
  const admitted =
    admit_unscreened.length > 0
      ? ` Admitted into the RL pool by name without: ${admit_unscreened.join(", ")}.`
      : "";
  return section(
    "gates",
    "Gates",
    html`<p class="note">A gate that did not run has not been passed.${admitted}</p>
<div class="card">${table("gates", ["gate", "passed", "failed", "not run"], rows)}</div>`,
  );
}

function sources({ sources: all }: Report): Html {
  const cells = all.flatMap((s) =>
    Object.entries(s.cells).flatMap(([column, reasons]) =>
      Object.entries(reasons).map(([why, n]) => [s.id, column, words(why), n]),
    ),
  );
  const rows = all.map((s) => [s.id, s.title, s.rows, s.records, s.licence, s.as_of, s.publisher]);
  return section(
    "sources",
    "Sources",
    html`<div class="card">${table("sources", ["id", "title", "rows", "records", "licence", "as of", "publisher"], rows)}
${cells.length === 0 ? "" : html`<details><summary>Cells that became unknown</summary>${table("cells that became unknown", ["source", "column", "why", "cells"], cells)}</details>`}</div>`,
  );
}

function pools({ pools: all }: Report): Html {
  const rows = all.map((p) => [p.file, p.rows, grouped(p.bytes)]);
  return section(
    "pools",
    "Pools",
    html`<div class="card">${table("pools", ["file", "rows", "bytes"], rows)}</div>`,
  );
}
