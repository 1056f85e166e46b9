import { clusterAnswers } from "../../verifiers/agreement.js";
import type { SampleEvidence, SolveEvidence } from "../evidence.js";
import type { Gradable } from "../question.js";
import { sameAnswer } from "./same-answer.js";

/** What the votes of independent solves come to. */
export type Votes =
  | { readonly verdict: "agreed" | "not_run"; readonly why: string }
  | {
      readonly verdict: "rejected";
      readonly reason: "solve_disagrees" | "reference_disagrees" | "derivation_unsound";
    };

/** Answers of solves, equal ones together. The right ones are one cluster: equality within a tolerance is no chain of steps. */
export function clustersOf(samples: readonly SampleEvidence[], graded: Gradable): SolveEvidence["clusters"] {
  const votes = samples.filter((s) => s.outcome !== "no_reply" && s.answer !== null);
  const right = (i: number) => votes[i]!.outcome === "right";
  const equal = (a: number, b: number) => {
    if (right(a) || right(b)) return right(a) && right(b);
    return sameAnswer(votes[a]!.answer!, votes[b]!.answer!, graded);
  };
  const answers = votes.map((v) => v.answer);
  return clusterAnswers(answers, equal).map(({ answer, members }) => ({
    answer,
    votes: members.length,
    right: right(members[0]!),
  }));
}
