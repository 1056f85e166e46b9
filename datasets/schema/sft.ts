import { bool, json, list, nullable, struct, text } from "./kinds.js";
import { gates } from "./parts.js";
import { definePool, hidden, open, type RowOf } from "./pool.js";

/**
 * Solved tasks as conversations, for supervised fine-tuning. Tool calls and schemas are JSON text, so that one schema holds
 * for any tool set and no reader fills nested arguments with nulls.
 */
export const sftPool = definePool("sft", "solved tasks as conversations", {
  messages: open(
    list(
      struct({
        role: text,
        content: text,
        /** Name of the tool, for role `tool`. */
        name: nullable(text),
        /** JSON text: list of {id, name, arguments}. */
        tool_calls: nullable(json),
        tool_call_id: nullable(text),
        /** Whether a trainer learns from this message: the assistant's own only. */
        loss: bool,
      }),
    ),
    "the conversation; `loss` marks the messages to learn from",
  ),
  tools: open(json, "JSON text: the tool schemas that the conversation was held with"),
  split: open(text, "train, validation or test"),
  task_id: open(text, "the same task in the tasks pool"),
  reward: hidden(nullable(json), "JSON text: how the conversation was scored"),
  gates: open(gates, "what the task has been through"),
});
export type SftRecord = RowOf<typeof sftPool>;
