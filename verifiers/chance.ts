import type { Expected } from "./answer/answer.js";

/** What blind guessing gets right: a gate's result means something only beside it. */

/**
 * Probability that one uniform guess among the possible answers is right: 1/2 for yes or no, 1/n for n choices. Zero where the
 * answers are not a short list.
 */
export function blindGuess(expected: Expected): number {
  if (expected.type === "boolean") return 1 / 2;
  if (expected.type !== "choice") return 0;
  const options = Object.keys(expected.options).length;
  return options === 0 ? 0 : 1 / options;
}

/** Middle value of some numbers (mean of the two middle ones, without overflow); undefined without any. */
export function median(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[half]!;
  const [low, high] = [sorted[half - 1]!, sorted[half]!];
  return Number.isFinite(low + high) ? (low + high) / 2 : low / 2 + high / 2;
}
