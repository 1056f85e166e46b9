import { type Pool, rlPool, sftPool, trajectoriesPool } from "../../datasets/schema/index.js";
import { type Bench, columnsOf } from "./bench.js";
import type { Side } from "./side.js";

/** Pools made from tasks. */
export const MADE_POOLS = { rl: rlPool, sft: sftPool, trajectories: trajectoriesPool } as const;
export type MadePool = keyof typeof MADE_POOLS;
export const MADE = Object.keys(MADE_POOLS) as MadePool[];

/** Columns that say where a row lies or repeat what the tasks pool has: a task that moved is no other task. */
const PLACE: ReadonlySet<string> = new Set([
  "task_id",
  "split",
  "extra_info",
  "gates",
  "rollout",
  "licences",
]);

/** Tables `members_a` and `members_b`: for each task how many rows of each pool it has, and what is in them, as one number. */
export async function countMembers(bench: Bench): Promise<void> {
  for (const side of [bench.a, bench.b]) {
    const parts: string[] = [];
    for (const pool of MADE) parts.push(await membersOf(bench, side, pool));
    const joined = parts.map((table) => `FULL JOIN ${table} USING (id)`).join(" ");
    const counts = MADE.map((pool) => `coalesce(${pool}, 0) AS ${pool}`).join(", ");
    const content = MADE.map((pool) => `coalesce(${pool}_content, 0)`).join(" + ");
    await bench.database.run(
      `CREATE TABLE members_${side.name} AS SELECT id, ${counts}, ${content} AS content FROM (SELECT NULL::VARCHAR AS id WHERE false) ${joined}`,
    );
  }
}

async function membersOf(bench: Bench, side: Side, pool: MadePool): Promise<string> {
  const table = `${pool}_members_${side.name}`;
  const file = side.files.get(pool);
  if (file === undefined) {
    await bench.database.run(`CREATE TABLE ${table} (id VARCHAR, ${pool} BIGINT, ${pool}_content HUGEINT)`);
    return table;
  }
  const known = Object.keys((MADE_POOLS[pool] as Pool).columns);
  const { columns } = await columnsOf(bench, side, pool, known, ["task_id"]);
  const content = columns.filter((column) => !PLACE.has(column)).map((column) => `"${column}"`);
  // A sum of whole numbers: the same in any order.
  await bench.database.run(
    `CREATE TABLE ${table} AS SELECT task_id AS id, count(*) AS ${pool}, sum(hash(${content.join(", ")})::HUGEINT) AS ${pool}_content
     FROM read_parquet($1) GROUP BY task_id`,
    [file],
  );
  return table;
}
