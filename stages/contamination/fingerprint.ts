import { isBoilerplate, type Phrases } from "./boilerplate.js";
import { type Specifics, specificsOf } from "./specifics.js";
import { runs, spelled, type Words, wordsOf } from "./words.js";

/** A shared run of this many words is a copy (the length that Brown et al. 2020 screened with). */
export const LONG = 13;
/** Short runs, for texts as a whole. */
export const SHORT = 3;

/** A text with all that is compared, worked out as it is asked for: of most texts of a benchmark little is. */
export class Fingerprint {
  readonly words: Words;
  private longRuns: Float64Array | undefined;
  private shortRuns: ReadonlySet<number> | undefined;
  private own: Specifics | undefined;
  private masks: Uint8Array | undefined;
  private spelling: readonly string[] | undefined;

  constructor(
    text: string,
    private readonly phrases: Phrases,
  ) {
    this.words = wordsOf(text);
  }

  /** Too short for runs of 13 words, and long enough to be told from others at all. */
  get brief(): boolean {
    return this.words.count < LONG && this.words.count > SHORT;
  }

  /** One hash of all the words; undefined if there are none. */
  get whole(): number | undefined {
    return this.words.count === 0 ? undefined : runs(this.words.hashes, this.words.count)[0];
  }

  /** Runs of 13 words at each place, boilerplate or not. */
  get long(): Float64Array {
    this.longRuns ??= runs(this.words.hashes, LONG);
    return this.longRuns;
  }

  /** Runs of 3 words outside boilerplate. */
  get short(): ReadonlySet<number> {
    if (this.shortRuns === undefined) {
      const all = runs(this.words.hashes, SHORT);
      this.shortRuns = new Set(all.filter((_, i) => !isBoilerplate(this.masked, i, SHORT)));
    }
    return this.shortRuns;
  }

  get specifics(): Specifics {
    this.own ??= specificsOf(this.words, this.spelled, this.masked);
    return this.own;
  }

  get spelled(): readonly string[] {
    this.spelling ??= spelled(this.words);
    return this.spelling;
  }

  /** Whether the run of 13 words at a place is mostly boilerplate. */
  isMasked(at: number): boolean {
    return isBoilerplate(this.masked, at, LONG);
  }

  private get masked(): Uint8Array {
    this.masks ??= this.phrases.masked(this.words.hashes);
    return this.masks;
  }
}
