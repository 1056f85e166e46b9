import { GATES, type GateName, isOfPrograms } from "../datasets/admission.js";
import type { LoadedConfig } from "./config.js";
import { type Instance, rolesOf } from "./instance.js";
import { type Estimate, type EstimatedRole, estimateOf, type Figures } from "./models/estimate.js";
import { amountText, atto } from "./models/price.js";
import type { BudgetSpec } from "./models/spec.js";
import { counted, grouped, table, tokensText } from "./terminal.js";

/** A gate, and what decides it. */
export interface PlannedGate {
  readonly gate: GateName;
  readonly status: "runs" | "not_run";
  /** Instances that decide it. */
  readonly by: readonly string[];
  /** Why it does not run, or which of its roles are off. */
  readonly why: string;
}

/** What a run would ask models, and which gates it would run. */
export interface PlannedModels extends Estimate {
  /** What the tasks of the target alone take at most; rows that gates reject come on top. Null without a target. */
  readonly target: Figures | null;
  readonly currency: string;
  readonly budget: BudgetSpec | null;
  readonly gates: readonly PlannedGate[];
}

/** @param rows how many rows come to an instance at most; null where it cannot be known. */
export function planModels(
  { instances, roles, budget }: Pick<LoadedConfig, "instances" | "roles" | "budget">,
  rows: (instance: Instance) => number | null,
  accepted: number | null,
): PlannedModels {
  const capped = (instance: Instance): number =>
    Math.min(accepted ?? 0, rows(instance) ?? Number.POSITIVE_INFINITY);
  return {
    ...estimateOf(instances, roles, rows),
    target: accepted === null ? null : estimateOf(instances, roles, capped).total,
    currency: budget?.currency ?? "USD",
    budget: budget ?? null,
    gates: GATES.filter((gate) => !isOfPrograms(gate) || makePrograms(instances)).map((gate) =>
      planGate(gate, instances, roles),
    ),
  };
}

/** Whether any row has a program, so that gates about programs apply: a graph of problems alone has none. */
function makePrograms(instances: readonly Instance[]): boolean {
  return instances.some(
    ({ stage }) => stage.mode === "source" && stage.gives !== "tables" && stage.gives !== "problem",
  );
}

function planGate(gate: GateName, instances: readonly Instance[], roles: LoadedConfig["roles"]): PlannedGate {
  const deciding = instances.filter(({ stage }) => stage.gate === gate);
  const by = deciding.map((i) => i.id);
  if (by.length === 0) return { gate, status: "not_run", by, why: "no stage of this run decides it" };
  const asked = [...new Set(deciding.flatMap(rolesOf))];
  const off = asked.filter((role) => roles.get(role)?.off !== false);
  const isDark = (roles: readonly string[]): boolean =>
    roles.length > 0 && roles.every((r) => off.includes(r));
  const dark = deciding.every((i) => isDark(rolesOf(i)));
  return { gate, status: dark ? "not_run" : "runs", by, why: off.length === 0 ? "" : offText(off) };
}

function offText(off: readonly string[]): string {
  return off.length === 1
    ? `the role ${off[0]} is off: it has no base_url or no model`
    : `the roles ${off.join(", ")} are off: they have no base_url or no model`;
}

/** Part of the plan's page of text. */
export function modelsText(plan: PlannedModels): string[] {
  const lines = [`model calls: ${totalText(plan)}`];
  if (plan.target !== null && plan.roles.some((r) => r.model !== null)) {
    const first = `for the tasks of the target ${figuresText(plan.target, plan.currency)}`;
    lines[0] = `model calls: ${first}; rows that gates reject come on top, recorded calls are replayed and cost nothing`;
    lines.push(`  if every candidate came through: ${figuresText(plan.total, plan.currency)}`);
  }
  lines.push(...table(plan.roles.map((role) => roleRow(role, plan.currency))));
  if (plan.budget !== null) lines.push(`budget: ${budgetText(plan.budget)}${capsText(plan, plan.budget)}`);
  lines.push("gates:", ...table(plan.gates.map((g) => [g.gate, gateText(g)])));
  return lines;
}

function totalText({ roles, total, currency }: PlannedModels): string {
  if (roles.length === 0) return "none";
  if (roles.every((r) => r.model === null)) return "none: all roles are off";
  return `${figuresText(total, currency)}; recorded calls are replayed and cost nothing`;
}

function roleRow(role: EstimatedRole, currency: string): string[] {
  if (role.model === null) return [role.instance, role.role, "off", "0 calls"];
  const row = role.row === null ? "calls unknown" : `${counted(role.row, "call")} a row`;
  return [role.instance, role.role, role.model, row, figuresText(role, currency)];
}

function figuresText({ calls, tokens, cost }: Figures, currency: string): string {
  if (calls === null || tokens === null) return "how many cannot be known";
  const price = cost === null ? "cost unknown (no price)" : `${amountText(atto(cost))} ${currency}`;
  return `at most ${counted(calls, "call")}, ${tokensText(tokens)}, ${price}`;
}

/** Says which caps of the run may be in the way of its target. */
function capsText({ total, target }: PlannedModels, budget: BudgetSpec): string {
  const { calls, tokens, cost } = target ?? total;
  const over = [
    (calls ?? 0) > (budget.calls ?? Number.POSITIVE_INFINITY) ? ["calls"] : [],
    (tokens ?? 0) > (budget.tokens ?? Number.POSITIVE_INFINITY) ? ["tokens"] : [],
    budget.cost !== undefined && atto(cost ?? "0") > atto(budget.cost) ? ["cost"] : [],
  ].flat();
  return over.length === 0
    ? ""
    : ` (may not be enough: ${over.join(", ")}; the run would stop there and could go on later)`;
}

function budgetText({ currency, stages, ...caps }: BudgetSpec): string {
  const text = (c: Pick<BudgetSpec, "calls" | "tokens" | "cost">): string =>
    [
      c.calls === undefined ? [] : [counted(c.calls, "call")],
      c.tokens === undefined ? [] : [`${grouped(c.tokens)} tokens`],
      c.cost === undefined ? [] : [`${amountText(atto(c.cost))} ${currency}`],
    ]
      .flat()
      .join(", ");
  const parts = Object.entries(stages).map(([id, c]) => `${id} ${text(c)}`);
  const run = text(caps);
  return [...(run === "" ? [] : [run]), ...parts].join("; ") || "no caps";
}

function gateText({ status, by, why }: PlannedGate): string {
  if (status === "not_run") return `not run: ${why}`;
  return `by ${by.join(", ")}${why === "" ? "" : ` (${why})`}`;
}
