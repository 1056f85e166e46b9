import { z } from "zod";
import { barrier, GATES, type Gate } from "../datasets/admission.js";
import { mergeLicences } from "../datasets/licences.js";
import { problemRecord } from "../datasets/problem-record.js";
import { problemRlRecord, type RlOptions, rlRecord } from "../datasets/rl-record.js";
import {
  problemsPool,
  type RlRecord,
  rlPool,
  type SftRecord,
  sftPool,
  type TrajectoryRecord,
  tasksPool,
  trajectoriesPool,
} from "../datasets/schema/index.js";
import type { SourceFacts } from "../datasets/source-facts.js";
import { taskRecord } from "../datasets/task-record.js";
import { sftRecord, trajectoryRecord } from "../datasets/trajectory-record.js";
import type { PoolFile } from "../datasets/write.js";
import type { Catalog } from "../sources/table.js";
import type { RolloutEvidence } from "./evidence.js";
import { type Exposure, exposed, exposedAnswer } from "./exposure.js";
import type { Recordings } from "./recordings.js";
import { rolloutsOf } from "./rollout/rollouts.js";
import { segmentsOf } from "./rollout/segments.js";
import { type SplitProblemRow, splitProblemRow } from "./split.js";
import { defineStage, type RejectedItem, type StageContext } from "./stage.js";
import { type SplitRow, splitRow } from "./task.js";

const params = z.strictObject({
  /** Gates that did not run and whose absence the RL pool tolerates, by name; the dataset's card says so in its first lines. */
  admit_unscreened: z.array(z.enum(GATES)).default([]),
  agent_name: z.enum(["tool_agent", "single_turn_agent"]).default("tool_agent"),
  /** System message of the RL pool's prompts; without one that of the rollouts that admitted the row, or none. */
  system: z.string().min(1).optional(),
});
type Params = z.infer<typeof params>;

/** One file of a pool; its rows lie in the file. */
const poolRow = z.object({
  id: z.string(),
  pool: z.string(),
  file: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  rows: z.number(),
  /** Rows of the tasks pool that may not enter this pool, by the gate in their way. */
  kept_out: z.record(z.string(), z.number()),
});
type PoolRow = z.infer<typeof poolRow>;

/** A finished row of either kind. */
type Finished = SplitRow | SplitProblemRow;

/**
 * Writes the pools. Every task enters the tasks pool and every problem the problems pool, which is there only if there are any; the
 * RL pool takes those whose every gate passed, or did not run and is
 * tolerated by name. A row whose prompt or other open field shows a hidden target enters no pool.
 */
export const emit = defineStage<Params, Finished, PoolRow>({
  kind: "emit",
  version: 2,
  summary: "writes the tasks, rl, sft and trajectories pools",
  mode: "set",
  params,
  takes: "split",
  gives: "pools",
  input: z.union([splitRow, splitProblemRow]),
  output: poolRow,
  reasons: {
    hidden_target_shown:
      "a prompt or another open field of the row shows the entity, the answer, a value on the way or the source",
  },
  check(_params, { cards }) {
    const licences = [...cards].map(([source, { licence }]) => ({ ...licence, source }));
    const merged = mergeLicences(licences);
    return "problems" in merged ? merged.problems : [];
  },
  async run(rows, context) {
    const { catalog, outDir, signal } = context;
    // Loaded when needed: the encoder is a module of 5 MB that no other verb of the command line asks for.
    const { writePool } = await import("../datasets/write.js");
    const sources = sourceFacts(catalog);
    const tables = rows.filter((row) => !isProblem(row)) as SplitRow[];
    const problems = rows.filter(isProblem);
    // Tasks first, whatever order they came in: the pools then follow from the tasks and problems pools alone.
    const sorted = sort([...tables, ...problems], sources, context);
    const safe = (row: Finished) => !sorted.unsafe.has(row);
    const files = [
      ...(await writePool(outDir, tasksPool, records(tables.filter(safe), taskRecord, sources, signal))),
      ...(await writePool(outDir, rlPool, sorted.admitted)),
      ...(await writePool(outDir, sftPool, conversations([...tables, ...problems].filter(safe), context))),
    ];
    if (rows.some((row) => rolloutsOf(row).length > 0)) {
      const kept = [...tables, ...problems].filter(safe);
      files.push(...(await writePool(outDir, trajectoriesPool, trajectories(kept, context))));
    }
    if (problems.length > 0) {
      const kept = problems.filter(safe);
      files.push(...(await writePool(outDir, problemsPool, records(kept, problemRecord, sources, signal))));
    }
    return { out: files.map((file) => poolRowOf(file, sorted.keptOut)), rejected: sorted.rejected };
  },
});

function isProblem(row: Finished): row is SplitProblemRow {
  return "problem" in row;
}

type Sources = ReadonlyMap<string, SourceFacts>;

function* records<I, O>(
  rows: readonly I[],
  recordOf: (row: I, sources: Sources) => O,
  sources: Sources,
  signal: AbortSignal,
): Generator<O> {
  for (const row of rows) {
    signal.throwIfAborted();
    yield recordOf(row, sources);
  }
}

type Context = StageContext<Params>;

/** The rollouts that were chosen, segment by segment. */
function* conversations(
  rows: readonly Finished[],
  { recordings, catalog, signal }: Context,
): Generator<SftRecord> {
  for (const row of rows) {
    signal.throwIfAborted();
    const own = licencesOf(row, catalog);
    for (const rollout of rolloutsOf(row)) {
      if (rollout.unselected !== "") continue;
      const licences = [...new Set([...own, ...shownIn(rollout, recordings)])].sort();
      for (const segment of segmentsOf(rollout, recordings)) yield sftRecord(row, rollout, segment, licences);
    }
  }
}

/** All rollouts, with what kept them out. */
function* trajectories(
  rows: readonly Finished[],
  { recordings, signal }: Context,
): Generator<TrajectoryRecord> {
  for (const row of rows) {
    signal.throwIfAborted();
    for (const rollout of rolloutsOf(row))
      for (const segment of segmentsOf(rollout, recordings)) yield trajectoryRecord(row, rollout, segment);
  }
}

/** Licences of the documents that stand in a conversation. */
function shownIn({ turns }: RolloutEvidence, recordings: Recordings): string[] {
  return turns
    .flatMap(({ tools }) => tools)
    .flatMap(({ call }) => recordings.observation(call)?.urls ?? [])
    .flatMap(({ licence }) => licence ?? []);
}

function licencesOf({ snapshots }: Finished, { tables }: Catalog): string[] {
  const of = Object.keys(snapshots).flatMap((id) => tables.get(id)?.card.licence.id ?? []);
  return [...new Set(of)].sort();
}

function poolRowOf(file: PoolFile, keptOut: Record<string, number>): PoolRow {
  return { id: file.file, ...file, kept_out: file.pool === rlPool.name ? keptOut : {} };
}

interface Sorted {
  /** Rows that show something hidden. */
  readonly unsafe: Set<Finished>;
  readonly admitted: RlRecord[];
  readonly keptOut: Record<string, number>;
  readonly rejected: RejectedItem[];
}

/** Looks at every row as the RL pool would show it, whether or not it may enter: what is unfit as a prompt is no task. */
function sort(
  rows: readonly Finished[],
  sources: Sources,
  { params, catalog, signal, recordings }: Context,
): Sorted {
  const { admit_unscreened, agent_name } = params;
  const sorted: Sorted = { unsafe: new Set(), admitted: [], keptOut: {}, rejected: [] };
  const places: Record<string, number> = {};
  for (const row of rows) {
    signal.throwIfAborted();
    const index = places[row.split] ?? 0;
    const system = params.system ?? systemOf(row, recordings);
    const { record, findings } = shown(row, sources, catalog, { agent_name, system, index });
    if (findings.length > 0) {
      sorted.unsafe.add(row);
      sorted.rejected.push({
        ref: row.id,
        reason: "hidden_target_shown",
        evidence: { findings: findings.map((f) => ({ ...f })) },
      });
      continue;
    }
    const stop = barrier(record.gates as readonly Gate[], admit_unscreened);
    if (stop === undefined) {
      sorted.admitted.push(record);
      places[row.split] = index + 1;
    } else sorted.keptOut[stop] = (sorted.keptOut[stop] ?? 0) + 1;
  }
  return sorted;
}

/** The system prompt that the policy was judged with: a trainer's prompts are to be the same. */
function systemOf(row: Finished, recordings: Recordings): string | undefined {
  const by = admitted.safeParse(row).data?.admission.by;
  const call = rolloutsOf(row).find((rollout) => rollout.by === by)?.turns[0]?.call;
  const first = call === undefined ? undefined : recordings.call(call)?.messages[0];
  return asked.safeParse(first).data?.content;
}

const admitted = z.looseObject({ admission: z.looseObject({ by: z.string() }) });
const asked = z.looseObject({ role: z.literal("system"), content: z.string() });

/** A row as the RL pool would have it, and what of its hidden targets that shows. */
function shown(
  row: Finished,
  sources: Sources,
  catalog: Catalog,
  options: RlOptions,
): { record: RlRecord; findings: Exposure[] } {
  if (isProblem(row)) {
    const record = problemRlRecord(row, options);
    return { record, findings: exposedAnswer(record, row) };
  }
  const record = rlRecord(row, sources, options);
  return { record, findings: exposed(record, row, catalog) };
}

function sourceFacts(catalog: Catalog): Map<string, SourceFacts> {
  return new Map(
    [...catalog.tables.values()].map(({ id, card }) => [
      id,
      {
        id,
        domain: card.domain,
        licence: card.licence.id,
        snapshot_sha256: card.snapshot.sha256,
        links: card.links,
      },
    ]),
  );
}
