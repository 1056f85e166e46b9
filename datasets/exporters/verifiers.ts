import { defineExporter, type Facts, type RlExporter } from "./exporter.js";
import { toolsGuide } from "./tools-guide.js";

/** Name of the module, and with dashes of the package: what `load_environment` is asked for. */
function moduleName(dataset: string): string {
  return `taskmill_${dataset.replaceAll("-", "_")}`;
}

export const verifiers = defineExporter<RlExporter>({
  name: "verifiers",
  reader: "verifiers 0.1 (and prime-rl through it)",
  pool: "rl",
  format: "jsonl",
  notes: [
    "For verifiers 0.1, the last with environments that an `load_environment()` of a package returns as `vf.Environment`; later ones only know `verifiers.v1`.",
    "`info` is JSON text, so that rows of any kind have one type.",
    "The rubric trains on the score; `acc` and `progress` are metrics of weight 0.",
  ],
  row: ({ record, truth }) => ({
    prompt: record.prompt.map(({ role, content }) => ({ role, content })),
    answer: truth,
    info: JSON.stringify({ task_id: record.task_id, data_source: record.data_source }),
  }),
  files: (facts) => {
    const module = moduleName(facts.dataset);
    return { "pyproject.toml": project(module), [`${module}.py`]: code(facts) };
  },
  guide: (facts) => `\`\`\`bash
pip install .       # or: uv pip install -e .
vf-eval ${moduleName(facts.dataset).replaceAll("_", "-")} -m MODEL -n 8
\`\`\`

\`\`\`python
import verifiers as vf

env = vf.load_environment("${moduleName(facts.dataset).replaceAll("_", "-")}", tools=[search, visit, python])
\`\`\`

Without \`tools\` and \`mcp_servers\` the environment is one turn without tools. ${toolsGuide(facts)}`,
});

function project(module: string): string {
  return `[project]
name = "${module.replaceAll("_", "-")}"
version = "0.1.0"
description = "Tasks with verifiable answers, as an environment for verifiers"
requires-python = ">=3.10"
dependencies = ["verifiers>=0.1.9,<0.2"]

[build-system]
requires = ["setuptools>=64"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
py-modules = ["${module}", "taskmill_reward"]

[tool.setuptools.data-files]
"share/${module}" = ["*.jsonl", "network_block.json"]
`;
}

function code({ rows, file }: Facts): string {
  const files = Object.keys(rows).map(
    (split) => `    ${JSON.stringify(split)}: ${JSON.stringify(file(split))},`,
  );
  return `"""Tasks with verifiable answers as an environment of verifiers."""

import json
import sys
from pathlib import Path

import verifiers as vf
from datasets import Dataset

from taskmill_reward import compute_score

FILES = {
${files.join("\n")}
}


def _rows(split):
    """The rows of a split: beside this file, or where the installed package keeps its data."""
    for folder in (Path(__file__).parent, Path(sys.prefix) / "share" / __name__):
        if (folder / FILES[split]).is_file():
            lines = (folder / FILES[split]).read_text(encoding="utf-8").split("\\n")
            return Dataset.from_list([json.loads(line) for line in lines if line])
    raise FileNotFoundError(FILES[split])


def score(completion, answer, **kwargs) -> float:
    return compute_score("taskmill", completion, answer)["score"]


def acc(completion, answer, **kwargs) -> float:
    return compute_score("taskmill", completion, answer)["acc"]


def progress(completion, answer, **kwargs) -> float:
    return compute_score("taskmill", completion, answer)["progress"]


def load_environment(split="train", eval_split=None, tools=None, mcp_servers=None, max_turns=16, **kwargs) -> vf.Environment:
    """The environment: with Python functions as \`tools\`, with \`mcp_servers\`, or of a single turn without tools."""
    if eval_split is None:
        eval_split = "validation" if "validation" in FILES else split
    rubric = vf.Rubric(funcs=[score, acc, progress], weights=[1.0, 0.0, 0.0])
    parts = {"dataset": _rows(split), "eval_dataset": _rows(eval_split), "rubric": rubric, **kwargs}
    if mcp_servers is not None:
        return vf.MCPEnv(mcp_servers=mcp_servers, max_turns=max_turns, **parts)
    if tools is not None:
        return vf.ToolEnv(tools=tools, max_turns=max_turns, **parts)
    return vf.SingleTurnEnv(**parts)
`;
}
