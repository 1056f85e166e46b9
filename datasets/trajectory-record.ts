import { canonicalJson, type Json } from "../pipeline/base/canonical.js";
import { completeGates, type Gate, kindOf } from "./admission.js";
import type { Message, TokenColumns } from "./conversation.js";
import type { SftRecord, TrajectoryRecord } from "./schema/index.js";

/** A finished row of either kind, as far as its conversations need it. */
export interface AttemptedRow {
  readonly id: string;
  readonly split: string;
  readonly gates: readonly Gate[];
}

/** A rollout, as its evidence has it. */
export interface RolloutFacts {
  readonly by: string;
  readonly role: string;
  readonly model: string;
  readonly sample: number;
  readonly turns: readonly { readonly input: number | null; readonly output: number | null }[];
  readonly stop: string;
  readonly valid: boolean;
  readonly answer: string | null;
  readonly outcome: string;
  readonly reason: string;
  readonly reward: object;
  readonly firewall: { readonly asked: number; readonly blocked: number; readonly served: readonly object[] };
  readonly faults: readonly string[];
  readonly drift: number | null;
  readonly unselected?: string | undefined;
}

/** One segment of it. */
export interface SegmentFacts {
  readonly segment: number;
  readonly messages: readonly Message[];
  readonly tools: Json;
  readonly calls: readonly string[];
  readonly observations: readonly string[];
  readonly tokens: TokenColumns | null;
}

/** What names a rollout in pools and reports. */
export function rolloutId(row: string, { by, sample }: Pick<RolloutFacts, "by" | "sample">): string {
  return `${row}/${by}/${sample}`;
}

/** A row of the trajectories pool. */
export function trajectoryRecord(
  row: AttemptedRow,
  rollout: RolloutFacts,
  { segment, messages, tools, calls, observations, tokens }: SegmentFacts,
): TrajectoryRecord {
  const { by, role, model, sample, turns, stop, valid, firewall, faults, drift, unselected } = rollout;
  return {
    task_id: row.id,
    split: row.split,
    rollout: rolloutId(row.id, rollout),
    segment,
    by,
    role,
    model,
    sample,
    messages,
    tools: canonicalJson(tools),
    calls,
    observations,
    stop,
    valid,
    input_tokens: totalTokens(turns.map((t) => t.input)),
    output_tokens: totalTokens(turns.map((t) => t.output)),
    urls: { asked: firewall.asked, blocked: firewall.blocked, served: firewall.served.length },
    faults,
    drift,
    tokens,
    selected: unselected === "",
    unselected: unselected ?? "not_looked_at",
    hidden_answer: rollout.answer,
    hidden_outcome: `${rollout.outcome}: ${rollout.reason}`,
    hidden_reward: canonicalJson(rollout.reward),
  };
}

/** A row of the SFT pool. */
export function sftRecord(
  row: AttemptedRow,
  rollout: RolloutFacts,
  { segment, messages, tools, tokens }: SegmentFacts,
  licences: readonly string[],
): SftRecord {
  return {
    messages,
    tools: canonicalJson(tools),
    split: row.split,
    task_id: row.id,
    rollout: rolloutId(row.id, rollout),
    segment,
    model: rollout.model,
    tokens,
    reward: canonicalJson(rollout.reward),
    licences,
    gates: completeGates(row.gates, kindOf(row)),
  };
}

/** What counts come to together; unknown where one of them is. */
export function totalTokens(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>((a, b) => (a === null || b === null ? null : a + b), 0);
}
