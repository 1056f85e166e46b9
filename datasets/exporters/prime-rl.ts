import { readArguments } from "./axolotl.js";
import { defineExporter, type SftExporter } from "./exporter.js";
import { messageLoss, segments, tokenIds } from "./losses.js";
import { openaiMessage, origin, toolsText } from "./openai.js";
import { allLearned, type ChatMessage } from "./proof/view.js";

export const primeRl = defineExporter<SftExporter>({
  name: "prime-rl",
  reader: "prime-rl, SFT trainer",
  pool: "sft",
  format: "jsonl",
  losses: [messageLoss("prime-rl masks by role (`loss_mask.assistant`), not by message"), tokenIds, segments],
  mask: "diff",
  templates: ["qwen3", "qwen3_5", "glm4moe"],
  notes: [
    "`tools` is JSON text, and members that a message has not got are left out: prime-rl reads both so.",
    "prime-rl renders with the package `renderers`, which knows each token's message; the checks here stand for the model's own template.",
    "RL with prime-rl goes through a `verifiers` environment: `pipeline export DIR --to verifiers`.",
  ],
  row: (conversation) => ({
    messages: conversation.turns.map((turn) => openaiMessage(turn, "text")),
    tools: conversation.tools.length === 0 ? undefined : toolsText(conversation.tools),
    ...origin(conversation),
  }),
  view: (row) => {
    const messages = (row.messages as unknown as ChatMessage[]).map(readArguments);
    const tools = row.tools === undefined ? [] : JSON.parse(row.tools as string);
    return { messages, tools, learned: allLearned(messages) };
  },
  guide: (facts) => `\`\`\`toml
# sft.toml, for: uv run sft @ sft.toml
[model]
name = "Qwen/Qwen3-8B"

[data]
name = "."          # this folder
splits = ["train"]  # ${facts.file("train")}
seq_len = 32768
\`\`\``,
});
