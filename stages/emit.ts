import { z } from "zod";
import { barrier, completeGates, GATES } from "../datasets/admission.js";
import { mergeLicences } from "../datasets/licences.js";
import { rlRecord } from "../datasets/rl-record.js";
import { type RlRecord, rlPool, sftPool, tasksPool } from "../datasets/schema/index.js";
import type { SourceFacts } from "../datasets/source-facts.js";
import { taskRecord } from "../datasets/task-record.js";
import type { PoolFile } from "../datasets/write.js";
import type { Catalog } from "../sources/table.js";
import { exposed } from "./exposure.js";
import { defineStage, type RejectedItem } from "./stage.js";
import { type SplitRow, splitRow } from "./task.js";

const params = z.strictObject({
  /** Gates that did not run and whose absence the RL pool tolerates, by name; the dataset's card says so in its first lines. */
  admit_unscreened: z.array(z.enum(GATES)).default([]),
  agent_name: z.enum(["tool_agent", "single_turn_agent"]).default("tool_agent"),
  /** System message of the RL pool's prompts; without one a prompt is the question alone. */
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

/**
 * Writes the pools. Every row enters the tasks pool; the RL pool takes those whose every gate passed, or did not run and is
 * tolerated by name. A row whose prompt or other open field shows a hidden target enters no pool.
 */
export const emit = defineStage<Params, SplitRow, PoolRow>({
  kind: "emit",
  version: 1,
  summary: "writes the tasks, rl and sft pools",
  mode: "set",
  params,
  takes: "split",
  gives: "pools",
  input: splitRow,
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
  async run(rows, { params, catalog, outDir, signal }) {
    // Loaded when needed: the encoder is a module of 5 MB that no other verb of the command line asks for.
    const { writePool } = await import("../datasets/write.js");
    const sources = sourceFacts(catalog);
    const sorted = sort(rows, params, sources, catalog, signal);
    const files = [
      ...(await writePool(outDir, tasksPool, tasks(sorted.safe, sources, signal))),
      ...(await writePool(outDir, rlPool, sorted.admitted)),
      ...(await writePool(outDir, sftPool, [])),
    ];
    return { out: files.map((file) => poolRowOf(file, sorted.keptOut)), rejected: sorted.rejected };
  },
});

function* tasks(rows: readonly SplitRow[], sources: ReadonlyMap<string, SourceFacts>, signal: AbortSignal) {
  for (const row of rows) {
    signal.throwIfAborted();
    yield taskRecord(row, sources);
  }
}

function poolRowOf(file: PoolFile, keptOut: Record<string, number>): PoolRow {
  return { id: file.file, ...file, kept_out: file.pool === rlPool.name ? keptOut : {} };
}

interface Sorted {
  /** Rows that show nothing hidden. */
  readonly safe: SplitRow[];
  readonly admitted: RlRecord[];
  readonly keptOut: Record<string, number>;
  readonly rejected: RejectedItem[];
}

/** Looks at every row as the RL pool would show it, whether or not it may enter: what is unfit as a prompt is no task. */
function sort(
  rows: readonly SplitRow[],
  { admit_unscreened, agent_name, system }: Params,
  sources: ReadonlyMap<string, SourceFacts>,
  catalog: Catalog,
  signal: AbortSignal,
): Sorted {
  const sorted: Sorted = { safe: [], admitted: [], keptOut: {}, rejected: [] };
  const places: Record<string, number> = {};
  for (const row of rows) {
    signal.throwIfAborted();
    const index = places[row.split] ?? 0;
    const record = rlRecord(row, sources, { agent_name, system, index });
    const findings = exposed(record, row, catalog);
    if (findings.length > 0) {
      sorted.rejected.push({
        ref: row.id,
        reason: "hidden_target_shown",
        evidence: { findings: findings.map((f) => ({ ...f })) },
      });
      continue;
    }
    sorted.safe.push(row);
    const stop = barrier(completeGates(row.gates), admit_unscreened);
    if (stop === undefined) {
      sorted.admitted.push(record);
      places[row.split] = index + 1;
    } else sorted.keptOut[stop] = (sorted.keptOut[stop] ?? 0) + 1;
  }
  return sorted;
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
