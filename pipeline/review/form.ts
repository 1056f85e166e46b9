import { createHash } from "node:crypto";
import { type Html, html, trusted } from "../report/html.js";
import type { BlindTask } from "./draw.js";
import { COLUMNS, FIELDS, QUESTIONS, shownId } from "./fields.js";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
article { border-top: 1px solid; padding: 1rem 0; }
.question { font-size: 1.1rem; overflow-wrap: anywhere; }
fieldset { border: 0; padding: 0; margin: .4rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
legend { float: left; min-width: 19rem; padding: 0; }
label { display: inline-flex; gap: .35rem; align-items: center; min-height: 1.8rem; }
label.text { display: block; margin: .4rem 0; }
input[type=text], textarea { width: 100%; box-sizing: border-box; font: inherit; padding: .3rem; }
button { font: inherit; padding: .5rem 1rem; }
`;

/** Gathers the form into the lines of the CSV sheet and gives them to the browser as a file; nothing is sent anywhere. */
const SCRIPT = `
"use strict";
const columns = ${JSON.stringify(COLUMNS)};
const fields = ${JSON.stringify(FIELDS)};
const cell = (text) => {
  const safe = /^[=+\\-@\\t\\r]/.test(text) ? "'" + text : text;
  return /[",\\r\\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
};
document.getElementById("save").addEventListener("click", () => {
  const reviewer = document.getElementById("reviewer");
  if (!reviewer.reportValidity()) return;
  const lines = [columns];
  for (const article of document.querySelectorAll("article")) {
    const said = {
      row: article.dataset.row,
      task: article.dataset.task,
      question: article.querySelector(".question").textContent,
      answer: article.querySelector("[data-field=answer]").value,
      note: article.querySelector("[data-field=note]").value,
      reviewer: reviewer.value,
    };
    for (const field of fields)
      said[field] = article.querySelector("[data-field=" + field + "] input:checked")?.value ?? "";
    lines.push(columns.map((column) => said[column] ?? ""));
  }
  const text = "\\ufeff" + lines.map((line) => line.map(cell).join(",")).join("\\r\\n") + "\\r\\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = "review.csv";
  link.click();
  changed = false;
});
let changed = false;
document.addEventListener("input", () => { changed = true; });
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
`;

/** A page with a form for each task that works from a file, without a network; its button saves the filled sheet as CSV. */
export function formPage(name: string, tasks: readonly BlindTask[]): string {
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Review of ${name}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
<h1>Review of ${name}</h1>
<p>${tasks.length} questions. Answer each without looking anything up first where you can; then look up what you like for your own answer.
Leave empty what you cannot judge. Nothing is sent: the button at the end saves a file to hand back.</p>
<label class="text">Reviewer (your name, or any word that stands for you)
<input type="text" id="reviewer" required autocomplete="off"></label>
${tasks.map((task, i) => taskForm(task, i + 1))}
<p><button type="button" id="save">Save the sheet</button></p>
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.text;
}

function taskForm({ id, question }: BlindTask, row: number): Html {
  return html`<article data-row="${row}" data-task="${shownId(id)}" aria-labelledby="q${row}">
<h2 id="q${row}">Question ${row}</h2>
<p class="question">${question}</p>
${FIELDS.map(
  (field) => html`<fieldset data-field="${field}"><legend>${QUESTIONS[field]}</legend>
<label><input type="radio" name="${field}${row}" value="yes">yes</label>
<label><input type="radio" name="${field}${row}" value="no">no</label></fieldset>
`,
)}<label class="text">Your answer<input type="text" data-field="answer" autocomplete="off"></label>
<label class="text">Note<textarea data-field="note" rows="2"></textarea></label>
</article>
`;
}
