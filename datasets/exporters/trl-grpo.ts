import { definePool, hidden, list, open, struct, text } from "../schema/index.js";
import { defineExporter, type RlExporter } from "./exporter.js";
import { toolsFile, toolsGuide } from "./tools-guide.js";

const rows = definePool("trl-grpo", "prompts for TRL's GRPOTrainer", {
  prompt: open(list(struct({ role: text, content: text })), "chat messages"),
  ground_truth: hidden(text, "JSON text; handed to the reward function as a column"),
  data_source: open(text, "groups metrics"),
  task_id: open(text, "the task"),
});

export const trlGrpo = defineExporter<RlExporter>({
  name: "trl-grpo",
  reader: "TRL, GRPOTrainer",
  pool: "rl",
  format: rows,
  notes: [
    "TRL hands every column to the reward function; `ground_truth` is what it needs.",
    "Nothing in TRL filters groups by correctness: the pool holds admitted tasks only.",
  ],
  row: ({ record, truth }) => ({
    prompt: record.prompt.map(({ role, content }) => ({ role, content })),
    ground_truth: truth,
    data_source: record.data_source,
    task_id: record.task_id,
  }),
  files: (facts) => ({ "tools.json": toolsFile(facts) }),
  guide: (facts) => `\`\`\`python
from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer
from taskmill_reward import reward

train = load_dataset("parquet", data_files="${facts.file("train")}", split="train")
trainer = GRPOTrainer(
    model="Qwen/Qwen3-8B",
    reward_funcs=reward,
    train_dataset=train,
    args=GRPOConfig(num_generations=8, max_completion_length=8192),
)
trainer.train()
\`\`\`

${toolsGuide(facts)} TRL takes tools as Python functions (\`tools=[...]\`).`,
});
