import { type Coefficient, countPairs, kappa } from "../../verifiers/agreement.js";
import { type Rate, wilson } from "../../verifiers/intervals.js";
import { compareText } from "../base/canonical.js";
import { FIELDS, type Field } from "./fields.js";
import type { Verdict } from "./verdict.js";

/** What is counted: the sheet's questions, and whether the reviewer's own answer is the reference. */
export const MEASURES = [...FIELDS, "right"] as const;
export type Measure = Field | "right";
type Rates = Readonly<Record<Measure, Rate>>;

/** How far two reviewers agree on the rows that both judged. */
export interface Agreement {
  readonly reviewers: readonly [string, string];
  readonly measure: Measure;
  readonly rows: number;
  readonly same: number;
  /** Cohen's kappa with its interval; null where both always say the same one thing, so that chance explains it all. */
  readonly kappa: Coefficient | null;
}

/** Rates with 95 % Wilson intervals, over what was judged: empty cells count nowhere. */
export interface ReviewSummary {
  readonly rows: number;
  readonly verdicts: number;
  /**
   * Over rows, so that none counts twice: one is a yes when everybody who judged it says yes. To know an answer by heart, one reviewer is
   * enough.
   */
  readonly overall: Rates;
  readonly reviewers: readonly {
    readonly reviewer: string;
    readonly verdicts: number;
    readonly rates: Rates;
  }[];
  readonly agreement: readonly Agreement[];
  /** Tasks to look at: somebody finds them unclear or ambiguous, or came to another answer. */
  readonly doubtful: readonly string[];
}

export function summarise(verdicts: readonly Verdict[]): ReviewSummary {
  const byTask = grouped(verdicts, ({ task }) => task);
  const byReviewer = grouped(verdicts, ({ reviewer }) => reviewer);
  return {
    rows: byTask.size,
    verdicts: verdicts.length,
    overall: ratesOf([...byTask.values()]),
    reviewers: [...byReviewer].map(([reviewer, of]) => ({
      reviewer,
      verdicts: of.length,
      rates: ratesOf(of.map((verdict) => [verdict])),
    })),
    agreement: agreements(byReviewer),
    doubtful: [...byTask].filter(([, of]) => of.some(isDoubtful)).map(([task]) => task),
  };
}

/** What a verdict says to a measure; null where it says nothing. */
function saidOf(verdict: Verdict, measure: Measure): boolean | null {
  if (measure !== "right") return verdict[measure];
  const decided = verdict.grade?.verdict;
  return decided === "right" ? true : decided === "wrong" ? false : null;
}

function isDoubtful(verdict: Verdict): boolean {
  return [verdict.clear, verdict.one_answer, saidOf(verdict, "right")].includes(false);
}

function ratesOf(rows: readonly (readonly Verdict[])[]): Rates {
  const rate = (measure: Measure): Rate => {
    const judged = rows
      .map((of) => of.map((verdict) => saidOf(verdict, measure)).filter((said) => said !== null))
      .filter((said) => said.length > 0);
    const yes = judged.filter((said) =>
      measure === "from_memory" ? said.includes(true) : !said.includes(false),
    );
    return wilson(yes.length, judged.length);
  };
  return Object.fromEntries(MEASURES.map((measure) => [measure, rate(measure)])) as unknown as Rates;
}

function agreements(byReviewer: ReadonlyMap<string, readonly Verdict[]>): Agreement[] {
  const names = [...byReviewer.keys()];
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
  return pairs.flatMap((reviewers) => {
    const [first, second] = reviewers.map((name) => byReviewer.get(name)!);
    const others = new Map(second!.map((verdict) => [verdict.task, verdict]));
    return MEASURES.flatMap((measure): Agreement[] => {
      const judged = first!.flatMap((verdict): [boolean, boolean][] => {
        const other = others.get(verdict.task);
        const [a, b] = [saidOf(verdict, measure), other === undefined ? null : saidOf(other, measure)];
        return a === null || b === null ? [] : [[a, b]];
      });
      if (judged.length === 0) return [];
      const counts = countPairs(judged);
      return [
        { reviewers, measure, rows: judged.length, same: counts.both + counts.neither, kappa: kappa(counts) },
      ];
    });
  });
}

function grouped(verdicts: readonly Verdict[], nameOf: (verdict: Verdict) => string): Map<string, Verdict[]> {
  const groups = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const group = groups.get(nameOf(verdict));
    if (group === undefined) groups.set(nameOf(verdict), [verdict]);
    else group.push(verdict);
  }
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)));
}
