import { existsSync } from "node:fs";
import { join } from "node:path";
import { poolFile } from "../datasets/layout.js";
import { problemTaskRow } from "../datasets/problem-record.js";
import { readPool } from "../datasets/read.js";
import { problemsPool, tasksPool } from "../datasets/schema/index.js";
import { taskRow } from "../datasets/task-record.js";
import type { Row } from "../stages/stage.js";
import { TaskmillError } from "./base/errors.js";

/**
 * The accepted rows of a dataset, read back in order from its tasks pool, then from its problems pool if it has one.
 * @throws TaskmillError (verification) when the pool is missing, damaged or of another form, or a row cannot be read.
 */
export async function* tasksOf(dir: string): AsyncGenerator<Row> {
  for await (const row of readableTasks(dir)) {
    if (row instanceof TaskmillError) throw row;
    yield row;
  }
}

/** The same, for who goes on behind a row that cannot be read: in its place stands why. */
export async function* readableTasks(dir: string): AsyncGenerator<Row | TaskmillError> {
  const tasks = join(dir, poolFile(tasksPool));
  let n = 0;
  const where = (path: string, id: string) => `${path}, row ${++n} (${id})`;
  for await (const record of readPool(tasks, tasksPool))
    yield readOr(() => taskRow(record, where(tasks, record.task_id)));
  const problems = join(dir, poolFile(problemsPool));
  if (!existsSync(problems)) return;
  n = 0;
  for await (const record of readPool(problems, problemsPool))
    yield readOr(() => problemTaskRow(record, where(problems, record.task_id)));
}

function readOr(read: () => object): Row | TaskmillError {
  try {
    return read() as Row;
  } catch (error) {
    if (error instanceof TaskmillError) return error;
    throw error;
  }
}
