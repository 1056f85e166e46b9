import { rateText } from "../audit/shortcut.js";
import { conversation } from "./conversation.js";
import type { Chart } from "./draw.js";
import { grid, section, table, words } from "./elements.js";
import { type Html, html } from "./html.js";
import { figure, percentOf } from "./rollout-words.js";
import type { AgentFigures, RolloutReport } from "./rollouts.js";

/** The report's part on rollouts. */
export function rolloutSection(report: RolloutReport | undefined, charts: readonly Chart[]): Html {
  if (report === undefined)
    return section(
      "rollouts",
      "Rollouts",
      html`<p class="note">not run: no agent attempted a task, so nothing is known of how hard the tasks are for a model with tools.</p>`,
    );
  const { tasks, agents, admission, samples } = report;
  return section(
    "rollouts",
    "Rollouts",
    html`<p class="note">Attempts of agents with tools at ${tasks} tasks, behind a wall around the sources that the answers come from.</p>
<div class="card">${table("rollouts", ["rollouts", ...agents.map(({ by }) => by)], funnel(agents))}
<p class="meta">Valid: not failed by the endpoint. Clean: right, answered, without faults of form and blocked content. Selected: in the SFT pool.</p>
${agents.map(({ by, rate }) => html`<p class="meta"><b>${by}</b> is right in ${rateText(rate)}; attempts at one task count as alike.</p>`)}</div>`,
    admission === null ? html`<p class="note">Admission: not run.</p>` : admissionCard(admission),
    grid(charts),
    ...agents.map(agentCard),
    samples.length === 0
      ? html``
      : html`<h3 class="part">Conversations drawn by seed</h3>${samples.map(conversation)}`,
  );
}

const FUNNEL = ["drawn", "valid", "right", "clean", "selected"] as const;

/** Steps stand below each other, so that a phone shows all of them. */
function funnel(agents: readonly AgentFigures[]): (string | number)[][] {
  return FUNNEL.map((step) => [step, ...agents.map((agent) => agent[step])]);
}

type Admission = NonNullable<RolloutReport["admission"]>;

const DECISIONS = {
  admitted: "some right, and rewards differ",
  all_right: "nothing is left to learn",
  all_wrong: "nothing in the group shows what is right",
  no_variance: "some right, but all are rewarded alike",
  too_few_valid: "the endpoint failed too often: not decided",
} as const;

function admissionCard({ by, n, tasks, decisions, chances }: Admission): Html {
  const rows = (Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]).map((decision) => {
    const count = decisions[decision];
    return [words(decision), count, percentOf(count / tasks), DECISIONS[decision]];
  });
  const example = (p: number): string => percentOf(chances.find((c) => c.p === p)?.chance ?? 0);
  return html`<div class="card"><h3>Admission to the RL pool</h3>
<p class="note">By the first ${n} valid attempts of ${by} at each of ${tasks} tasks.</p>
${table("admission", ["decision", "tasks", "share", "why"], rows)}
<details><summary>How to read this</summary>
<p>${n} attempts say little of one task: one that the policy solves in 5 % of cases is admitted with ${example(0.05)}, one of 95 % with ${example(0.95)} too. A task that was admitted may be nearly hopeless or nearly done, and one that was turned away may be worth training on. More attempts (<code>rollout.n</code> and <code>admit.n</code>) draw the line sharper.</p>
${table(
  "chances of admission",
  ["pass rate", "is admitted in"],
  chances.map(({ p, chance }) => [percentOf(p), percentOf(chance)]),
)}
</details></div>`;
}

function agentCard(agent: AgentFigures): Html {
  const { by, role, model, firewall, faults, drift, progress } = agent;
  const { rollouts, drifted, turns } = drift;
  const tokens =
    rollouts === 0
      ? "Token ids: not run, the endpoint gives none."
      : `Token ids: ${rollouts} rollouts have them; in ${drifted} of these ${turns} turns start otherwise than what went before ended (drift), and they have no token columns.`;
  const way =
    progress.mean === null
      ? "No valid attempt was wrong."
      : `Mean progress P of the ${progress.wrong} valid attempts that are not right: ${figure(progress.mean)}.`;
  const form =
    faults.length === 0
      ? html`<p class="note">No faults of form.</p>`
      : table(
          `faults of form of ${by}`,
          ["fault of form", "rollouts"],
          faults.map(({ value, rows }) => [words(value), rows]),
        );
  return html`<div class="card"><h3>${by}: ${role} (${model})</h3>
${table(`rollouts of ${by}`, ["of one rollout", "least", "median", "90 %", "most"], spreadRows(agent))}
<p class="note">${way}</p>
${wall(firewall)}
${form}
<p class="note">${tokens}</p></div>`;
}

function spreadRows({ spreads, drawn }: AgentFigures): (string | number)[][] {
  return spreads.map(({ what, known, least, median, p90, most }) => {
    return [known === drawn ? what : `${what} (known of ${known})`, least, median, p90, most];
  });
}

/** Addresses that a page lists; `report.json` has all. */
const SHOWN = 20;

function wall({ asked, blocked, rollouts, served }: AgentFigures["firewall"]): Html {
  const summary = html`<p class="note">The wall: ${asked} addresses asked for, ${blocked} kept back in ${rollouts} rollouts, ${served.length} served although a rule forbids it.</p>`;
  if (served.length === 0) return summary;
  const rest = served.length - SHOWN;
  return html`${summary}
<details open><summary class="failed">Blocked content that was served; these rollouts are worth nothing</summary>
${served.slice(0, SHOWN).map(({ rollout, url, rule }) => html`<p><code>${rollout}</code> ${url} <span class="failed">${rule}</span></p>`)}
${rest > 0 ? html`<p class="note">${rest} more in report.json.</p>` : html``}</details>`;
}
