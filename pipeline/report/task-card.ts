import { ladder } from "./charts.js";
import { draw, fitting } from "./draw.js";
import { labelled, number, quantity, raised, section, table } from "./elements.js";
import { type Html, html } from "./html.js";
import type { Sample, SampledChoice, SampledCondition } from "./samples.js";

/** Tasks drawn by seed, each to be tried, then followed step by step. */
export async function tasksSection(samples: readonly Sample[]): Promise<Html> {
  if (samples.length === 0)
    return section(
      "samples",
      "Tasks",
      html`<p class="note">No task was accepted; the funnel below says why.</p>`,
    );
  const cards: Html[] = [];
  for (const [i, sample] of samples.entries()) cards.push(await card(sample, i + 1));
  return section(
    "samples",
    `${samples.length} ${samples.length === 1 ? "task" : "tasks"} drawn by seed`,
    html`<p class="note">Try one before you open its answer.</p>`,
    ...cards,
  );
}

async function card(sample: Sample, place: number): Promise<Html> {
  const { id, split, domain, table: from, question, answer, gates } = sample;
  const unit = answer.unit === "1" ? "" : ` ${raised(answer.unit)}`;
  const within =
    answer.tolerance === 0 ? "exactly" : `within ${Number((100 * answer.tolerance).toPrecision(2))} %`;
  return html`<article class="card task" aria-labelledby="task-${place}">
<h3 class="meta" id="task-${place}">Task ${place} · ${domain} · ${from} · ${split} · <code>${id}</code></h3>
<p class="question">${question}</p>
<details><summary>Answer, and the way to it</summary>
<p class="answer">${answer.text}${unit} <span>${within}</span></p>
<ol class="way">
${filterStep(sample)}
${await selectStep(sample)}
${followStep(sample)}
${await otherStep(sample)}
${aggregateStep(sample)}
${inputStep(sample)}
${computeStep(sample)}
</ol>
${wrongWays(sample)}
<h4>Gates</h4>
<ul class="gates">${gates.map((g) => html`<li><b>${g.gate.replaceAll("_", " ")}</b> <span class="${g.status}">${g.status.replace("_", " ")}</span>: ${g.why}</li>`)}</ul>
</details>
</article>`;
}

function filterStep({ conditions, rows, candidates, table: from, selection }: Sample): Html {
  const meet =
    selection === null
      ? "are aggregated"
      : conditions.length === 0
        ? "may be selected"
        : "meet all conditions";
  const counts =
    rows === null || candidates === null ? "" : `Of ${rows} rows of ${from}, ${candidates} ${meet}.`;
  return html`<li><h4>Filter</h4><p>${conditions.length === 0 ? "No condition. " : ""}${counts}</p>
${conditionTable("conditions", conditions)}</li>`;
}

function conditionTable(caption: string, conditions: readonly SampledCondition[]): Html {
  if (conditions.length === 0) return html``;
  const counted = conditions.some(({ holds }) => holds !== null);
  const selecting = conditions.some(({ without }) => without !== undefined);
  const titles = ["condition", ...(counted ? ["holds for"] : []), ...(selecting ? ["without it"] : [])];
  const rows = conditions.map(({ text, holds, unknown, without }) => [
    text,
    ...(counted ? [`${holds ?? ""}${unknown === null || unknown === 0 ? "" : ` (${unknown} unknown)`}`] : []),
    ...(selecting ? [without ?? "nobody safely"] : []),
  ]);
  return table(caption, titles, rows);
}

async function selectStep({ selection }: Sample): Promise<Html> {
  if (selection === null) return html``;
  return html`<li><h4>Select</h4>${await choice(selection)}</li>`;
}

async function otherStep({ other }: Sample): Promise<Html> {
  if (other === null) return html``;
  return html`<li><h4>Compare with</h4>${conditionTable("conditions of the other", other.conditions)}${await choice(other)}</li>`;
}

async function choice(chosen: SampledChoice): Promise<Html> {
  const { text, entity, ranking } = chosen;
  return html`<p>The ${text}: <b>${entity}</b>. ${marginText(chosen)}</p>
${ranking.length < 2 ? html`` : await ladderOf(chosen)}`;
}

function marginText({ margin, unit }: SampledChoice): string {
  if (margin === null) return "No other entity rivals it.";
  const { rival, gap, required } = margin;
  const ahead = `Its tightest rival, ${rival}, is ${quantity(gap, unit)} away`;
  if (required === 0) return `${ahead}; the values are exact.`;
  return `${ahead}: ${Number((gap / required).toPrecision(3))} times the ${quantity(required, unit)} that is needed.`;
}

async function ladderOf({ ranking, key: chosen, noun, unit }: SampledChoice): Promise<Html> {
  const rungs = ranking.map(({ key, name, value, u }, i) => ({
    label: fitting(`${i + 1}. ${name}: ${number(value)}`),
    value,
    u: u ?? 0,
    selected: key === chosen,
  }));
  const svg = await draw(ladder(rungs, unit === "1" ? noun : `${noun} in ${raised(unit)}`));
  const width = (u: number | null) => (u === null ? "unknown" : u === 0 ? "exact" : number(u));
  const rows = ranking.map(({ name, value, u }) => [name, number(value), width(u)]);
  const about =
    "The best candidates with their standard uncertainties; the selected one has a colour of its own.";
  return html`${labelled({ svg, title: `Ranking by ${noun}`, about })}
<details><summary>Ranking as a table</summary>${table("ranking", ["candidate", noun, "±"], rows)}</details>`;
}

function followStep({ steps, path }: Sample): Html {
  if (steps.length === 0) return html``;
  const names = path.map(({ name, table: of }) => `${name} (${of})`).join(" → ");
  return html`<li><h4>Follow</h4><p>${steps.map((step) => step.replaceAll("_", " ")).join(", then ")}: ${names}</p></li>`;
}

function aggregateStep({ left_out }: Sample): Html {
  if (left_out === null) return html``;
  const rows = Object.entries(left_out).map(([name, { value, without, left, relative }]) => [
    name.replaceAll("_", " "),
    number(value),
    without,
    number(left),
    `${number(100 * relative)} %`,
  ]);
  return html`<li><h4>Aggregate</h4><p>What each figure would be without the one entity that moves it most.</p>
${table("leave one out", ["figure", "value", "without", "then", "moves by"], rows)}</li>`;
}

function inputStep({ inputs }: Sample): Html {
  if (inputs.length === 0) return html``;
  const whose = [...new Set(inputs.map(({ entity }) => entity))];
  const one = whose.length === 1;
  const rows = inputs.map((i) => [
    i.noun,
    ...(one ? [] : [i.entity]),
    quantity(i.value, i.unit),
    i.u === 0 ? "exact" : number(i.u),
    number(i.sensitivity),
  ]);
  return html`<li><h4>Read</h4><p>Of ${whose.join(" and ")}. Weight: by how many per cent the answer moves when the value moves by one.</p>
${table("inputs", ["value", ...(one ? [] : ["of"]), "figure", "±", "weight"], rows)}</li>`;
}

function computeStep({ formula, chain }: Sample): Html {
  const places = new Map(chain.map((step, i) => [step.id, i + 1]));
  const rows = chain.map((s, i) => [
    `${i + 1}. ${s.label}`,
    raised(s.text),
    s.depends_on.map((d) => places.get(d) ?? d).join(", "),
    s.tolerance === null
      ? ""
      : s.tolerance === 0
        ? "exact"
        : `${Number((100 * s.tolerance).toPrecision(2))} %`,
  ]);
  return html`<li><h4>Compute</h4>
<p>${formula.noun}${formula.expression === "" ? "" : html` = <code>${formula.expression}</code>`}${formula.definition === "" ? "" : `: ${formula.definition}`}</p>
${table("hidden chain", ["step of the hidden chain", "value", "from", "within"], rows)}</li>`;
}

function wrongWays({ wrong_answers, answer }: Sample): Html {
  if (wrong_answers.length === 0) return html``;
  const { value, tolerance } = answer;
  // What must be met exactly is missed by any other number.
  const graded = tolerance > 0 && value !== 0;
  const away = (wrong: number): number =>
    Number((Math.abs(wrong - value) / (tolerance * Math.abs(value))).toPrecision(3));
  const rows = wrong_answers.map((w) => [w.how, number(w.value), ...(graded ? [number(away(w.value))] : [])]);
  return html`<h4>Wrong ways, all told apart</h4>
${table("wrong ways", ["way", "answer", ...(graded ? ["tolerances away"] : [])], rows)}`;
}
