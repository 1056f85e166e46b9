import { join } from "node:path";
import { conversation } from "../../datasets/exporters/conversation.js";
import { poolFile } from "../../datasets/layout.js";
import { readPool } from "../../datasets/read.js";
import { sftPool } from "../../datasets/schema/index.js";
import type { Json } from "../base/canonical.js";
import type { Manifest } from "../manifest.js";

/**
 * The tools that agents were offered, as they were sent: the first conversation has them, and an environment is one for the whole
 * dataset. None where there is no conversation.
 */
export async function toolsOf(from: string, { pools }: Manifest): Promise<readonly Json[]> {
  const file = poolFile(sftPool);
  if (!pools.some((entry) => entry.file === file && entry.rows > 0)) return [];
  for await (const record of readPool(join(from, ...file.split("/")), sftPool))
    return conversation(record, 0).tools;
  return [];
}
