import { canonicalJson, type Json } from "../pipeline/base/canonical.js";
import type { SftRecord } from "./schema/index.js";

export type Message = SftRecord["messages"][number];
export type TokenColumns = NonNullable<SftRecord["tokens"]>;

/** What a turn of the model gave: what it saw is the next turn's business. */
export interface SaidTurn {
  readonly text: string;
  readonly reasoning: string;
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** Whether this turn belongs to the segment that is written: then a trainer learns from it. */
  readonly own: boolean;
}

/** A chat message as it was sent. */
interface Sent {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
}

/**
 * The conversation of a segment: what was sent with its last call, and the reply to that. The k-th message of the assistant is the k-th
 * turn, from which come its reasoning and its calls, byte for byte.
 */
export function messagesOf(sent: readonly Json[], turns: readonly SaidTurn[]): Message[] {
  // Ids are distinct within a reply only.
  let names = new Map<string, string>();
  let k = 0;
  const messages = (sent as unknown as readonly Sent[]).map((message): Message => {
    if (message.role === "assistant") {
      const turn = turns[k++]!;
      names = new Map(turn.tool_calls.map(({ id, name }) => [id, name]));
      return assistant(turn);
    }
    const { role, content, tool_call_id } = message;
    if (role !== "tool") return { ...PLAIN, role, content };
    return { ...PLAIN, role, content, name: names.get(tool_call_id!) ?? null, tool_call_id: tool_call_id! };
  });
  return k < turns.length ? [...messages, assistant(turns[k]!)] : messages;
}

const PLAIN = { reasoning: null, name: null, tool_calls: null, tool_call_id: null, loss: false };

function assistant({ text, reasoning, tool_calls, own }: SaidTurn): Message {
  return {
    ...PLAIN,
    role: "assistant",
    content: text,
    reasoning: reasoning === "" ? null : reasoning,
    tool_calls:
      tool_calls.length === 0
        ? null
        : canonicalJson(tool_calls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }))),
    loss: own,
  };
}
