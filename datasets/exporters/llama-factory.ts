import type { Json } from "../../pipeline/base/canonical.js";
import { type Conversation, functionOf, type Turn } from "./conversation.js";
import { defineExporter, type SftExporter } from "./exporter.js";
import { reasoningText, thought, withCalls } from "./hermes.js";
import { pythonJson } from "./json-text.js";
import { type Loss, messageLoss, segments, tokenIds } from "./losses.js";
import { allLearned, type ChatMessage } from "./proof/view.js";

interface Said {
  readonly from: "human" | "gpt" | "function_call" | "observation";
  readonly value: string;
}

/** Text beside calls has no place in `function_call`: such messages are plain ones with the calls written out. */
const textBesideCalls: Loss = {
  name: "calls_as_text",
  how: "a message with text and calls becomes a `gpt` message with the calls written out in the Hermes form: use a template of that form (qwen, qwen3, hermes)",
  consent: false,
  touches: ({ turns }) => turns.some(({ content, calls }) => content !== "" && calls.length > 0),
};

/** LLaMA-Factory drops rows in which the sides do not alternate, or that do not end with the assistant. */
const notAlternating: Loss = {
  name: "alternation",
  how: "LLaMA-Factory skips, with a warning, conversations in which user and assistant do not take turns or that the assistant does not end",
  consent: true,
  touches: (conversation) => {
    const said = sharegpt(conversation);
    return (
      said.length % 2 !== 0 ||
      said.some(({ from }, i) => (i % 2 === 0) !== (from === "human" || from === "observation"))
    );
  },
};

export const llamaFactory = defineExporter<SftExporter>({
  name: "llama-factory",
  reader: "LLaMA-Factory, formatting sharegpt",
  pool: "sft",
  format: "jsonl",
  losses: [
    messageLoss(
      "LLaMA-Factory learns from every assistant message, or with `mask_history` from the last one alone",
    ),
    notAlternating,
    textBesideCalls,
    tokenIds,
    segments,
  ],
  mask: "diff",
  templates: ["qwen2_5"],
  notes: [
    "`formatting: sharegpt`, not `openai`: the latter loses text beside a tool call (read from its converter, and tried).",
    "Put this folder's path into `dataset_dir`, or copy the entry of `dataset_info.json` into your own.",
    "It renders with templates of its own; the checks here stand for the Hermes form that its template `qwen` writes.",
  ],
  row: (conversation) => {
    const { turns, tools, record } = conversation;
    const { task_id, rollout, segment, model } = record;
    return {
      conversations: sharegpt(conversation).map((said) => ({ ...said })),
      system: turns[0]?.role === "system" ? turns[0].content : "",
      tools: JSON.stringify(tools.map((tool) => functionOf(tool) as unknown as Json)),
      task_id,
      rollout,
      segment,
      model,
    };
  },
  view: (row) => {
    const messages = asQwenWrites(row);
    return { messages, tools: asTools(row), learned: allLearned(messages) };
  },
  files: (facts) => ({ "dataset_info.json": datasetInfo(facts) }),
  guide: (facts) => `\`\`\`bash
llamafactory-cli train \\
  --stage sft --do_train \\
  --model_name_or_path Qwen/Qwen2.5-7B-Instruct --template qwen \\
  --dataset_dir . --dataset ${datasetName(facts.dataset, "train")} \\
  --cutoff_len 32768 --output_dir out
\`\`\``,
});

function sharegpt({ turns }: Conversation): Said[] {
  const rest = turns[0]?.role === "system" ? turns.slice(1) : turns;
  const said: Said[] = [];
  rest.forEach((turn, i) => {
    if (turn.role === "tool" && rest[i - 1]?.role === "tool") {
      const before = said.pop()!;
      said.push({
        from: "observation",
        value: `${before.value}\n</tool_response>\n<tool_response>\n${turn.content}`,
      });
    } else if (turn.role === "tool") said.push({ from: "observation", value: turn.content });
    else if (turn.role === "assistant") said.push(assistant(turn));
    else said.push({ from: "human", value: turn.content });
  });
  return said;
}

function assistant(turn: Turn): Said {
  if (turn.calls.length === 0) return { from: "gpt", value: reasoningText(turn) };
  if (turn.content !== "")
    return { from: "gpt", value: `${thought(turn)}${withCalls(turn.content, turn.calls)}` };
  const calls = turn.calls.map(
    ({ name, text }) => `{"name": ${JSON.stringify(name)}, "arguments": ${pythonJson(text)}}`,
  );
  return { from: "function_call", value: `${thought(turn)}[${calls.join(", ")}]` };
}

/** What the template `qwen` of LLaMA-Factory makes of a written row, as chat messages. */
function asQwenWrites(row: Readonly<Record<string, Json>>): ChatMessage[] {
  const messages: ChatMessage[] =
    row.system === "" ? [] : [{ role: "system", content: row.system as string }];
  for (const { from, value } of row.conversations as unknown as Said[]) {
    if (from === "human") messages.push({ role: "user", content: value });
    else if (from === "observation")
      messages.push({ role: "user", content: `<tool_response>\n${value}\n</tool_response>` });
    else if (from === "gpt") messages.push({ role: "assistant", content: value });
    else messages.push({ role: "assistant", content: functionCalls(value) });
  }
  return messages;
}

function functionCalls(value: string): string {
  const start = value.startsWith("<think>") ? value.indexOf("</think>\n\n") + "</think>\n\n".length : 0;
  const calls = JSON.parse(value.slice(start)) as readonly { name: string; arguments: Json }[];
  const written = calls.map(({ name, arguments: args }) => ({
    id: "",
    name,
    text: JSON.stringify(args),
    args: {},
  }));
  return `${value.slice(0, start)}${withCalls("", written)}`;
}

function asTools(row: Readonly<Record<string, Json>>): Json[] {
  return (JSON.parse(row.tools as string) as Json[]).map((tool) => ({ type: "function", function: tool }));
}

function datasetName(dataset: string, split: string): string {
  return `${dataset}_${split}`;
}

function datasetInfo({ dataset, rows, file }: Parameters<NonNullable<SftExporter["files"]>>[0]): string {
  const entries = Object.keys(rows).map((split) => [
    datasetName(dataset, split),
    {
      file_name: file(split),
      formatting: "sharegpt",
      columns: { messages: "conversations", system: "system", tools: "tools" },
      tags: {
        role_tag: "from",
        content_tag: "value",
        user_tag: "human",
        assistant_tag: "gpt",
        observation_tag: "observation",
        function_tag: "function_call",
        system_tag: "system",
      },
    },
  ]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
