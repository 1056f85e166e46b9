import type { ReportRow } from "./reading.js";
import { type Class, Classes, Counter, type Share, type Variety, variety } from "./tally.js";

/** How varied the questions read. */
export interface Wording {
  /** Who wrote them: a grammar or a model, with its version. */
  readonly writers: readonly Share[];
  /** Choices of style, by the slot in which they were made; the slots that most questions have. */
  readonly slots: readonly { readonly slot: string; readonly choices: Variety }[];
  /** The first words of questions. */
  readonly openings: Variety;
  /** Questions by their number of words. */
  readonly lengths: readonly Class[];
}

const OPENING_WORDS = 3;
const OPENINGS = 30;
const CHOICES = 12;
const SLOTS = 12;
const LENGTHS = [20, 30, 40, 50, 60, 70, 80, 100, 120];

/** Counts ways of asking, row by row. */
export class WordingTally {
  readonly #writers = new Counter();
  readonly #slots = new Map<string, Counter>();
  readonly #openings = new Counter();
  readonly #lengths = new Classes(LENGTHS);

  add({ question, wording }: ReportRow): void {
    const words = question.split(/\s+/u).filter((word) => word !== "");
    this.#openings.add(`${words.slice(0, OPENING_WORDS).join(" ")} …`);
    this.#lengths.add(words.length);
    if (wording === undefined) return;
    this.#writers.add(wording.by);
    for (const [slot, choice] of Object.entries(wording.style)) {
      const counter = this.#slots.get(slot) ?? new Counter();
      this.#slots.set(slot, counter);
      counter.add(choice);
    }
  }

  result(): Wording {
    const slots = [...this.#slots.keys()].sort().map((slot) => ({
      slot,
      choices: variety(this.#slots.get(slot)!, CHOICES),
    }));
    return {
      writers: this.#writers.shares(),
      // A stable sort: slots of the same weight stay in code-unit order.
      slots: slots.sort((a, b) => b.choices.rows - a.choices.rows).slice(0, SLOTS),
      openings: variety(this.#openings, OPENINGS),
      lengths: this.#lengths.list(),
    };
  }
}
