import type { z } from "zod";
import type { Json } from "../pipeline/base/canonical.js";

/** How stages ask models. The client behind it (`pipeline/models`) replays recorded calls, keeps limits and budgets, and records. */

export interface ToolCall {
  /** Distinct within a reply, whatever the endpoint sent. */
  readonly id: string;
  readonly name: string;
  /** JSON text, as the chat format has it. */
  readonly arguments: string;
}

export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string;
      /** Sent back to models that want their own thoughts again. */
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly ToolCall[];
    }
  | { readonly role: "tool"; readonly content: string; readonly tool_call_id: string };

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Json;
}

export interface ChatRequest<T = unknown> {
  /** A role of the config's `models`. */
  readonly role: string;
  /** The row that is asked about: for errors and intents, no part of what is asked. */
  readonly row: string;
  readonly messages: readonly Message[];
  /** Which independent draw of the same prompt, from 0. */
  readonly sample?: number;
  /** What the reply must be: JSON that fits. A reply that does not is given one chance to repair itself. */
  readonly schema?: { readonly name: string; readonly type: z.ZodType<T> };
  readonly tools?: readonly Tool[];
  /** In place of the role's own. */
  readonly max_tokens?: number;
  readonly temperature?: number;
}

/** Tokens in and tokens out, where the endpoint gives them (vLLM's `return_token_ids`, log probabilities, expert routes). */
export interface Tokens {
  /** Of the whole prompt, as the chat template rendered it. */
  readonly prompt: readonly number[];
  /** Of the completion, the end-of-turn token included if the endpoint gives it. */
  readonly completion: readonly number[];
  /** One for each token of the completion, or null. */
  readonly logprobs: readonly number[] | null;
  /** Routes through experts, in the endpoint's own form; or null. */
  readonly experts: Json;
}

/** Tokens as the endpoint counted them; null where it did not say, never 0 for unknown. */
export interface Usage {
  readonly input: number | null;
  /** Of the input, read from the endpoint's prompt cache. */
  readonly cached_input: number | null;
  readonly output: number | null;
  /** Of the output, spent on reasoning. */
  readonly reasoning: number | null;
}

/** A whole answer. */
export interface Completion<T = unknown> {
  readonly ok: true;
  /** The recorded call, as the cassette names it (64 hex digits). */
  readonly call: string;
  readonly text: string;
  /** Kept apart: never read as the answer. */
  readonly reasoning: string;
  readonly tool_calls: readonly ToolCall[];
  /** The text as the schema's type; present if and only if a schema was given. */
  readonly value?: T;
  readonly usage: Usage;
  /** Present where the role asks for them and the endpoint gives them. */
  readonly tokens?: Tokens;
}

/** Why a call that came to an end holds no whole answer. Each is recorded, and is the same on replay. */
export const UNANSWERED = [
  /** Cut off at the token limit, or a tool call whose arguments are no JSON. */
  "truncated",
  /** The endpoint's filter took the reply away. */
  "filter",
  /** The model declined (a `refusal` beside empty content). */
  "refusal",
  /** The prompt is longer than the model reads. */
  "context_length",
  /** No JSON that fits the schema, after one repair. */
  "unstructured",
  /** No reply after the last attempt, in a role with `failures: reject`. */
  "unavailable",
] as const;

export interface Unanswered {
  readonly ok: false;
  readonly call: string;
  readonly why: (typeof UNANSWERED)[number];
  /** One sentence for evidence; holds no secret. */
  readonly message: string;
  /** What there is of a reply. */
  readonly text: string;
  readonly usage: Usage;
}

export type Reply<T = unknown> = Completion<T> | Unanswered;

/** What a role stands for; part of every stage key and of every recorded call. */
export interface ModelIdentity {
  /** The endpoint's address without user, query and fragment, or the name that the config gives it. */
  readonly endpoint: string;
  readonly model: string;
  readonly revision: string | null;
}

export interface Models {
  /** Undefined when the role has no endpoint here: a gate that needs it is `not_run`. */
  identity(role: string): ModelIdentity | undefined;
  /**
   * The reply to a request: recorded, or asked for now and recorded before it is returned.
   * @throws TaskmillError: `provider` when there is no reply to be had (the other rows go on), `budget` when the call could break a cap,
   *   `interrupted`. Stages let these through.
   */
  ask<T>(request: ChatRequest<T>): Promise<Reply<T>>;
}
