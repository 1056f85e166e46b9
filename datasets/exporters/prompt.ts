import type { Json } from "../../pipeline/base/canonical.js";
import { fail } from "../../pipeline/base/errors.js";
import type { RlRecord } from "../schema/index.js";
import { ungradable } from "./reward.js";

/** The one form that all RL exporters write from: a row of the RL pool whose ground truth the Python reward can grade. */
export interface Prompt {
  readonly where: string;
  readonly record: RlRecord;
  readonly question: string;
  /** JSON text, the same for every target: one type in every file. */
  readonly truth: string;
}

/** @throws TaskmillError (verification) for ground truth that is none, or that Python cannot grade: names the row */
export function promptOf(record: RlRecord, position: number): Prompt {
  const where = `rl row ${position} (${record.task_id}, split ${record.split})`;
  const truth = record.reward_model.ground_truth;
  const why = ungradable(answerOf(truth, where));
  if (why !== undefined)
    fail(
      "verification",
      "ungradable_answer",
      `${where}: ${why}`,
      "leave such rows out of the RL pool, or grade them with `pipeline serve`",
    );
  return { where, record, question: record.extra_info.question, truth };
}

function answerOf(truth: string, where: string): Json {
  try {
    const { answer } = JSON.parse(truth) as { answer?: Json };
    if (answer !== undefined) return answer;
  } catch {}
  fail(
    "verification",
    "no_ground_truth",
    `${where}: \`reward_model.ground_truth\` holds no answer`,
    "run the config again",
  );
}
