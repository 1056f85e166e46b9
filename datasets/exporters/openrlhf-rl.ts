import { definePool, hidden, list, open, struct, text } from "../schema/index.js";
import { defineExporter, type RlExporter } from "./exporter.js";
import { REWARD_FILE } from "./reward.js";
import { toolsFile, toolsGuide } from "./tools-guide.js";

const rows = definePool("openrlhf-rl", "prompts for OpenRLHF's PromptDataset", {
  input: open(list(struct({ role: text, content: text })), "chat messages"),
  label: hidden(text, "JSON text, handed to the reward function"),
  datasource: open(text, "groups metrics"),
});

export const openrlhfRl = defineExporter<RlExporter>({
  name: "openrlhf-rl",
  reader: "OpenRLHF, RL (PromptDataset)",
  pool: "rl",
  format: rows,
  notes: [
    "`reward_func` gives `rewards` and `scores`; the latter, which drive dynamic filtering, are correctness alone: 0 or 1.",
    "OpenRLHF reads `<image>` in a prompt as the place of an image.",
  ],
  row: ({ record, truth }) => ({
    input: record.prompt.map(({ role, content }) => ({ role, content })),
    label: truth,
    datasource: record.data_source,
  }),
  files: (facts) => ({ "tools.json": toolsFile(facts) }),
  guide: (facts) => `\`\`\`bash
python -m openrlhf.cli.train_ppo_ray \\
  --data.prompt_dataset ${facts.file("train")} \\
  --data.input_key input --data.label_key label --data.apply_chat_template \\
  --reward.remote_url ${REWARD_FILE} \\
  --algo.dynamic_filtering_enable
\`\`\`

${toolsGuide(facts)}`,
});
