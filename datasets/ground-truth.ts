import type { Expected } from "../verifiers/answer/answer.js";
import type { GroundTruth, Target } from "../verifiers/reward/reward.js";
import { expectedOf, type TableAnswer } from "./expected.js";

/** A step as rows of a pool hold it. */
type Step = Omit<Target, "kind"> & { readonly kind: string };

/** A row as far as its ground truth goes: a table task with its chain, or a user's own problem, which has none. */
export type Rewarded =
  | {
      readonly question: string;
      readonly answer: TableAnswer;
      readonly chain: readonly Step[];
      readonly wording?: unknown;
    }
  | {
      readonly question: string;
      readonly expected: Expected;
      readonly problem: { readonly language: string };
    };

/** What `reward_model.ground_truth` holds, and what rollouts are scored against: one and the same. */
export function groundTruthOf(row: Rewarded): GroundTruth {
  const { question } = row;
  if ("expected" in row)
    return { version: 1, answer: row.expected, chain: [], question, language: row.problem.language };
  return {
    version: 1,
    answer: expectedOf(row),
    chain: row.chain as readonly Target[],
    question,
    language: languageOf(row.wording),
  };
}

/** Pools keep a wording as JSON: of it only the language of its style matters here. */
function languageOf(wording: unknown): string {
  const style = (wording as { readonly style?: { readonly language?: unknown } } | undefined)?.style;
  return typeof style?.language === "string" ? style.language : "en";
}
