import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { poolFile } from "../datasets/layout.js";
import { readPool } from "../datasets/read.js";
import { type TrajectoryRecord, trajectoriesPool } from "../datasets/schema/index.js";

/** Rollouts of finished rows, read by schemas of this side: a dataset may come from anywhere. */

const count = z.number().nullable();
const bit = z.union([z.literal(0), z.literal(1)]);

const rollout = z.object({
  by: z.string(),
  role: z.string(),
  model: z.string(),
  sample: z.number(),
  turns: z.array(
    z.object({
      call: z.string(),
      tools: z.array(z.object({ id: z.string(), name: z.string(), call: z.string(), ok: z.boolean() })),
      segment: z.number(),
      input: count,
      output: count,
    }),
  ),
  stop: z.string(),
  valid: z.boolean(),
  answer: z.string().nullable(),
  outcome: z.string(),
  reason: z.string(),
  reward: z.object({
    score: z.number(),
    acc: bit,
    progress: z.number(),
    answered: bit,
    steps: z.array(z.object({ id: z.string(), verified: z.boolean(), why: z.string() })),
  }),
  firewall: z.object({
    asked: z.number(),
    blocked: z.number(),
    served: z.array(z.object({ url: z.string(), rule: z.string() })),
  }),
  faults: z.array(z.string()),
  drift: count,
  unselected: z.string().optional(),
});
export type Rollout = z.infer<typeof rollout>;

const admission = z.object({
  by: z.string(),
  n: z.number(),
  rewards: z.array(z.number()),
  accs: z.array(bit),
  low: z.number(),
  high: z.number(),
});
export type RowAdmission = z.infer<typeof admission>;

const attempted = z.object({ rollouts: z.array(rollout).optional(), admission: admission.optional() });

/** What rollouts left on a row; undefined where that cannot be read as what it should be. */
export function attemptsOf(
  row: object,
): { readonly rollouts: readonly Rollout[]; readonly admission: RowAdmission | undefined } | undefined {
  const read = attempted.safeParse(row);
  return read.success ? { rollouts: read.data.rollouts ?? [], admission: read.data.admission } : undefined;
}

/** Right, and nothing in it that a trainer should not learn from. */
export function isClean({ valid, stop, outcome, firewall, faults }: Rollout): boolean {
  const answered = valid && stop === "answered" && outcome === "right";
  return answered && firewall.served.length === 0 && faults.length === 0;
}

/** Steps that earn nothing by their nature, as `verifiers/reward` says why; P counts all others. */
const LEFT_OUT = new Set(["given", "few_digits", "answer", "unreadable"]);

/** Whether a step counts for or against an agent. */
export function countsTowardsP({ why }: { readonly why: string }): boolean {
  return !LEFT_OUT.has(why);
}

/** What turns used, or null where one of them does not say. */
export function tokensOf({ turns }: Pick<Rollout, "turns">, of: "input" | "output"): number | null {
  return turns.reduce<number | null>((sum, turn) => {
    const used = turn[of];
    return sum === null || used === null ? null : sum + used;
  }, 0);
}

/** The conversations of a dataset in their order, segment by segment; none where it has no trajectories pool. @throws TaskmillError (verification) */
export async function* conversationsIn(dir: string): AsyncGenerator<TrajectoryRecord> {
  const path = join(dir, poolFile(trajectoriesPool));
  if (existsSync(path)) yield* readPool(path, trajectoriesPool);
}

const calls = z.array(z.object({ name: z.string(), arguments: z.string() }));

/** The tool calls of a message of a pool; none where that is no list of calls. */
export function callsIn(text: string | null): z.infer<typeof calls> {
  if (text === null) return [];
  try {
    return calls.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
