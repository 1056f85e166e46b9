import { choicesOf, multipleOf, type ReportRow } from "./reading.js";
import { type Class, Classes, Counter, type Decade, Decades, leadingDigit, type Share } from "./tally.js";

/** What is answered, and how surely: sizes, margins, tolerances. */
export interface Answers {
  /** Orders of magnitude of all answers, each in its unit. */
  readonly sizes: readonly Decade[];
  /** By unit, the most frequent first. */
  readonly units: readonly UnitAnswers[];
  /** Answers by their first significant digit, 1 to 9; zeros have none. */
  readonly leading: readonly Share[];
  /** Answers of one unit that are written alike, by how many tasks share them. */
  readonly same: readonly Class[];
  /** Gap to the closest rival in multiples of the gap that is needed. */
  readonly multiples: readonly Class[];
  /** Tasks without such a multiple: values that are exact, an entity without a rival, or nobody selected. */
  readonly exact: number;
  /** The same gap relative to the selected value. */
  readonly margins: readonly Decade[];
  /** Relative tolerance within which an answer counts as right. */
  readonly tolerances: readonly Class[];
  /** Figures of all candidates by how much they move, relatively, without the one that moves them most. */
  readonly influence: readonly Class[];
}

export interface UnitAnswers {
  readonly unit: string;
  readonly rows: number;
  readonly smallest: number;
  readonly largest: number;
  readonly sizes: readonly Decade[];
}

const MULTIPLES = [1, 1.5, 2, 5, 10, 100, 1000];
const TOLERANCES = [1e-9, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05];
const INFLUENCE = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const SAME = [2, 3, 6, 11, 21];
const UNITS = 40;

interface OfUnit {
  smallest: number;
  largest: number;
  readonly sizes: Decades;
}

/** Counts answers and margins of accepted tasks, row by row. */
export class AnswerTally {
  readonly #sizes = new Decades();
  readonly #units = new Counter();
  readonly #ofUnit = new Map<string, OfUnit>();
  readonly #leading = new Counter();
  readonly #texts = new Counter();
  readonly #multiples = new Classes(MULTIPLES);
  #exact = 0;
  readonly #margins = new Decades();
  readonly #tolerances = new Classes(TOLERANCES);
  readonly #influence = new Classes(INFLUENCE);

  add(row: ReportRow): void {
    const { value, unit, text, tolerance } = row.answer;
    this.#sizes.add(value);
    this.#units.add(unit);
    this.#unit(unit, value);
    if (value !== 0) this.#leading.add(String(leadingDigit(value)));
    this.#texts.add(`${text} ${unit}`);
    this.#tolerances.add(tolerance);
    const multiple = multipleOf(row);
    if (multiple === null) this.#exact++;
    else this.#multiples.add(multiple);
    for (const { margin } of choicesOf(row))
      if (margin !== undefined && margin !== null) this.#margins.add(margin.relative);
    for (const { relative } of Object.values(row.aggregate?.leave_one_out ?? {}))
      this.#influence.add(Math.abs(relative));
  }

  #unit(unit: string, value: number): void {
    const known = this.#ofUnit.get(unit) ?? { smallest: value, largest: value, sizes: new Decades() };
    this.#ofUnit.set(unit, known);
    known.smallest = Math.min(known.smallest, value);
    known.largest = Math.max(known.largest, value);
    known.sizes.add(value);
  }

  result(): Answers {
    const same = new Classes(SAME);
    for (const { rows } of this.#texts.shares()) same.add(rows);
    return {
      sizes: this.#sizes.list(),
      units: this.#units
        .shares()
        .slice(0, UNITS)
        .map(({ value: unit, rows }) => {
          const { smallest, largest, sizes } = this.#ofUnit.get(unit)!;
          return { unit, rows, smallest, largest, sizes: sizes.list() };
        }),
      leading: this.#leading.whole(),
      same: same.list(),
      multiples: this.#multiples.list(),
      exact: this.#exact,
      margins: this.#margins.list(),
      tolerances: this.#tolerances.list(),
      influence: this.#influence.list(),
    };
  }
}
