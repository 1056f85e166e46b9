import { bars } from "./charts.js";
import { fitting } from "./draw.js";
import { grid, grouped, section, table, words } from "./elements.js";
import { drawn, type Figure, MOST, percent } from "./figures.js";
import { type Html, html } from "./html.js";
import type { Quota } from "./quotas.js";
import type { TurnedAway } from "./turned-away.js";

/** Shares that the config allows, and what `balance` turned away to keep them. */
export async function sharesSection(quotas: readonly Quota[], turned: readonly TurnedAway[]): Promise<Html> {
  const charts = await drawn(turned.map(costFigure));
  return section("shares", "Shares", allowed(quotas), html`${turned.map(turnedAway)}`, grid(charts));
}

function allowed(quotas: readonly Quota[]): Html {
  if (quotas.length === 0) return html`<p class="note">The config limits no share.</p>`;
  const rows = quotas.map((q) => [
    words(q.property),
    q.largest,
    q.rows,
    percent(q.rows, q.of),
    percent(q.allowed, 1),
    q.kept ? "kept" : "over",
  ]);
  return html`<p class="note">The largest share that one value of a property has, and what the config allows. Small datasets may hold a few rows more, as configured.</p>
<div class="card">${table("largest shares", ["property", "largest", "tasks", "share", "allowed", "state"], rows)}</div>`;
}

function turnedAway({ stage, rows, values, others, without }: TurnedAway): Html {
  if (rows === 0) return html``;
  const listed = values.map((v) => [
    words(v.property),
    v.value,
    v.rows,
    v.admitted ?? "",
    v.share === null ? "" : percent(v.share, 1),
  ]);
  const told = Object.entries(without).map(([reason, n]) => `${grouped(n)} for ${words(reason)}`);
  return html`<div class="card"><h3>Turned away by ${stage}</h3>
<p class="note">${grouped(rows)} sound ${rows === 1 ? "row" : "rows"} did not fit; each is counted under the first property whose share was full.${told.length === 0 ? "" : ` Beside shares: ${told.join(", ")}.`}</p>
${listed.length === 0 ? html`` : table(`turned away by ${stage}`, ["property", "value", "turned away", "admitted", "allowed"], listed)}
${others.values === 0 ? html`` : html`<p class="note">${grouped(others.values)} other values cost ${grouped(others.rows)} rows.</p>`}</div>`;
}

function costFigure({ stage, values }: TurnedAway): Figure {
  return {
    title: `Cost of shares at ${stage}`,
    about: "Rows turned away by the value whose share was full.",
    spec: bars(
      values
        .slice(0, MOST)
        .map((v) => ({ label: fitting(`${words(v.property)}: ${words(v.value)}`), rows: v.rows })),
    ),
    head: ["value", "property", "rows"],
    rows: values.map((v) => [v.value, words(v.property), v.rows]),
  };
}
