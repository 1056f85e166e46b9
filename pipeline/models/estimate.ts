import type { PlannedCalls } from "../../stages/stage.js";
import { type Instance, rolesOf } from "../instance.js";
import { type Atto, amountOf, ratesOf, worstCost } from "./price.js";
import type { Role } from "./role.js";

/** Calls, their tokens, and their cost as a decimal number in the budget's currency; null where it cannot be known. */
export interface Figures {
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly cost: string | null;
}

/** What an instance asks of a role, at most: recorded calls are replayed, and what they are is known only when they are made. */
export interface EstimatedRole extends Figures {
  readonly instance: string;
  readonly role: string;
  /** Null for a role that is off, which gets no calls. */
  readonly model: string | null;
  /** Calls for one row; null where the stage does not say. */
  readonly row: number | null;
}

export interface Estimate {
  readonly roles: readonly EstimatedRole[];
  readonly total: Figures;
}

/** Exact sums; undefined is unknown, and whatever is added to it. */
interface Sum {
  readonly calls: number | undefined;
  readonly tokens: number | undefined;
  readonly cost: Atto | undefined;
}

const NONE: Sum = { calls: 0, tokens: 0, cost: 0n };
const UNKNOWN: Sum = { calls: undefined, tokens: undefined, cost: undefined };

/** Model calls of a graph, when at most `rows(instance)` rows (null: unknown) come to each instance. */
export function estimateOf(
  instances: readonly Instance[],
  roles: ReadonlyMap<string, Role>,
  rows: (instance: Instance) => number | null,
): Estimate {
  const parts = instances.flatMap((instance) => partsOf(instance, roles, rows(instance)));
  const total = parts.reduce((sum, part) => plus(sum, part.sum), NONE);
  return { roles: parts.map(({ sum, ...part }) => ({ ...part, ...figures(sum) })), total: figures(total) };
}

type Part = Pick<EstimatedRole, "instance" | "role" | "model" | "row"> & { readonly sum: Sum };

function partsOf(instance: Instance, roles: ReadonlyMap<string, Role>, rows: number | null): Part[] {
  const planned = instance.stage.calls?.(instance.params);
  return rolesOf(instance).map((name) => {
    const role = roles.get(name);
    const part = { instance: instance.id, role: name };
    if (role === undefined || role.off) return { ...part, model: null, row: 0, sum: NONE };
    const { model } = role.identity;
    if (planned === undefined) return { ...part, model, row: null, sum: UNKNOWN };
    const mine = planned.filter((p) => p.role === name);
    const row = mine.reduce((calls, p) => calls + p.calls, 0);
    const sums = mine.map((p) => sumOf(p, role, rows));
    return { ...part, model, row, sum: sums.reduce(plus, NONE) };
  });
}

function sumOf(planned: PlannedCalls, { spec }: Role, rows: number | null): Sum {
  if (rows === null) return UNKNOWN;
  const calls = planned.calls * rows + (rows > 0 ? (planned.once ?? 0) : 0);
  const all = { input: planned.input * calls, output: planned.output * calls };
  const rates = ratesOf(spec);
  return {
    calls,
    tokens: all.input + all.output,
    cost: rates === undefined ? undefined : worstCost(all, rates),
  };
}

function plus(a: Sum, b: Sum): Sum {
  return {
    calls: a.calls === undefined || b.calls === undefined ? undefined : a.calls + b.calls,
    tokens: a.tokens === undefined || b.tokens === undefined ? undefined : a.tokens + b.tokens,
    cost: a.cost === undefined || b.cost === undefined ? undefined : a.cost + b.cost,
  };
}

function figures({ calls, tokens, cost }: Sum): Figures {
  return {
    calls: calls ?? null,
    tokens: tokens ?? null,
    cost: cost === undefined ? null : amountOf(cost),
  };
}
