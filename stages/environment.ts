import type { Json } from "../pipeline/base/canonical.js";
import type { Tool, ToolCall } from "./model.js";

/** How stages let agents use tools. The environment behind it (`pipeline/environment`) replays recorded observations, blocks and records. */

/** An address that an observation has to do with. */
export interface UrlSeen {
  readonly url: string;
  /** `asked` by the agent, `redirected` on the way, `listed` in search results, `served`: its content is in the observation. */
  readonly how: "asked" | "redirected" | "listed" | "served";
  /** Why the firewall kept it back, as a rule of the block list; null where it did not. */
  readonly blocked: string | null;
  /** Of a document that is shown, where its corpus names one. */
  readonly licence?: string;
}

/** What a tool answered. */
export interface Observation {
  /** The recorded observation, as the cassette names it (64 hex digits). */
  readonly call: string;
  /** All that the agent sees: capped, chat markup escaped. */
  readonly text: string;
  /** False for bad arguments, blocked addresses, errors of the agent's own code: the agent reads why. */
  readonly ok: boolean;
  /** What was wrong with the call itself: a fault of form. */
  readonly fault: "unknown_tool" | "bad_arguments" | null;
  readonly urls: readonly UrlSeen[];
}

/** How many addresses were asked for, how many kept back, and what was served although a rule forbids it. */
export interface FirewallAudit {
  readonly asked: number;
  readonly blocked: number;
  readonly served: readonly { readonly url: string; readonly rule: string }[];
}

/** One agent's tools. State (variables of the Python session) lasts as long as it does. */
export interface ToolSession {
  /**
   * Carries out the calls of one turn and gives their observations in the same order. Calls of a stateful tool run one after the other,
   * the others at once. Unknown tools and arguments that do not fit are observations, not errors.
   * @throws TaskmillError when the environment itself fails: no sandbox, a search backend that is down
   */
  run(calls: readonly ToolCall[]): Promise<readonly Observation[]>;
  close(): Promise<void>;
}

export interface Environment {
  /** The tools that the config names, as models are told of them. */
  readonly tools: readonly Tool[];
  /** All that observations depend on beside the calls: part of stage keys. Null where the config has no environment. */
  readonly identity: Json;
  /** @param tools names of those that this agent is given; others are unknown to it */
  open(asker: {
    readonly instance: string;
    readonly row: string;
    readonly sample: number;
    readonly tools: readonly string[];
  }): ToolSession;
  /** Judges every address of a rollout again, by the rules and not by what a tool said of it. */
  audit(observations: readonly Observation[]): FirewallAudit;
}
