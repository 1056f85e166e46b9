import { type ClusteredRate, clusteredWilson, type Trial } from "./clusters.js";

/** How far a probe of k samples reaches: what it misses, and what remains in the rows that it let through. */

/**
 * Probability that a probe lets a row through whose every sample is right with probability `rate`: fewer than `need` of `k`
 * independent samples right, Σ_{i<need} C(k, i)·rateⁱ·(1 − rate)^(k − i).
 */
export function missProbability(rate: number, k: number, need = 1): number {
  let term = (1 - rate) ** k;
  if (need === 1 || rate >= 1) return need > k ? 1 : term;
  let sum = 0;
  for (let i = 0; i < Math.min(need, k + 1); i++) {
    sum += term;
    term *= ((k - i) / (i + 1)) * (rate / (1 - rate));
  }
  return Math.min(1, sum);
}

/**
 * The smallest rate that a probe finds with the given confidence. One right sample of 4 being enough: 1 − 0.05^(1/4) = 0.527; rows
 * that a model answers one time in three pass four samples one time in five.
 */
export function reach(k: number, need = 1, confidence = 0.95): number {
  if (k <= 0 || need > k) return 1;
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (missProbability(middle, k, need) > 1 - confidence) low = middle;
    else high = middle;
  }
  return high;
}

/** One row's graded samples of one role, in the order of their draws. */
export interface Draws {
  /** Rows with the same one are not independent. */
  readonly cluster: string;
  readonly right: readonly boolean[];
}

/**
 * How often draw number `at` (from 0) was right among the rows in which no earlier draw was. Every such row was asked for that draw,
 * early stop or not, so this is an honest sample of what one draw more finds in rows that `at` draws let through. At the last
 * draw of all its upper end bounds what one further draw would find in the rows that passed: those passed one draw more.
 */
export function hitRate(rows: readonly Draws[], at: number, confidence = 0.95): ClusteredRate {
  const trials = rows
    .filter(({ right }) => right.length > at && !right.slice(0, at).includes(true))
    .map(({ cluster, right }): Trial => ({ cluster, success: right[at]! }));
  return clusteredWilson(trials, confidence);
}
