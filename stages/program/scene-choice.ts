import { driftOf, MARGIN_SIGMAS, requiredGap } from "../../verifiers/margin.js";
import { Bits } from "./bits.js";
import type { Select } from "./program.js";
import type { RowSet } from "./row-set.js";
import type { Outsiders, Scene } from "./scene.js";
import { judgeOpen, judgeRivals, type SelectReason } from "./selection.js";
import type { Order } from "./table-index.js";

/** A row that a solver on a wrong way would choose instead. */
export interface WrongRow {
  readonly how: string;
  readonly row: number;
}

/**
 * Selections under the present conjunction of a scene, by the rules of `select` (selection.ts) and with its reasons; the differential
 * tests hold the two together. Cost a selection: the rows of short lists, or the walk from the end of an order to the first
 * candidate, so at most about √n steps where columns are not opposed.
 *
 * A place is a distance from the wanted end of a column's order: place 0 is the largest value for `max`, the smallest for `min`.
 */
export class SceneChoice {
  private readonly orders: readonly Order[];
  /** Best places by column and order, `depth` of each. */
  private readonly best: Int32Array;
  private readonly found: Int32Array;
  private readonly foundOf: Int32Array;
  private readonly openOf: Int32Array;
  private readonly openMeets: Uint8Array;
  private readonly depth: number;

  /**
   * @param columns the columns to select by
   * @param ranks the largest rank that is asked for
   */
  constructor(
    private readonly scene: Scene,
    private readonly columns: readonly string[],
    ranks: number,
  ) {
    this.orders = columns.map((id) => scene.index.order(id));
    this.depth = ranks + 1;
    const slots = 2 * columns.length;
    this.best = new Int32Array(slots * this.depth);
    this.found = new Int32Array(slots);
    this.foundOf = new Int32Array(slots).fill(-1);
    this.openOf = new Int32Array(columns.length).fill(-1);
    this.openMeets = new Uint8Array(columns.length);
  }

  /** The row at a rank among the candidates; -1 if there are too few. */
  row(column: number, order: Select["order"], rank: number): number {
    const slot = slotOf(column, order);
    return this.bests(slot) < rank ? -1 : this.rowAt(slot, this.best[slot * this.depth + rank - 1]!);
  }

  /** Why a selection is not safe, or undefined when it is. */
  refuse(
    column: number,
    order: Select["order"],
    rank: number,
    nearThreshold: "refuse" | "must_lose",
  ): SelectReason | undefined {
    const { scene } = this;
    if (!scene.hasAtLeast(Math.max(2, rank))) return "too_few_candidates";
    if (nearThreshold === "refuse" && scene.near) return "near_threshold";
    const slot = slotOf(column, order);
    if (this.bests(slot) < rank) return "too_few_candidates";
    const place = this.best[slot * this.depth + rank - 1]!;
    return this.refuseRivals(slot, rank, place) ?? this.refuseIdle(slot, place);
  }

  /**
   * The rows of plausible wrong choices, best known first: the neighbours in rank, the extremum without any condition and without
   * each, and the other end.
   */
  wrongRows(column: number, order: Select["order"], rank: number): WrongRow[] {
    const { scene } = this;
    const slot = slotOf(column, order);
    const chosen = this.row(column, order, rank);
    const wrong: WrongRow[] = [];
    const add = (how: string, row: number) => {
      if (row >= 0 && row !== chosen && !wrong.some((w) => w.row === row)) wrong.push({ how, row });
    };
    add("next in rank", this.row(column, order, rank + 1));
    if (rank > 1) add("one rank too high", this.row(column, order, rank - 1));
    const all = this.orders[column]!.ascending.length;
    if (scene.clauses.length > 0) add("no condition applied", rank > all ? -1 : this.rowAt(slot, rank - 1));
    scene.clauses.forEach((_, i) => {
      add(`condition ${i + 1} ignored`, this.rowWithout(slot, i, rank));
    });
    add("other end", this.row(column, order === "max" ? "min" : "max", rank));
    return wrong;
  }

  private rowAt(slot: number, place: number): number {
    const { ascending } = this.orders[slot >> 1]!;
    return ascending[(slot & 1) === 0 ? place : ascending.length - 1 - place]!;
  }

  /** Place of a row, -1 if the column has no value for it. */
  private placeOf(slot: number, row: number): number {
    const { axis, ascending } = this.orders[slot >> 1]!;
    const rank = axis.ranks[row]!;
    return (slot & 1) === 0 || rank < 0 ? rank : ascending.length - 1 - rank;
  }

  /** Finds the best places of the candidates, up to `depth`; gives how many there are. */
  private bests(slot: number): number {
    const { scene, depth, best } = this;
    if (this.foundOf[slot] === scene.generation) return this.found[slot]!;
    this.foundOf[slot] = scene.generation;
    let n = 0;
    if (scene.few.listed) {
      const { rows, count } = scene.few;
      for (let i = 0; i < count; i++) n = this.insert(slot, this.placeOf(slot, rows[i]!), n);
    } else {
      const all = this.orders[slot >> 1]!.ascending.length;
      for (let place = 0; place < all && n < depth; place++)
        if (scene.has(this.rowAt(slot, place))) best[slot * depth + n++] = place;
    }
    this.found[slot] = n;
    return n;
  }

  /** Puts a place among the `n` best so far. */
  private insert(slot: number, place: number, n: number): number {
    const { best, depth } = this;
    const first = slot * depth;
    if (place < 0 || (n === depth && place > best[first + n - 1]!)) return n;
    let at = first + (n < depth ? n : n - 1);
    while (at > first && best[at - 1]! > place) {
      best[at] = best[at - 1]!;
      at--;
    }
    best[at] = place;
    return n < depth ? n + 1 : n;
  }

  private refuseRivals(slot: number, rank: number, place: number): SelectReason | undefined {
    const { scene } = this;
    const order = this.orders[slot >> 1]!;
    const winner = this.rowAt(slot, place);
    const wanted: Select = { column: this.columns[slot >> 1]!, order: orderOf(slot), rank };
    if (!order.declared || (order.column.card.drift?.relative ?? 0) >= 1) {
      if (Number.isNaN(order.column.u[winner]!)) return "undeclared_uncertainty";
      const { rows } = scene.index.table;
      const candidates = {
        definite: new Bits(rows, scene.definite),
        possible: new Bits(rows, scene.possible),
      };
      const judged = judgeRivals(order, wanted, winner, candidates);
      return "reason" in judged ? judged.reason : undefined;
    }
    if (order.hasOpen && this.openIsPossible(slot >> 1)) {
      const refusal = judgeOpen(order, wanted, winner, new Bits(scene.index.table.rows, scene.possible));
      if (refusal !== undefined) return refusal.reason;
    }
    return this.refuseBefore(slot, rank, place, winner) ?? this.refuseAfter(slot, place, winner);
  }

  /** Whether a row that may be a candidate has no plain value in a column. */
  private openIsPossible(column: number): boolean {
    const { scene } = this;
    if (this.openOf[column] !== scene.generation) {
      this.openOf[column] = scene.generation;
      const open = this.orders[column]!.open.words;
      const { possible } = scene;
      let meets = false;
      for (let w = 0; w < open.length && !meets; w++) meets = (open[w]! & possible[w]!) !== 0;
      this.openMeets[column] = Number(meets);
    }
    return this.openMeets[column] === 1;
  }

  /** Who stands before the winner must be a candidate for sure, and apart from it. */
  private refuseBefore(slot: number, rank: number, place: number, winner: number): SelectReason | undefined {
    const { scene, depth, best } = this;
    if (scene.certain) {
      for (let k = 0; k < rank - 1; k++) {
        const reason = this.tooClose(slot, this.rowAt(slot, best[slot * depth + k]!), winner);
        if (reason !== undefined) return reason;
      }
      return undefined;
    }
    for (const at of this.possibleBefore(slot, place)) {
      const row = this.rowAt(slot, at);
      if (!scene.has(row)) return "uncertain_member";
      const reason = this.tooClose(slot, row, winner);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Places before `place` of all who may be candidates, in order. */
  private possibleBefore(slot: number, place: number): number[] {
    const { possible, possibleFew } = this.scene;
    const places: number[] = [];
    if (possibleFew.listed) {
      for (let i = 0; i < possibleFew.count; i++) {
        const at = this.placeOf(slot, possibleFew.rows[i]!);
        if (at >= 0 && at < place) places.push(at);
      }
      return places.sort((a, b) => a - b);
    }
    for (let at = 0; at < place; at++) if (isIn(possible, this.rowAt(slot, at))) places.push(at);
    return places;
  }

  /** The nearest of those behind the winner, as far as the largest uncertainty of the column reaches. */
  private refuseAfter(slot: number, place: number, winner: number): SelectReason | undefined {
    const { possible, possibleFew } = this.scene;
    const { column, ascending, maxU } = this.orders[slot >> 1]!;
    const { values, u } = column;
    const { drift } = column.card;
    const reach = MARGIN_SIGMAS * Math.hypot(u[winner]!, maxU) + driftOf(values[winner]!, drift);
    const steps = possibleFew.listed ? possibleFew.count : ascending.length;
    for (let at = place + 1; at < ascending.length; at++) {
      if (at - place > steps) return this.refuseListed(slot, place, winner, possibleFew);
      const row = this.rowAt(slot, at);
      if (Math.abs(values[row]! - values[winner]!) > reach + driftOf(values[row]!, drift)) return undefined;
      if (!isIn(possible, row)) continue;
      const reason = this.tooClose(slot, row, winner);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** The same, where fewer rows may be candidates than are in reach. */
  private refuseListed(
    slot: number,
    place: number,
    winner: number,
    { rows, count }: RowSet,
  ): SelectReason | undefined {
    let nearest = Number.POSITIVE_INFINITY;
    let found: SelectReason | undefined;
    for (let i = 0; i < count; i++) {
      const at = this.placeOf(slot, rows[i]!);
      if (at <= place || at >= nearest) continue;
      const reason = this.tooClose(slot, rows[i]!, winner);
      if (reason === undefined) continue;
      nearest = at;
      found = reason;
    }
    return found;
  }

  private tooClose(slot: number, row: number, winner: number): "tie" | "margin" | undefined {
    const { values, u, card } = this.orders[slot >> 1]!.column;
    const gap = Math.abs(values[row]! - values[winner]!);
    if (gap === 0) return "tie";
    if (card.scale === "exact") return undefined;
    const required = requiredGap(values[winner]!, u[winner]!, values[row]!, u[row]!, card.drift);
    return gap < required ? "margin" : undefined;
  }

  /** Without a condition, or with one end of a range open, somebody must come before the winner. */
  private refuseIdle(slot: number, place: number): SelectReason | undefined {
    for (const outsiders of this.scene.outside())
      if (!this.comesBefore(slot, place, outsiders)) return "decorative_condition";
    return undefined;
  }

  private comesBefore(slot: number, place: number, outsiders: Outsiders): boolean {
    const { listed: few } = outsiders;
    if (few.listed) {
      for (let i = 0; i < few.count; i++) {
        const at = this.placeOf(slot, few.rows[i]!);
        if (at >= 0 && at < place) return true;
      }
      return false;
    }
    for (let at = 0; at < place; at++) if (outsiders.has(this.rowAt(slot, at))) return true;
    return false;
  }

  /** Who is selected without condition `i`; -1 for nobody. */
  private rowWithout(slot: number, i: number, rank: number): number {
    const { scene } = this;
    let left = rank;
    const all = this.orders[slot >> 1]!.ascending.length;
    for (let at = 0; at < all; at++) {
      const row = this.rowAt(slot, at);
      if ((scene.has(row) || scene.failsOnly(i, row)) && --left === 0) return row;
    }
    return -1;
  }
}

function slotOf(column: number, order: Select["order"]): number {
  return 2 * column + (order === "min" ? 0 : 1);
}

function orderOf(slot: number): Select["order"] {
  return (slot & 1) === 0 ? "min" : "max";
}

function isIn(words: Uint32Array, row: number): boolean {
  return (words[row >>> 5]! & (1 << (row & 31))) !== 0;
}
