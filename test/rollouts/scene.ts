import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { poolFile } from "../../datasets/layout.js";
import { readPool } from "../../datasets/read.js";
import {
  type SftRecord,
  sftPool,
  type TrajectoryRecord,
  trajectoriesPool,
} from "../../datasets/schema/index.js";
import { run } from "../../pipeline/index.js";
import { tasksOf } from "../../pipeline/tasks.js";
import type { AdmissionEvidence, RolloutEvidence } from "../../stages/evidence.js";
import type { WordedRow } from "../../stages/task.js";
import { type AgentPlan, planOf } from "../server/agents.js";

export const CONFIG = resolve("test/rollouts/config.yaml");

/** A config that tests change. */
export interface Config {
  models: Record<string, Record<string, unknown>>;
  environment: Record<string, unknown>;
  stages: Record<string, Record<string, unknown>>;
  target?: { accepted: number };
  [other: string]: unknown;
}

export function configOf(file: string): Config {
  return parse(readFileSync(file, "utf8")) as Config;
}

/** What names the roles' models in the small config. */
export function envOf(url: string, policy: string, teacher = ""): Record<string, string> {
  return { AGENTS_URL: url, AGENTS_POLICY: policy, AGENTS_TEACHER: teacher };
}

/** A task with what agents made of it. */
export type AttemptedRow = WordedRow & {
  readonly rollouts?: readonly RolloutEvidence[];
  readonly admission?: AdmissionEvidence;
};

export async function rowsOf(dir: string): Promise<AttemptedRow[]> {
  const rows: AttemptedRow[] = [];
  for await (const row of tasksOf(dir)) rows.push(row as unknown as AttemptedRow);
  return rows;
}

/** The plans of the tasks that a config makes, from a run of it without models. */
export async function plansIn(outDir: string, config: string | object = CONFIG): Promise<AgentPlan[]> {
  await run(config, { outDir, env: {} });
  return (await rowsOf(outDir)).flatMap((row) => planOf(row) ?? []);
}

export async function sftOf(dir: string): Promise<SftRecord[]> {
  const records: SftRecord[] = [];
  for await (const record of readPool(join(dir, poolFile(sftPool)), sftPool)) records.push(record);
  return records;
}

export async function trajectoriesOf(dir: string): Promise<TrajectoryRecord[]> {
  const records: TrajectoryRecord[] = [];
  for await (const record of readPool(join(dir, poolFile(trajectoriesPool)), trajectoriesPool))
    records.push(record);
  return records;
}

/** Rows of a pool as the manifest counts them. */
export function poolRows(dir: string): Record<string, number> {
  const { pools } = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")) as {
    pools: { pool: string; file: string; rows: number }[];
  };
  return Object.fromEntries(
    pools.filter(({ file }) => /^pools\/\w+\.parquet$/.test(file)).map(({ pool, rows }) => [pool, rows]),
  );
}
