import type { Usage } from "../../stages/model.js";
import type { Asker, Intent } from "./call.js";
import type { LogEvent } from "./cassette-events.js";

/** What calls took. */
export interface Took {
  readonly calls: number;
  /** Calls of which the endpoint said neither input nor output tokens. */
  readonly unknown: number;
  /** Tokens as endpoints counted them; what they did not say is in none of the sums. */
  readonly usage: {
    readonly input: number;
    readonly cached_input: number;
    readonly output: number;
    readonly reasoning: number;
  };
}

/** What the recorded calls of an instance and role took, superseded and pruned ones included: they were paid too. */
export type SpentCalls = { readonly instance: string; readonly role: string } & Took;

/** What one call took. What an endpoint says of its prompt cache is believed up to the input. */
export function tookOf({ input, cached_input, output, reasoning }: Usage): Took {
  const usage = {
    input: input ?? 0,
    cached_input: Math.min(cached_input ?? 0, input ?? 0),
    output: output ?? 0,
    reasoning: reasoning ?? 0,
  };
  return { calls: 1, unknown: input === null && output === null ? 1 : 0, usage };
}

function plus(a: Took, b: Took): Took {
  const usage = {
    input: a.usage.input + b.usage.input,
    cached_input: a.usage.cached_input + b.usage.cached_input,
    output: a.usage.output + b.usage.output,
    reasoning: a.usage.reasoning + b.usage.reasoning,
  };
  return { calls: a.calls + b.calls, unknown: a.unknown + b.unknown, usage };
}

/** What calls took together, by whose they are. */
export class Sums<Whose extends object> {
  readonly #sums = new Map<string, Whose & Took>();

  add(whose: Whose, more: Took): void {
    // JSON: the names of no two run together.
    const name = JSON.stringify(Object.values(whose));
    const before = this.#sums.get(name);
    this.#sums.set(name, { ...whose, ...(before === undefined ? more : plus(before, more)) });
  }

  /** In code-unit order of whose they are. */
  list(): (Whose & Took)[] {
    return [...this.#sums.keys()].sort().map((name) => this.#sums.get(name)!);
  }
}

/** A call that was sent, under the name that ties its end to it. */
export type OpenIntent = Intent & { readonly id: string };

/** What a run's logs say of money: calls that ended, by who asked, and calls of which no end is known. They may be read in any order. */
export class Ledger {
  readonly #spent = new Sums<Pick<SpentCalls, "instance" | "role">>();
  /** Open intents by their name, the oldest first. */
  readonly #open = new Map<string, OpenIntent>();
  /** Ends whose intents have not been met. */
  readonly #closed = new Set<string>();

  add(event: LogEvent): void {
    if (event.event === "intent") this.intended(event);
    if (event.event === "end") this.ended(event.asker, event.reply.usage, event.intent);
    if (event.event === "unbilled") this.closed(event.intent);
    if (event.event === "spent") {
      const { instance, role, calls, unknown, usage } = event;
      this.#spent.add({ instance, role }, { calls, unknown, usage });
    }
  }

  intended({ id, key, model, instance, role, row, sample }: OpenIntent): void {
    if (!this.#closed.delete(id)) this.#open.set(id, { id, key, model, instance, role, row, sample });
  }

  /** A call is over and has its record. */
  ended({ instance, role }: Asker, usage: Usage, intent?: string): void {
    if (intent !== undefined) this.closed(intent);
    this.#spent.add({ instance, role }, tookOf(usage));
  }

  closed(intent: string): void {
    if (!this.#open.delete(intent)) this.#closed.add(intent);
  }

  /** Intents without an end, the oldest first. */
  pending(): OpenIntent[] {
    return [...this.#open.values()];
  }

  spent(): SpentCalls[] {
    return this.#spent.list();
  }
}
