import { existsSync } from "node:fs";
import { join } from "node:path";
import { poolFile } from "../../datasets/layout.js";
import { readPool } from "../../datasets/read.js";
import { problemsPool, tasksPool } from "../../datasets/schema/index.js";
import { compareText } from "../base/canonical.js";
import { stream } from "../base/random.js";

/** A task as a reviewer sees it. */
export interface BlindTask {
  readonly id: string;
  readonly question: string;
}

/** What a draw may be spread over evenly. */
export const STRATA = ["table", "domain"] as const;
export type Stratum = (typeof STRATA)[number];

export interface Draw {
  readonly n: number;
  readonly seed: string;
  readonly by?: Stratum;
}

/**
 * Draws `n` tasks of a dataset, or all if it has fewer: the same for a seed, whatever the order of the rows. Spread over tables or domains,
 * each gives as many as the others, as long as it has them.
 * @throws TaskmillError (verification) for a pool that cannot be read
 */
export async function drawTasks(dir: string, { n, seed, by }: Draw): Promise<BlindTask[]> {
  const strata = new Map<string, BlindTask[]>();
  for await (const { table, domain, ...task } of tasksIn(dir)) {
    const name = by === undefined ? "" : by === "table" ? table : domain;
    const stratum = strata.get(name);
    if (stratum === undefined) strata.set(name, [task]);
    else stratum.push(task);
  }
  const queues = [...strata]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, tasks]) => {
      const sorted = tasks.sort((a, b) => compareText(a.id, b.id));
      return stream(seed, "review", name).shuffle(sorted);
    });
  return stream(seed, "review", "order").shuffle(dealt(queues, n));
}

/** Takes one of each in turn until there are `n`. */
function dealt<T>(queues: readonly (readonly T[])[], n: number): T[] {
  const taken: T[] = [];
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  for (let i = 0; i < longest; i++)
    for (const queue of queues) {
      if (taken.length === n) return taken;
      if (i < queue.length) taken.push(queue[i]!);
    }
  return taken;
}

interface Placed extends BlindTask {
  readonly table: string;
  readonly domain: string;
}

async function* tasksIn(dir: string): AsyncGenerator<Placed> {
  for await (const { task_id: id, question, table, domain } of readPool(
    join(dir, poolFile(tasksPool)),
    tasksPool,
  ))
    yield { id, question, table, domain };
  const problems = join(dir, poolFile(problemsPool));
  if (!existsSync(problems)) return;
  for await (const { task_id: id, question, source: table, domain } of readPool(problems, problemsPool))
    yield { id, question, table, domain };
}
