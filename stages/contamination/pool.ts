import { isBoilerplate, type Phrases } from "./boilerplate.js";
import { Buckets, buckets } from "./minhash.js";
import { type Specifics, specificsOf } from "./specifics.js";
import { runs, type Words, wordsOf } from "./words.js";

/** A shared run of this many words is a copy (the length that Brown et al. 2020 screened with). */
export const LONG = 13;
/** Short runs, for texts as a whole. */
export const SHORT = 3;

/** A text with all that is compared. */
export interface Fingerprint {
  readonly words: Words;
  readonly whole: string;
  /** Runs of 13 words at each place; NaN where they are mostly boilerplate. */
  readonly long: Float64Array;
  /** Runs of 3 words outside boilerplate. */
  readonly short: ReadonlySet<number>;
  readonly specifics: Specifics;
}

export function fingerprint(text: string, phrases: Phrases): Fingerprint {
  const words = wordsOf(text);
  const masked = phrases.masked(words.hashes);
  const long = runs(words.hashes, LONG);
  for (let i = 0; i < long.length; i++) if (isBoilerplate(masked, i, LONG)) long[i] = Number.NaN;
  const short = new Set<number>();
  runs(words.hashes, SHORT).forEach((run, i) => {
    if (!isBoilerplate(masked, i, SHORT)) short.add(run);
  });
  return { words, whole: words.words.join(" "), long, short, specifics: specificsOf(words) };
}

/** How many rows of one bucket a text is compared with exactly: more share one only if they are all alike. */
const MOST_CANDIDATES = 64;

/**
 * The pool, indexed so that texts of a benchmark can be streamed past it: time for a text grows with its own length and its
 * true matches, not with the pool.
 */
export class Pool {
  readonly rows: readonly Fingerprint[];
  /** Runs of 13 words: the rows that have them outside their boilerplate. */
  private readonly long = new Map<number, number[]>();
  private readonly short = new Set<number>();
  private readonly whole = new Map<string, number[]>();
  private readonly buckets = new Buckets();
  /** Rows of fewer than 13 words under their rarest short runs: one of them must be there if enough of all are. */
  private readonly brief = new Map<number, number[]>();

  /**
   * @param seenBefore a run that so many earlier rows hold is boilerplate of the pool from then on
   * @param contained share of a brief row's runs that make it a copy
   */
  constructor(
    questions: readonly string[],
    phrases: Phrases,
    private readonly seenBefore: number,
    contained: number,
  ) {
    this.rows = questions.map((q) => fingerprint(q, phrases));
    this.indexLong();
    this.rows.forEach((row, i) => {
      append(this.whole, row.whole, i);
      for (const run of row.short) this.short.add(run);
      this.buckets.add(buckets(row.short), i);
    });
    this.indexBrief(contained);
  }

  private indexLong(): void {
    const before = new Map<number, number>();
    this.rows.forEach((row, i) => {
      for (const run of new Set(row.long)) {
        if (Number.isNaN(run)) continue;
        const times = before.get(run) ?? 0;
        if (times < this.seenBefore) append(this.long, run, i);
        before.set(run, times + 1);
      }
    });
  }

  private indexBrief(contained: number): void {
    const brief = this.rows.flatMap((row, i) => (isBrief(row) ? [i] : []));
    const often = new Map<number, number>();
    for (const i of brief) for (const run of this.rows[i]!.short) often.set(run, (often.get(run) ?? 0) + 1);
    for (const i of brief) {
      const byRarity = [...this.rows[i]!.short].sort((a, b) => often.get(a)! - often.get(b)! || a - b);
      const mayLack = Math.floor((1 - contained) * byRarity.length + 1e-9);
      for (const run of byRarity.slice(0, mayLack + 1)) append(this.brief, run, i);
    }
  }

  /** Rows with the same words in the same order. */
  sameAs(text: Fingerprint): readonly number[] {
    return text.whole === "" ? [] : (this.whole.get(text.whole) ?? []);
  }

  /** Rows that hold a run of 13 words, unless it is boilerplate for them. */
  withRun(run: number): readonly number[] {
    return this.long.get(run) ?? [];
  }

  /** Rows whose Jaccard index with a text may be as large as `least`: hardly any text has one. */
  alike(text: Fingerprint, least: number): readonly number[] {
    let known = 0;
    for (const run of text.short) if (this.short.has(run)) known++;
    // Two sets share at least that part of each.
    if (known === 0 || known < least * text.short.size) return [];
    return this.buckets.find(buckets(text.short), MOST_CANDIDATES);
  }

  /** Brief rows that may stand in a text. */
  briefIn(text: Fingerprint): readonly number[] {
    const found = new Set<number>();
    if (this.brief.size === 0) return [];
    for (const run of text.short) for (const i of this.brief.get(run) ?? []) found.add(i);
    return [...found].sort((a, b) => a - b);
  }
}

/** Too short for runs of 13 words, and long enough to be told from others at all. */
export function isBrief({ words }: Fingerprint): boolean {
  return words.words.length < LONG && words.words.length >= SHORT + 1;
}

function append<K>(map: Map<K, number[]>, key: K, row: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [row]);
  else list.push(row);
}
