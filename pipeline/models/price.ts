import { Decimal } from "decimal.js";
import type { Usage } from "../../stages/model.js";
import type { Problem } from "../base/errors.js";
import type { BudgetSpec, ModelSpec } from "./spec.js";

/**
 * Money in whole numbers of 1e-18 of the currency, so that sums are exact in any order. A price for a million tokens
 * with up to 12 decimals is a whole number of these for each token.
 */
export type Atto = bigint;

const Exact = Decimal.clone({ precision: 60 });
/** 1e18 a unit of currency, over a million tokens. */
const PER_MILLION = new Exact("1e12");

/** What one token costs. */
export interface Rates {
  readonly input: Atto;
  /** Of input that the endpoint's prompt cache held. */
  readonly cached: Atto;
  readonly output: Atto;
}

/** Prices of a role a token, the batch discount taken off where it sends batches; undefined where the config names none. */
export function ratesOf({ price, batch }: Pick<ModelSpec, "price" | "batch">): Rates | undefined {
  if (price === undefined) return undefined;
  const kept = new Exact(1).minus(batch === undefined ? 0 : price.batch_discount);
  const rate = (perMillion: number): Atto =>
    BigInt(new Exact(perMillion).times(kept).times(PER_MILLION).ceil().toFixed(0));
  return {
    input: rate(price.input),
    cached: rate(price.cached_input ?? price.input),
    output: rate(price.output),
  };
}

/** Tokens of a call or of many, all counts known. `output` includes reasoning, `input` what the prompt cache held. */
export interface Tokens {
  readonly input: number;
  readonly cached_input: number;
  readonly output: number;
}

/** What these tokens cost. */
export function costOf({ input, cached_input, output }: Tokens, rates: Rates): Atto {
  return (
    BigInt(input - cached_input) * rates.input +
    BigInt(cached_input) * rates.cached +
    BigInt(output) * rates.output
  );
}

/** The most that a call can cost: nobody knows beforehand what the prompt cache will hold. */
export function worstCost({ input, output }: { input: number; output: number }, rates: Rates): Atto {
  let dearer = rates.input;
  if (rates.cached > dearer) dearer = rates.cached;
  return BigInt(input) * dearer + BigInt(output) * rates.output;
}

/**
 * Tokens as they are counted against a budget: what the endpoint did not say, or cannot be a count, stands at the worst case,
 * and of the prompt cache nothing is believed that goes beyond the input.
 */
export function tokensOf(usage: Usage, worst: { input: number; output: number }): Tokens {
  const input = known(usage.input) ?? worst.input;
  return {
    input,
    cached_input: Math.min(known(usage.cached_input) ?? 0, input),
    output: known(usage.output) ?? worst.output,
  };
}

function known(count: number | null): number | undefined {
  return count !== null && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** An amount of a config, or the text of {@link amountOf}, exactly as its decimals say. */
export function atto(amount: number | string): Atto {
  return BigInt(new Exact(amount).times("1e18").floor().toFixed(0));
}

/** "0.84", "1,250.00", "0.00042": two decimals, or up to two significant digits of less than a cent. */
export function amountText(amount: Atto): string {
  const value = new Exact(amount.toString()).div("1e18");
  const small = !value.isZero() && value.abs().lt("0.01");
  const text = small ? value.toSignificantDigits(2).toFixed() : value.toFixed(2);
  const [whole = "", decimals = ""] = text.split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
}

/** The amount as a decimal number, for JSON: "0.8412". */
export function amountOf(amount: Atto): string {
  return new Exact(amount.toString()).div("1e18").toFixed();
}

/** A role as far as prices go. */
interface Priced {
  readonly spec: Pick<ModelSpec, "price">;
  readonly off: boolean;
}

/**
 * The roles that lack the price without which a cap on cost cannot be kept: all for a cap of the run, for a stage's cap those that
 * the stage asks (`asks`, by instance).
 */
export function missingPrices(
  budget: Pick<BudgetSpec, "cost" | "stages">,
  roles: ReadonlyMap<string, Priced>,
  asks: ReadonlyMap<string, readonly string[]> = new Map(),
): (Problem & { readonly role: string })[] {
  const capped = Object.entries(budget.stages).filter(([, caps]) => caps.cost !== undefined);
  const stageOf = (role: string): string | undefined =>
    capped.find(([instance]) => asks.get(instance)?.includes(role))?.[0];
  return [...roles]
    .filter(([, { spec, off }]) => !off && spec.price === undefined)
    .flatMap(([role]) => {
      const stage = stageOf(role);
      if (budget.cost === undefined && stage === undefined) return [];
      const cap = budget.cost === undefined ? `budget.stages.${stage}.cost` : "budget.cost";
      const message = `\`${cap}\` caps what calls may cost, and the role \`${role}\` has no price`;
      const hint =
        "add `price: { input: ..., output: ... }`, money per million tokens; 0 for a model that costs nothing";
      return [{ role, code: "price_missing", message, hint }];
    });
}
