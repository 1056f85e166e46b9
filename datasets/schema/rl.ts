import { bool, float64, int64, json, list, nullable, struct, text } from "./kinds.js";
import { gates } from "./parts.js";
import { definePool, hidden, open, type RowOf } from "./pool.js";

/**
 * Prompts for reinforcement learning, in the form that verl reads. Everything a reward function needs is in
 * `reward_model.ground_truth`, as verl hands on nothing else; `reward` says the same in typed columns for trainers that
 * pass every column (TRL). JSON is plain text here: the Arrow JSON type stops `datasets` up to 4.0 from loading.
 */
export const rlPool = definePool("rl", "prompts with ground truth and hidden chain in reward fields", {
  data_source: open(text, "taskmill/<domain>: chooses the reward function and groups metrics"),
  agent_name: open(text, "verl's agent loop: tool_agent or single_turn_agent"),
  prompt: open(list(struct({ role: text, content: text })), "chat messages, all that a solver sees"),
  ability: open(text, "the kind of task, for curricula"),
  reward_model: hidden(
    struct({ style: text, ground_truth: text }),
    "style is rule; ground_truth is JSON text {version, answer, chain: [steps], question, language}, the answer as the verifier has it",
  ),
  extra_info: open(
    struct({ split: text, index: int64, task_id: text, question: text, need_tools_kwargs: bool }),
    "what verl hands on beside the prompt; index is the row's place in its split, from 0",
  ),
  reward: hidden(
    struct({
      type: text,
      value: float64,
      unit: text,
      digits: int64,
      text,
      tolerance: float64,
      chain: json,
    }),
    "the answer in typed columns (tolerance is relative), and the chain as JSON text: steps in dependency order",
  ),
  admission: hidden(
    nullable(
      struct({
        by: text,
        n: int64,
        rewards: list(float64),
        accs: list(int64),
        answers: list(nullable(text)),
        stops: list(text),
        input_tokens: list(nullable(int64)),
        output_tokens: list(nullable(int64)),
        low: float64,
        high: float64,
      }),
    ),
    "the rollouts behind the gate `admission`, one by one: score, right or not, answer, end, tokens; and the Wilson interval of the share that is right",
  ),
  split: open(text, "train, validation or test"),
  task_id: open(text, "the same task in the tasks pool"),
  gates: open(gates, "checks after the question was worded; `passed` only if it ran"),
});
export type RlRecord = RowOf<typeof rlPool>;
