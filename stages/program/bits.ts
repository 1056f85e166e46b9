/** A set of row numbers of one table, 32 to a word. */
export class Bits {
  readonly words: Uint32Array;

  constructor(
    readonly size: number,
    words?: Uint32Array,
  ) {
    this.words = words ?? new Uint32Array((size + 31) >>> 5);
  }

  static full(size: number): Bits {
    const bits = new Bits(size);
    bits.words.fill(0xffffffff);
    const spare = size & 31;
    if (spare > 0) bits.words[bits.words.length - 1] = (1 << spare) - 1;
    return bits;
  }

  set(row: number): void {
    this.words[row >>> 5]! |= 1 << (row & 31);
  }

  has(row: number): boolean {
    return (this.words[row >>> 5]! & (1 << (row & 31))) !== 0;
  }

  copy(): Bits {
    return new Bits(this.size, this.words.slice());
  }

  /** Keeps the rows that are also in `other`. */
  and(other: Bits): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i]! &= other.words[i]!;
    return this;
  }

  /** Adds the rows of `other`. */
  or(other: Bits): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i]! |= other.words[i]!;
    return this;
  }

  /** Drops the rows of `other`. */
  minus(other: Bits): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i]! &= ~other.words[i]!;
    return this;
  }

  count(): number {
    let total = 0;
    for (let word of this.words) {
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      total += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    }
    return total;
  }

  /** The first row, of those for which `test` holds if it is given; undefined without any. */
  first(test?: (row: number) => boolean): number | undefined {
    const { words } = this;
    for (let i = 0; i < words.length; i++) {
      let word = words[i]!;
      while (word !== 0) {
        const low = word & -word;
        const row = (i << 5) + (31 - Math.clz32(low));
        if (test === undefined || test(row)) return row;
        word ^= low;
      }
    }
    return undefined;
  }

  /** Calls `visit` for each row in ascending order. */
  each(visit: (row: number) => void): void {
    const { words } = this;
    for (let i = 0; i < words.length; i++) {
      let word = words[i]!;
      while (word !== 0) {
        const low = word & -word;
        visit((i << 5) + (31 - Math.clz32(low)));
        word ^= low;
      }
    }
  }
}
