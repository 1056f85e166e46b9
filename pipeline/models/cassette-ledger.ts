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

/** What a log says of money: calls that ended, by who asked, and calls of which no end is known. */
export class Ledger {
  readonly #spent = new Sums<Pick<SpentCalls, "instance" | "role">>();
  /** Open intents by key, the oldest first. */
  readonly #open = new Map<string, Intent[]>();

  add(event: LogEvent): void {
    if (event.event === "intent") this.intended(event);
    if (event.event === "end") this.ended(event.key, event.asker, event.reply.usage);
    if (event.event === "unbilled") this.closed(event.key);
    if (event.event === "spent") {
      const { instance, role, calls, unknown, usage } = event;
      this.#spent.add({ instance, role }, { calls, unknown, usage });
    }
  }

  intended({ key, model, instance, role, row, sample }: Intent): void {
    const intent = { key, model, instance, role, row, sample };
    const open = this.#open.get(key);
    if (open === undefined) this.#open.set(key, [intent]);
    else open.push(intent);
  }

  /** A call is over and has its record. */
  ended(key: string, { instance, role }: Asker, usage: Usage): void {
    this.closed(key);
    this.#spent.add({ instance, role }, tookOf(usage));
  }

  /** Closes the latest intent of a key: an earlier one without an end belongs to a call that a crash cut off. */
  closed(key: string): void {
    const open = this.#open.get(key);
    open?.pop();
    if (open?.length === 0) this.#open.delete(key);
  }

  /** Intents without an end, the oldest first. */
  pending(): Intent[] {
    return [...this.#open.values()].flat();
  }

  spent(): SpentCalls[] {
    return this.#spent.list();
  }
}
