import { defineExporter, type RlExporter } from "./exporter.js";
import { toolsGuide } from "./tools-guide.js";

export const slime = defineExporter<RlExporter>({
  name: "slime",
  reader: "slime",
  pool: "rl",
  format: "jsonl",
  notes: [
    "slime reads JSON lines with pandas, which makes numbers of texts that look like one and dates of columns named like one: ids stand inside `metadata`.",
    "`label` is JSON text; `slime_reward.py` hands it to the reward. `--reward-key score` trains on the score, and `acc` stays beside it for filters.",
  ],
  row: ({ record, truth }, { tools }) => ({
    prompt: record.prompt.map(({ role, content }) => ({ role, content })),
    label: truth,
    tools: JSON.stringify(tools),
    metadata: {
      data_source: record.data_source,
      task_id: `task ${record.task_id}`,
      agent_name: record.agent_name,
    },
  }),
  files: () => ({ "slime_reward.py": ADAPTER }),
  guide: (facts) => `\`\`\`bash
python train.py \\
  --prompt-data ${facts.file("train")} \\
  --input-key prompt --label-key label --tool-key tools --metadata-key metadata --apply-chat-template \\
  --custom-rm-path slime_reward.custom_rm --reward-key score \\
  --n-samples-per-prompt 8
\`\`\`

Put this folder on \`PYTHONPATH\`. ${toolsGuide(facts)}`,
});

const ADAPTER = `"""The reward in the form that slime calls: --custom-rm-path slime_reward.custom_rm"""

from taskmill_reward import compute_score


def _one(sample):
    metadata = sample.metadata if isinstance(sample.metadata, dict) else {}
    return compute_score(metadata.get("data_source", "taskmill"), sample.response, sample.label)


async def custom_rm(args, sample, **kwargs):
    """One sample, or a list of them where slime scores in batches."""
    if isinstance(sample, (list, tuple)):
        return [_one(item) for item in sample]
    return _one(sample)
`;
