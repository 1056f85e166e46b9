import { type Audit, auditDataset } from "../audit/audit.js";
import { readDataset } from "../audit/dataset.js";
import type { Shortcut } from "../audit/shortcut.js";
import { boundsIn } from "../audit.js";
import { builtins } from "../builtins.js";
import type { Facts } from "../facts.js";
import { recordedModels } from "../models/access.js";
import type { Chart } from "./draw.js";
import { grid, section, table } from "./elements.js";
import { type Html, html } from "./html.js";

/**
 * Audits a dataset that is being written: pools, ledger and recorded calls stand in `dir` already, so the same functions read the same
 * files as `pipeline audit` does later. Readings of questions, which the run has just compared, are not compared once more.
 */
export async function leakageOf(dir: string, { manifest, tables }: Facts): Promise<{ leakage?: Audit }> {
  if (tables === undefined) return {};
  const { signal } = new AbortController();
  const { resolved } = manifest.config;
  const models = await recordedModels(dir, resolved, signal);
  try {
    const dataset = await readDataset(dir, manifest, tables.catalog);
    const stages = { registry: builtins(), database: tables.database, signal, models };
    return { leakage: await auditDataset(dataset, stages, boundsIn(resolved), { rerun: false }) };
  } finally {
    await models.close();
  }
}

/** Findings that a page shows; `report.json` has all. */
const SHOWN = 50;

/** The report's part on leakage. */
export function leakageSection(audit: Audit, charts: readonly Chart[]): Html {
  const { shortcuts, findings, bounds, accepted } = audit;
  const rows = shortcuts.map((s) => [s.title, resultOf(s), testedOf(s, accepted), s.removed ?? "–"]);
  return section(
    "leakage",
    "Leakage",
    html`<p class="note">Ways to an answer without the work that a task asks for, each with the test that closes it. A test that did not run has closed nothing. Intervals hold 95 %; rows of one entity count as alike.</p>
<div class="card">${table("ways to an answer", ["shortcut", "result", "rows tested", "removed"], rows)}
<details><summary>What each test does, and how far it reaches</summary>${shortcuts.map(reachOf)}</details></div>`,
    grid(charts),
    boundsOf(bounds),
    findingsOf(findings),
  );
}

function resultOf({ status, why, result }: Shortcut): string {
  return status === "not_run" ? `not run: ${why}` : result;
}

function testedOf({ status, tested }: Shortcut, accepted: number): string {
  return status === "not_run" ? "none" : tested >= accepted ? "all" : `${tested} of ${accepted}`;
}

function reachOf({ title, test, reach, status, why }: Shortcut): Html {
  const left = status === "partly" ? ` Left out: ${why}.` : "";
  return html`<p><b>${title}</b>: ${test}. ${reach}${left}</p>`;
}

function boundsOf(bounds: Audit["bounds"]): Html {
  if (bounds.length === 0) return html`<p class="note">The config sets no bounds.</p>`;
  const rows = bounds.map(({ bound, most, found, broken, why }) => [
    bound.replaceAll("_", " "),
    String(most),
    found === null ? "not run" : String(Number(found.toPrecision(4))),
    broken ? `broken: ${why}` : "kept",
  ]);
  return html`<div class="card"><h3>Bounds</h3>${table("bounds", ["bound", "at most", "found", "state"], rows)}</div>`;
}

function findingsOf(findings: Audit["findings"]): Html {
  if (findings.length === 0)
    return html`<p class="note">All evidence follows from the dataset's own recorded calls and sources.</p>`;
  const rest = findings.length - SHOWN;
  return html`<div class="card"><h3>What does not follow from the dataset's own files</h3>
${findings.slice(0, SHOWN).map(({ where, message, code }) => html`<p><code>${where}</code> ${message} <span class="failed">${code.replaceAll("_", " ")}</span></p>`)}
${rest > 0 ? html`<p class="note">${rest} more in report.json.</p>` : html``}</div>`;
}
