import { messages, tokens } from "./conversation.js";
import { int64, json, list, nullable, text } from "./kinds.js";
import { gates } from "./parts.js";
import { definePool, hidden, open, type RowOf } from "./pool.js";

/**
 * Solved tasks as conversations, for supervised fine-tuning. Tool calls and schemas are JSON text, so that one schema holds
 * for any tool set and no reader fills nested arguments with nulls.
 */
export const sftPool = definePool("sft", "solved tasks as conversations", {
  messages: open(messages, "the conversation of one segment; `loss` marks the messages to learn from"),
  tools: open(json, "JSON text: the tool schemas that the conversation was held with"),
  split: open(text, "train, validation or test"),
  task_id: open(text, "the same task in the tasks pool"),
  rollout: open(text, "<task id>/<stage instance>/<sample>: segments of one rollout share it"),
  segment: open(int64, "from 0; a new one starts where old observations were taken out of the context"),
  model: open(text, "the model that wrote it"),
  tokens: open(tokens, "token ids, where the endpoint gave them"),
  reward: hidden(nullable(json), "JSON text: how the conversation was scored"),
  licences: open(list(text), "licences of what stands behind the task and of the documents that were served"),
  gates: open(gates, "what the task has been through"),
});
export type SftRecord = RowOf<typeof sftPool>;
