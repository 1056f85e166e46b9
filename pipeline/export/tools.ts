import { conversation } from "../../datasets/exporters/conversation.js";
import { poolFile } from "../../datasets/layout.js";
import { readPool } from "../../datasets/read.js";
import { sftPool } from "../../datasets/schema/index.js";
import type { Json } from "../base/canonical.js";
import { listedFile } from "../dataset-file.js";
import { toolsNamedIn } from "../environment/open.js";
import type { Manifest } from "../manifest.js";

/**
 * The tools that agents are offered: as they were sent, where there is a conversation, since an environment is one for the whole dataset;
 * else as the config's environment names them. None where it has none.
 */
export async function toolsOf(from: string, { pools, config }: Manifest): Promise<readonly Json[]> {
  const pool = pools.find(({ file, rows }) => file === poolFile(sftPool) && rows > 0);
  if (pool === undefined) return toolsNamedIn(config.resolved);
  for await (const record of readPool(await listedFile(from, pool), sftPool))
    return conversation(record, 0).tools;
  return [];
}
