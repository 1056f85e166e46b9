import type { Clause } from "./clause.js";
import { type Listed, RowSet } from "./row-set.js";

/** Whom one condition alone keeps out: as a whole and, if it is a range, by either of its ends alone. */
export class Outside {
  readonly whole: Outsiders;
  /** By each end of a range, else by the whole condition. */
  parts: readonly Outsiders[];
  private readonly ends: readonly [Outsiders, Outsiders];

  constructor(failing: Uint32Array, capacity: number) {
    const make = () => new Outsiders(failing, capacity);
    this.whole = make();
    this.ends = [make(), make()];
    this.parts = [this.whole];
  }

  begin(sure: Uint32Array, ends: Clause["ends"]): void {
    this.whole.begin(sure, undefined);
    this.parts = ends === undefined ? [this.whole] : this.ends;
    ends?.forEach((end, k) => {
      this.ends[k]!.begin(sure, end);
    });
  }
}

/** The rows that would be candidates without one condition, or without one end of a range, and are none. */
export class Outsiders implements Listed {
  private sure: Uint32Array;
  private end: Clause | undefined;
  private within: Uint32Array | undefined;
  private isListed = false;
  private isWritten = false;
  private hasEnd = false;
  private readonly set: RowSet;
  private all: Uint32Array | undefined;

  /** @param failing the rows that fail one condition alone */
  constructor(
    private readonly failing: Uint32Array,
    capacity: number,
  ) {
    this.sure = failing;
    this.set = new RowSet(capacity);
  }

  begin(sure: Uint32Array, end: Clause | undefined): void {
    this.sure = sure;
    this.end = end;
    this.isListed = false;
    this.isWritten = false;
    this.hasEnd = false;
  }

  /** Listed if they are few; found at first use, as most selections are refused before anybody asks. */
  get few(): RowSet {
    if (!this.isListed) {
      this.isListed = true;
      this.set.list(this.failing, this.sure, this.end === undefined ? undefined : this.endRows());
    }
    return this.set;
  }

  /** Rows that meet the range with its other end left open. */
  private endRows(): Uint32Array {
    this.within ??= new Uint32Array(this.failing.length);
    if (!this.hasEnd) {
      this.hasEnd = true;
      this.end!.sure(this.within);
    }
    return this.within;
  }

  has(row: number): boolean {
    const w = row >>> 5;
    let word = this.failing[w]! & ~this.sure[w]!;
    if (this.end !== undefined) word &= this.endRows()[w]!;
    return (word & (1 << (row & 31))) !== 0;
  }

  /** All of them, as a bitmap of their own. */
  get words(): Uint32Array {
    this.all ??= new Uint32Array(this.failing.length);
    if (!this.isWritten) {
      this.isWritten = true;
      const { all, failing, sure } = this;
      const within = this.end === undefined ? undefined : this.endRows();
      if (within === undefined) for (let w = 0; w < all.length; w++) all[w] = failing[w]! & ~sure[w]!;
      else for (let w = 0; w < all.length; w++) all[w] = failing[w]! & ~sure[w]! & within[w]!;
    }
    return this.all;
  }
}
