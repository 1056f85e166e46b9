import { canonicalJson } from "../pipeline/base/canonical.js";
import type { Expected } from "../verifiers/answer/answer.js";
import { completeGates } from "./admission.js";
import { groundTruthOf } from "./ground-truth.js";
import type { ProblemTaskRow } from "./problem-record.js";
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
  return {
    data_source: `taskmill/${sources.get(row.program.table)!.domain}`,
    ability: "table_lookup_and_computation",
    reward_model: { style: "rule", ground_truth: canonicalJson(groundTruthOf(row)) },
    reward: { ...answer, chain: canonicalJson(row.chain) },
    gates: completeGates(row.gates),
    admission: admissionOf(row),
    ...promptOf(row, options),
  };
}

/** The row of the RL pool for a user's own problem: the ground truth is in the verifier's form, and there is no chain. */
export function problemRlRecord(row: ProblemTaskRow, options: RlOptions): RlRecord {
  const { expected, problem } = row;
  return {
    data_source: `taskmill/${problem.domain}`,
    ability: "self_contained_problem",
    reward_model: { style: "rule", ground_truth: canonicalJson(groundTruthOf(row)) },
    reward: { ...typedReward(expected), chain: "[]" },
    gates: completeGates(row.gates, "problem"),
    admission: admissionOf(row),
    ...promptOf(row, options),
  };
}

/** What `admit` leaves on a row; null where it has not looked, or had nothing to look at. */
interface Admitted {
  readonly admission?: Omit<NonNullable<RlRecord["admission"]>, "input_tokens" | "output_tokens"> & {
    readonly input: readonly (number | null)[];
    readonly output: readonly (number | null)[];
  };
}

function admissionOf(row: object): RlRecord["admission"] {
  const { admission } = row as Admitted;
  if (admission === undefined) return null;
  const { by, n, rewards, accs, answers, stops, input, output, low, high } = admission;
  return { by, n, rewards, accs, answers, stops, input_tokens: input, output_tokens: output, low, high };
}

type Asked = Pick<TaskRow, "id" | "question" | "split">;

function promptOf(row: Asked, { agent_name, system, index }: RlOptions) {
  const user = { role: "user", content: row.question };
  return {
    agent_name,
    prompt: system === undefined ? [user] : [{ role: "system", content: system }, user],
    extra_info: {
      split: row.split,
      index,
      task_id: row.id,
      question: row.question,
      need_tools_kwargs: false,
    },
    split: row.split,
    task_id: row.id,
  };
}

/**
 * The answer in typed columns. What is not one number has no value: its unit is empty, as no number's is, and `text` has the answer
 * (lists and the like as JSON). The columns stay as they are for tables, so that all RL pools have one schema.
 */
function typedReward(expected: Expected): Omit<RlRecord["reward"], "chain"> {
  const { type } = expected;
  if (type === "quantity" || type === "integer") {
    const { unit, tolerance, digits = 0 } = { unit: "1", tolerance: 0, digits: 0, ...expected };
    const value = Number(expected.value);
    const text = String(expected.value);
    if (Number.isFinite(value)) return { type, value, unit, digits, text, tolerance };
    return { type, value: 0, unit: "", digits, text: unit === "1" ? text : `${text} ${unit}`, tolerance };
  }
  return { type, value: 0, unit: "", digits: 0, text: answerText(expected), tolerance: 0 };
}

function answerText(expected: Exclude<Expected, { type: "quantity" | "integer" }>): string {
  switch (expected.type) {
    case "entity":
      return expected.name;
    case "expression":
      return expected.text;
    case "boolean":
      return String(expected.value);
    case "choice":
    case "date":
    case "text":
      return expected.value;
    default:
      return canonicalJson(expected);
  }
}
