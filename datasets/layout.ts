import type { Pool } from "./schema/index.js";

/** Where the rows of one split lie, named as the Hub expects it; relative to the run directory. */
export function splitFile(pool: Pool, split: string): string {
  return `pools/${pool.name}/${split}-00000-of-00001.parquet`;
}
