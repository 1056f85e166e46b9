import type { Observation } from "../../stages/environment.js";
import type { ModelIdentity, Tokens, ToolCall, Usage } from "../../stages/model.js";
import { hashOf, type Json } from "../base/canonical.js";

/** All that a reply depends on: its hash names the call. Limits, prices, keys, rows and stages are no part of it. */
export interface CallIdentity extends ModelIdentity {
  /** Chat messages, the system prompt first, as sent. */
  readonly messages: Json;
  readonly tools: Json;
  /** temperature, top_p, max_tokens, seed, stop and whatever else the role sends. */
  readonly sampling: Json;
  /** `{ name, schema, mode }` or null. */
  readonly response_format: Json;
  /** Which independent draw. */
  readonly sample: number;
}

/** Names of identities that were hashed: a conversation is long, and its call is named when it is looked up and when it is kept. */
const keys = new WeakMap<CallIdentity, string>();

/** 64 hex digits. */
export function callKey(identity: CallIdentity): string {
  let key = keys.get(identity);
  if (key === undefined) {
    key = hashOf(identity);
    keys.set(identity, key);
  }
  return key;
}

/** How a call that is over ended. `failed`: given up on, in a role with `failures: reject`. */
export const FINISHES = [
  "stop",
  "tool_calls",
  "length",
  "content_filter",
  "refusal",
  "context_length",
  "failed",
] as const;
export type Finish = (typeof FINISHES)[number];

/** A reply as recorded: what the endpoint said, with no header, key or time. */
export interface RecordedReply {
  readonly finish: Finish;
  readonly text: string;
  readonly reasoning: string;
  readonly tool_calls: readonly ToolCall[];
  /** Of a refusal, a filter, an error: what the endpoint said of it, secrets taken out. */
  readonly note: string;
  /** The model as the endpoint names it. */
  readonly model: string;
  readonly usage: Usage;
  /** Only there where the endpoint gave them. */
  readonly tokens?: Tokens;
}

export interface CallRecord {
  readonly key: string;
  readonly identity: CallIdentity;
  readonly reply: RecordedReply;
}

/** All that an observation depends on: its hash names it. */
export interface ToolIdentity {
  readonly tool: string;
  readonly version: number;
  /** What the tool's answers depend on beside the call: limits, corpora, backend, block list. */
  readonly environment: Json;
  /** As JSON where they are, else the text that came. */
  readonly arguments: Json;
  /** Of a tool with a state: the name of the observation before this one in its session; null for the first, and for tools without. */
  readonly after: string | null;
}

/** What a tool answered to an agent, as recorded. */
export interface ObservationRecord {
  readonly key: string;
  readonly tool: ToolIdentity;
  readonly observation: Omit<Observation, "call">;
}

/** A line of a cassette that can be replayed. */
export type CassetteRecord = CallRecord | ObservationRecord;

/** Who asks, for intents and errors. */
export interface Asker {
  readonly role: string;
  readonly instance: string;
  readonly row: string;
  readonly sample: number;
}

/** A call that was sent and of which no end is known: it may have been billed. */
export interface Intent extends Asker {
  readonly key: string;
  readonly model: string;
}

/** Recorded calls, durable. */
export interface Cassette {
  /** The recorded reply of a call. Synchronous: replay is bound by nothing else. */
  find(key: string): RecordedReply | undefined;
  /** Writes down that a call is about to be sent; it survives the process. */
  intend(intent: Intent): Promise<void>;
  /** Writes down a call that is over; resolves when it is on disk. An identical key replaces the earlier record (`refresh`). */
  keep(record: CallRecord, asker: Asker): Promise<void>;
  /** Notes that an intended call came to an end without a reply and was not billed, so that it is not listed as possibly billed. */
  unbilled?(key: string): Promise<void>;
  /** Notes that a row used this call, so that it ships with the dataset. */
  use(key: string): void;
  close(): Promise<void>;
}

/** `auto`: replay what is recorded, else call. `replay`: never call. `refresh`: ask all again and replace. */
export type Mode = "auto" | "replay" | "refresh";
