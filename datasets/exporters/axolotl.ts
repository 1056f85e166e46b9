import type { Json } from "../../pipeline/base/canonical.js";
import { defineExporter, type SftExporter } from "./exporter.js";
import { segments, tokenIds } from "./losses.js";
import { openaiMessage, origin, toolsText } from "./openai.js";
import type { ChatMessage } from "./proof/view.js";

/** axolotl reads arguments that are JSON text, so they keep their bytes until then; `train` is its mask per message. */
export const axolotl = defineExporter<SftExporter>({
  name: "axolotl",
  reader: "axolotl, datasets of type chat_template",
  pool: "sft",
  format: "jsonl",
  losses: [tokenIds, segments],
  mask: "diff",
  templates: ["qwen2_5", "qwen3", "qwen3_5", "glm4moe"],
  notes: [
    "`train` says for each message whether it is learned from (`message_field_training`).",
    "axolotl finds a message's tokens by putting other words in its place; an assistant message that renders to nothing is not found.",
  ],
  row: (conversation) => ({
    messages: conversation.turns.map((turn) => ({ ...openaiMessage(turn, "text"), train: turn.loss })),
    tools: toolsText(conversation.tools),
    ...origin(conversation),
  }),
  view: (row) => {
    const written = row.messages as unknown as (ChatMessage & { train: boolean })[];
    const learned = written.filter(({ role }) => role === "assistant").map(({ train }) => train);
    const messages = written.map(({ train: _train, ...message }) => readArguments(message as ChatMessage));
    return { messages, tools: JSON.parse(row.tools as string), learned };
  },
  guide: (facts) => `\`\`\`yaml
chat_template: tokenizer_default
datasets:
  - path: ${facts.file("train")}
    ds_type: json
    type: chat_template
    field_messages: messages
    field_tools: tools
    message_property_mappings: { role: role, content: content, reasoning_content: reasoning_content }
    message_field_training: train
    roles_to_train: []
train_on_eos: turn
\`\`\``,
});

/** Arguments as loaders leave them that parse JSON text before a template sees it. */
export function readArguments(message: ChatMessage): ChatMessage {
  const calls = message.tool_calls as readonly { function: { arguments: string } }[] | undefined;
  if (calls === undefined) return message;
  const read = calls.map((call) => ({
    ...call,
    function: { ...call.function, arguments: JSON.parse(call.function.arguments) as Json },
  }));
  return { ...message, tool_calls: read as unknown as Json };
}
