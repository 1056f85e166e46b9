import { canonicalJson } from "../base/canonical.js";
import { heat } from "./charts.js";
import { fitting } from "./draw.js";
import { grid, grouped, section, words } from "./elements.js";
import { drawn, type Figure } from "./figures.js";
import { type Html, html } from "./html.js";
import type { NearMiss, NearMisses } from "./near-misses.js";

/** What came closest to being accepted: here a reader sees whether the lines are drawn where they should be. */
export async function nearMissSection(all: readonly NearMisses[]): Promise<Html> {
  if (all.length === 0)
    return section(
      "near-misses",
      "Near-misses",
      html`<p class="note">No row was turned away for a distance: a margin, a threshold, a rival’s answer or a tolerance.</p>`,
    );
  return section(
    "near-misses",
    "Near-misses",
    html`<p class="note">Rows that were turned away for a distance, those first that came closest to the line. Distances are those of samples, which are drawn by the seed.</p>`,
    html`${all.map(reasonCard)}`,
    grid(await drawn([closenessFigure(all)])),
  );
}

const TENTHS = Array.from({ length: 10 }, (_, i) => `${10 * i}`);

function closenessFigure(all: readonly NearMisses[]): Figure {
  const one = new Set(all.map(({ stage }) => stage)).size === 1;
  const name = ({ reason, stage }: NearMisses): string =>
    fitting(one ? words(reason) : `${words(reason)} (${stage})`, 150);
  const cells = all.flatMap((near) =>
    near.closeness
      .filter(({ rows }) => rows > 0)
      .map(({ low, rows }) => ({ x: TENTHS[Math.round(10 * (low ?? 0))]!, y: name(near), rows })),
  );
  return {
    title: "Closeness",
    about:
      "Measured samples by reason; those further to the right came closer: at 100 % they would have been kept. The stronger the colour, the more.",
    spec: heat(cells, TENTHS, all.map(name), "closeness in %, from", 150),
    head: ["reason", "closeness from", "samples"],
    rows: cells.map(({ x, y, rows }) => [y, `${x} %`, rows]),
  };
}

function reasonCard({ stage, reason, meaning, rows, measured, closest }: NearMisses): Html {
  return html`<div class="card"><h3>${words(reason)} <span class="flow">${stage}</span></h3>
<p class="note">${meaning}. ${grouped(rows)} turned away; ${closest.length === 0 ? `none of ${measured} samples came halfway to the line.` : `the closest of ${measured} samples:`}</p>
${closest.length === 0 ? html`` : html`<ol class="near">${closest.map(miss)}</ol>`}</div>`;
}

function miss({ ref, closeness, says, entity, program, evidence }: NearMiss): Html {
  return html`<li><p><b>${Math.floor(100 * closeness)} %</b> ${entity === null ? "" : `${entity}: `}${says}</p>
<details><summary>${program ?? ref}</summary><pre tabindex="0"><b>${ref}</b>\n${canonicalJson(evidence)
    .slice(0, 1500)
    .replace(/[\ud800-\udbff]$/, "")}</pre></details></li>`;
}
