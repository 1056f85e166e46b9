import { z } from "zod";
import type { Condition } from "../../sources/card.js";
import type { Catalog, NumberColumn, Table } from "../../sources/table.js";
import type { Bits } from "./bits.js";
import { linkedRow, peersOf } from "./path.js";
import type { Program, Select, Statistic } from "./program.js";
import { type Refusal, type Selected, type SelectReason, select, selectLimits } from "./selection.js";
import { type Influence, mostInfluential } from "./statistics.js";
import { indexOf, type TableIndex } from "./table-index.js";

/** Thresholds of the select checks; the default is the strict reading. */
export const chooseLimits = selectLimits.extend({
  /** No one member may move a figure of all candidates by more than this, relative to it. */
  max_influence: z.number().positive().default(0.5),
  /** Most candidates of which a figure may be asked: a solver has to look up each. */
  max_members: z.number().int().min(3).default(100),
});
export type ChooseLimits = z.infer<typeof chooseLimits>;

export type ChooseReason =
  | SelectReason
  | "broken_link"
  | "same_entity"
  | "unknown_member"
  | "too_many_members"
  | "dominated_by_one";

/** A choice as it was made: the table, what was asked for and what came of it. */
export interface Choice {
  readonly table: Table;
  readonly where: readonly Condition[];
  readonly select: Select;
  readonly selected: Selected;
}

/** All that a program chooses. */
export interface Chosen {
  readonly selected?: Choice;
  /** Where the steps lead, in order. */
  readonly steps: readonly { readonly table: Table; readonly row: number; readonly peers?: Choice }[];
  readonly other?: Choice;
  /** Of figures of all candidates, if the program reads any. */
  readonly members?: Members;
}

/** The candidates that figures are taken over. */
export interface Members {
  readonly table: Table;
  readonly where: readonly Condition[];
  readonly rows: Bits;
  readonly takes: ReadonlySet<Statistic>;
  /** How much one of them matters, by input. */
  readonly influence: Readonly<Record<string, Influence>>;
}

/** A refusal with the part of the program that it is about. */
export interface ChooseRefusal extends Omit<Refusal, "reason"> {
  readonly reason: ChooseReason;
  readonly part: "selected" | "followed" | "other" | "candidates";
  readonly table: Table;
  readonly where: readonly Condition[];
  /** Column that decides, or is read of all candidates. */
  readonly column: string;
  readonly influence?: number;
}

/** Makes every choice of a program by the checks of {@link select}, or says which datum makes one unsafe. */
export function choose(program: Program, catalog: Catalog, limits: ChooseLimits): Chosen | ChooseRefusal {
  const table = catalog.tables.get(program.table)!;
  const all = membersOf(program, table, limits);
  if (all !== undefined && "reason" in all) return all;
  const members = all === undefined ? {} : { members: all };
  if (program.select === undefined) return { steps: [], ...members };
  const selected = choice(table, program.where, program.select, limits, "selected");
  if ("reason" in selected) return selected;
  const steps = walk(program, selected, catalog, limits);
  if ("reason" in steps) return steps;
  const chosen = { selected, steps, ...members };
  if (program.other === undefined) return chosen;
  const { where, select: wanted } = program.other;
  const other = choice(table, where, wanted, limits, "other");
  if ("reason" in other) return other;
  if (other.selected.row === selected.selected.row) {
    const { row } = other.selected;
    return { reason: "same_entity", part: "other", table, where, column: wanted.column, row };
  }
  return { ...chosen, other };
}

function choice(
  table: Table,
  where: readonly Condition[],
  wanted: Select,
  limits: ChooseLimits,
  part: ChooseRefusal["part"],
): Choice | ChooseRefusal {
  const selected = select(indexOf(table), where, wanted, limits);
  if ("reason" in selected) return { ...selected, part, table, where, column: wanted.column };
  return { table, where, select: wanted, selected };
}

function walk(
  { follow = [] }: Program,
  { table: start, selected, where: from, select: by }: Choice,
  catalog: Catalog,
  limits: ChooseLimits,
): Chosen["steps"] | ChooseRefusal {
  const steps: Chosen["steps"][number][] = [];
  const been = (to: Table, at: number) =>
    [{ table: start, row: selected.row }, ...steps].some((s) => isSame(s.table, s.row, to, at));
  for (const step of follow) {
    const { table, row } = steps.at(-1) ?? { table: start, row: selected.row };
    const nowhere: ChooseRefusal = {
      reason: "broken_link",
      part: "followed",
      table,
      where: from,
      column: typeof step === "string" ? table.card.links[step]!.column : by.column,
      row,
    };
    if (typeof step === "string") {
      const there = catalog.tables.get(table.card.links[step]!.to)!;
      const at = linkedRow(table, step, there, row);
      if (at === undefined) return nowhere;
      if (been(there, at)) return { ...nowhere, reason: "same_entity" };
      steps.push({ table: there, row: at });
      continue;
    }
    const peers = peersOf(table, step.peers, row);
    if (peers === undefined) return nowhere;
    const best = choice(table, [peers], step.select, limits, "followed");
    if ("reason" in best) return best;
    if (been(table, best.selected.row)) {
      return {
        reason: "same_entity",
        part: "followed",
        table,
        where: [peers],
        column: step.select.column,
        row,
      };
    }
    steps.push({ table, row: best.selected.row, peers: best });
  }
  return steps;
}

/** A way that comes back leads nowhere; two tables may know the same entity, a city and a capital, by one name. */
export function isSame(table: Table, row: number, to: Table, at: number): boolean {
  return table.id === to.id ? row === at : table.names[row] === to.names[at];
}

/** Fewest members of a figure of all candidates. */
export const MIN_MEMBERS = 3;

/** The rows that figures of all candidates are taken over, where the program reads any: it must be sure of each of them. */
function membersOf(
  program: Program,
  table: Table,
  limits: ChooseLimits,
): Members | ChooseRefusal | undefined {
  const read = Object.entries(program.compute.inputs).filter(([, { take }]) => take !== undefined);
  if (read.length === 0) return undefined;
  const { where } = program;
  const index = indexOf(table);
  const { definite, possible } = index.candidates(where);
  const about = { part: "candidates", table, where, column: read[0]![1].column } as const;
  const count = definite.count();
  if (count < MIN_MEMBERS) return { ...about, reason: "too_few_candidates", count };
  if (count > limits.max_members) return { ...about, reason: "too_many_members", count };
  const unsure = possible.minus(definite).first();
  if (unsure !== undefined) return { ...about, reason: "uncertain_member", row: unsure };
  const idle = idleCondition(index, where, count);
  if (idle !== undefined) return { ...about, reason: "decorative_condition", condition: idle };
  const influence: Record<string, Influence> = {};
  for (const [name, { column: id, take }] of read) {
    const column = table.columns.get(id) as NumberColumn;
    const unknown = definite.first((row) => Number.isNaN(column.values[row]!) || column.limit[row] !== 0);
    if (unknown !== undefined) return { ...about, column: id, reason: "unknown_member", row: unknown };
    const undeclared = definite.first((row) => Number.isNaN(column.u[row]!));
    if (undeclared !== undefined)
      return { ...about, column: id, reason: "undeclared_uncertainty", row: undeclared };
    const most = mostInfluential(column, definite, take!)!;
    if (!(most.relative <= limits.max_influence))
      return { ...about, column: id, reason: "dominated_by_one", row: most.row, influence: most.relative };
    influence[name] = most;
  }
  const takes = new Set(read.map(([, { take }]) => take!));
  return { table, where, rows: definite, takes, influence };
}

/** A condition, or one end of a range, that leaves nobody out. */
function idleCondition(index: TableIndex, where: readonly Condition[], count: number): number | undefined {
  const idle = (conditions: readonly Condition[], skip?: number) =>
    index.candidates(conditions, skip).definite.count() === count;
  const at = where.findIndex((c, i) => {
    if (idle(where, i)) return true;
    if (c.op !== "between") return false;
    const { column, low, high } = c;
    return (
      idle(where.with(i, { column, op: "ge", value: low })) ||
      idle(where.with(i, { column, op: "le", value: high }))
    );
  });
  return at < 0 ? undefined : at;
}
