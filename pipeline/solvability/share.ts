import type { Solvability } from "./solvability.js";

/** Share of the table tasks that are solvable: their evidence is whole, or anyone can compute it. 1 where there is none. */
export function solvableShare({ tasks, totals }: Pick<Solvability, "tasks" | "totals">): number {
  return tasks.length === 0 ? 1 : (totals.whole + totals.computable) / tasks.length;
}
