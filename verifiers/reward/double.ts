import type { Exact } from "../answer/exact.js";

/** Sizes that doubles hold, with room to spare. */
const LARGEST = 10n ** 400n;

/** The nearest double; NaN beyond what doubles hold. A fraction is cut off after 40 digits, then rounded. */
export function doubleOf({ n, d, e }: Exact): number {
  const size = n < 0n ? -n : n;
  if (size >= LARGEST || d >= LARGEST || Math.abs(e) > 1000) return Number.NaN;
  const value = d === 1n ? Number(`${size}e${e}`) : Number(`${(size * 10n ** 40n) / d}e${e - 40}`);
  if (value === Number.POSITIVE_INFINITY) return Number.NaN;
  return n < 0n ? -value : value;
}
