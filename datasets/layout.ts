import type { Pool } from "./schema/index.js";

/* Where pools lie, relative to the run directory. */

/** All rows of a pool, in order. */
export function poolFile(pool: Pool, form: "parquet" | "arrow" = "parquet"): string {
  return `pools/${pool.name}.${form}`;
}

/** The rows of one split, named as the Hub expects it. */
export function splitFile(pool: Pool, split: string): string {
  return `pools/${pool.name}/${split}-00000-of-00001.parquet`;
}
