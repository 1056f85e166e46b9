import { mix } from "./words.js";

/**
 * MinHash (Broder 1997) with banding: two sets whose Jaccard index is s fall into one bucket of at least one band with probability
 * 1 - (1 - s^3)^32, which is 0.986 for s = 0.5 and 0.23 for s = 0.2. What meets in a bucket is compared exactly.
 */
const BANDS = 32;
const ROWS = 3;

/** A bucket of each band for a set of 53-bit hashes; none for the empty set. */
export function buckets(set: ReadonlySet<number>): number[] {
  if (set.size === 0) return [];
  const least = new Uint32Array(BANDS * ROWS).fill(0xffffffff);
  for (const hash of set) {
    const base = (hash % 2 ** 32) ^ (hash / 2 ** 32);
    for (let i = 0; i < least.length; i++) {
      const value = mix(base ^ Math.imul(i + 1, 0x9e3779b9));
      if (value < least[i]!) least[i] = value;
    }
  }
  return Array.from({ length: BANDS }, (_, band) => {
    let key = band + 1;
    for (let i = band * ROWS; i < (band + 1) * ROWS; i++) key = mix(Math.imul(key, 0x01000193) ^ least[i]!);
    return band * 2 ** 32 + key;
  });
}

/** Rows by bucket. */
export class Buckets {
  private readonly rows = new Map<number, number[]>();

  add(keys: readonly number[], row: number): void {
    for (const key of keys) {
      const list = this.rows.get(key);
      if (list === undefined) this.rows.set(key, [row]);
      else list.push(row);
    }
  }

  /** Rows that share a bucket, in the order of their numbers: the first `most` of each bucket, so that later rows displace none. */
  find(keys: readonly number[], most: number): number[] {
    const found = new Set<number>();
    for (const key of keys) {
      for (const row of this.rows.get(key)?.slice(0, most) ?? []) found.add(row);
    }
    return [...found].sort((a, b) => a - b);
  }
}

export function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size === 0 && b.size === 0) return 0;
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let both = 0;
  for (const hash of small) if (large.has(hash)) both++;
  return both / (a.size + b.size - both);
}
