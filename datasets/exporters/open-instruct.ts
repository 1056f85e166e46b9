import { definePool, hidden, list, open, struct, text } from "../schema/index.js";
import { defineExporter, type RlExporter } from "./exporter.js";
import { toolsFile, toolsGuide } from "./tools-guide.js";

const rows = definePool("open-instruct", "prompts for open-instruct's RLVR", {
  messages: open(list(struct({ role: text, content: text })), "chat messages"),
  ground_truth: hidden(text, "JSON text, handed to the verifier as its label"),
  dataset: open(text, "names the verifier"),
  task_id: open(text, "the task"),
});

export const openInstruct = defineExporter<RlExporter>({
  name: "open-instruct",
  reader: "open-instruct, RLVR (GRPO)",
  pool: "rl",
  format: rows,
  notes: [
    "`dataset` names the verifier `taskmill`. open-instruct finds verifiers by subclass: import `taskmill_verifier.py` before it builds its table of them.",
    "It trains on one number per sample, the score.",
  ],
  row: ({ record, truth }) => ({
    messages: record.prompt.map(({ role, content }) => ({ role, content })),
    ground_truth: truth,
    dataset: "taskmill",
    task_id: record.task_id,
  }),
  files: (facts) => ({ "tools.json": toolsFile(facts), "taskmill_verifier.py": ADAPTER }),
  guide: (facts) => `\`\`\`bash
PYTHONPATH=. python -c "import taskmill_verifier, runpy; runpy.run_module('open_instruct.grpo_fast', run_name='__main__')" \\
  --dataset_mixer_list ${facts.file("train")} 1.0 \\
  --dataset_mixer_list_splits train \\
  --apply_verifiable_reward true
\`\`\`

${toolsGuide(facts)}`,
});

const ADAPTER = `"""The reward as a verifier of open-instruct: a row's \`dataset\` column names it."""

from open_instruct.ground_truth_utils import VerificationResult, VerifierFunction

from taskmill_reward import compute_score


class TaskmillVerifier(VerifierFunction):
    def __init__(self, verifier_config=None) -> None:
        super().__init__("taskmill", verifier_config=verifier_config, weight=1.0)

    def __call__(self, tokenized_prediction, prediction, label, query=None, **kwargs):
        return VerificationResult(score=compute_score("taskmill", prediction, label)["score"])
`;
