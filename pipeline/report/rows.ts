import type { ProblemTaskRow } from "../../datasets/problem-record.js";
import type { Facts } from "../facts.js";
import type { ReportRow } from "./reading.js";

/** Rows of the pools, by kind. */
export interface PoolRows {
  readonly all: readonly (ReportRow | ProblemTaskRow)[];
  readonly tasks: readonly ReportRow[];
  readonly problems: readonly ProblemTaskRow[];
}

/** The rows of the tasks and problems pools: what the run accepted, without what `emit` itself turned away. */
export async function poolRows(facts: Facts): Promise<PoolRows> {
  const rejected = new Set<string>();
  for (const { id, stage, rejected: counts } of facts.manifest.stages) {
    if (stage !== "emit" || Object.keys(counts).length === 0) continue;
    for await (const { ref } of facts.rejections(id)) rejected.add(String(ref));
  }
  const rows = (await facts.rows()).filter(({ id }) => !rejected.has(id));
  // They passed the schema of `emit`'s input, which has all that the report reads.
  const all = rows as unknown as (ReportRow | ProblemTaskRow)[];
  return {
    all,
    tasks: all.filter((row): row is ReportRow => !("problem" in row)),
    problems: all.filter((row): row is ProblemTaskRow => "problem" in row),
  };
}
