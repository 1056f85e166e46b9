import { z } from "zod";
import type { GateCount } from "../../datasets/hub-card.js";
import { unscreened } from "../../datasets/hub-card.js";
import type { Audit } from "../audit/audit.js";
import { stream } from "../base/random.js";
import type { Facts } from "../facts.js";
import { type Coverage, coverageOf, type ReportRow } from "./coverage.js";
import { type FunnelStage, funnelOf } from "./funnel.js";
import { type ProblemReport, problemsOf } from "./problems.js";
import { agentsOf, type RolloutReport } from "./rollouts.js";
import { poolRows } from "./rows.js";
import { screeningOf } from "./screening.js";
import { shares } from "./tally.js";

/** `report.json`: everything that the report shows. */
export interface Report {
  readonly report: 1;
  readonly name: string;
  readonly seed: string;
  readonly taskmill: string;
  /** What nobody has checked, in sentences. */
  readonly unscreened: readonly string[];
  readonly accepted: number;
  readonly candidates: number;
  readonly target: {
    readonly accepted: number | null;
    readonly candidates: number | null;
    readonly limit: number | null;
  };
  readonly reached: boolean;
  readonly gates: Readonly<Record<string, GateCount>>;
  readonly admit_unscreened: readonly string[];
  readonly kept_out: Readonly<Record<string, number>>;
  readonly pools: readonly { readonly file: string; readonly rows: number; readonly bytes: number }[];
  readonly sources: readonly ReportSource[];
  readonly funnel: readonly FunnelStage[];
  readonly coverage: Coverage;
  /** Of a user's own problems, where there are any. */
  readonly problems?: ProblemReport;
  readonly quotas: readonly Quota[];
  readonly samples: readonly Sample[];
  /** What agents made of the tasks; absent where none attempted one. */
  readonly rollouts?: RolloutReport;
  /** The leakage report; `pipeline audit` makes it again from the dataset. */
  readonly leakage?: Audit;
}

export interface ReportSource {
  readonly id: string;
  readonly title: string;
  readonly licence: string;
  readonly publisher: string;
  readonly as_of: string;
  readonly rows: number;
  readonly records: number;
  readonly rejected: Readonly<Record<string, number>>;
  /** Cells that became unknown, by column and reason. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A configured share and the value that comes closest to it. */
export interface Quota {
  readonly stage: string;
  readonly property: string;
  readonly allowed: number;
  readonly largest: string;
  readonly rows: number;
}

export interface Sample {
  readonly id: string;
  readonly split: string;
  readonly question: string;
  readonly entity: string;
  readonly answer: ReportRow["answer"];
  readonly chain: ReportRow["chain"];
  readonly gates: ReportRow["gates"];
}

const SAMPLED_TASKS = 5;

export async function gather(facts: Facts): Promise<Report> {
  const { manifest } = facts;
  const { all, tasks: rows, problems } = await poolRows(facts);
  const screening = screeningOf(manifest, all);
  const drawn = agentsOf(all, manifest);
  return {
    report: 1,
    name: manifest.name,
    seed: manifest.seed,
    taskmill: manifest.taskmill,
    unscreened: unscreened({
      ...screening,
      accepted: all.length,
      files: manifest.pools,
      rollouts: drawn.length === 0 ? undefined : { agents: drawn },
    }),
    accepted: all.length,
    candidates: manifest.candidates,
    target: manifest.target,
    reached: manifest.reached,
    ...screening,
    pools: manifest.pools.map(({ file, rows, bytes }) => ({ file, rows, bytes })),
    sources: sources(facts),
    funnel: await funnelOf(facts),
    coverage: coverageOf(rows),
    ...(problems.length === 0 ? {} : { problems: problemsOf(manifest.seed, problems) }),
    quotas: quotas(facts, rows),
    samples: samples(manifest.seed, rows),
  };
}

function sources({ manifest, cards }: Facts): ReportSource[] {
  return manifest.sources.map(({ id, rows, records, rejected, cells }) => {
    const { title, licence, publisher, as_of } = cards.get(id)!;
    return {
      id,
      title,
      licence: licence.id,
      publisher: publisher.name,
      as_of,
      rows,
      records,
      rejected,
      cells,
    };
  });
}

const PROPERTIES: Readonly<Record<string, (row: ReportRow) => string>> = {
  formula: (r) => r.program.compute.formula,
  entity: (r) => `${r.selection.entity.table}: ${r.selection.entity.name}`,
  table: (r) => r.program.table,
  select_column: (r) => `${r.program.table}.${r.program.select.column}`,
  conditions: (r) => String(r.difficulty.conditions),
  rank: (r) => String(r.difficulty.rank),
};
const shareParams = z.object({ tiny_tables: z.array(z.string()).default([]) }).catchall(z.unknown());

/** The shares that `balance` stages were told to keep, against what the dataset holds. */
function quotas({ manifest }: Facts, rows: readonly ReportRow[]): Quota[] {
  return manifest.stages
    .filter(({ stage }) => stage === "balance")
    .flatMap(({ id, params }) => {
      const parsed = shareParams.safeParse(params);
      if (!parsed.success) return [];
      const counted = (property: string) =>
        property === "entity" ? rows.filter((r) => !parsed.data.tiny_tables.includes(r.program.table)) : rows;
      return Object.entries(PROPERTIES).flatMap(([property, read]) => {
        const allowed = parsed.data[property];
        const [largest] = shares(counted(property).map(read));
        if (typeof allowed !== "number" || allowed >= 1 || largest === undefined) return [];
        return [{ stage: id, property, allowed, largest: largest.value, rows: largest.rows }];
      });
    });
}

function samples(seed: string, rows: readonly ReportRow[]): Sample[] {
  return stream(seed, "report", "samples")
    .shuffle(rows)
    .slice(0, SAMPLED_TASKS)
    .map(({ id, split, question, selection, answer, chain, gates }) => ({
      id,
      split,
      question,
      entity: selection.entity.name,
      answer,
      chain,
      gates,
    }));
}
