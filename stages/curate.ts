import { z } from "zod";
import type { RolloutEvidence } from "./evidence.js";
import { type QuestionRow, questionRow } from "./question.js";
import type { Recordings } from "./recordings.js";
import { rolloutsOf } from "./rollout/rollouts.js";
import { defineStage } from "./stage.js";

const params = z.strictObject({
  /** Stage instances whose rollouts may be chosen; all of them without. */
  from: z.array(z.string().min(1)).min(1).optional(),
  /** Chosen rollouts of one task, at most. */
  per_task: z.int().positive().default(1),
  /** `shortest`: fewest turns, then fewest tokens. `diverse`: the shortest, then each time the one whose actions differ most from those chosen. */
  prefer: z.enum(["shortest", "diverse"]).default("shortest"),
});
type Params = z.infer<typeof params>;

/** Chooses the rollouts that are worth learning from, and says of each other one why it is not. */
export const curate = defineStage<Params, QuestionRow, QuestionRow>({
  kind: "curate",
  version: 1,
  summary: "chooses right, clean and distinct rollouts for the SFT pool",
  mode: "row",
  params,
  takes: "question",
  gives: "same",
  leaves: "rollouts",
  input: questionRow,
  output: questionRow,
  reasons: {},
  reads: ({ from = [] }) => from,
  run(row, { params, recordings }) {
    const all = rolloutsOf(row);
    if (all.length === 0) return { out: row };
    const reasons = all.map((rollout) => unfit(rollout, params));
    const fit = all.flatMap((rollout, i) =>
      reasons[i] === "" ? [{ i, rollout, actions: actionsOf(rollout, recordings) }] : [],
    );
    for (const [i, reason] of choose(fit, params)) reasons[i] = reason;
    return { out: { ...row, rollouts: all.map((r, i) => ({ ...r, unselected: reasons[i]! })) } };
  },
});

/** Why a rollout, by itself, is nothing to learn from; empty if it is. */
function unfit({ by, valid, stop, outcome, firewall, faults }: RolloutEvidence, { from }: Params): string {
  if (from !== undefined && !from.includes(by)) return "of_another_stage";
  if (!valid) return "not_valid";
  if (firewall.served.length > 0) return "firewall";
  if (stop !== "answered") return `stopped: ${stop}`;
  if (outcome !== "right") return outcome === "wrong" ? "wrong" : "not_graded";
  return faults.length > 0 ? `form: ${faults[0]}` : "";
}

interface Fit {
  readonly i: number;
  readonly rollout: RolloutEvidence;
  /** Calls of tools in order, as text. */
  readonly actions: readonly string[];
}

function actionsOf({ turns }: RolloutEvidence, recordings: Recordings): string[] {
  return turns.flatMap(({ call }) => {
    const reply = recordings.call(call)?.reply;
    if (reply === undefined || !reply.ok) return [];
    return reply.tool_calls.map(({ name, arguments: text }) => JSON.stringify([name, plain(text)]));
  });
}

/** Arguments that differ in spaces alone are the same. */
function plain(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Why the others are not chosen, by their place. */
function choose(fit: readonly Fit[], { per_task, prefer }: Params): Map<number, string> {
  const out = new Map<number, string>();
  const seen = new Set<string>();
  const open: Fit[] = [];
  for (const one of [...fit].sort(shorter)) {
    const actions = JSON.stringify(one.actions);
    if (seen.has(actions)) out.set(one.i, "same_actions");
    else open.push(one);
    seen.add(actions);
  }
  const chosen: Fit[] = [];
  while (chosen.length < per_task && open.length > 0) {
    const next = prefer === "shortest" ? 0 : farthest(open, chosen);
    chosen.push(...open.splice(next, 1));
  }
  for (const { i } of open) out.set(i, "over_per_task");
  return out;
}

function shorter(a: Fit, b: Fit): number {
  const tokens = ({ rollout }: Fit): number => rollout.turns.reduce((sum, t) => sum + (t.output ?? 0), 0);
  return a.rollout.turns.length - b.rollout.turns.length || tokens(a) - tokens(b) || a.i - b.i;
}

/** The place of the one whose actions share least with those of the chosen: the largest least Jaccard distance, the shorter of equals. */
function farthest(open: readonly Fit[], chosen: readonly Fit[]): number {
  const distances = open.map((one) => Math.min(1, ...chosen.map((other) => distance(one, other))));
  return distances.indexOf(Math.max(...distances));
}

function distance({ actions: a }: Fit, { actions: b }: Fit): number {
  const [left, right] = [new Set(a), new Set(b)];
  const both = [...left].filter((action) => right.has(action)).length;
  const all = left.size + right.size - both;
  return all === 0 ? 0 : 1 - both / all;
}
