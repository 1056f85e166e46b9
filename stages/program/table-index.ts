import { canonicalJson } from "../../pipeline/base/canonical.js";
import type { Condition } from "../../sources/card.js";
import type { FlagColumn, NumberColumn, Table, TextColumn } from "../../sources/table.js";
import { type Axis, type GroupAxis, groupAxis, numberAxis } from "./axis.js";
import { Bits } from "./bits.js";
import { type Truth, truthOf } from "./conditions.js";

/** How much memory the truths of one table may hold before the oldest are dropped. */
const TRUTH_BYTES = 64 * 2 ** 20;

/** The rows that meet a conjunction, as far as the data can tell. */
export interface Candidates {
  /** All conditions hold, none of them by less than the uncertainty. */
  readonly definite: Bits;
  /** No condition is surely false. Contains `definite`. */
  readonly possible: Bits;
}

/** A number column, sorted once. */
export interface Order {
  readonly column: NumberColumn;
  /** Rows with a plain value, ascending by value, ties by row. */
  readonly ascending: Int32Array;
  /** Rows whose value is missing or only a bound. */
  readonly open: Bits;
  readonly hasOpen: boolean;
  /** The largest uncertainty that is declared, and whether all are. */
  readonly maxU: number;
  readonly declared: boolean;
  readonly axis: Axis;
}

/** What is computed once per table so that a program costs microseconds: truths of conditions and sorted columns. */
export class TableIndex {
  private readonly truths = new Map<string, Truth>();
  private readonly orders = new Map<string, Order>();
  private readonly groups = new Map<string, GroupAxis>();
  private readonly bounds = new Map<string, boolean>();
  private readonly near = new Map<string, Map<number, Int32Array | "many">>();
  private readonly truthLimit: number;

  constructor(readonly table: Table) {
    const bytesPerTruth = 3 * 4 * ((table.rows + 31) >>> 5) + 256;
    this.truthLimit = Math.max(64, Math.floor(TRUTH_BYTES / bytesPerTruth));
  }

  truth(condition: Condition): Truth {
    const key = canonicalJson(condition);
    let truth = this.truths.get(key);
    if (truth === undefined) {
      truth = truthOf(this.table, condition, (part) => this.truth(part));
      if (this.truths.size >= this.truthLimit) this.truths.delete(this.truths.keys().next().value!);
      this.truths.set(key, truth);
    }
    return truth;
  }

  /** Rows for the conjunction of `where`, leaving out the condition at index `skip`. */
  candidates(where: readonly Condition[], skip = -1): Candidates {
    const definite = Bits.full(this.table.rows);
    const possible = Bits.full(this.table.rows);
    where.forEach((condition, i) => {
      if (i === skip) return;
      const { holds, unknown, near } = this.truth(condition);
      for (let w = 0; w < definite.words.length; w++) {
        definite.words[w]! &= holds.words[w]! & ~near.words[w]!;
        possible.words[w]! &= holds.words[w]! | unknown.words[w]! | near.words[w]!;
      }
    });
    return { definite, possible };
  }

  /** Rows for which all conditions hold, thresholds taken at face value. */
  holding(where: readonly Condition[]): Bits {
    const rows = Bits.full(this.table.rows);
    for (const condition of where) rows.and(this.truth(condition).holds);
    return rows;
  }

  order(columnId: string): Order {
    let order = this.orders.get(columnId);
    if (order === undefined) {
      order = sortColumn(this.table.columns.get(columnId) as NumberColumn);
      this.orders.set(columnId, order);
    }
    return order;
  }

  /** A text or flag column, grouped once. */
  grouped(columnId: string): GroupAxis {
    let found = this.groups.get(columnId);
    if (found === undefined) {
      found = groupAxis(this.table.columns.get(columnId) as TextColumn | FlagColumn);
      this.groups.set(columnId, found);
    }
    return found;
  }

  /** Whether a number column holds bounds (limits) beside values. */
  bounded(columnId: string): boolean {
    let found = this.bounds.get(columnId);
    if (found === undefined) {
      found = (this.table.columns.get(columnId) as NumberColumn).limit.some((l) => l !== 0);
      this.bounds.set(columnId, found);
    }
    return found;
  }

  /** Rows near each threshold of a column that was asked for; clauses keep them here. */
  nearRows(columnId: string): Map<number, Int32Array | "many"> {
    let found = this.near.get(columnId);
    if (found === undefined) {
      found = new Map();
      this.near.set(columnId, found);
    }
    return found;
  }
}

function sortColumn(column: NumberColumn): Order {
  const axis = numberAxis(column);
  const { rows: ascending, open, hasOpen } = axis;
  let maxU = 0;
  let declared = true;
  for (const row of ascending) {
    const u = column.u[row]!;
    if (u > maxU) maxU = u;
    if (Number.isNaN(u)) declared = false;
  }
  return { column, ascending, open, hasOpen, maxU, declared, axis };
}

const indexes = new WeakMap<Table, TableIndex>();

/** The index of a table, made at first use. */
export function indexOf(table: Table): TableIndex {
  let index = indexes.get(table);
  if (index === undefined) {
    index = new TableIndex(table);
    indexes.set(table, index);
  }
  return index;
}
