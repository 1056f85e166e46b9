import { stringify } from "yaml";
import type { Json } from "../../pipeline/base/canonical.js";
import { functionOf } from "./conversation.js";
import { defineExporter, type Facts, type RlExporter } from "./exporter.js";
import { REWARD_FILE } from "./reward.js";
import { toolsGuide } from "./tools-guide.js";

const SERVER = "taskmill";
const AGENT = "taskmill_simple_agent";

export const nemoGym = defineExporter<RlExporter>({
  name: "nemo-gym",
  reader: "NeMo Gym",
  pool: "rl",
  format: "jsonl",
  notes: [
    "Each line is a request of OpenAI's Responses form with the ground truth beside it; the agent hands both to `verify` of the resources server in `app.py`.",
    "The simple agent calls a tool by posting to the resources server: add an endpoint for each tool there, or let the agent use `pipeline serve` as an MCP server.",
  ],
  row: ({ record, truth, question }, { tools }) => ({
    responses_create_params: {
      input: record.prompt.map(({ role, content }) => ({ role, content })),
      tools: tools.map(responsesTool),
    },
    ground_truth: truth,
    question,
    task_id: record.task_id,
    agent_ref: { type: "responses_api_agents", name: AGENT },
  }),
  files: (facts) => ({
    "resources_servers/taskmill/app.py": APP,
    "resources_servers/taskmill/configs/taskmill.yaml": config(facts),
    "resources_servers/taskmill/requirements.txt": "-e nemo-gym[dev] @ ../../\n",
  }),
  guide: (
    facts,
  ) => `Copy \`resources_servers/taskmill\` into your checkout of NeMo Gym, \`${REWARD_FILE}\` into that folder, and the row files into its \`data\`.

\`\`\`bash
ng_run "+config_paths=[resources_servers/taskmill/configs/taskmill.yaml,responses_api_models/vllm_model/configs/vllm_model.yaml]"
ng_collect_rollouts +agent_name=${AGENT} \\
  +input_jsonl_fpath=resources_servers/taskmill/data/${facts.file("train")} \\
  +output_jsonl_fpath=rollouts.jsonl
\`\`\`

${toolsGuide(facts)}`,
});

/** Function tools as the Responses API has them: flat. */
function responsesTool(tool: Json): { [key: string]: Json } {
  return { type: "function", ...functionOf(tool), strict: false };
}

function config({ rows, file }: Facts): string {
  const datasets = Object.keys(rows).map((split) => ({
    name: split,
    type: split === "train" ? "train" : "validation",
    jsonl_fpath: `resources_servers/taskmill/data/${file(split)}`,
  }));
  const server = {
    entrypoint: "app.py",
    domain: "agent",
    verified: false,
    description: "tasks with verifiable answers",
  };
  const agent = {
    entrypoint: "app.py",
    resources_server: { type: "resources_servers", name: SERVER },
    model_server: { type: "responses_api_models", name: "policy_model" },
    datasets,
  };
  return stringify({
    [SERVER]: { resources_servers: { taskmill: server } },
    [AGENT]: { responses_api_agents: { simple_agent: agent } },
  });
}

const APP = `"""Resources server of NeMo Gym that scores a rollout with the dataset's own reward."""

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseRunRequest,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from pydantic import ConfigDict

from taskmill_reward import compute_score


class TaskmillRunRequest(BaseRunRequest):
    model_config = ConfigDict(extra="allow")

    ground_truth: str


class TaskmillVerifyRequest(TaskmillRunRequest, BaseVerifyRequest):
    pass


class TaskmillVerifyResponse(BaseVerifyResponse):
    model_config = ConfigDict(extra="allow")

    acc: float
    progress: float


def said(response):
    """The assistant's messages, each a turn: the final answer is that of the last one. No reasoning, no calls, no observations."""
    return [
        {"role": "assistant", "content": "".join(part.text for part in item.content if part.type == "output_text")}
        for item in response.output
        if item.type == "message"
    ]


class TaskmillResourcesServer(SimpleResourcesServer):
    config: BaseResourcesServerConfig

    async def verify(self, body: TaskmillVerifyRequest) -> TaskmillVerifyResponse:
        result = compute_score("taskmill", said(body.response), body.ground_truth)
        return TaskmillVerifyResponse(
            **body.model_dump(), reward=result["score"], acc=result["acc"], progress=result["progress"]
        )


if __name__ == "__main__":
    TaskmillResourcesServer.run_webserver()
`;
