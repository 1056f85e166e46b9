import { type ClusteredRate, clusteredWilson, type Trial } from "../../verifiers/clusters.js";
import { compareText } from "../base/canonical.js";

/** The rate of one group of rows. */
export interface GroupRate {
  readonly group: string;
  readonly rate: ClusteredRate;
}

/** Rates by group, the largest group first; trials of one entity count as alike. */
export function ratesBy<T extends Trial>(
  trials: readonly T[],
  groupOf: (trial: T) => string | null,
): GroupRate[] {
  const groups = new Map<string, T[]>();
  for (const trial of trials) {
    const group = groupOf(trial) ?? "(none)";
    const of = groups.get(group) ?? [];
    of.push(trial);
    groups.set(group, of);
  }
  return [...groups]
    .sort(([a, x], [b, y]) => y.length - x.length || compareText(a, b))
    .map(([group, of]) => ({ group, rate: clusteredWilson(of) }));
}
