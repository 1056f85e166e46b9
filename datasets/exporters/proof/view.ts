import type { Json } from "../../../pipeline/base/canonical.js";

/** A chat message as a template sees it. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly [key: string]: Json | undefined;
}

/**
 * How a reader finds the text that it learns from:
 * `tags`: the template marks it (`{% generation %}`); `prefix`: by rendering the messages before it, then with it; `each`: every message is
 * rendered alone and the parts joined; `diff`: by putting other words in its place.
 */
export type MaskBy = "tags" | "prefix" | "each" | "diff";

/** A written row as its reader hands it to a chat template. */
export interface View {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Json[];
  /** For each assistant message, whether the reader learns from it. */
  readonly learned: readonly boolean[];
  /** Where the reader cuts prompt from completion: nothing before it is learned from. */
  readonly completion?: number;
}

/** One learned flag per assistant message: all of them. */
export function allLearned(messages: readonly ChatMessage[]): boolean[] {
  return messages.filter(({ role }) => role === "assistant").map(() => true);
}
