import { definePool, int64, list, open, struct, text } from "../schema/index.js";
import { defineExporter, type SftExporter } from "./exporter.js";
import { plainMessages } from "./hermes.js";
import { callsAsText, messageLoss, segments, tokenIds } from "./losses.js";
import { allLearned, type ChatMessage } from "./proof/view.js";

const rows = definePool("verl-sft", "conversations for verl's MultiTurnSFTDataset", {
  messages: open(list(struct({ role: text, content: text })), "plain messages, tools and calls written out"),
  task_id: open(text, "the task"),
  rollout: open(text, "segments of one rollout share it"),
  segment: open(int64, "from 0"),
});

/**
 * verl reads Parquet through pandas and renders message by message: nested arguments come back full of nulls, and JSON text is not
 * parsed. Plain messages survive both, and render to the tokens that the structured form gives under Qwen2.5.
 */
export const verlSft = defineExporter<SftExporter>({
  name: "verl-sft",
  reader: "verl, multi-turn SFT (MultiTurnSFTDataset)",
  pool: "sft",
  format: rows,
  losses: [
    messageLoss("verl's mask is every assistant message; there is none per message"),
    callsAsText,
    tokenIds,
    segments,
  ],
  mask: "each",
  templates: ["qwen2_5"],
  notes: [
    "verl renders each message alone and compares the parts with the whole: a template that treats the last message otherwise (Qwen3 with reasoning) stops it with a mismatch.",
    "Reasoning stands in the text between `<think>` and `</think>`.",
    "Set `data.truncation` and `data.max_length` to your needs: the default of verl is an error for a longer conversation.",
  ],
  row: (conversation) => {
    const { task_id, rollout, segment } = conversation.record;
    return { messages: plainMessages(conversation).map((m) => ({ ...m })), task_id, rollout, segment };
  },
  view: (row) => {
    const messages = row.messages as unknown as ChatMessage[];
    return { messages, tools: [], learned: allLearned(messages) };
  },
  guide: (facts) => `\`\`\`bash
torchrun --standalone --nproc_per_node=8 -m verl.trainer.sft_trainer \\
  data.train_files=${facts.file("train")} \\
  data.val_files=${facts.file("validation")} \\
  data.messages_key=messages \\
  data.ignore_input_ids_mismatch=False \\
  data.max_length=32768 data.truncation=error
\`\`\``,
});
