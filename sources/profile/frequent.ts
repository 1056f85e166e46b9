/** How often a text stands in a column. */
export interface Frequent {
  readonly text: string;
  readonly count: number;
}

const MAX_TEXT = 200;
const GIVEN_UP = 4;

/**
 * The most frequent texts of a column in bounded memory: exact up to `max` distinct ones. Beyond that those seen once are
 * forgotten whenever there are too many, so that what is frequent stays and counts may be somewhat low. Where hardly anything
 * repeats, nobody counts to the end.
 */
export class FrequentTexts {
  private readonly counts = new Map<string, number>();
  /** Whether every distinct text was kept. */
  exact = true;
  /** How often nearly all was forgotten; a column of measurements is given up after a few times. */
  private emptied = 0;

  constructor(private readonly max = 4096) {}

  add(text: string): void {
    if (this.emptied >= GIVEN_UP) return;
    const key = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
    const count = this.counts.get(key);
    if (count === undefined && this.counts.size >= this.max) this.forget();
    this.counts.set(key, (count ?? 0) + 1);
  }

  /** Most frequent first, ties by code units. */
  top(n = Number.POSITIVE_INFINITY): Frequent[] {
    const all = [...this.counts].map(([text, count]) => ({ text, count }));
    return all.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1)).slice(0, n);
  }

  get(text: string): number {
    return this.counts.get(text) ?? 0;
  }

  private forget(): void {
    this.exact = false;
    for (const [text, count] of this.counts) {
      if (count === 1) this.counts.delete(text);
      else this.counts.set(text, count - 1);
    }
    if (this.counts.size < this.max / 10) this.emptied++;
  }
}
