import type { Chart } from "./draw.js";
import { grid, section, table } from "./elements.js";
import { classFigure, drawn, listed, percent, shareFigure } from "./figures.js";
import { type Html, html } from "./html.js";
import type { Wording } from "./wording.js";

/** How varied the questions read. */
export async function wordingSection(wording: Wording): Promise<Html> {
  const varied = wording.slots.filter(({ choices }) => choices.distinct > 1);
  const rows = varied.map(({ slot, choices: { distinct, effective, top, rows } }) => [
    slot,
    rows,
    distinct,
    effective,
    `${top[0]?.value ?? ""} (${percent(top[0]?.rows ?? 0, rows)})`,
  ]);
  return section(
    "wording",
    "Wording",
    html`<p class="note">How the questions are put. ${wording.openings.distinct} different openings of three words, as varied as ${wording.openings.effective} of the same frequency.</p>`,
    grid(await charts(wording)),
    rows.length === 0
      ? html``
      : html`<div class="card"><h3>Choices of style</h3><p class="note">Each slot is a choice that the writer draws by the seed; those that most questions have.</p>
${table("choices of style", ["slot", "tasks", "ways", "as varied as", "most frequent"], rows)}</div>`,
  );
}

function charts({ writers, slots, openings, lengths }: Wording): Promise<Chart[]> {
  const plan = slots.find(({ slot }) => slot === "plan");
  return drawn([
    plan === undefined
      ? undefined
      : shareFigure("Plans", "Questions by sentence plan.", "plan", plan.choices),
    shareFigure("Openings", "Questions by their first three words.", "opening", openings),
    classFigure("Length", "Questions by their number of words.", "words", lengths, { whole: true }),
    shareFigure("Writers", "Who put the questions into words.", "writer", listed(writers)),
  ]);
}
