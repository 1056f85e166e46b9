/** Kept of each column: up to so many values quantiles are exact. */
const SIZE = 8192;

/**
 * A uniform sample of a column's numbers (Vitter 1985, algorithm R), drawn by a generator of its own with a fixed start, so
 * that a file has one profile.
 */
export class Sample {
  private readonly kept: number[] = [];
  private seen = 0;
  private state = 0x9e3779b9;

  add(value: number): void {
    this.seen++;
    if (this.kept.length < SIZE) {
      this.kept.push(value);
      return;
    }
    const at = Math.floor((this.next() / 2 ** 32) * this.seen);
    if (at < SIZE) this.kept[at] = value;
  }

  /** Whether every value is in the sample. */
  get exact(): boolean {
    return this.seen <= SIZE;
  }

  /** Values at the given shares of the sorted sample. */
  quantiles(shares: readonly number[]): number[] {
    const sorted = Float64Array.from(this.kept).sort();
    return shares.map((share) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN);
  }

  /** The linear congruential generator of Numerical Recipes (1664525, 1013904223). */
  private next(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state;
  }
}
