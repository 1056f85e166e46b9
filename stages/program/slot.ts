import { gapNeeded } from "./gap.js";
import type { Outsiders } from "./outsiders.js";
import type { NearPositions, Positions } from "./positions.js";
import type { Select } from "./program.js";
import type { Listed } from "./row-set.js";
import type { Scene } from "./scene.js";
import type { Order } from "./table-index.js";

/** So many places are looked at before rows are listed: most often somebody is among them. */
const FIRST_LOOK = 512;

/**
 * A column to select by, from one end. A place is a distance from that end: place 0 is the largest value for `max`, the smallest for
 * `min`.
 */
export class Slot {
  readonly count: number;
  /** Places of the best candidates of the present scene, in order. */
  readonly best: Int32Array;
  private found = 0;
  private foundOf = -1;
  private meets = false;
  private meetsOf = -1;
  readonly order: Order;
  private readonly rows: Int32Array;
  private readonly last: number;

  constructor(
    private readonly positions: Positions,
    private readonly near: NearPositions,
    private readonly column: number,
    readonly wanted: Select["order"],
    depth: number,
  ) {
    this.order = positions.orders[column]!;
    this.rows = this.order.ascending;
    this.count = this.rows.length;
    this.last = this.count - 1;
    this.best = new Int32Array(depth);
  }

  rowAt(place: number): number {
    return this.rows[this.wanted === "min" ? place : this.last - place]!;
  }

  /** The first place that has the value at another one. */
  firstLike(place: number): number {
    let first = place;
    while (first > 0 && this.valueAt(first - 1) === this.valueAt(place)) first--;
    return first;
  }

  /** The next place with the same value, -1 if there is none. */
  nextLike(place: number): number {
    return place < this.last && this.valueAt(place + 1) === this.valueAt(place) ? place + 1 : -1;
  }

  private valueAt(place: number): number {
    return this.order.column.values[this.rowAt(place)]!;
  }

  /** Place of a row, -1 if the column has no value for it. */
  placeOf(row: number): number {
    const at = this.positions.of(row, this.column);
    return this.wanted === "min" || at < 0 ? at : this.last - at;
  }

  /** The first place at or after `from` of a row of `words`; -1 if there is none. */
  next(words: Uint32Array, from: number): number {
    const { axis } = this.order;
    if (this.wanted === "min") return axis.next(words, from, 1);
    const at = axis.next(words, this.last - from, -1);
    return at < 0 ? -1 : this.last - at;
  }

  /** Whether one of them stands before a place. */
  anyBefore(outsiders: Outsiders, place: number): boolean {
    const near = Math.min(place, FIRST_LOOK);
    for (let at = 0; at < near; at++) if (outsiders.has(this.rowAt(at))) return true;
    if (near === place) return false;
    const { few } = outsiders;
    if (few.listed) {
      for (let i = 0; i < few.count; i++) {
        const at = this.placeOf(few.rows[i]!);
        if (at >= 0 && at < place) return true;
      }
      return false;
    }
    const { axis } = this.order;
    return this.wanted === "min"
      ? axis.meets(outsiders.words, near, place, 1)
      : axis.meets(outsiders.words, this.last - near, this.last - place, -1);
  }

  /** Finds the best places of the candidates; gives how many there are, up to the depth of `best`. */
  bests(scene: Scene): number {
    if (this.foundOf !== scene.generation) {
      this.foundOf = scene.generation;
      this.found = this.bestOf(scene, this.best);
    }
    return this.found;
  }

  /** The place at a rank among the candidates and others; -1 if there are too few. */
  placeAmong(scene: Scene, others: Listed, rank: number): number {
    const theirs = new Int32Array(rank);
    const count = this.bestOf(others, theirs);
    const all = [...this.best.subarray(0, this.bests(scene)), ...theirs.subarray(0, count)].sort(
      (a, b) => a - b,
    );
    return all.length < rank ? -1 : all[rank - 1]!;
  }

  /** Whether a row that may be a candidate has no plain value here. */
  openMeets(scene: Scene): boolean {
    if (this.meetsOf !== scene.generation) {
      this.meetsOf = scene.generation;
      const open = this.order.open.words;
      const { possible } = scene;
      this.meets = open.some((word, w) => (word & possible[w]!) !== 0);
    }
    return this.meets;
  }

  tooClose(row: number, winner: number): "tie" | "margin" | undefined {
    const { column } = this.order;
    const { values, card } = column;
    const gap = Math.abs(values[row]! - values[winner]!);
    if (gap === 0) return "tie";
    if (card.scale === "exact") return undefined;
    return gap < gapNeeded(column, winner, row) ? "margin" : undefined;
  }

  private bestOf(set: Listed, into: Int32Array): number {
    const { few } = set;
    if (few.listed) return this.bestListed(this.near.of(few, this.column), few.count, into);
    const { words } = set;
    let n = 0;
    for (let place = this.next(words, 0); place >= 0; place = this.next(words, place + 1)) {
      into[n++] = place;
      if (n === into.length || place === this.last) break;
    }
    return n;
  }

  private bestListed(positions: Int32Array, count: number, into: Int32Array): number {
    const { last } = this;
    const isMin = this.wanted === "min";
    let n = 0;
    // Places from the limit on do not matter any more.
    let limit = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const position = positions[i]!;
      const place = isMin ? position : last - position;
      if (position < 0 || place >= limit) continue;
      if (n < into.length) n++;
      let at = n - 1;
      while (at > 0 && into[at - 1]! > place) {
        into[at] = into[at - 1]!;
        at--;
      }
      into[at] = place;
      if (n === into.length) limit = into[n - 1]!;
    }
    return n;
  }
}
