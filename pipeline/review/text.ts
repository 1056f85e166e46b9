import type { Rate } from "../../verifiers/intervals.js";
import { table } from "../terminal.js";
import { QUESTIONS } from "./fields.js";
import type { Imported } from "./import.js";
import type { Review } from "./read.js";
import { MEASURES, type Measure } from "./summary.js";

const SHOWN = 20;

const TITLES: Readonly<Record<Measure, string>> = {
  ...QUESTIONS,
  right: "Is the reviewer's own answer right?",
};

/** Reviews for people. */
export function reviewText(review: Review): string {
  const { summary, current } = review;
  const { rows, verdicts, overall, reviewers, agreement, doubtful } = summary;
  const several = reviewers.length > 1 ? [["Reviewer by reviewer", ...perReviewer(review)]] : [];
  const parts = [
    [`${verdicts} verdicts of ${reviewers.length} on ${rows} tasks`],
    ...(current ? [] : [["The dataset has changed since: these are verdicts on an earlier state of it."]]),
    [
      "Yes, says everybody who judged it; from memory, anybody (95 % Wilson interval)",
      ...table(MEASURES.map((m) => [TITLES[m], ...rateCells(overall[m])])),
    ],
    ...several,
    ...(agreement.length === 0
      ? []
      : [
          [
            "Agreement (Cohen's kappa)",
            ...table(
              agreement.map(({ reviewers: [a, b], measure, rows: both, same, kappa }) => [
                `${a}, ${b}`,
                TITLES[measure],
                `${same} of ${both} the same`,
                kappa === null
                  ? "kappa not defined"
                  : `kappa ${fixed(kappa.estimate)} (${fixed(kappa.low)} to ${fixed(kappa.high)})`,
              ]),
            ),
          ],
        ]),
    ...(doubtful.length === 0
      ? []
      : [
          [
            "Unclear, ambiguous or answered otherwise; `pipeline explain` shows them",
            ...doubtful.slice(0, SHOWN).map((id) => `  ${id}`),
            ...(doubtful.length > SHOWN ? [`  and ${doubtful.length - SHOWN} more`] : []),
          ],
        ]),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

export function importedText(imported: Imported): string {
  const { imported: count, replaced, dropped } = imported;
  const said = [
    `${count} verdicts read`,
    ...(replaced > 0 ? [`${replaced} of them in place of earlier ones`] : []),
    ...(dropped > 0 ? [`${dropped} earlier ones dropped, as the dataset no longer has their questions`] : []),
  ];
  return `${said.join(", ")}\n\n${reviewText(imported)}`;
}

function perReviewer({ summary: { reviewers } }: Review): string[] {
  return table(
    reviewers.flatMap(({ reviewer, rates }) =>
      MEASURES.map((m) => [reviewer, TITLES[m], ...rateCells(rates[m])]),
    ),
  );
}

function rateCells({ successes, trials, estimate, low, high }: Rate): string[] {
  if (estimate === null) return ["nobody says"];
  return [`${successes} of ${trials}`, `${percent(estimate)} (${percent(low)} to ${percent(high)})`];
}

const percent = (x: number): string => `${(100 * x).toFixed(1)} %`;
const fixed = (x: number): string => x.toFixed(2);
