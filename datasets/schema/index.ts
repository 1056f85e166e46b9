import type { Pool } from "./pool.js";
import { rlPool } from "./rl.js";
import { sftPool } from "./sft.js";
import { tasksPool } from "./tasks.js";

export * from "./kinds.js";
export { type LedgerRecord, ledgerTable } from "./ledger.js";
export * from "./pool.js";
export { type RlRecord, rlPool } from "./rl.js";
export { type SftRecord, sftPool } from "./sft.js";
export { type TaskRecord, tasksPool } from "./tasks.js";

/** Every pool of a dataset, in the order in which they are written and described. */
export const POOLS: readonly Pool[] = [tasksPool, rlPool, sftPool];
