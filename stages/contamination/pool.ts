import type { Phrases } from "./boilerplate.js";
import { Fingerprint } from "./fingerprint.js";
import { Buckets, buckets } from "./minhash.js";

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
  private readonly whole = new Map<number, number[]>();
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
    this.rows = questions.map((q) => new Fingerprint(q, phrases));
    this.indexLong();
    this.rows.forEach((row, i) => {
      if (row.whole !== undefined) append(this.whole, row.whole, i);
      for (const run of row.short) this.short.add(run);
      this.buckets.add(buckets(row.short), i);
    });
    this.indexBrief(contained);
  }

  private indexLong(): void {
    const before = new Map<number, number>();
    this.rows.forEach((row, i) => {
      for (const run of new Set(row.long.filter((_, at) => !row.isMasked(at)))) {
        const times = before.get(run) ?? 0;
        if (times < this.seenBefore) append(this.long, run, i);
        before.set(run, times + 1);
      }
    });
  }

  private indexBrief(contained: number): void {
    const brief = this.rows.flatMap((row, i) => (row.brief ? [i] : []));
    const often = new Map<number, number>();
    for (const i of brief) for (const run of this.rows[i]!.short) often.set(run, (often.get(run) ?? 0) + 1);
    for (const i of brief) {
      const byRarity = [...this.rows[i]!.short].sort((a, b) => often.get(a)! - often.get(b)! || a - b);
      const mayLack = Math.floor((1 - contained) * byRarity.length + 1e-9);
      for (const run of byRarity.slice(0, mayLack + 1)) append(this.brief, run, i);
    }
  }

  /** Whether a text may match anything here; hardly one of a benchmark may. */
  mayMatch(text: Fingerprint, least: number): boolean {
    if (text.long.some((run) => this.long.has(run)) || this.sameAs(text).length > 0) return true;
    return this.alike(text, least).length > 0 || this.briefIn(text).length > 0;
  }

  /** Rows with the same words in the same order. */
  sameAs(text: Fingerprint): readonly number[] {
    return text.whole === undefined ? [] : (this.whole.get(text.whole) ?? []);
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

function append<K>(map: Map<K, number[]>, key: K, row: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [row]);
  else list.push(row);
}
