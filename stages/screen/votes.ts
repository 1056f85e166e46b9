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

type Clusters = SolveEvidence["clusters"];

/** A vote is an answer that could be judged; a solve that ends without one has none. */
function votesOf(samples: readonly SampleEvidence[]): SampleEvidence[] {
  return samples.filter((s) => (s.outcome === "right" || s.outcome === "wrong") && s.answer !== null);
}

/** Votes, equal ones together. The right ones are one cluster: within a tolerance, equality is no chain of steps. */
export function clustersOf(samples: readonly SampleEvidence[], graded: Gradable): Clusters {
  const votes = votesOf(samples);
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

/**
 * With the book open every vote must be the reference. From the question alone all n must agree with each other; what they agree on
 * then shows whether the reference can stand. Missing votes are neither agreement nor disagreement.
 */
export function judgeVotes(clusters: Clusters, n: number, mode: SolveEvidence["mode"]): Votes {
  const votes = clusters.reduce((sum, c) => sum + c.votes, 0);
  const [first, second] = clusters;
  if (second !== undefined) return { verdict: "rejected", reason: "solve_disagrees" };
  if (mode === "open_book" && first?.right === false)
    return { verdict: "rejected", reason: "solve_disagrees" };
  if (votes < n)
    return { verdict: "not_run", why: `only ${votes} of ${n} solves gave an answer that can be judged` };
  if (!first!.right) return { verdict: "rejected", reason: "reference_disagrees" };
  const how = mode === "open_book" ? "given the candidate rows" : "from the question alone";
  return { verdict: "agreed", why: `${votes} of ${n} solves ${how} agree with the reference` };
}
