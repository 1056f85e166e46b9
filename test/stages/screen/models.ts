import type { ChatRequest, ModelIdentity, Models, Reply } from "../../../stages/model.js";

/** What a scripted model says: a text, or why it says none. */
export type Said =
  | string
  | { readonly why: "truncated" | "refusal" | "filter" | "unavailable"; readonly text?: string };
export type Brain = (request: ChatRequest<unknown>) => Said | Promise<Said>;

/** A whole request's user message. */
export function userOf(request: ChatRequest<unknown>): string {
  return request.messages.find((m) => m.role === "user")!.content;
}

export function systemOf(request: ChatRequest<unknown>): string {
  return request.messages.find((m) => m.role === "system")!.content;
}

/** Models in memory, by role; every request that was made is in `asked`. */
export class Scripted implements Models {
  readonly asked: ChatRequest<unknown>[] = [];

  constructor(private readonly brains: Readonly<Record<string, Brain>>) {}

  identity(role: string): ModelIdentity | undefined {
    if (!Object.hasOwn(this.brains, role)) return undefined;
    return { endpoint: "test", model: `${role}-1`, revision: null };
  }

  async ask<T>(request: ChatRequest<T>): Promise<Reply<T>> {
    this.asked.push(request as ChatRequest<unknown>);
    const said = await this.brains[request.role]!(request as ChatRequest<unknown>);
    const usage = { input: null, cached_input: null, output: null, reasoning: null };
    const call = `${request.role}/${request.row}/${request.sample ?? 0}`;
    if (typeof said === "string") return { ok: true, call, text: said, reasoning: "", tool_calls: [], usage };
    return { ok: false, call, why: said.why, message: said.why, text: said.text ?? "", usage };
  }
}
