import type { Pool } from "./pool.js";
import { rlPool } from "./rl.js";
import { sftPool } from "./sft.js";
import { tasksPool } from "./tasks.js";

export * from "./kinds.js";
export { type LedgerRecord, ledgerTable } from "./ledger.js";
export * from "./pool.js";
export { type ProblemRecord, problemsPool } from "./problems.js";
export { type RlRecord, rlPool } from "./rl.js";
export { type SftRecord, sftPool } from "./sft.js";
export { type TaskRecord, tasksPool } from "./tasks.js";
export { type TrajectoryRecord, trajectoriesPool } from "./trajectories.js";

/** The pools that every dataset has, in the order in which they are written and described. `problemsPool` is there beside them where there are problems, `trajectoriesPool` where there are rollouts. */
export const POOLS: readonly Pool[] = [tasksPool, rlPool, sftPool];
