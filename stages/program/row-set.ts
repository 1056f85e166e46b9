/** Rows of a bitmap, listed where they are few: then a list is read, else the presorted order is walked until one is met. */
export class RowSet {
  /** How many are listed; -1 when they are more than the list holds. */
  count = 0;
  readonly rows: Int32Array;

  /** @param capacity the most rows that are listed */
  constructor(capacity: number) {
    this.rows = new Int32Array(capacity);
  }

  get listed(): boolean {
    return this.count >= 0;
  }

  /** Writes the rows that two bitmaps share into a third, and lists them. */
  listShared(a: Uint32Array, b: Uint32Array, words: Uint32Array): void {
    const { rows } = this;
    let count = 0;
    let w = 0;
    for (; w < words.length; w++) {
      let word = a[w]! & b[w]!;
      words[w] = word;
      if (word === 0) continue;
      for (; word !== 0 && count < rows.length; word &= word - 1)
        rows[count++] = (w << 5) + (31 - Math.clz32(word & -word));
      if (word !== 0) break;
    }
    this.count = w < words.length ? -1 : count;
    for (; w < words.length; w++) words[w] = a[w]! & b[w]!;
  }

  /** Lists the rows of `words`, less those of `without` and those not of `within`. */
  list(words: Uint32Array, without?: Uint32Array, within?: Uint32Array): void {
    const { rows } = this;
    this.count = 0;
    for (let w = 0; w < words.length; w++) {
      let word = words[w]!;
      if (word === 0) continue;
      if (without !== undefined) word &= ~without[w]!;
      if (within !== undefined) word &= within[w]!;
      while (word !== 0) {
        if (this.count === rows.length) {
          this.count = -1;
          return;
        }
        const low = word & -word;
        rows[this.count++] = (w << 5) + (31 - Math.clz32(low));
        word ^= low;
      }
    }
  }
}

/** A set of rows as a bitmap, with its rows listed if they are few. */
export interface Listed {
  readonly words: Uint32Array;
  readonly few: RowSet;
}

/** The longest list that is quicker read than an order of so many rows is walked: √n, where both take as long. */
export function listCapacity(rows: number): number {
  return Math.max(64, Math.ceil(Math.sqrt(rows)));
}
