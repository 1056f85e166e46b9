import { z } from "zod";
import type { GroundTruth } from "../../verifiers/reward/reward.js";
import type { RolloutEvidence } from "../evidence.js";
import type { Models } from "../model.js";
import { promptText } from "../prompts.js";

const found = z.strictObject({ found: z.boolean() });

export interface Judging {
  readonly models: Models;
  readonly role: string;
  readonly row: string;
  /** Draw of the rollout: each is judged by a call of its own. */
  readonly sample: number;
}

/**
 * Asks a judge about steps that no matcher can read. What it says is kept beside the reward and never part of it: a trainer, who has no
 * judge, must come to the same reward.
 */
export async function judgeSteps(
  said: readonly string[],
  { chain, question }: GroundTruth,
  { steps }: RolloutEvidence["reward"],
  { models, role, row, sample }: Judging,
): Promise<RolloutEvidence["judged"]> {
  if (models.identity(role) === undefined) return undefined;
  const open = steps.filter(({ why }) => why === "unreadable");
  const judged: NonNullable<RolloutEvidence["judged"]> = [];
  for (const { id } of open) {
    const step = chain.find((target) => target.id === id)!;
    const words = said.join("\n\n").slice(-LONGEST);
    const content = `Problem: ${question}\n\nResult: ${step.label ?? step.kind}: ${step.text}\n\nSolver:\n${words}`;
    const messages = [
      { role: "system" as const, content: promptText("judge-step") },
      { role: "user" as const, content },
    ];
    const reply = await models.ask({ role, row, sample, messages, schema: { name: "verdict", type: found } });
    judged.push({ id, role, call: reply.call, found: reply.ok ? reply.value!.found : null });
  }
  return judged.length === 0 ? undefined : judged;
}

/** Of what the solver said, the end. */
const LONGEST = 20_000;
