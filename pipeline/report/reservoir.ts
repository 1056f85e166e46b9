import type { Random } from "../base/random.js";

/** A fair sample of what comes by, in bounded memory (Vitter's algorithm R): the same items in the same order give the same sample. */
export class Reservoir<T> {
  readonly kept: T[] = [];
  #seen = 0;

  constructor(
    private readonly size: number,
    private readonly random: Random,
  ) {}

  add(item: T): void {
    const at = this.#seen < this.size ? this.#seen : this.random.int(this.#seen + 1);
    if (at < this.size) this.kept[at] = item;
    this.#seen++;
  }
}
