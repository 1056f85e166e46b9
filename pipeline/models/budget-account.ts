import { type Problem, TaskmillError } from "../base/errors.js";
import { counted, grouped } from "../terminal.js";
import type { Asker } from "./call.js";
import { type Atto, amountText, atto } from "./price.js";
import type { BudgetSpec } from "./spec.js";

/** What a call may take, or took. */
export interface Amount {
  readonly calls: number;
  readonly tokens: number;
  readonly cost: Atto;
}

const NOTHING: Amount = { calls: 0, tokens: 0, cost: 0n };

function plus(a: Amount, b: Amount): Amount {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

function minus(a: Amount, b: Amount): Amount {
  return { calls: a.calls - b.calls, tokens: a.tokens - b.tokens, cost: a.cost - b.cost };
}

export type Caps = Pick<BudgetSpec, "calls" | "tokens" | "cost">;

/** What was spent and what is set aside, for the run or for a stage, under its caps. */
export class Account {
  #spent = NOTHING;
  #held = NOTHING;
  #unpriced = 0;
  readonly #cost: Atto | undefined;

  /**
   * @param name "the run", or which stage.
   * @param path of its caps in the config.
   */
  constructor(
    private readonly name: string,
    private readonly path: string,
    readonly caps: Caps,
    private readonly currency: string,
  ) {
    this.#cost = caps.cost === undefined ? undefined : atto(caps.cost);
  }

  get spent(): Amount {
    return this.#spent;
  }

  /** What calls in flight may take at most. */
  get held(): Amount {
    return this.#held;
  }

  /** Calls of roles without a price. */
  get unpriced(): number {
    return this.#unpriced;
  }

  hold(amount: Amount): void {
    this.#held = plus(this.#held, amount);
  }

  free(amount: Amount): void {
    this.#held = minus(this.#held, amount);
  }

  spend(amount: Amount, priced: boolean): void {
    this.#spent = plus(this.#spent, amount);
    if (!priced) this.#unpriced += amount.calls;
  }

  /** @throws TaskmillError (budget) when a call that may take `next` could break a cap. */
  check(next: Amount, priced: boolean, asker: Asker): void {
    const cap = this.#broken(next, priced);
    if (cap === undefined) return;
    const problem = priced || cap !== "cost" ? this.#refusal(cap, next) : this.#unknown(asker);
    const message = `${asker.instance} was refused a call of ${asker.role}: ${problem.message}`;
    throw new TaskmillError("budget", [{ ...problem, code: `budget_${cap}`, message }]);
  }

  #broken(next: Amount, priced: boolean): keyof Caps | undefined {
    const { calls = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = this.caps;
    const sum = plus(plus(this.#spent, this.#held), next);
    if (sum.calls > calls) return "calls";
    if (sum.tokens > tokens) return "tokens";
    return this.#cost !== undefined && (!priced || sum.cost > this.#cost) ? "cost" : undefined;
  }

  #refusal(cap: keyof Caps, next: Amount): Omit<Problem, "code"> {
    const show = (amount: Amount): string => this.#text(cap, amount);
    const flight = this.#held.calls === 0 ? "nothing in flight" : `up to ${show(this.#held)} in flight`;
    const limit =
      this.#cost !== undefined && cap === "cost" ? this.#money(this.#cost) : grouped(this.caps[cap]!);
    return {
      message: `${this.name} has spent ${show(this.#spent)}, with ${flight}, and the call could take up to ${show(next)}, past the cap of ${limit} (${this.path}.${cap})`,
      hint: `raise ${this.path}.${cap} and run the same command: every call so far is kept, and none of them is paid again`,
    };
  }

  #unknown({ role }: Asker): Omit<Problem, "code"> {
    return {
      message: `there is a cap on cost (${this.path}.cost), and the role has no price`,
      hint: `give models.${role}.price`,
    };
  }

  #text(cap: keyof Caps, { calls, tokens, cost }: Amount): string {
    if (cap === "calls") return counted(calls, "call");
    return cap === "tokens" ? counted(tokens, "token") : this.#money(cost);
  }

  #money(cost: Atto): string {
    return `${amountText(cost)} ${this.currency}`;
  }
}
