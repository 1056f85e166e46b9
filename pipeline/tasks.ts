import { existsSync } from "node:fs";
import { join } from "node:path";
import { poolFile } from "../datasets/layout.js";
import { problemTaskRow } from "../datasets/problem-record.js";
import { readPool } from "../datasets/read.js";
import { problemsPool, tasksPool } from "../datasets/schema/index.js";
import { taskRow } from "../datasets/task-record.js";
import type { Row } from "../stages/stage.js";

/**
 * The accepted rows of a dataset, read back in order from its tasks pool, then from its problems pool if it has one.
 * @throws TaskmillError (verification) when the pool is missing, damaged or of another form.
 */
export async function* tasksOf(dir: string): AsyncGenerator<Row> {
  for await (const record of readPool(join(dir, poolFile(tasksPool)), tasksPool))
    yield taskRow(record) as unknown as Row;
  const problems = join(dir, poolFile(problemsPool));
  if (!existsSync(problems)) return;
  for await (const record of readPool(problems, problemsPool)) yield problemTaskRow(record) as unknown as Row;
}
