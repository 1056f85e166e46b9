import { grouped } from "./elements.js";
import type { Report } from "./gather.js";
import { type Html, html } from "./html.js";
import type { State, Verdict } from "./verdict.js";

/** Said and drawn, so that no reader depends on colour alone. */
const STATES: Readonly<Record<State, readonly [sign: string, word: string]>> = {
  good: ["✓", "holds"],
  bad: ["✗", "broken"],
  open: ["?", "not known"],
};

/** The dataset at a glance. */
export function verdictSection(report: Report): Html {
  const { verdict, coverage } = report;
  const tiles: [string, string][] = [
    ["accepted tasks", grouped(report.accepted)],
    ["candidates looked at", grouped(report.candidates)],
    ["turned away", grouped(verdict.turned_away)],
    ["yield", verdict.yield === null ? "–" : `${Number((100 * verdict.yield).toPrecision(3))} %`],
    ["tables", grouped(coverage.tables.distinct)],
    ["formulas", grouped(coverage.formulas.distinct)],
    ["entities", grouped(coverage.entities.distinct)],
    ["shapes", grouped(coverage.shapes.distinct)],
  ];
  return html`<section aria-labelledby="verdict">
<h2 id="verdict">${headline(verdict)}</h2>
<ul class="verdict">${verdict.lines.map(({ what, state, text }) => {
    const [sign, word] = STATES[state];
    return html`<li class="${state}"><span class="sign" aria-hidden="true">${sign}</span><div><b>${what}</b> <span class="state">${word}</span><p>${text}</p></div></li>`;
  })}</ul>
<dl class="tiles">${tiles.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>`;
}

function headline({ lines }: Verdict): string {
  const of = (state: State): string[] => lines.flatMap((line) => (line.state === state ? line.what : []));
  const [bad, open] = [of("bad"), of("open")];
  if (bad.length > 0) return `Broken: ${bad.join(", ")}`;
  if (open.length > 0) return `Nothing is broken; not fully known: ${open.join(", ")}`;
  return "All that was looked at holds";
}
