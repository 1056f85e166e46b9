import type { Condition } from "../../sources/card.js";
import type { Table } from "../../sources/table.js";
import { sourcesOf } from "./derived.js";
import type { Program } from "./program.js";

/** Why the table may lack the true winner of a program, or undefined when it cannot. */
export type Incompleteness =
  | { readonly why: "no_complete_class" }
  | { readonly why: "towards_cutoff"; readonly column: string };

/** A class of entities that are all in the table. */
export interface CompleteClass {
  readonly where: readonly Condition[];
}

/**
 * Judges whether an extremum over the program's candidates can be trusted: some complete class must hold all that its
 * conditions describe, and the extremum must not look towards a cut-off that its conditions do not exclude.
 */
export function incompleteness(
  table: Table,
  classes: readonly CompleteClass[],
  program: { readonly where: Program["where"]; readonly select?: Program["select"] },
): Incompleteness | undefined {
  for (const cutoff of table.card.cutoffs) {
    if (!looksTowards(table, cutoff, program.select)) continue;
    const inside: Condition = {
      column: cutoff.column,
      op: cutoff.keeps === "below" ? "lt" : "gt",
      value: cutoff.at,
    };
    if (!program.where.some((c) => implies(c, inside)))
      return { why: "towards_cutoff", column: cutoff.column };
  }
  const covered = classes.some((c) =>
    c.where.every((needed) => program.where.some((given) => implies(given, needed))),
  );
  return covered ? undefined : { why: "no_complete_class" };
}

/** An extremum of a column that is computed from the one that is cut off may lie on either side. */
function looksTowards(
  table: Table,
  { column, keeps }: Table["card"]["cutoffs"][number],
  select: Program["select"],
): boolean {
  if (select === undefined) return false;
  if (select.column === column) return select.order === (keeps === "below" ? "max" : "min");
  return sourcesOf(table.columns.get(select.column)!).includes(column);
}

/** Whether every entity for which `given` is true also meets `needed`. Sound, not complete. */
export function implies(given: Condition, needed: Condition): boolean {
  if (given.column !== needed.column) return false;
  if (needed.op === "known") return true;
  if (needed.op === "is") return given.op === "is" && given.value === needed.value;
  if (needed.op === "starts_with") {
    const starts = (text: string) => needed.values.some((p) => text.startsWith(p.toLowerCase()));
    return listOf(given)?.every((v) => starts(String(v).toLowerCase())) ?? false;
  }
  if (needed.op === "eq" || needed.op === "in") {
    const allowed = new Set(listOf(needed)!.map(String));
    return listOf(given)?.every((v) => allowed.has(String(v))) ?? false;
  }
  const inner = intervalOf(given);
  const outer = intervalOf(needed);
  if (inner === undefined || outer === undefined) return false;
  return inside(inner, outer);
}

function listOf(condition: Condition): readonly (string | number)[] | undefined {
  if (condition.op === "eq") return [condition.value];
  if (condition.op === "in") return condition.values;
  return undefined;
}

interface Interval {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
}

function intervalOf(condition: Condition): Interval | undefined {
  const closed = { lowOpen: false, highOpen: false };
  switch (condition.op) {
    case "lt":
      return { low: -Infinity, high: condition.value, lowOpen: false, highOpen: true };
    case "le":
      return { low: -Infinity, high: condition.value, ...closed };
    case "gt":
      return { low: condition.value, high: Infinity, lowOpen: true, highOpen: false };
    case "ge":
      return { low: condition.value, high: Infinity, ...closed };
    case "between":
      return { low: condition.low, high: condition.high, ...closed };
    case "eq":
    case "in": {
      const values = listOf(condition)!.map(Number);
      return { low: Math.min(...values), high: Math.max(...values), ...closed };
    }
    default:
      return undefined;
  }
}

function inside(inner: Interval, outer: Interval): boolean {
  const low = inner.low > outer.low || (inner.low === outer.low && (inner.lowOpen || !outer.lowOpen));
  const high = inner.high < outer.high || (inner.high === outer.high && (inner.highOpen || !outer.highOpen));
  return low && high;
}
