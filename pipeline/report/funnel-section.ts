import { canonicalJson } from "../base/canonical.js";
import { bars, stacks } from "./charts.js";
import { type Chart, fitting } from "./draw.js";
import { grid, grouped, section, words } from "./elements.js";
import { drawn, type Figure, MOST, percent } from "./figures.js";
import type { FunnelReason, FunnelStage } from "./funnel.js";
import { type Html, html } from "./html.js";

/** What each stage did to its rows, drawn, and every reason with samples. */
export async function funnelSection(stages: readonly FunnelStage[]): Promise<Html> {
  return section(
    "funnel",
    "Funnel",
    html`<p class="note">For each stage, in + created = out + rejected. Open a reason to see what it turned away.</p>`,
    grid(await charts(stages)),
    html`${stages.filter(({ rejected }) => rejected.length > 0).map(stage)}`,
    through(stages),
  );
}

/** Stages that turned nothing away need no card of their own. */
function through(stages: readonly FunnelStage[]): Html {
  const all = stages.filter(({ rejected }) => rejected.length === 0).map(({ id }) => id);
  return all.length === 0
    ? html``
    : html`<p class="note after">Nothing was turned away by ${all.join(", ")}.</p>`;
}

const ON = "passed on";
const AWAY = "turned away";

function charts(stages: readonly FunnelStage[]): Promise<Chart[]> {
  return drawn([stageFigure(stages), reasonFigure(stages)]);
}

function stageFigure(stages: readonly FunnelStage[]): Figure {
  // Loading a source rejects records, which are no candidates: another scale.
  const shown = stages.filter(({ stage }) => stage !== "ingest");
  const given = (s: FunnelStage): number => s.in + s.created;
  const data = shown.flatMap((s) => {
    const label = fitting(`${s.id}: ${grouped(given(s))} → ${grouped(s.out)}`);
    return [
      { label, part: ON, place: 0, rows: s.out },
      { label, part: AWAY, place: 1, rows: given(s) - s.out },
    ];
  });
  return {
    title: "Rows by stage",
    about: "What each stage was given, and what of it went on.",
    spec: stacks(data, [ON, AWAY], ["var(--accent)", "var(--second)"]),
    head: ["stage", "given", ON, AWAY, "share passed on"],
    rows: shown.map((s) => [s.id, given(s), s.out, given(s) - s.out, percent(s.out, given(s))]),
  };
}

function reasonFigure(stages: readonly FunnelStage[]): Figure {
  const all = stages
    .filter(({ stage }) => stage !== "ingest")
    .flatMap(({ id, rejected }) => rejected.map(({ reason, rows }) => ({ id, reason, rows })))
    .sort((a, b) => b.rows - a.rows);
  const total = all.reduce((sum, { rows }) => sum + rows, 0);
  return {
    title: "Reasons",
    about: `Why rows were turned away${all.length > MOST ? `; the ${MOST} most frequent of ${all.length} reasons` : ""}.`,
    spec: bars(
      all
        .slice(0, MOST)
        .map(({ id, reason, rows }) => ({ label: fitting(`${words(reason)} (${id})`), rows })),
    ),
    head: ["reason", "stage", "rows", "share"],
    rows: all.map(({ id, reason, rows }) => [words(reason), id, rows, percent(rows, total)]),
  };
}

function stage(s: FunnelStage): Html {
  const all = s.in + s.created;
  const kept = all === 0 ? 0 : Math.round((1000 * s.out) / all) / 10;
  return html`<div class="card">
<div class="stage"><h3>${s.id}${s.stage === s.id ? "" : ` (${s.stage})`}</h3>
<div class="flow">${s.created > 0 ? `${grouped(s.created)} created` : `${grouped(s.in)} in`} → <b>${grouped(s.out)}</b> out</div>
<div class="track" aria-hidden="true"><i style="width:${kept}%"></i></div></div>
${s.rejected.map((r) => reason(r, all))}
</div>`;
}

function reason(r: FunnelReason, all: number): Html {
  return html`<details class="reason"><summary><span class="n">${grouped(r.rows)} · ${percent(r.rows, all)}</span>${words(r.reason)}</summary>
<p>${r.meaning}</p>
${r.samples.map((s) => html`<pre tabindex="0"><b>${s.ref}</b>\n${shorten(canonicalJson(s.evidence))}</pre>`)}
</details>`;
}

function shorten(text: string): string {
  return text.length > 1500 ? `${text.slice(0, 1500).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
