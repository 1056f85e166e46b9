import { rolloutId } from "../../datasets/trajectory-record.js";
import { admission, admissionChance, type Decision } from "../../verifiers/admission.js";
import { type ClusteredRate, clusteredWilson } from "../../verifiers/clusters.js";
import { type Rate, wilson } from "../../verifiers/intervals.js";
import type { Facts } from "../facts.js";
import {
  attemptsOf,
  countsTowardsP,
  isClean,
  type Rollout,
  type RowAdmission,
  tokensOf,
} from "../rollouts.js";
import { type SampledRollout, samplesOf } from "./rollout-samples.js";
import { poolRows } from "./rows.js";
import { type Share, shares, whole } from "./tally.js";

/** What agents made of the accepted tasks. */
export interface RolloutReport {
  /** Tasks that were attempted. */
  readonly tasks: number;
  /** One for each stage instance that drew rollouts, in the order of the graph. */
  readonly agents: readonly AgentFigures[];
  /** Null where no stage decided. */
  readonly admission: AdmissionFigures | null;
  readonly samples: readonly SampledRollout[];
}

export interface AgentFigures {
  readonly by: string;
  readonly role: string;
  readonly model: string;
  readonly drawn: number;
  /** Not failed by the endpoint. */
  readonly valid: number;
  readonly right: number;
  /** Right, answered, without faults of form and blocked content. */
  readonly clean: number;
  readonly selected: number;
  /** How often a valid one is right; attempts at one task are not independent of each other. */
  readonly rate: ClusteredRate;
  readonly stops: readonly Share[];
  readonly unselected: readonly Share[];
  readonly faults: readonly Share[];
  /** Calls by tool. */
  readonly tools: readonly Share[];
  readonly turns: readonly Share[];
  /** Turns, tool calls and tokens of one rollout. */
  readonly spreads: readonly Spread[];
  readonly firewall: FirewallFigures;
  readonly progress: ProgressFigures;
  /** Of rollouts with token ids: how many there are, and in how many turns the prompt was not what went before. */
  readonly drift: { readonly rollouts: number; readonly drifted: number; readonly turns: number };
}

export interface Spread {
  readonly what: string;
  /** Rollouts of which it is known. */
  readonly known: number;
  readonly least: number;
  readonly median: number;
  /** Nine of ten have no more. */
  readonly p90: number;
  readonly most: number;
}

export interface FirewallFigures {
  /** Addresses. */
  readonly asked: number;
  readonly blocked: number;
  /** Rollouts that met a blocked one. */
  readonly rollouts: number;
  /** Blocked content that was shown all the same. */
  readonly served: readonly { readonly rollout: string; readonly url: string; readonly rule: string }[];
}

/** What wrong answers got right on the way. */
export interface ProgressFigures {
  readonly wrong: number;
  /** Mean P; null without a wrong one. */
  readonly mean: number | null;
  readonly kinds: readonly { readonly kind: string; readonly steps: number; readonly verified: number }[];
}

export interface AdmissionFigures {
  readonly by: string;
  readonly n: number;
  readonly tasks: number;
  readonly decisions: Readonly<Record<Decision, number>>;
  /** Tasks by how many of their attempts are right, and what that says of one of them. */
  readonly rates: readonly (Rate & { readonly tasks: number })[];
  /** How likely a task with this pass rate is admitted. */
  readonly chances: readonly { readonly p: number; readonly chance: number }[];
}

interface Attempt {
  readonly task: string;
  readonly kinds: ReadonlyMap<string, string>;
  readonly rollout: Rollout;
}

type Rows = Awaited<ReturnType<typeof poolRows>>["all"];

/** The report on rollouts; nothing where no task was attempted. @param dir where the pools lie */
export async function rolloutReport(dir: string, facts: Facts): Promise<{ rollouts?: RolloutReport }> {
  const { all } = await poolRows(facts);
  const agents = agentsOf(all, facts.manifest);
  if (agents.length === 0) return {};
  const read = all.flatMap((row) => attemptsOf(row) ?? []);
  return {
    rollouts: {
      tasks: read.filter(({ rollouts }) => rollouts.length > 0).length,
      agents,
      admission: admissionFigures(read.flatMap(({ admission }) => admission ?? [])),
      samples: await samplesOf(dir, facts.manifest.seed, all),
    },
  };
}

/** One for each stage instance that drew rollouts, in the order of the graph. */
export function agentsOf(rows: Rows, { stages }: Pick<Facts["manifest"], "stages">): AgentFigures[] {
  const attempts = rows.flatMap((row): Attempt[] => {
    const kinds = new Map(("chain" in row ? row.chain : []).map(({ id, kind }) => [id, kind]));
    return (attemptsOf(row)?.rollouts ?? []).map((rollout) => ({ task: row.id, kinds, rollout }));
  });
  const order = stages.map(({ id }) => id);
  const instances = [...new Set(attempts.map(({ rollout }) => rollout.by))];
  return instances
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((by) => agentFigures(attempts.filter(({ rollout }) => rollout.by === by)));
}

function agentFigures(attempts: readonly Attempt[]): AgentFigures {
  const all = attempts.map(({ rollout }) => rollout);
  const { by, role, model } = all[0]!;
  const valid = attempts.filter(({ rollout }) => rollout.valid);
  const isRight = ({ rollout }: Attempt): boolean => rollout.outcome === "right";
  const unselected = all.flatMap((r) =>
    r.unselected === undefined || r.unselected === "" ? [] : r.unselected,
  );
  const drifts = all.flatMap(({ drift }) => (drift === null ? [] : drift));
  return {
    by,
    role,
    model,
    drawn: all.length,
    valid: valid.length,
    right: valid.filter(isRight).length,
    clean: all.filter(isClean).length,
    selected: all.filter((r) => r.unselected === "").length,
    rate: clusteredWilson(valid.map((a) => ({ cluster: a.task, success: isRight(a) }))),
    stops: shares(all.map(({ stop }) => stop)),
    unselected: shares(unselected),
    faults: shares(all.flatMap(({ faults }) => faults)),
    tools: shares(all.flatMap(({ turns }) => turns.flatMap(({ tools }) => tools.map(({ name }) => name)))),
    turns: whole(all.map(({ turns }) => turns.length)),
    spreads: spreadsOf(all),
    firewall: firewallFigures(attempts),
    progress: progressFigures(valid.filter((a) => !isRight(a))),
    drift: {
      rollouts: drifts.length,
      drifted: drifts.filter((n) => n > 0).length,
      turns: drifts.reduce((sum, n) => sum + n, 0),
    },
  };
}

function spreadsOf(all: readonly Rollout[]): Spread[] {
  const calls = ({ turns }: Rollout): number => turns.reduce((sum, { tools }) => sum + tools.length, 0);
  return [
    spread(
      "turns",
      all.map(({ turns }) => turns.length),
    ),
    spread("tool calls", all.map(calls)),
    spread(
      "tokens read",
      all.map((r) => tokensOf(r, "input")),
    ),
    spread(
      "tokens written",
      all.map((r) => tokensOf(r, "output")),
    ),
  ].filter(({ known }) => known > 0);
}

function spread(what: string, values: readonly (number | null)[]): Spread {
  const sorted = values.filter((v) => v !== null).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { what, known: sorted.length, least: at(0), median: at(0.5), p90: at(0.9), most: at(1) };
}

function firewallFigures(attempts: readonly Attempt[]): FirewallFigures {
  const all = attempts.map(({ rollout }) => rollout.firewall);
  return {
    asked: all.reduce((sum, { asked }) => sum + asked, 0),
    blocked: all.reduce((sum, { blocked }) => sum + blocked, 0),
    rollouts: all.filter(({ blocked, served }) => blocked > 0 || served.length > 0).length,
    served: attempts.flatMap(({ task, rollout }) =>
      rollout.firewall.served.map(({ url, rule }) => ({ rollout: rolloutId(task, rollout), url, rule })),
    ),
  };
}

const KINDS = ["entity", "attribute", "intermediate"];

function progressFigures(wrong: readonly Attempt[]): ProgressFigures {
  const steps = wrong.flatMap(({ kinds, rollout }) =>
    rollout.reward.steps
      .filter(countsTowardsP)
      .map(({ id, verified }) => ({ kind: kinds.get(id), verified })),
  );
  const sum = wrong.reduce((total, { rollout }) => total + rollout.reward.progress, 0);
  return {
    wrong: wrong.length,
    mean: wrong.length === 0 ? null : sum / wrong.length,
    kinds: KINDS.flatMap((kind) => {
      const of = steps.filter((s) => s.kind === kind);
      return of.length === 0
        ? []
        : [{ kind, steps: of.length, verified: of.filter((s) => s.verified).length }];
    }),
  };
}

/** Pass rates that the page names as examples. */
const EXAMPLES = [0.05, 0.25, 0.5, 0.75, 0.95];

function admissionFigures(all: readonly RowAdmission[]): AdmissionFigures | null {
  const first = all[0];
  if (first === undefined) return null;
  const { by, n } = first;
  const decisions = { admitted: 0, all_right: 0, all_wrong: 0, no_variance: 0, too_few_valid: 0 };
  for (const { rewards, accs, n } of all) decisions[admission(rewards, accs, { n }).decision]++;
  const whole = all.filter(({ accs }) => accs.length === n);
  const right = whole.map(({ accs }) => accs.filter((acc) => acc === 1).length);
  return {
    by,
    n,
    tasks: all.length,
    decisions,
    rates: Array.from({ length: n + 1 }, (_, k) => ({
      ...wilson(k, n),
      tasks: right.filter((r) => r === k).length,
    })),
    chances: EXAMPLES.map((p) => ({ p, chance: admissionChance(p, n) })),
  };
}
