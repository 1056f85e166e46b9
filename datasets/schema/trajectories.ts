import { messages, tokens } from "./conversation.js";
import { bool, int64, json, list, nullable, struct, text } from "./kinds.js";
import { definePool, hidden, open, type RowOf } from "./pool.js";

/** The auditor's pool of rollouts: each one with its end, its score and why it was not selected. A row is one segment. */
export const trajectoriesPool = definePool(
  "trajectories",
  "every rollout of every accepted task, for auditors",
  {
    task_id: open(text, "the same task in the tasks pool"),
    split: open(text, "train, validation or test"),
    rollout: open(text, "<task id>/<stage instance>/<sample>"),
    segment: open(int64, "from 0"),
    by: open(text, "the stage instance that drew it"),
    role: open(text, "the config's role"),
    model: open(text, "as the config names it"),
    sample: open(int64, "which draw"),
    messages: open(messages, "the conversation as the model saw it"),
    tools: open(json, "JSON text: the tool schemas"),
    calls: open(list(text), "recorded calls of the segment's turns, as the cassette names them"),
    observations: open(list(text), "recorded observations of the segment's tool calls"),
    stop: open(
      text,
      "why it ended: answered, turns, tokens, cost, context, truncated, filter, refusal, context_length, unavailable",
    ),
    valid: open(bool, "false when the endpoint failed"),
    input_tokens: open(nullable(int64), "over all turns, as the endpoint counted"),
    output_tokens: open(nullable(int64), "over all turns, as the endpoint counted"),
    urls: open(
      struct({ asked: int64, blocked: int64, served: int64 }),
      "the audit of addresses; `served` counts what a rule forbids",
    ),
    faults: open(list(text), "faults of form; empty is clean"),
    drift: open(nullable(int64), "turns whose prompt does not extend the last one's tokens"),
    tokens: open(tokens, "token ids, where the endpoint gave them"),
    selected: open(bool, "whether it is in the SFT pool"),
    unselected: open(text, "why it is not; empty if it is"),
    hidden_answer: hidden(nullable(text), "the final answer as extracted"),
    hidden_outcome: hidden(text, "right, wrong, undecided, no_reply; with the verdict's reason"),
    hidden_reward: hidden(json, "JSON text: {score, acc, progress, answered, steps}"),
  },
);
export type TrajectoryRecord = RowOf<typeof trajectoriesPool>;
