import { compareText } from "../base/canonical.js";

/** How often a value occurs. */
export interface Share {
  readonly value: string;
  readonly rows: number;
}

/** Counts as they come: memory grows with the distinct values, never with the rows. */
export class Counter {
  readonly #counts = new Map<string, number>();

  add(value: string, rows = 1): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + rows);
  }

  get(value: string): number {
    return this.#counts.get(value) ?? 0;
  }

  /** The most frequent first, equals in code-unit order. */
  shares(): Share[] {
    return [...this.#counts]
      .map(([value, rows]) => ({ value, rows }))
      .sort((a, b) => b.rows - a.rows || compareText(a.value, b.value));
  }

  /** Values that are numbers, in their order, gaps left out. */
  whole(): Share[] {
    return this.shares().sort((a, b) => Number(a.value) - Number(b.value));
  }
}

/** Counts values, the most frequent first, equals in code-unit order. */
export function shares(values: Iterable<string>): Share[] {
  return counted(values).shares();
}

/** Counts whole numbers, in their order, gaps left out. */
export function whole(values: Iterable<number>): Share[] {
  return counted(Array.from(values, String)).whole();
}

function counted(values: Iterable<string>): Counter {
  const counter = new Counter();
  for (const value of values) counter.add(value);
  return counter;
}

/** How varied a property is, and its most frequent values. */
export interface Variety {
  /** Rows that have the property. */
  readonly rows: number;
  readonly distinct: number;
  /** Values that occur once. */
  readonly once: number;
  /** As varied as so many equally frequent values: (Σn)² / Σn², the inverse of Simpson's index (Hill 1973, order 2). */
  readonly effective: number;
  readonly top: readonly Share[];
}

/** @param most how many values `top` holds */
export function variety(counter: Counter, most: number): Variety {
  const all = counter.shares();
  const rows = all.reduce((sum, s) => sum + s.rows, 0);
  // Whole numbers below 2^53: the same sum in any order.
  const squares = all.reduce((sum, s) => sum + s.rows * s.rows, 0);
  return {
    rows,
    distinct: all.length,
    once: all.filter((s) => s.rows === 1).length,
    effective: squares === 0 ? 0 : Number(((rows * rows) / squares).toPrecision(4)),
    top: all.slice(0, most),
  };
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
export class Decades {
  readonly #counts = new Map<number, number>();

  add(value: number): void {
    if (value === 0 || !Number.isFinite(value)) return;
    const exponent = exponentOf(value);
    this.#counts.set(exponent, (this.#counts.get(exponent) ?? 0) + 1);
  }

  list(): Decade[] {
    if (this.#counts.size === 0) return [];
    const all = [...this.#counts.keys()];
    const lowest = Math.min(...all);
    return Array.from({ length: Math.max(...all) - lowest + 1 }, (_, i) => ({
      exponent: lowest + i,
      rows: this.#counts.get(lowest + i) ?? 0,
    }));
  }
}

function exponentOf(value: number): number {
  return Number(value.toExponential().split("e")[1]);
}

/** The first significant digit of a number that is not 0. */
export function leadingDigit(value: number): number {
  return Number(Math.abs(value).toExponential()[0]);
}

/** A class of values: from `low` on, below `high`; null has no end. */
export interface Class {
  readonly low: number | null;
  readonly high: number | null;
  readonly rows: number;
}

/** Counts numbers between fixed limits, which ascend; values below the first and from the last on are classes too. */
export class Classes {
  readonly #counts: number[];

  constructor(private readonly limits: readonly number[]) {
    this.#counts = Array.from({ length: limits.length + 1 }, () => 0);
  }

  add(value: number): void {
    const at = this.limits.findIndex((limit) => value < limit);
    this.#counts[at < 0 ? this.limits.length : at]!++;
  }

  /** Classes in order; empty ones at either end are left out. */
  list(): Class[] {
    const first = this.#counts.findIndex((n) => n > 0);
    const last = this.#counts.findLastIndex((n) => n > 0);
    return this.#counts
      .map((rows, i) => ({ low: this.limits[i - 1] ?? null, high: this.limits[i] ?? null, rows }))
      .filter((_, i) => first >= 0 && i >= first && i <= last);
  }
}
