import type { Random } from "../../pipeline/base/random.js";
import type { Condition } from "../../sources/card.js";
import type { FlagColumn, NumberColumn, Table, TextColumn } from "../../sources/table.js";
import { lowerBound } from "./axis.js";
import { below, type Clause, clauseOf, rangeOf, upTo } from "./clause.js";
import { indexOf, type TableIndex } from "./table-index.js";
import { roundThresholds } from "./thresholds.js";

/** Draws conditions on one column. */
export interface ConditionMaker {
  readonly column: string;
  readonly thresholds: readonly number[];
  /**
   * A condition that does not hold for `row` (any, where that is undefined), and holds for about `share` of the table where the column
   * leaves a choice; undefined when none is drawn.
   */
  make(random: Random, row: number | undefined, share: number): Clause | undefined;
  /** The condition with threshold number `i`. */
  compare(op: "lt" | "gt", i: number): Clause;
}

/** Values of a nominal column that are frequent enough to be a class, and have words. */
const MIN_CLASS_SIZE = 3;
/** An integer column with no more distinct values than this may be asked for one of them. */
const MAX_DISTINCT = 12;
/** Of so many conditions on a column one is a range, and of so many on few whole numbers one names the number. */
const ONE_RANGE_IN = 5;
const ONE_EQUAL_IN = 3;

/** The maker of a column, undefined where no condition on it would be one. */
export function conditionMaker(table: Table, id: string): ConditionMaker | undefined {
  const column = table.columns.get(id)!;
  const index = indexOf(table);
  if (column.type === "flag") return flagMaker(column, index);
  if (column.type === "text") return nominalMaker(column, index);
  const thresholds = roundThresholds(index.order(id));
  return thresholds.length === 0 ? undefined : new NumberMaker(column, thresholds, index);
}

class NumberMaker implements ConditionMaker {
  readonly column: string;
  /** How many values lie below each threshold. */
  private readonly places: Int32Array;
  private readonly count: number;
  private readonly whole: readonly Clause[];
  /** Made at first use, by operator and number of the threshold. */
  private readonly clauses: Record<"lt" | "le" | "gt" | "ge", Clause[]> = { lt: [], le: [], gt: [], ge: [] };

  constructor(
    private readonly of: NumberColumn,
    readonly thresholds: readonly number[],
    private readonly index: TableIndex,
  ) {
    this.column = of.id;
    const order = index.order(of.id);
    this.count = order.ascending.length;
    this.places = Int32Array.from(thresholds, (t) => below(order, t));
    this.whole = this.wholeNumbers().map((value) => clauseOf({ column: of.id, op: "eq", value }, this.index));
  }

  private wholeNumbers(): number[] {
    if (this.of.type !== "integer") return [];
    const order = this.index.order(this.column);
    const found: number[] = [];
    for (let at = 0; at < this.count && found.length <= MAX_DISTINCT; ) {
      const value = this.of.values[order.ascending[at]!]!;
      found.push(value);
      at = upTo(order, value);
    }
    return found.length > 1 && found.length <= MAX_DISTINCT ? found : [];
  }

  make(random: Random, row: number | undefined, share: number): Clause | undefined {
    const value = row === undefined ? undefined : this.of.values[row]!;
    if (value !== undefined && Number.isNaN(value)) return undefined;
    if (this.whole.length > 0 && random.int(ONE_EQUAL_IN) === 0) {
      const clause = random.pick(this.whole);
      return (clause.condition as { value: number }).value === value ? undefined : clause;
    }
    const wanted = Math.max(1, Math.round(share * this.count));
    if (random.int(ONE_RANGE_IN) === 0) return this.range(random, value, wanted);
    const op = random.int(2) === 0 ? "lt" : "gt";
    const i = this.at(op === "lt" ? wanted : this.count - wanted, random);
    if (value === undefined || fails(op, value, this.thresholds[i]!)) return this.compare(op, i);
    const turned = op === "lt" ? "gt" : "lt";
    const k = this.at(turned === "lt" ? wanted : this.count - wanted, random);
    return fails(turned, value, this.thresholds[k]!) ? this.compare(turned, k) : undefined;
  }

  compare(op: "lt" | "le" | "gt" | "ge", i: number): Clause {
    const made = this.clauses[op];
    made[i] ??= clauseOf(this.condition(op, this.thresholds[i]!), this.index);
    return made[i];
  }

  private condition(op: "lt" | "le" | "gt" | "ge", value: number): Condition {
    const { column } = this;
    const alone = op === "lt" ? this.aloneBelow(value) : op === "gt" ? this.aloneAbove(value) : undefined;
    return alone === undefined ? { column, op, value } : { column, op: "eq", value: alone };
  }

  /** The only whole number below a threshold: nobody says "fewer than two" where there are none with none. */
  private aloneBelow(threshold: number): number | undefined {
    const order = this.index.order(this.column);
    const least = this.of.values[order.ascending[0]!]!;
    return this.of.type === "integer" && upTo(order, least) >= below(order, threshold) ? least : undefined;
  }

  private aloneAbove(threshold: number): number | undefined {
    const order = this.index.order(this.column);
    const most = this.of.values[order.ascending[this.count - 1]!]!;
    return this.of.type === "integer" && below(order, most) <= upTo(order, threshold) ? most : undefined;
  }

  private range(random: Random, value: number | undefined, wanted: number): Clause | undefined {
    const { thresholds, places, column } = this;
    const from = random.int(thresholds.length);
    const to = this.nearest(places[from]! + wanted);
    if (to <= from) return undefined;
    const low = thresholds[from]!;
    const high = thresholds[to]!;
    if (value !== undefined && low <= value && value <= high) return undefined;
    const condition = { column, op: "between" as const, low, high };
    return rangeOf(condition, this.compare("ge", from), this.compare("le", to), this.index);
  }

  /** Number of a threshold about which `place` values lie below, or one of its neighbours. */
  private at(place: number, random: Random): number {
    const i = this.nearest(place) + random.int(3) - 1;
    return Math.max(0, Math.min(i, this.thresholds.length - 1));
  }

  private nearest(place: number): number {
    const { places } = this;
    const i = lowerBound(places.length, (at) => places[at]! < place);
    if (i === 0) return 0;
    return i === places.length || place - places[i - 1]! < places[i]! - place ? i - 1 : i;
  }
}

function fails(op: "lt" | "gt", value: number, threshold: number): boolean {
  return op === "lt" ? value >= threshold : value <= threshold;
}

const noComparison = (): never => {
  throw new Error("a column without an order has no thresholds");
};

function flagMaker({ id, values }: FlagColumn, index: TableIndex): ConditionMaker {
  const clauses = [true, false].map((value) => clauseOf({ column: id, op: "is", value }, index));
  return {
    column: id,
    thresholds: [],
    make(random, row) {
      const value = row === undefined ? random.int(2) : values[row]!;
      return value === 2 ? undefined : clauses[value];
    },
    compare: noComparison,
  };
}

function nominalMaker({ id, values, card }: TextColumn, index: TableIndex): ConditionMaker | undefined {
  const { groups } = index.grouped(id);
  const worded = Object.keys(card.phrase?.values ?? {});
  const classes = (worded.length > 0 ? worded : [...groups.keys()]).filter((value) => {
    const [low, high] = groups.get(value) ?? [0, 0];
    return high - low >= MIN_CLASS_SIZE;
  });
  if (classes.length === 0) return undefined;
  const clauses = classes.map((value) => clauseOf({ column: id, op: "eq", value }, index));
  return {
    column: id,
    thresholds: [],
    make(random, row) {
      const i = random.int(clauses.length);
      return row !== undefined && values[row] === classes[i] ? undefined : clauses[i];
    },
    compare: noComparison,
  };
}
