import type { GateCount } from "../../datasets/hub-card.js";
import { unscreened } from "../../datasets/hub-card.js";
import type { Audit } from "../audit/audit.js";
import type { Facts } from "../facts.js";
import { type Answers, AnswerTally } from "./answers.js";
import { type Coverage, CoverageTally } from "./coverage.js";
import { type Difficulty, DifficultyTally } from "./difficulty.js";
import { FunnelSamples, type FunnelStage, funnelOf } from "./funnel.js";
import { type NearMisses, NearMissPool } from "./near-misses.js";
import { type ProblemReport, problemsOf } from "./problems.js";
import { type Quota, QuotaTally } from "./quotas.js";
import type { ReportRow } from "./reading.js";
import { observe } from "./rejections.js";
import { rejudging } from "./rejudge.js";
import { agentsOf, type RolloutReport } from "./rollouts.js";
import { poolRows } from "./rows.js";
import { type Sample, SampleTally } from "./samples.js";
import { screeningOf } from "./screening.js";
import { BalanceTally, type TurnedAway } from "./turned-away.js";
import { type Verdict, verdictOf } from "./verdict.js";
import { type Wording, WordingTally } from "./wording.js";

/** `report.json`: everything that the report shows. */
export interface Report {
  readonly report: 2;
  readonly name: string;
  readonly seed: string;
  readonly taskmill: string;
  /** What nobody has checked, in sentences. */
  readonly unscreened: readonly string[];
  readonly verdict: Verdict;
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
  readonly near_misses: readonly NearMisses[];
  readonly turned_away: readonly TurnedAway[];
  readonly quotas: readonly Quota[];
  readonly coverage: Coverage;
  readonly answers: Answers;
  readonly difficulty: Difficulty;
  readonly wording: Wording;
  readonly samples: readonly Sample[];
  /** Of a user's own problems, where there are any. */
  readonly problems?: ProblemReport;
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

/** The parts that other files of the dataset give, and that are made before. */
export type Parts = Pick<Report, "rollouts" | "leakage">;

export async function gather(facts: Facts, parts: Parts = {}): Promise<Report> {
  const { manifest } = facts;
  const { name, seed, taskmill, candidates, target, reached } = manifest;
  const { all, tasks, problems } = await poolRows(facts);
  const screening = screeningOf(manifest, all);
  const drawn = agentsOf(all, manifest);
  const rollouts = drawn.length === 0 ? undefined : { agents: drawn };
  const turned = await rejectionsOf(facts);
  const counted = { accepted: all.length, candidates, target, reached };
  const content = contentOf(facts, tasks);
  const judged = { ...counted, ...screening, agents: drawn, funnel: turned.funnel, quotas: content.quotas };
  return {
    report: 2,
    name,
    seed,
    taskmill,
    unscreened: unscreened({ ...screening, accepted: all.length, files: manifest.pools, rollouts }),
    verdict: verdictOf(judged, parts.leakage),
    ...counted,
    ...screening,
    pools: manifest.pools.map(({ file, rows, bytes }) => ({ file, rows, bytes })),
    sources: sources(facts),
    ...turned,
    ...content,
    ...(problems.length === 0 ? {} : { problems: problemsOf(seed, problems) }),
    ...parts,
  };
}

/** What was turned away: one pass over the rejections that the run kept. */
async function rejectionsOf(facts: Facts): Promise<Pick<Report, "funnel" | "near_misses" | "turned_away">> {
  const { seed } = facts.manifest;
  const samples = new FunnelSamples(seed);
  const near = new NearMissPool(seed);
  const balance = new BalanceTally();
  await observe(facts, [samples, near, balance]);
  return {
    funnel: funnelOf(facts, samples),
    near_misses: await near.result(facts, rejudging(facts)),
    turned_away: balance.result(),
  };
}

type Content = Pick<Report, "coverage" | "answers" | "difficulty" | "wording" | "quotas" | "samples">;

/** What was accepted: one pass over the rows, of which nothing but counts and a few samples is kept. */
export function contentOf(
  { manifest, cards }: Pick<Facts, "manifest" | "cards">,
  rows: Iterable<ReportRow>,
): Content {
  const tallies = {
    coverage: new CoverageTally(cards),
    answers: new AnswerTally(),
    difficulty: new DifficultyTally(),
    wording: new WordingTally(),
    quotas: new QuotaTally(manifest.stages),
    samples: new SampleTally(manifest.seed, cards),
  };
  const all = Object.values(tallies);
  for (const row of rows) for (const tally of all) tally.add(row);
  return {
    coverage: tallies.coverage.result(),
    answers: tallies.answers.result(),
    difficulty: tallies.difficulty.result(),
    wording: tallies.wording.result(),
    quotas: tallies.quotas.result(),
    samples: tallies.samples.result(),
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
