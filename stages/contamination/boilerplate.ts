import { runs, wordsOf } from "./words.js";

/**
 * Phrases of science questions everywhere: how to give the answer, and constants as textbooks state them. Our own wording; what
 * is in them is no sign of a common origin.
 */
const COMMON_PHRASES: readonly string[] = [
  ...["one", "two", "three", "four", "five", "six", "1", "2", "3", "4", "5", "6"].flatMap((n) =>
    ["significant figures", "significant digits", "decimal places"].flatMap((what) => [
      `Give your answer in the unit asked for, rounded to ${n} ${what}`,
      `Give your answer to ${n} ${what}`,
      `Give the answer to ${n} ${what}`,
      `Round your answer to ${n} ${what}`,
      `Express your answer in SI units and round it to ${n} ${what}`,
    ]),
  ),
  "Round your answer to the nearest whole number",
  "Show all your work and explain your reasoning step by step",
  "Let's think step by step and put the final answer in a box",
  "Use the gravitational constant G = 6.674 × 10^-11 N m^2 kg^-2",
  "Use the gravitational constant G = 6.67430 × 10^-11 m^3 kg^-1 s^-2",
  "Take the acceleration due to gravity to be g = 9.81 m/s^2 and neglect air resistance",
  "The speed of light in vacuum is c = 3.00 × 10^8 m/s and the Planck constant is h = 6.626 × 10^-34 J s",
  "The gas constant is R = 8.314 J mol^-1 K^-1",
  "Which of the following statements is correct",
  "Use data as known in",
  "Use the values as known in",
  "which one has the largest",
  "which one has the smallest",
  "take the one with the",
  "for the one with the",
];

/** The words around a masked run that are masked with it: any run that lies wholly within a phrase counts. */
const SHORTEST = 3;

/** Runs of words that never count as overlap, whatever the pool: in the bundled phrases and those that the config declares. */
export class Phrases {
  private readonly known = new Set<number>();

  constructor(declared: readonly string[]) {
    for (const phrase of [...COMMON_PHRASES, ...declared]) {
      for (const run of runs(wordsOf(phrase).hashes, SHORTEST)) this.known.add(run);
    }
  }

  /** For each word, whether it stands within a phrase. */
  masked(hashes: Uint32Array): Uint8Array {
    const out = new Uint8Array(hashes.length);
    const all = runs(hashes, SHORTEST);
    for (let i = 0; i < all.length; i++) if (this.known.has(all[i]!)) out.fill(1, i, i + SHORTEST);
    return out;
  }
}

/** How many of a run's words may be boilerplate before the run counts for nothing: a run with a few words of its own is still its own. */
export function isBoilerplate(masked: Uint8Array, from: number, n: number): boolean {
  let count = 0;
  for (let i = from; i < from + n; i++) count += masked[i]!;
  return count * 2 > n;
}
