import type { Facts } from "../facts.js";
import type { ReportRow } from "./coverage.js";

/** The rows of the tasks pool: what the run accepted, without what `emit` itself turned away. */
export async function poolRows(facts: Facts): Promise<ReportRow[]> {
  const rejected = new Set<string>();
  for (const { id, stage, rejected: counts } of facts.manifest.stages) {
    if (stage !== "emit" || Object.keys(counts).length === 0) continue;
    for await (const { ref } of facts.rejections(id)) rejected.add(String(ref));
  }
  const rows = (await facts.rows()).filter(({ id }) => !rejected.has(id));
  // They passed the schema of `emit`'s input, which has all that the report reads.
  return rows as unknown as ReportRow[];
}
