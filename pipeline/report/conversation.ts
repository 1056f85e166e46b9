import { countsTowardsP } from "../rollouts.js";
import { words } from "./elements.js";
import { type Html, html } from "./html.js";
import type { SampledMessage, SampledRollout } from "./rollout-samples.js";
import { figure } from "./rollout-words.js";

const SHOWS: Readonly<Record<SampledRollout["shows"], string>> = {
  right: "A right one",
  wrong: "One that is not right",
  blocked: "One that met the wall",
};

/** A conversation for a page: what tools said folded away. All of it is text, whatever it looks like. */
export function conversation(sample: SampledRollout): Html {
  const {
    shows,
    rollout,
    role,
    model,
    stop,
    outcome,
    reason,
    score,
    progress,
    firewall,
    unselected,
    messages,
    steps,
  } = sample;
  const verdict = outcome === "right" ? "passed" : outcome === "wrong" ? "failed" : "not_run";
  return html`<article class="card talk" aria-label="Conversation ${rollout}">
<div class="meta">${SHOWS[shows]} · ${role} (${model}) · <code>${rollout}</code></div>
<p class="meta">Ended as ${words(stop)}: <span class="${verdict}">${words(outcome)}</span>${reason === outcome || reason === stop ? "" : ` (${words(reason)})`} · score ${figure(score)} · P ${figure(progress)} · addresses: ${firewall.asked} asked for, ${firewall.blocked} blocked, ${firewall.served} served · ${unselected === "" ? "in the SFT pool" : `not in the SFT pool: ${words(unselected)}`}</p>
${messages.map(said)}
${steps.length === 0 ? html`` : html`<details><summary>Hidden chain: what was verified</summary><ul class="steps">${steps.map(stepLine)}</ul></details>`}
</article>`;
}

function said(message: SampledMessage): Html {
  const { role, name, content, thoughts, calls } = message;
  if (role === "user") return html`<p class="question">${content}</p>`;
  if (role === "tool") return folded(`${name ?? "tool"} answers`, message);
  if (role === "system") return folded("System prompt", message);
  return html`<div class="turn">${thoughts === "" ? html`` : html`<details><summary>Thoughts</summary><pre tabindex="0">${thoughts}</pre></details>`}
${content === "" ? html`` : html`<p class="said">${lines(content)}${rest(message)}</p>`}
${calls.map((call) => html`<p class="call"><b>${call.name}</b> <code>${call.arguments}</code></p>`)}</div>`;
}

function folded(title: string, message: SampledMessage): Html {
  return html`<details class="heard"><summary>${title} · ${message.characters} characters</summary><pre tabindex="0">${message.content}${rest(message)}</pre></details>`;
}

function rest({ content, characters }: SampledMessage): string {
  return characters > content.length
    ? `\n[${characters - content.length} more characters in the trajectories pool]`
    : "";
}

const COMMITMENT = /^[\s>*_`+•\d.)-]{0,12}(?:finding|final answer)\b/i;

/** Lines that the reward reads stand out. */
function lines(text: string): Html[] {
  return text
    .split("\n")
    .map(
      (line, i) => html`${i === 0 ? "" : "\n"}${COMMITMENT.test(line) ? html`<mark>${line}</mark>` : line}`,
    );
}

function stepLine(step: SampledRollout["steps"][number]): Html {
  const { label, text, verified, why } = step;
  const mark = verified ? "passed" : countsTowardsP(step) ? "failed" : "not_run";
  return html`<li>${label}: ${text} <span class="${mark}">${words(why)}</span></li>`;
}
