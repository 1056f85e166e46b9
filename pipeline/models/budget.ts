import type { Usage } from "../../stages/model.js";
import { Account, type Amount, type Caps } from "./budget-account.js";
import type { Asker } from "./call.js";
import { costOf, type Rates, ratesOf, type Tokens, tokensOf, worstCost } from "./price.js";
import type { BudgetSpec, ModelSpec } from "./spec.js";

/** The most tokens that a call can take. */
export interface Worst {
  readonly input: number;
  readonly output: number;
}

/** What a call may cost, held back until its end is known. Only the first of both counts. */
export interface Reservation {
  /** The try ended and may be billed: counts what it used; an unknown figure counts as the worst case. */
  settle(usage: Usage): void;
  /** The try was not billed. */
  release(): void;
}

/** What earlier runs into a directory spent, by stage instance and role, as its cassette sums it up. */
interface SpentBefore {
  readonly instance: string;
  readonly role: string;
  readonly calls: number;
  /** Calls without counts, which are in none of the sums: they stand at the most that the role gives out. */
  readonly unknown: number;
  readonly usage: Tokens;
}

/** What was spent for a run or a stage, over all runs into its directory. */
export interface Spent extends Amount {
  /** Calls of roles without a price: their cost is unknown and not in `cost`. */
  readonly unpriced: number;
  /** What calls in flight may yet take. */
  readonly held: Amount;
}

/**
 * Looks at the caps before each call: what was spent, what calls in flight could take at most and what the next one could take at
 * most together stay within every cap, of the run and of the stage. So a cap holds as long as endpoints keep to `max_tokens`.
 */
export class Budget {
  readonly currency: string;
  readonly #run: Account;
  readonly #stages = new Map<string, Account>();
  readonly #rates = new Map<ModelSpec, Rates | undefined>();
  readonly #caps: BudgetSpec["stages"];

  /**
   * @param before what earlier runs into the same directory spent; counted at the prices of today.
   * @param roles the config's, for the prices of what was spent before.
   */
  constructor(
    spec: BudgetSpec | undefined,
    before: Iterable<SpentBefore> = [],
    roles: ReadonlyMap<string, { readonly spec: ModelSpec }> = new Map(),
  ) {
    const { stages = {}, currency = "USD", ...caps } = spec ?? {};
    this.currency = currency;
    this.#run = new Account("the run", "budget", caps, currency);
    this.#caps = stages;
    for (const { instance, role, calls, unknown, usage } of before) {
      const spec = roles.get(role)?.spec;
      const rates = spec === undefined ? undefined : this.#ratesOf(spec);
      const output = usage.output + unknown * (spec?.sampling.max_tokens ?? 0);
      const amount = amountOf(calls, { ...usage, output }, rates);
      for (const account of this.#accounts(instance)) account.spend(amount, rates !== undefined);
    }
  }

  /**
   * Sets aside what a call may take at most.
   * @throws TaskmillError (budget) when that could break a cap; nothing is set aside then.
   */
  reserve(asker: Asker, spec: ModelSpec, worst: Worst): Reservation {
    const rates = this.#ratesOf(spec);
    const priced = rates !== undefined;
    const next: Amount = {
      calls: 1,
      tokens: worst.input + worst.output,
      cost: priced ? worstCost(worst, rates) : 0n,
    };
    const accounts = this.#accounts(asker.instance);
    for (const account of accounts) account.check(next, priced, asker);
    for (const account of accounts) account.hold(next);
    let open = true;
    const close = (spent?: Amount): void => {
      if (!open) return;
      open = false;
      for (const account of accounts) {
        account.free(next);
        if (spent !== undefined) account.spend(spent, priced);
      }
    };
    return {
      settle: (usage) => close(amountOf(1, tokensOf(usage, worst), rates)),
      release: () => close(),
    };
  }

  /** Spent so far for the run, or for one of its stages. */
  spent(instance?: string): Spent {
    const { spent, held, unpriced } = instance === undefined ? this.#run : this.#stage(instance);
    return { ...spent, unpriced, held };
  }

  /** The caps of the run. */
  get caps(): Caps {
    return this.#run.caps;
  }

  #accounts(instance: string): readonly Account[] {
    return [this.#run, this.#stage(instance)];
  }

  #stage(instance: string): Account {
    let account = this.#stages.get(instance);
    if (account === undefined) {
      const caps = Object.hasOwn(this.#caps, instance) ? this.#caps[instance]! : {};
      account = new Account(`stage ${instance}`, `budget.stages.${instance}`, caps, this.currency);
      this.#stages.set(instance, account);
    }
    return account;
  }

  #ratesOf(spec: ModelSpec): Rates | undefined {
    if (!this.#rates.has(spec)) this.#rates.set(spec, ratesOf(spec));
    return this.#rates.get(spec);
  }
}

function amountOf(calls: number, tokens: Tokens, rates: Rates | undefined): Amount {
  const cost = rates === undefined ? 0n : costOf(tokens, rates);
  return { calls, tokens: tokens.input + tokens.output, cost };
}
