import { defineExporter, type SftExporter } from "./exporter.js";
import { plainMessages } from "./hermes.js";
import { callsAsText, messageLoss, segments, tokenIds } from "./losses.js";
import { origin } from "./openai.js";
import { allLearned, type ChatMessage } from "./proof/view.js";

/** OpenRLHF hands `input_key` to the chat template without tools, so they are written out. */
export const openrlhfSft = defineExporter<SftExporter>({
  name: "openrlhf-sft",
  reader: "OpenRLHF, multi-turn SFT (SFTDataset)",
  pool: "sft",
  format: "jsonl",
  losses: [
    messageLoss("OpenRLHF learns from every assistant message of a multi-turn row"),
    callsAsText,
    tokenIds,
    segments,
  ],
  mask: "prefix",
  templates: ["qwen2_5"],
  notes: [
    "The whole conversation is in one column; `--data.output_key` stays unset.",
    "Reasoning stands in the text between `<think>` and `</think>`. Templates that take it out of earlier messages shift the mask: `--templates qwen3` shows where.",
  ],
  row: (conversation) => ({
    messages: plainMessages(conversation).map((message) => ({ ...message })),
    ...origin(conversation),
  }),
  view: (row) => {
    const messages = row.messages as unknown as ChatMessage[];
    return { messages, tools: [], learned: allLearned(messages) };
  },
  guide: (facts) => `\`\`\`bash
python -m openrlhf.cli.train_sft \\
  --data.dataset ${facts.file("train")} \\
  --data.input_key messages --data.apply_chat_template --data.multiturn \\
  --data.max_len 32768
\`\`\``,
});
