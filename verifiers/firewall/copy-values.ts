import type { Mention, PageNumber } from "./copy-mentions.js";

interface Values {
  readonly columns: number;
  readonly logs: Float64Array;
}

/** Steps of the ratio between page and table on a decade: 0.6 % each. */
const STEPS = 400;
/** Share of the mentions, and number of them, that must agree on a factor. */
const AGREE = { share: 0.15, least: 6 };

/**
 * For each column the factor (as log10 modulo 1) between the figures on the page and those of the table on which most mentions
 * agree: 0 where units are the same up to powers of ten; undefined for a column that the page does not show.
 */
export function factorsOf(mentions: readonly Mention[], values: Values): (number | undefined)[] {
  const votes = new Int32Array(values.columns * STEPS);
  for (const { row, numbers } of mentions) {
    for (let column = 0; column < values.columns; column++) {
      const log = values.logs[row * values.columns + column]!;
      if (Number.isNaN(log)) continue;
      for (const number of numbers)
        votes[column * STEPS + (Math.round(fraction(number.log - log) * STEPS) % STEPS)]!++;
    }
  }
  const least = Math.max(AGREE.least, AGREE.share * new Set(mentions.map((m) => m.row)).size);
  return Array.from({ length: values.columns }, (_, column) => {
    const step = peak(votes, column, least);
    return step === undefined || step === 0 ? step : middle(mentions, values, column, step / STEPS);
  });
}

/** The median of the ratios near a peak: its step alone is too coarse. */
function middle(mentions: readonly Mention[], values: Values, column: number, near: number): number {
  const offsets: number[] = [];
  for (const { row, numbers } of mentions) {
    const log = values.logs[row * values.columns + column]!;
    for (const number of Number.isNaN(log) ? [] : numbers) {
      const offset = fraction(number.log - log - near + 0.5) - 0.5;
      if (Math.abs(offset) <= 1.5 / STEPS) offsets.push(offset);
    }
  }
  offsets.sort((a, b) => a - b);
  return near + (offsets[offsets.length >> 1] ?? 0);
}

/** The step on which most ratios of a column lie, if enough do. */
function peak(votes: Int32Array, column: number, least: number): number | undefined {
  const at = (step: number): number => votes[column * STEPS + ((step + STEPS) % STEPS)]!;
  let best = 0;
  let most = at(-1) + at(0) + at(1);
  for (let step = 1; step < STEPS; step++) {
    const here = at(step - 1) + at(step) + at(step + 1);
    // The same unit is likelier than any other: it takes more to prefer one.
    if (here > most * (best === 0 ? 1.5 : 1)) [best, most] = [step, here];
  }
  return most < least ? undefined : best;
}

/** How many columns of a row have their value among numbers, each as exactly as the page prints it (within 0.1 % where units differ). */
export function matched(
  numbers: readonly PageNumber[],
  values: Values,
  row: number,
  factors: readonly (number | undefined)[],
): number {
  let columns = 0;
  const used = new Set<PageNumber>();
  for (let column = 0; column < values.columns; column++) {
    const factor = factors[column];
    const log = values.logs[row * values.columns + column]!;
    if (factor === undefined || Number.isNaN(log)) continue;
    const slack = factor === 0 ? 1e-6 : 0.0004;
    const hit = numbers.find(
      (number) => !used.has(number) && distance(number.log, log + factor) <= number.slack + slack,
    );
    if (hit === undefined) continue;
    used.add(hit);
    columns++;
  }
  return columns;
}

function distance(a: number, b: number): number {
  const d = fraction(a - b);
  return Math.min(d, 1 - d);
}

function fraction(x: number): number {
  return x - Math.floor(x);
}
