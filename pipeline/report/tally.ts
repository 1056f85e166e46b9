import { compareText } from "../base/canonical.js";

/** How often a value occurs. */
export interface Share {
  readonly value: string;
  readonly rows: number;
}

/** Counts values, the most frequent first, equals in code-unit order. */
export function shares(values: Iterable<string>): Share[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, rows]) => ({ value, rows }))
    .sort((a, b) => b.rows - a.rows || compareText(a.value, b.value));
}

/** Counts whole numbers, in their order, gaps left out. */
export function whole(values: Iterable<number>): Share[] {
  return [...shares(Array.from(values, String))].sort((a, b) => Number(a.value) - Number(b.value));
}

/** One power of ten: 10^exponent ≤ |value| < 10^(exponent + 1). */
export interface Decade {
  readonly exponent: number;
  readonly rows: number;
}

/**
 * Counts by power of ten, from the smallest to the largest without gaps; zeros are left out. The power is read off the
 * decimal form, as logarithms may differ between machines.
 */
export function decades(values: Iterable<number>): Decade[] {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (value === 0 || !Number.isFinite(value)) continue;
    const exponent = Number(value.toExponential().split("e")[1]);
    counts.set(exponent, (counts.get(exponent) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const all = [...counts.keys()];
  const lowest = Math.min(...all);
  return Array.from({ length: Math.max(...all) - lowest + 1 }, (_, i) => ({
    exponent: lowest + i,
    rows: counts.get(lowest + i) ?? 0,
  }));
}
