/** Grading tolerances: how far from the reference answer a right answer may be. All figures are relative. */

/** No task is kept whose answer must be graded more loosely than this. */
export const MAX_TOLERANCE = 0.05;
/** How many tolerances a wrong answer must be away. */
export const WRONG_ANSWER_DISTANCE = 3;
/** How many the answer of another reading must be away: then no answer is right under both. */
export const OTHER_READING_DISTANCE = 2;
/** Coverage factor for propagated uncertainty (k = 2, about 95 %; JCGM 100:2008, 6.2). */
export const COVERAGE = 2;

/** Half a unit in the last of `digits` significant digits of `value`, relative to the value. */
export function halfDigit(value: number, digits: number): number {
  if (value === 0) return 0;
  const exponent = Number(value.toExponential().split("e")[1]);
  return (0.5 * 10 ** (exponent - digits + 1)) / Math.abs(value);
}

/** Significant figures of a tolerance that is stored. */
const FIGURES = 3;

/**
 * The relative grading tolerance of an answer, rounded up to three figures: whoever starts from other published values and then rounds
 * as asked may be off by both.
 * @param uncertainty standard relative uncertainty propagated from the inputs
 * @param drift relative spread of the answer between catalogues and definitions
 */
export function gradingTolerance(value: number, digits: number, uncertainty: number, drift: number): number {
  return roundUp(halfDigit(value, digits) + COVERAGE * uncertainty + drift);
}

/** Rounded up to three significant figures. */
export function roundUp(figure: number): number {
  const rounded = Number(figure.toPrecision(FIGURES));
  if (!(rounded < figure)) return rounded;
  const exponent = Number(figure.toExponential().split("e")[1]);
  return Number((rounded + 10 ** (exponent - FIGURES + 1)).toPrecision(FIGURES));
}

/** Whether `other` could pass for `value`: within so many tolerances. With tolerance 0 only equality is too close. */
export function tooClose(
  value: number,
  other: number,
  tolerance: number,
  distance = WRONG_ANSWER_DISTANCE,
): boolean {
  return Math.abs(other - value) <= distance * tolerance * Math.abs(value);
}
