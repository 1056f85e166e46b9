import { type Rate, wilson } from "./intervals.js";

/** Rates over trials that come in groups: ten questions about Jupiter say less than one question about each of ten moons. */

export interface Trial {
  /** What the trial has in common with others, e.g. the entity asked for. */
  readonly cluster: string;
  readonly success: boolean;
}

export interface ClusteredRate extends Rate {
  readonly clusters: number;
  /** How many independent trials these are worth; the interval is that of so many. */
  readonly effective: number;
}

/**
 * Wilson's interval at the effective sample size n / deff.
 *
 * The design effect is the variance of the rate as a ratio estimator over clusters, C/(C − 1)·Σ(xᵢ − p·mᵢ)²/n², over that of
 * independent trials, p(1 − p)/n, and is taken to be at least 1 (Kish 1965, Survey Sampling; Korn, Graubard 1998, Survey Methodology
 * 24, 193; for Wilson's interval Franco et al. 2019, J. Survey Stat. Methodol. 7, 334). Where nothing or everything succeeded the data
 * cannot show how alike the trials of a cluster are, so they are taken to be wholly alike: deff = Σmᵢ²/n, which makes `effective` the
 * number of clusters where these are of one size. The same holds for a single cluster, and is the most that deff may be.
 */
export function clusteredWilson(trials: readonly Trial[], confidence = 0.95): ClusteredRate {
  const clusters = [...countsOf(trials).values()];
  const n = trials.length;
  const successes = clusters.reduce((sum, c) => sum + c.successes, 0);
  if (n === 0) return { ...wilson(0, 0, confidence), clusters: 0, effective: 0 };
  const effective = n / designEffect(clusters, successes, n);
  const p = successes / n;
  const { low, high } = wilson(p * effective, effective, confidence);
  return { successes, trials: n, estimate: p, low, high, clusters: clusters.length, effective };
}

interface Count {
  successes: number;
  size: number;
}

function countsOf(trials: readonly Trial[]): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const { cluster, success } of trials) {
    const count = counts.get(cluster) ?? { successes: 0, size: 0 };
    count.size++;
    if (success) count.successes++;
    counts.set(cluster, count);
  }
  return counts;
}

/** Whole numbers are summed, so that the order of trials does not show in the last digits. */
function designEffect(clusters: readonly Count[], successes: number, n: number): number {
  const most = sum(clusters, ({ size }) => size * size) / n;
  const count = clusters.length;
  if (successes === 0 || successes === n || count === 1) return most;
  // n²·Σ(xᵢ − p·mᵢ)², with p = x/n.
  const spread =
    n * n * sum(clusters, (c) => c.successes * c.successes) -
    2 * n * successes * sum(clusters, (c) => c.successes * c.size) +
    successes * successes * sum(clusters, (c) => c.size * c.size);
  const deff = ((count / (count - 1)) * spread) / (n * successes * (n - successes));
  return Math.min(most, Math.max(1, deff));
}

function sum(clusters: readonly Count[], of: (count: Count) => number): number {
  return clusters.reduce((total, count) => total + of(count), 0);
}
