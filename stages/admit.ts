import { z } from "zod";
import type { Gate } from "../datasets/admission.js";
import { totalTokens } from "../datasets/trajectory-record.js";
import { admission, type Decision } from "../verifiers/admission.js";
import type { AdmissionEvidence, RolloutEvidence } from "./evidence.js";
import { type QuestionRow, questionRow } from "./question.js";
import { rolloutsOf } from "./rollout/rollouts.js";
import { withGate } from "./screen/verdict.js";
import { defineStage } from "./stage.js";

const params = z.strictObject({
  /** The stage instance whose rollouts are judged: those of the policy that is to be trained. */
  of: z.string().min(1).default("rollout"),
  /** Valid rollouts that the decision is taken from: as many as the trainer draws, with its sampling and its tools. */
  n: z.int().min(2).max(256).default(4),
});
type Params = z.infer<typeof params>;

/** Lets a task into the RL pool when attempts at it succeed sometimes: where all rewards are equal nothing can be learnt. */
export const admit = defineStage<Params, QuestionRow, QuestionRow>({
  kind: "admit",
  version: 1,
  summary: "admits tasks that the policy solves sometimes, but not always",
  mode: "row",
  params,
  takes: "question",
  gives: "same",
  gate: "admission",
  leaves: "admission",
  input: questionRow,
  output: questionRow,
  // A task that is too easy or too hard for this policy is still a task: it stays, and the gate keeps it out of the RL pool.
  reasons: {},
  reads: ({ of }) => [of],
  draws: ({ n }) => n,
  run(row, { params }) {
    const drawn = rolloutsOf(row).filter(({ by }) => by === params.of);
    if (drawn.length === 0) {
      const why = `no rollouts of \`${params.of}\` were made`;
      return { out: withGate(row, { gate: "admission", status: "not_run", why }) };
    }
    const counted = drawn.filter(({ valid }) => valid).slice(0, params.n);
    const { decision, rate } = admission(
      counted.map(({ reward }) => reward.score),
      counted.map(({ reward }) => reward.acc),
      params,
    );
    const evidence = evidenceOf(counted, params, rate);
    return { out: { ...withGate(row, gateOf(decision, evidence)), admission: evidence } };
  },
});

function evidenceOf(
  counted: readonly RolloutEvidence[],
  { of, n }: Params,
  { low, high }: { readonly low: number; readonly high: number },
): AdmissionEvidence {
  return {
    by: of,
    n,
    rewards: counted.map(({ reward }) => reward.score),
    accs: counted.map(({ reward }) => reward.acc),
    answers: counted.map(({ answer }) => answer),
    stops: counted.map(({ stop }) => stop),
    input: counted.map(({ turns }) => totalTokens(turns.map((t) => t.input))),
    output: counted.map(({ turns }) => totalTokens(turns.map((t) => t.output))),
    low,
    high,
  };
}

const WHY: Readonly<Record<Decision, string>> = {
  admitted: "some attempts are right and rewards differ",
  all_right: "every attempt is right",
  all_wrong: "no attempt is right",
  no_variance: "all attempts are rewarded alike",
  too_few_valid: "too few attempts came to an end",
};

function gateOf(decision: Decision, { accs }: AdmissionEvidence): Gate {
  const right = accs.filter((acc) => acc === 1).length;
  const why = `${WHY[decision]}: ${right} of ${accs.length} right`;
  if (decision === "too_few_valid") return { gate: "admission", status: "not_run", why };
  return { gate: "admission", status: decision === "admitted" ? "passed" : "failed", why };
}
