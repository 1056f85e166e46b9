import type { Usage } from "../../stages/model.js";
import type { Asker, Intent } from "./call.js";
import type { LogEvent, SpentEvent } from "./cassette-events.js";

/** Tokens as endpoints counted them; what they did not say is in none of the sums. */
export interface TokenSums {
  readonly input: number;
  readonly cached_input: number;
  readonly output: number;
  readonly reasoning: number;
}

/** What the recorded calls of an instance and role took, superseded and pruned ones included: they were paid too. */
export interface SpentCalls {
  readonly instance: string;
  readonly role: string;
  readonly calls: number;
  /** Calls of which the endpoint said neither input nor output tokens. */
  readonly unknown: number;
  readonly usage: TokenSums;
}

export const NOTHING: TokenSums = { input: 0, cached_input: 0, output: 0, reasoning: 0 };

/** Adds a call's usage to sums. What an endpoint says of its prompt cache is believed up to the input. */
export function addUsage(sums: TokenSums, usage: Usage): TokenSums {
  const input = usage.input ?? 0;
  return {
    input: sums.input + input,
    cached_input: sums.cached_input + Math.min(usage.cached_input ?? 0, input),
    output: sums.output + (usage.output ?? 0),
    reasoning: sums.reasoning + (usage.reasoning ?? 0),
  };
}

/** What a log says of money: calls that ended, by who asked, and calls of which no end is known. */
export class Ledger {
  readonly #spent = new Map<string, SpentCalls>();
  /** Open intents by key, the oldest first. */
  readonly #open = new Map<string, Intent[]>();

  add(event: LogEvent): void {
    if (event.event === "intent") this.intended(event);
    if (event.event === "end") this.ended(event.key, event.asker, event.reply.usage);
    if (event.event === "unbilled") this.closed(event.key);
    if (event.event === "spent") this.#spend(event, event);
  }

  intended({ key, model, instance, role, row, sample }: Intent): void {
    const intent = { key, model, instance, role, row, sample };
    const open = this.#open.get(key);
    if (open === undefined) this.#open.set(key, [intent]);
    else open.push(intent);
  }

  /** A call is over and has its record. */
  ended(key: string, asker: Asker, usage: Usage): void {
    this.closed(key);
    const unknown = usage.input === null && usage.output === null ? 1 : 0;
    this.#spend(asker, { calls: 1, unknown, usage: addUsage(NOTHING, usage) });
  }

  /** Closes the latest intent of a key: an earlier one without an end belongs to a call that a crash cut off. */
  closed(key: string): void {
    const open = this.#open.get(key);
    open?.pop();
    if (open?.length === 0) this.#open.delete(key);
  }

  #spend(
    { instance, role }: Pick<Asker, "instance" | "role">,
    more: Pick<SpentEvent, "calls" | "unknown" | "usage">,
  ): void {
    // JSON of both: no instance and role run together with those of another.
    const name = JSON.stringify([instance, role]);
    const before = this.#spent.get(name);
    this.#spent.set(name, {
      instance,
      role,
      calls: (before?.calls ?? 0) + more.calls,
      unknown: (before?.unknown ?? 0) + more.unknown,
      usage: addUsage(before?.usage ?? NOTHING, more.usage),
    });
  }

  /** Intents without an end, the oldest first. */
  pending(): Intent[] {
    return [...this.#open.values()].flat();
  }

  /** In the order in which pairs of instance and role first ended a call. */
  spent(): SpentCalls[] {
    return [...this.#spent.values()];
  }
}
