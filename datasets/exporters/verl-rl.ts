import { bool, definePool, hidden, int64, list, open, struct, text } from "../schema/index.js";
import { defineExporter, type RlExporter } from "./exporter.js";
import { REWARD_FILE } from "./reward.js";
import { toolsFile, toolsGuide } from "./tools-guide.js";

const rows = definePool("verl-rl", "prompts for verl's RLHFDataset", {
  data_source: open(text, "groups metrics"),
  agent_name: open(text, "verl's agent loop"),
  prompt: open(list(struct({ role: text, content: text })), "chat messages"),
  ability: open(text, "the kind of task"),
  reward_model: hidden(
    struct({ style: text, ground_truth: text }),
    "JSON text in every row: one type in all files",
  ),
  extra_info: open(
    struct({ split: text, index: int64, task_id: text, question: text, need_tools_kwargs: bool }),
    "handed on to the reward function",
  ),
});

export const verlRl = defineExporter<RlExporter>({
  name: "verl-rl",
  reader: "verl, RL (RLHFDataset, agent loops)",
  pool: "rl",
  format: rows,
  notes: [
    "verl hands `ground_truth` and `extra_info` to the reward, and nothing else. `compute_score` gives `score` and `acc`: filter groups by `acc`, as a group that is all wrong can still differ in score.",
    "Tools are global in verl: give the schemas of `tools.json` in its tool configuration.",
  ],
  row: ({ record, truth }) => ({
    data_source: record.data_source,
    agent_name: record.agent_name,
    prompt: record.prompt.map(({ role, content }) => ({ role, content })),
    ability: record.ability,
    reward_model: { style: record.reward_model.style, ground_truth: truth },
    extra_info: { ...record.extra_info },
  }),
  files: (facts) => ({ "tools.json": toolsFile(facts) }),
  guide: (facts) => `\`\`\`bash
python -m verl.trainer.main_ppo \\
  data.train_files=${facts.file("train")} data.val_files=${facts.file("validation")} \\
  data.return_raw_chat=True \\
  reward.custom_reward_function.path=${REWARD_FILE} reward.custom_reward_function.name=compute_score \\
  algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8 \\
  algorithm.filter_groups.enable=True algorithm.filter_groups.metric=acc \\
  actor_rollout_ref.rollout.multi_turn.enable=True
\`\`\`

${toolsGuide(facts)}`,
});
