import type { ProblemTaskRow } from "../../datasets/problem-record.js";
import type { Facts } from "../facts.js";
import type { ReportRow } from "./reading.js";

/** Rows of the pools, by kind. */
export interface PoolRows {
  readonly all: readonly (ReportRow | ProblemTaskRow)[];
  readonly tasks: readonly ReportRow[];
  readonly problems: readonly ProblemTaskRow[];
}

/** The rows of the tasks and problems pools. */
export async function poolRows(facts: Facts): Promise<PoolRows> {
  const rows = await facts.rows();
  // They passed the schema of `emit`'s input, which has all that the report reads.
  const all = rows as unknown as (ReportRow | ProblemTaskRow)[];
  return {
    all,
    tasks: all.filter((row): row is ReportRow => !("problem" in row)),
    problems: all.filter((row): row is ProblemTaskRow => "problem" in row),
  };
}
