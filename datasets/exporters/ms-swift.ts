import { readArguments } from "./axolotl.js";
import { defineExporter, type SftExporter } from "./exporter.js";
import { reasoningText } from "./hermes.js";
import { segments, tokenIds } from "./losses.js";
import { openaiMessage, origin, toolsText } from "./openai.js";
import type { ChatMessage } from "./proof/view.js";

/** ms-swift reads OpenAI's messages, arguments as JSON text, and `loss` per message; it keeps reasoning in the content alone. */
export const msSwift = defineExporter<SftExporter>({
  name: "ms-swift",
  reader: "ms-swift, `swift sft`",
  pool: "sft",
  format: "jsonl",
  losses: [tokenIds, segments],
  mask: "diff",
  templates: ["qwen2_5", "qwen3"],
  notes: [
    "`loss` says for each message whether it is learned from; text and calls of one message become two messages, both with its `loss`.",
    "Reasoning stands in the text between `<think>` and `</think>`, as ms-swift has no field for it. It renders with templates of its own; the checks here stand for the OpenAI form that it reads.",
  ],
  row: (conversation) => ({
    messages: conversation.turns.map((turn) => ({
      ...openaiMessage(turn, "text"),
      content: reasoningText(turn),
      reasoning_content: undefined,
      loss: turn.role === "assistant" ? turn.loss : undefined,
    })),
    tools: toolsText(conversation.tools),
    ...origin(conversation),
  }),
  view: (row) => {
    const written = row.messages as unknown as (ChatMessage & { loss?: boolean })[];
    const learned = written.filter(({ role }) => role === "assistant").map(({ loss }) => loss === true);
    const messages = written.map(({ loss: _loss, ...message }) => readArguments(message as ChatMessage));
    return { messages, tools: JSON.parse(row.tools as string), learned };
  },
  guide: (facts) => `\`\`\`bash
swift sft \\
  --model Qwen/Qwen3-8B \\
  --dataset ${facts.file("train")} \\
  --agent_template hermes \\
  --loss_scale default \\
  --max_length 32768
\`\`\``,
});
