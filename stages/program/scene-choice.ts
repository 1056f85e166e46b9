import { driftOf } from "../../verifiers/margin.js";
import { Bits } from "./bits.js";
import { reachOf } from "./gap.js";
import { NearPositions, type Positions } from "./positions.js";
import type { Select } from "./program.js";
import type { Scene } from "./scene.js";
import { judgeOpen, judgeRivals, type SelectReason } from "./selection.js";
import { Slot } from "./slot.js";

/** A row that a solver on a wrong way would choose instead. */
export interface WrongRow {
  readonly how: string;
  readonly row: number;
}

interface Place {
  readonly slot: Slot;
  /** -1 for none. */
  readonly place: number;
}

/**
 * Selections under the present conjunction of a scene, by the rules of `select` (selection.ts) and with its reasons; the differential
 * tests hold the two together. A selection costs the rows of short lists, or the walk from the end of an order to the first
 * candidate, so at most about √n steps where the column does not run against the conditions; where it does, see `Axis.next`.
 */
export class SceneChoice {
  private readonly slots: readonly Slot[];

  /** @param depth the largest rank that is asked for */
  constructor(
    private readonly scene: Scene,
    positions: Positions,
    depth: number,
  ) {
    const near = new NearPositions(scene, positions);
    this.slots = positions.orders.flatMap((_, column) => [
      new Slot(positions, near, column, "min", depth + 1),
      new Slot(positions, near, column, "max", depth + 1),
    ]);
  }

  /** The row at a rank among the candidates; -1 if there are too few. */
  row(column: number, order: Select["order"], rank: number): number {
    const slot = this.slotOf(column, order);
    const { place } = this.place(slot, rank);
    return place < 0 ? -1 : slot.rowAt(place);
  }

  /** Whether every row that may be a candidate has a plain value in a column. */
  knows(column: number): boolean {
    const slot = this.slots[2 * column]!;
    return !slot.order.hasOpen || !slot.openMeets(this.scene);
  }

  /** Why a selection is not safe, or undefined when it is. */
  refuse(
    column: number,
    order: Select["order"],
    rank: number,
    nearThreshold: "refuse" | "must_lose",
  ): SelectReason | undefined {
    const { scene } = this;
    if (!scene.hasAtLeast(rank + 1)) return "too_few_candidates";
    if (nearThreshold === "refuse" && scene.near) return "near_threshold";
    const slot = this.slotOf(column, order);
    if (slot.bests(scene) < rank) return "too_few_candidates";
    const place = slot.best[rank - 1]!;
    return this.refuseRivals(slot, rank, place) ?? this.refuseIdle(slot, place);
  }

  /**
   * The rows of plausible wrong choices, best known first: the neighbours in rank, the extremum without any condition and without
   * each, and the other end; with each all that have its value.
   */
  wrongRows(column: number, order: Select["order"], rank: number): WrongRow[] {
    const { scene } = this;
    const slot = this.slotOf(column, order);
    const wrong: WrongRow[] = [];
    const seen = new Set([this.row(column, order, rank)]);
    const add = (how: string, { slot: from, place }: Place, has: (row: number) => boolean) => {
      if (place < 0) return;
      for (let at = from.firstLike(place); at >= 0; at = from.nextLike(at)) {
        const row = from.rowAt(at);
        if (!has(row) || seen.has(row)) continue;
        seen.add(row);
        wrong.push({ how, row });
      }
    };
    const here = (row: number) => scene.has(row);
    add("next in rank", this.place(slot, rank + 1), here);
    if (rank > 1) add("one rank too high", this.place(slot, rank - 1), here);
    const isAsked = scene.clauses.length > 0 && rank <= slot.count;
    if (isAsked) add("no condition applied", { slot, place: rank - 1 }, () => true);
    scene.outside().forEach(({ whole }, i) => {
      const place = slot.placeAmong(scene, whole, rank);
      add(`condition ${i + 1} ignored`, { slot, place }, (row) => scene.has(row) || whole.has(row));
    });
    add("other end", this.place(this.slotOf(column, order === "max" ? "min" : "max"), rank), here);
    return wrong;
  }

  private place(slot: Slot, rank: number): Place {
    return { slot, place: slot.bests(this.scene) < rank ? -1 : slot.best[rank - 1]! };
  }

  private slotOf(column: number, order: Select["order"]): Slot {
    return this.slots[2 * column + (order === "min" ? 0 : 1)]!;
  }

  private refuseRivals(slot: Slot, rank: number, place: number): SelectReason | undefined {
    const { scene } = this;
    const { order } = slot;
    const winner = slot.rowAt(place);
    const wanted: Select = { column: order.column.id, order: slot.wanted, rank };
    const { rows } = scene.index.table;
    if (!order.declared || (order.column.card.drift?.relative ?? 0) >= 1) {
      if (Number.isNaN(order.column.u[winner]!)) return "undeclared_uncertainty";
      const candidates = {
        definite: new Bits(rows, scene.definite),
        possible: new Bits(rows, scene.possible),
      };
      const judged = judgeRivals(order, wanted, winner, candidates);
      return "reason" in judged ? judged.reason : undefined;
    }
    if (order.hasOpen && slot.openMeets(scene)) {
      const refusal = judgeOpen(order, wanted, winner, new Bits(rows, scene.possible));
      if (refusal !== undefined) return refusal.reason;
    }
    return this.refuseBefore(slot, rank, place, winner) ?? this.refuseAfter(slot, place, winner);
  }

  /** Who stands before the winner must be a candidate for sure, and apart from it. */
  private refuseBefore(slot: Slot, rank: number, place: number, winner: number): SelectReason | undefined {
    const { scene } = this;
    const places = scene.certain ? slot.best.subarray(0, rank - 1) : this.possibleBefore(slot, place);
    const { values } = slot.order.column;
    let previous = Number.NaN;
    for (const at of places) {
      const row = slot.rowAt(at);
      if (!scene.has(row)) return "uncertain_member";
      if (values[row] === previous) return "tie";
      previous = values[row]!;
      const reason = slot.tooClose(row, winner);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** Places before `place` of all who may be candidates, in order. */
  private possibleBefore(slot: Slot, place: number): number[] {
    const { possible, possibleFew } = this.scene;
    const places: number[] = [];
    if (possibleFew.listed) {
      for (let i = 0; i < possibleFew.count; i++) {
        const at = slot.placeOf(possibleFew.rows[i]!);
        if (at >= 0 && at < place) places.push(at);
      }
      return places.sort((a, b) => a - b);
    }
    for (let at = slot.next(possible, 0); at >= 0 && at < place; at = slot.next(possible, at + 1))
      places.push(at);
    return places;
  }

  /** The nearest of those behind the winner, as far as the largest uncertainty of the column reaches. */
  private refuseAfter(slot: Slot, place: number, winner: number): SelectReason | undefined {
    const { possible, possibleFew } = this.scene;
    const { column, maxU } = slot.order;
    const { values } = column;
    const { drift } = column.card;
    const value = values[winner]!;
    const reach = reachOf(column, winner, maxU);
    const last = Math.min(slot.count - 1, place + (possibleFew.listed ? possibleFew.count : slot.count));
    for (let at = place + 1; at <= last; at++) {
      const row = slot.rowAt(at);
      if (Math.abs(values[row]! - value) > reach + driftOf(values[row]!, drift)) return undefined;
      if ((possible[row >>> 5]! & (1 << (row & 31))) === 0) continue;
      const reason = slot.tooClose(row, winner);
      if (reason !== undefined) return reason;
    }
    return last < slot.count - 1 ? this.refuseListed(slot, place, winner) : undefined;
  }

  /** The same, where fewer rows may be candidates than are in reach. */
  private refuseListed(slot: Slot, place: number, winner: number): SelectReason | undefined {
    const { rows, count } = this.scene.possibleFew;
    let nearest = Number.POSITIVE_INFINITY;
    let found: SelectReason | undefined;
    for (let i = 0; i < count; i++) {
      const at = slot.placeOf(rows[i]!);
      if (at <= place || at >= nearest) continue;
      const reason = slot.tooClose(rows[i]!, winner);
      if (reason === undefined) continue;
      nearest = at;
      found = reason;
    }
    return found;
  }

  /** Without a condition, or with one end of a range open, somebody must come before the winner and all who have its value. */
  private refuseIdle(slot: Slot, winner: number): SelectReason | undefined {
    const place = slot.firstLike(winner);
    for (const { parts } of this.scene.outside())
      for (const outsiders of parts) if (!slot.anyBefore(outsiders, place)) return "decorative_condition";
    return undefined;
  }
}
