import type { Observation } from "../environment.js";
import type { Completion, Message } from "../model.js";

/** What stands in the place of an observation that was taken out of the context. */
export const REMOVED = "[This result was removed to make room. Call the tool again if you need it.]";

/** A conversation as the model sees it. */
export class Conversation {
  #messages: Message[];
  /** From 0; raised where old observations were taken out. */
  segment = 0;

  constructor(
    system: string,
    question: string,
    private readonly thoughts: "drop" | "send",
  ) {
    this.#messages = [
      { role: "system", content: system },
      { role: "user", content: question },
    ];
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  said({ text, reasoning, tool_calls }: Completion): void {
    const own = this.thoughts === "send" && reasoning !== "" ? { reasoning_content: reasoning } : {};
    const calls = tool_calls.length === 0 ? {} : { tool_calls };
    this.#messages = [...this.#messages, { role: "assistant", content: text, ...own, ...calls }];
  }

  seen(calls: Completion["tool_calls"], observations: readonly Observation[]): void {
    const answers = calls.map(({ id }, i): Message => {
      return { role: "tool", content: observations[i]!.text, tool_call_id: id };
    });
    this.#messages = [...this.#messages, ...answers];
  }

  /** Takes all observations but the latest out; those that the model has not seen yet stay, however many. @returns whether there was one to take */
  truncate(keep: number): boolean {
    const unseen = this.#messages.findLastIndex(({ role }) => role === "assistant");
    const places = this.#messages.flatMap(({ role, content }, i) =>
      role === "tool" && content !== REMOVED ? [i] : [],
    );
    const gone = new Set(places.slice(0, Math.max(0, places.length - keep)).filter((i) => i < unseen));
    if (gone.size === 0) return false;
    this.#messages = this.#messages.map((m, i) => (gone.has(i) ? { ...m, content: REMOVED } : m));
    this.segment++;
    return true;
  }
}
