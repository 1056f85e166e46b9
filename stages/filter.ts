import { z } from "zod";
import { canonicalJson, type Json } from "../pipeline/base/canonical.js";
import type { Card, Condition } from "../sources/card.js";
import { catalogFor } from "./program/derived.js";
import type { Program } from "./program/program.js";
import { indexOf, type TableIndex } from "./program/table-index.js";
import { defineStage } from "./stage.js";
import { type FilteredRow, filteredRow, type ProgramRow, programRow } from "./task.js";

export const filterLimits = z.strictObject({
  /** Fewest entities that must meet all conditions for the selection to be one. */
  min_candidates: z.number().int().min(2).default(2),
  max_candidates: z.number().int().positive().default(1_000_000),
});
export type FilterLimits = z.infer<typeof filterLimits>;

export type FilterReason =
  | "private_entity"
  | "column_may_not_filter"
  | "mixed_kinds"
  | "undeclared_uncertainty"
  | "too_few_candidates"
  | "too_many_candidates";

export const filterReasons: Readonly<Record<FilterReason, string>> = {
  private_entity:
    "the card says that single entities have no public identity, so nobody could find the answer",
  column_may_not_filter: "the card does not let this column decide who is a candidate",
  mixed_kinds: "the column mixes kinds of number that must not be compared, and no condition fixes the kind",
  undeclared_uncertainty: "a threshold on a column whose uncertainty is not declared cannot be judged",
  too_few_candidates: "too few entities meet the conditions",
  too_many_candidates: "too many entities meet the conditions",
};

/** What the card alone says against a program's conditions, before any row is looked at. `card` has the derived columns. */
export function judgeConditions(
  card: Card,
  program: Program,
): { reason: FilterReason; column?: string } | undefined {
  if (!card.entity.public) return { reason: "private_entity" };
  const { where, select, other, compute } = program;
  const figures = Object.values(compute.inputs).flatMap((i) => (i.take === undefined ? [] : [i.column]));
  const first = judgePart(card, where, [...(select === undefined ? [] : [select.column]), ...figures]);
  if (first !== undefined || other === undefined) return first;
  return judgePart(card, other.where, [other.select.column]) ?? judgeCompared(card, program);
}

/** Two entities are compared in one kind of number: both selections must fix it, and fix the same. */
function judgeCompared(
  card: Card,
  { where, other, compute }: Program,
): { reason: FilterReason; column: string } | undefined {
  const kindIn = (conditions: readonly Condition[], kind: string) =>
    conditions.find((c) => c.column === kind && c.op === "eq");
  const mixed = Object.values(compute.inputs).find(({ column }) => {
    const kind = card.columns[column]?.kind;
    if (kind === undefined) return false;
    const fixed = kindIn(where, kind);
    return fixed === undefined || canonicalJson(fixed) !== canonicalJson(kindIn(other!.where, kind) ?? null);
  });
  return mixed === undefined ? undefined : { reason: "mixed_kinds", column: mixed.column };
}

/** @param compared columns whose values are compared or taken together under these conditions */
function judgePart(
  card: Card,
  where: readonly Condition[],
  compared: readonly string[],
): { reason: FilterReason; column: string } | undefined {
  for (const condition of where) {
    const column = card.columns[condition.column]!;
    if (!column.may.includes("filter")) return { reason: "column_may_not_filter", column: condition.column };
    const measured = (column.type === "number" || column.type === "integer") && column.scale !== "exact";
    if (
      measured &&
      condition.op !== "known" &&
      column.uncertainty === undefined &&
      column.scale !== "count"
    ) {
      return { reason: "undeclared_uncertainty", column: condition.column };
    }
  }
  const open = [...where.map((c) => c.column), ...compared].find((id) => kindIsOpen(card, id, where));
  return open === undefined ? undefined : { reason: "mixed_kinds", column: open };
}

/** Whether a column's values are of several kinds (magnitude scales, say) of which the conditions pick none. */
function kindIsOpen(card: Card, column: string, where: readonly Condition[]): boolean {
  const kind = card.columns[column]!.kind;
  return kind !== undefined && !where.some((c) => c.column === kind && c.op === "eq");
}

/** Counts per condition and for all of them together; thresholds are taken at face value here. */
export function countCandidates(index: TableIndex, program: Program): FilteredRow["filter"] {
  const all = index.candidates([]).definite;
  const holds = all.copy();
  const possible = all.copy();
  const conditions = program.where.map((condition) => {
    const truth = index.truth(condition);
    holds.and(truth.holds);
    possible.and(truth.holds.copy().or(truth.unknown));
    return { holds: truth.holds.count(), unknown: truth.unknown.count() };
  });
  const candidates = holds.count();
  return { rows: index.table.rows, conditions, candidates, unknown: possible.count() - candidates };
}

/** Finds the entities that meet a program's conditions, in three values. */
export const filter = defineStage<FilterLimits, ProgramRow, FilteredRow>({
  kind: "filter",
  version: 2,
  summary: "finds the entities that meet the conditions",
  mode: "row",
  params: filterLimits,
  takes: "program",
  gives: "filtered",
  input: programRow,
  output: filteredRow,
  reasons: filterReasons,
  run(row, context) {
    const { params } = context;
    const table = catalogFor(row, context.catalog).tables.get(row.program.table)!;
    const refusal = judgeConditions(table.card, row.program);
    if (refusal !== undefined) {
      const column = refusal.column === undefined ? {} : { column: refusal.column };
      return { reject: { reason: refusal.reason, evidence: { table: table.id, ...column } } };
    }
    const counts = countCandidates(indexOf(table), row.program);
    const evidence: Json = { ...counts, limits: params };
    if (counts.candidates < params.min_candidates)
      return { reject: { reason: "too_few_candidates", evidence } };
    if (counts.candidates > params.max_candidates)
      return { reject: { reason: "too_many_candidates", evidence } };
    const { other } = row.program;
    if (other !== undefined) {
      const second = indexOf(table).holding(other.where).count();
      const evidence: Json = { part: "other", candidates: second, limits: params };
      if (second < params.min_candidates) return { reject: { reason: "too_few_candidates", evidence } };
      if (second > params.max_candidates) return { reject: { reason: "too_many_candidates", evidence } };
    }
    return { out: { ...row, filter: counts } };
  },
});
