import { z } from "zod";
import { barrier, completeGates, GATES } from "../datasets/admission.js";
import { type RlOptions, rlRecord } from "../datasets/rl-record.js";
import { type RlRecord, rlPool, sftPool, tasksPool } from "../datasets/schema/index.js";
import type { SourceFacts } from "../datasets/source-facts.js";
import { taskRecord } from "../datasets/task-record.js";
import type { PoolFile } from "../datasets/write.js";
import type { Catalog } from "../sources/table.js";
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
 * tolerated by name. Rows that show a hidden target outside the fields for it are rejected.
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
  reasons: {},
  async run(rows, { params, catalog, outDir }) {
    const { writePool } = await import("../datasets/write.js");
    const sources = sourceFacts(catalog);
    const rejected: RejectedItem[] = [];
    const sorted = sort(rows, params, sources);
    const files = [
      ...(await writePool(
        outDir,
        tasksPool,
        rows.map((row) => taskRecord(row, sources)),
      )),
      ...(await writePool(outDir, rlPool, sorted.admitted)),
      ...(await writePool(outDir, sftPool, [])),
    ];
    return { out: files.map((file) => poolRowOf(file, sorted.keptOut)), rejected };
  },
});

function poolRowOf(file: PoolFile, keptOut: Record<string, number>): PoolRow {
  return { id: file.file, ...file, kept_out: file.pool === rlPool.name ? keptOut : {} };
}

function sort(
  rows: readonly SplitRow[],
  { admit_unscreened, agent_name, system }: Params,
  sources: ReadonlyMap<string, SourceFacts>,
): { admitted: RlRecord[]; keptOut: Record<string, number> } {
  const admitted: RlRecord[] = [];
  const keptOut: Record<string, number> = {};
  const places: Record<string, number> = {};
  for (const row of rows) {
    const stop = barrier(completeGates(row.gates), admit_unscreened);
    if (stop !== undefined) {
      keptOut[stop] = (keptOut[stop] ?? 0) + 1;
      continue;
    }
    const index = places[row.split] ?? 0;
    places[row.split] = index + 1;
    const options: RlOptions = { agent_name, system, index };
    admitted.push(rlRecord(row, sources, options));
  }
  return { admitted, keptOut };
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
