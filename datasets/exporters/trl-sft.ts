import type { Conversation } from "./conversation.js";
import { defineExporter, type SftExporter } from "./exporter.js";
import { lateMessageLoss, segments, tokenIds } from "./losses.js";
import { openaiMessage, origin, toolsText } from "./openai.js";
import type { ChatMessage } from "./proof/view.js";

/** The first message to learn from: TRL learns from nothing before the completion. */
function cut({ turns }: Conversation): number {
  const first = turns.findIndex(({ loss }) => loss);
  return first < 0 ? turns.length : first;
}

export const trlSft = defineExporter<SftExporter>({
  name: "trl-sft",
  reader: "TRL, SFTTrainer",
  pool: "sft",
  format: "jsonl",
  losses: [
    lateMessageLoss(
      "TRL learns from every assistant message of the completion, which begins at the first one to learn from",
    ),
    tokenIds,
    segments,
  ],
  mask: "tags",
  templates: ["qwen2_5", "qwen3", "qwen3_5", "qwen3_6", "glm4moe"],
  notes: [
    "`prompt` holds all that stands before the first message to learn from, `completion` the rest: with `assistant_only_loss` a later segment is not learned from twice.",
    "`datasets` 5 keeps messages of different form apart; older ones (4.0 and before) fill arguments up with nulls.",
    "`assistant_only_loss` needs a template with generation tags: TRL puts its own in place for the families it knows.",
  ],
  row: (conversation) => {
    const at = cut(conversation);
    const messages = conversation.turns.map((turn) => openaiMessage(turn, "object"));
    return {
      prompt: messages.slice(0, at),
      completion: messages.slice(at),
      tools: toolsText(conversation.tools),
      ...origin(conversation),
    };
  },
  view: (row) => {
    const prompt = row.prompt as unknown as ChatMessage[];
    const messages = [...prompt, ...(row.completion as unknown as ChatMessage[])];
    const learned = messages.flatMap(({ role }, i) => (role === "assistant" ? [i >= prompt.length] : []));
    return {
      messages,
      tools: JSON.parse(row.tools as string),
      learned,
      completion: prompt.length,
    };
  },
  guide: (facts) => `\`\`\`python
from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

train = load_dataset("json", data_files="${facts.file("train")}", split="train")
trainer = SFTTrainer(
    model="Qwen/Qwen3-8B",
    train_dataset=train,
    args=SFTConfig(assistant_only_loss=True, completion_only_loss=True, max_length=32768),
)
trainer.train()
\`\`\``,
});
