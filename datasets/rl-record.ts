import { canonicalJson } from "../pipeline/base/canonical.js";
import { completeGates } from "./admission.js";
import type { RlRecord } from "./schema/index.js";
import type { SourceFacts } from "./source-facts.js";
import type { TaskRow } from "./task-record.js";

export interface RlOptions {
  readonly agent_name: string;
  /** System message, if the prompt is to have one. */
  readonly system?: string;
  /** The row's place in its split, from 0. */
  readonly index: number;
}

/** The row of the RL pool for a task: hidden targets stand in `reward_model` and `reward` alone. */
export function rlRecord(
  row: TaskRow,
  sources: ReadonlyMap<string, SourceFacts>,
  options: RlOptions,
): RlRecord {
  const { type, value, unit, digits, text, tolerance } = row.answer;
  const answer = { type, value, unit, digits, text, tolerance };
  const user = { role: "user", content: row.question };
  const { domain } = sources.get(row.program.table)!;
  return {
    data_source: `taskmill/${domain}`,
    agent_name: options.agent_name,
    prompt: options.system === undefined ? [user] : [{ role: "system", content: options.system }, user],
    ability: "table_lookup_and_computation",
    reward_model: { style: "rule", ground_truth: canonicalJson({ answer, chain: row.chain }) },
    extra_info: {
      split: row.split,
      index: options.index,
      task_id: row.id,
      question: row.question,
      need_tools_kwargs: false,
    },
    reward: { ...answer, chain: canonicalJson(row.chain) },
    split: row.split,
    task_id: row.id,
    gates: completeGates(row.gates),
  };
}
