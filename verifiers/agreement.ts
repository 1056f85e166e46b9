import type { Outcome } from "./drop-rule.js";
import { normalQuantile } from "./intervals.js";

/** Whether answers agree, and whether those who give them err together. */

/** Equal answers together. */
export interface AnswerCluster {
  readonly answer: string;
  /** Places of its answers in the list that was given. */
  readonly members: readonly number[];
}

/**
 * Puts equal answers together: each joins the first cluster whose first answer it equals, so that a chain of near equals does not grow
 * into one. Largest first, then by first appearance. Null stands for no answer and joins nothing.
 */
export function clusterAnswers(
  answers: readonly (string | null)[],
  equal: (a: number, b: number) => boolean,
): AnswerCluster[] {
  const clusters: { answer: string; members: number[] }[] = [];
  for (const [i, answer] of answers.entries()) {
    if (answer === null) continue;
    const home = clusters.find(({ members }) => equal(members[0]!, i));
    if (home === undefined) clusters.push({ answer, members: [i] });
    else home.members.push(i);
  }
  return clusters.sort((a, b) => b.members.length - a.members.length);
}

/** How often two judges, who each say yes or no about the same things, say so together. */
export interface PairCounts {
  readonly both: number;
  readonly first: number;
  readonly second: number;
  readonly neither: number;
}

/** Counts the things that both have judged. */
export function countPairs(pairs: readonly (readonly [first: boolean, second: boolean])[]): PairCounts {
  const count = (a: boolean, b: boolean) => pairs.filter(([x, y]) => x === a && y === b).length;
  return {
    both: count(true, true),
    first: count(true, false),
    second: count(false, true),
    neither: count(false, false),
  };
}

/** Two roles (or twice the same: two of its draws) and how often their draws for one row were right together. */
export interface RolePair {
  readonly roles: readonly [string, string];
  readonly counts: PairCounts;
}

/**
 * For every two roles, over the rows that both have judged: whether the first graded draw of each was right; and for each role by itself
 * its first and second one, as what a second opinion of another role is worth shows beside a second opinion of the same. Samples must
 * have been drawn without regard to each other, as `solve` does: an early stop asks the second role only where the first was wrong.
 */
export function rolePairs(rows: readonly (readonly Outcome[])[]): RolePair[] {
  const pairs = new Map<string, { roles: readonly [string, string]; judged: [boolean, boolean][] }>();
  for (const samples of rows) {
    const draws = gradedByRole(samples);
    const roles = [...draws.keys()].sort();
    for (const [i, a] of roles.entries()) {
      for (const b of roles.slice(i)) {
        const second = draws.get(b)![a === b ? 1 : 0];
        if (second === undefined) continue;
        const key = JSON.stringify([a, b]);
        const pair = pairs.get(key) ?? { roles: [a, b], judged: [] };
        pair.judged.push([draws.get(a)![0]!, second]);
        pairs.set(key, pair);
      }
    }
  }
  const ordered = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
  return ordered.map(([, { roles, judged }]) => ({ roles, counts: countPairs(judged) }));
}

function gradedByRole(samples: readonly Outcome[]): Map<string, boolean[]> {
  const draws = new Map<string, boolean[]>();
  for (const { role, outcome } of samples) {
    if (outcome !== "right" && outcome !== "wrong") continue;
    const of = draws.get(role) ?? [];
    of.push(outcome === "right");
    draws.set(role, of);
  }
  return draws;
}

/** A coefficient from -1 to 1; null where it is not defined (one of them always says the same). */
export interface Coefficient {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Phi, the correlation of two yes-or-no judges: (n₁₁n₀₀ − n₁₀n₀₁)/√(row and column totals' product). Its interval by Fisher's
 * z-transformation, ± z/√(n − 3); -1 to 1 for fewer than 4 things. Near 0: agreement of both is worth two opinions; near 1: it is worth one.
 */
export function phi(counts: PairCounts, confidence = 0.95): Coefficient | null {
  const { both, first, second, neither } = counts;
  const totals = [both + first, second + neither, both + second, first + neither];
  if (totals.includes(0)) return null;
  const root = totals.reduce((product, t) => product * Math.sqrt(t), 1);
  const same = first + second === 0 ? 1 : both + neither === 0 ? -1 : undefined;
  const estimate = same ?? clamp((both * neither - first * second) / root);
  const n = both + first + second + neither;
  if (n < 4) return { estimate, low: -1, high: 1 };
  const half = normalQuantile((1 + confidence) / 2) / Math.sqrt(n - 3);
  // At ±1 the transformation has no value; the other end is found as if half a thing had gone the other way.
  const at = Math.atanh(Math.abs(estimate) === 1 ? estimate * (1 - 1 / n) : estimate);
  return {
    estimate,
    low: estimate === -1 ? -1 : Math.tanh(at - half),
    high: estimate === 1 ? 1 : Math.tanh(at + half),
  };
}

/**
 * Cohen's kappa (1960, Educ. Psychol. Meas. 20, 37): agreement beyond what their rates of yes give by chance. Interval from the
 * large-sample standard error of Fleiss, Cohen and Everitt (1969, Psychol. Bull. 72, 323).
 */
export function kappa(counts: PairCounts, confidence = 0.95): Coefficient | null {
  const n = counts.both + counts.first + counts.second + counts.neither;
  if (n === 0) return null;
  const p = [
    [counts.both / n, counts.first / n],
    [counts.second / n, counts.neither / n],
  ] as const;
  const row = p.map(([a, b]) => a + b);
  const column = [p[0][0] + p[1][0], p[0][1] + p[1][1]];
  const observed = p[0][0] + p[1][1];
  const expected = row[0]! * column[0]! + row[1]! * column[1]!;
  if (expected >= 1) return null;
  const estimate = (observed - expected) / (1 - expected);
  const agree = [0, 1].reduce(
    (sum, i) => sum + p[i]![i as 0 | 1] * (1 - (row[i]! + column[i]!) * (1 - estimate)) ** 2,
    0,
  );
  const differ =
    (1 - estimate) ** 2 * (p[0][1] * (column[0]! + row[1]!) ** 2 + p[1][0] * (column[1]! + row[0]!) ** 2);
  const variance = agree + differ - (estimate - expected * (1 - estimate)) ** 2;
  const error = Math.sqrt(Math.max(0, variance) / n) / (1 - expected);
  const half = normalQuantile((1 + confidence) / 2) * error;
  return { estimate: clamp(estimate), low: clamp(estimate - half), high: clamp(estimate + half) };
}

function clamp(x: number): number {
  return Math.min(1, Math.max(-1, x));
}
