/**
 * Margins: when are two measured values safely apart? Pure arithmetic on one column's numbers.
 *
 * Two values are apart when |Δ| ≥ 5·√(u₁² + u₂²) + drift, each u at least half the written rounding step. Five standard
 * uncertainties is the discovery convention of physics; `drift` is how far catalogues differ about the same value.
 */

/** How many standard uncertainties two values must be apart. */
export const MARGIN_SIGMAS = 5;

/** How far published values of a column differ: relative to the value, absolute in the column's unit, or both. */
export interface Drift {
  readonly relative?: number | undefined;
  readonly absolute?: number | undefined;
}

/** The drift of a value, in the value's unit. */
export function driftOf(value: number, drift: Drift | undefined): number {
  if (drift === undefined) return 0;
  return Math.max((drift.relative ?? 0) * Math.abs(value), drift.absolute ?? 0);
}

/**
 * The gap that a pair of values needs, in their unit.
 * @param u1 standard uncertainty of `a`, @param u2 of `b`; NaN (undeclared) gives NaN, which no gap satisfies.
 * @param correlated whether their errors may have a part in common: then they may add up
 */
export function requiredGap(
  a: number,
  u1: number,
  b: number,
  u2: number,
  drift?: Drift,
  correlated = false,
): number {
  const u = correlated ? u1 + u2 : Math.sqrt(u1 * u1 + u2 * u2);
  return MARGIN_SIGMAS * u + Math.max(driftOf(a, drift), driftOf(b, drift));
}

/** Whether a value is too close to a threshold to say on which side the truth is. */
export function nearThreshold(value: number, u: number, threshold: number, drift?: Drift): boolean {
  return !(Math.abs(value - threshold) >= MARGIN_SIGMAS * u + driftOf(value, drift));
}
