import type { ProblemTaskRow } from "../../datasets/problem-record.js";
import { stream } from "../base/random.js";
import { section } from "./elements.js";
import { type Html, html } from "./html.js";
import { type Share, shares } from "./tally.js";

/** What a dataset's own problems are about. */
export interface ProblemReport {
  readonly rows: number;
  readonly sources: readonly Share[];
  readonly types: readonly Share[];
  readonly languages: readonly Share[];
  readonly topics: readonly Share[];
  readonly splits: readonly Share[];
  readonly samples: readonly {
    readonly id: string;
    readonly split: string;
    readonly question: string;
    readonly answer: string;
  }[];
}

const SAMPLED = 5;

export function problemsOf(seed: string, rows: readonly ProblemTaskRow[]): ProblemReport {
  const drawn = stream(seed, "report", "problems").shuffle(rows).slice(0, SAMPLED);
  return {
    rows: rows.length,
    sources: shares(rows.map((r) => r.problem.source)),
    types: shares(rows.map((r) => r.expected.type)),
    languages: shares(rows.map((r) => r.problem.language)),
    topics: shares(rows.flatMap((r) => r.problem.topic ?? [])),
    splits: shares(rows.map((r) => r.split)),
    samples: drawn.map(({ id, split, question, expected }) => ({
      id,
      split,
      question,
      answer: JSON.stringify(expected),
    })),
  };
}

/** The report's section about them. */
export function problemSection(report: ProblemReport): Html {
  const parts = ["sources", "types", "languages", "topics", "splits"] as const;
  return section(
    "problems",
    "Problems",
    html`<p class="note">${report.rows} questions and answers of the user's own, as their source states them; the gates say what was checked of them.</p>
${report.samples.map(
  (s) => html`<article class="card">
<div class="meta">${s.split} · <code>${s.id}</code></div>
<p class="question">${s.question}</p>
<details><summary>Answer</summary><p class="answer">${s.answer}</p></details>
</article>`,
)}
<div class="card">${parts.map((part) => (report[part].length === 0 ? html`` : html`<h3>${part}</h3><ul>${report[part].map((s) => html`<li>${s.value}: ${s.rows}</li>`)}</ul>`))}</div>`,
  );
}
