import type { ReportRow } from "./reading.js";
import { type Class, Classes, Counter, type Share } from "./tally.js";

/** How hard the accepted tasks are, by each figure that they carry. */
export interface Difficulty {
  /** One for each number of `row.difficulty`, in code-unit order. */
  readonly measures: readonly Measure[];
  /** Rows by number of conditions and rank. */
  readonly conditions_rank: readonly {
    readonly conditions: number;
    readonly rank: number;
    readonly rows: number;
  }[];
}

/** Small whole numbers are counted one by one, others by classes of 1, 2, 5, 10, 20, ... */
export interface Measure {
  readonly measure: string;
  readonly smallest: number;
  readonly largest: number;
  readonly mean: number;
  readonly values: readonly Share[] | null;
  readonly classes: readonly Class[] | null;
}

/** The largest whole number that has a line of its own. */
const SMALL = 12;
const STEPS = [2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6];

class MeasureTally {
  readonly #values = new Counter();
  readonly #classes = new Classes(STEPS);
  #smallest = Number.POSITIVE_INFINITY;
  #largest = Number.NEGATIVE_INFINITY;
  #rows = 0;
  #sum = 0;
  #whole = true;

  add(value: number): void {
    this.#smallest = Math.min(this.#smallest, value);
    this.#largest = Math.max(this.#largest, value);
    this.#rows++;
    this.#sum += value;
    this.#whole &&= Number.isInteger(value);
    this.#classes.add(value);
    if (this.#whole && value <= SMALL) this.#values.add(String(value));
  }

  result(measure: string): Measure {
    const few = this.#whole && this.#largest <= SMALL;
    return {
      measure,
      smallest: this.#smallest,
      largest: this.#largest,
      mean: Number((this.#sum / this.#rows).toPrecision(4)),
      values: few ? this.#values.whole() : null,
      classes: few ? null : this.#classes.list(),
    };
  }
}

/** Counts figures of difficulty, row by row; figures that later versions add are counted like those that are known here. */
export class DifficultyTally {
  readonly #measures = new Map<string, MeasureTally>();
  readonly #cross = new Counter();

  add({ difficulty }: ReportRow): void {
    for (const [name, value] of Object.entries<unknown>({ ...difficulty })) {
      if (typeof value !== "number" || !Number.isFinite(value)) continue;
      const tally = this.#measures.get(name) ?? new MeasureTally();
      this.#measures.set(name, tally);
      tally.add(value);
    }
    this.#cross.add(`${difficulty.conditions}/${difficulty.rank}`);
  }

  result(): Difficulty {
    return {
      measures: [...this.#measures.keys()].sort().map((name) => this.#measures.get(name)!.result(name)),
      conditions_rank: this.#cross
        .shares()
        .map(({ value, rows }) => {
          const [conditions, rank] = value.split("/").map(Number);
          return { conditions: conditions!, rank: rank!, rows };
        })
        .sort((a, b) => a.conditions - b.conditions || a.rank - b.rank),
    };
  }
}
