import { join } from "node:path";
import { readPool } from "../datasets/read.js";
import { tasksPool } from "../datasets/schema/index.js";
import { taskRow } from "../datasets/task-record.js";
import type { Row } from "../stages/stage.js";

/**
 * The accepted rows of a dataset, read back from its tasks pool in order.
 * @throws TaskmillError (verification) when the pool is missing, damaged or of another form.
 */
export async function* tasksOf(dir: string): AsyncGenerator<Row> {
  for await (const record of readPool(join(dir, "pools", "tasks.parquet"), tasksPool))
    yield taskRow(record) as unknown as Row;
}
