import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RlRecord, rlPool, sftPool, type TaskRecord, tasksPool } from "../../datasets/schema/index.js";
import { type PoolFile, writePool } from "../../datasets/write.js";

/** Three pools in a folder of their own. */
export async function writeSample(
  tasks: readonly TaskRecord[],
  rl: readonly RlRecord[],
): Promise<{ dir: string; files: PoolFile[]; remove(): void }> {
  const dir = mkdtempSync(join(tmpdir(), "taskmill-consumers-"));
  const files = [
    ...(await writePool(dir, tasksPool, tasks)),
    ...(await writePool(dir, rlPool, rl)),
    ...(await writePool(dir, sftPool, [])),
  ];
  return { dir, files, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
