import type { Json } from "../pipeline/base/canonical.js";
import { completeClasses } from "../sources/catalog.js";
import type { Catalog, NumberColumn, Table } from "../sources/table.js";
import { round12 } from "../verifiers/numbers.js";
import { incompleteness } from "./program/completeness.js";
import { hopOf } from "./program/hop.js";
import type { Program } from "./program/program.js";
import {
  type Refusal,
  ranking,
  type Selected,
  type SelectLimits,
  type SelectReason,
  selectLimits,
  select as selectRow,
} from "./program/selection.js";
import { indexOf } from "./program/table-index.js";
import { defineStage } from "./stage.js";
import { type EntityRef, type FilteredRow, filteredRow, type SelectedRow, selectedRow } from "./task.js";

/** What the card alone says against a selection. */
export type SelectCardReason = "column_may_not_select" | "incomplete_catalogue" | "broken_link";

export const selectReasons: Readonly<Record<SelectReason | SelectCardReason, string>> = {
  column_may_not_select: "the card does not let this column decide who is selected",
  incomplete_catalogue:
    "no class that is known to be complete holds all that the conditions describe, so a missing entity might win",
  broken_link: "the selected entity's link leads to no entity",
  too_few_candidates: "fewer candidates than the rank asks for, or no rival",
  near_threshold: "a candidate stands within its uncertainty of a threshold",
  unknown_rival: "a rival's value is not known",
  unbounded_rival: "a rival's value is only bounded, and the bound does not rule it out",
  uncertain_member: "an entity of which it is not sure that it meets the conditions would win",
  undeclared_uncertainty: "a value's uncertainty is not declared, so no margin can be judged",
  tie: "two candidates have the same value",
  margin: "a rival is closer than 5·√(u² + u²) + drift",
  decorative_condition: "without one of the conditions, or one end of a range, the same entity is selected",
};

/** What the card alone says against selecting by this column under these conditions. */
export function judgeSelection(
  table: Table,
  program: Program,
): { reason: SelectCardReason; evidence: Json } | undefined {
  const { column } = program.select;
  if (!table.card.columns[column]!.may.includes("select")) {
    return { reason: "column_may_not_select", evidence: { table: table.id, column } };
  }
  const lack = incompleteness(table, completeClasses(table), program);
  if (lack !== undefined) return { reason: "incomplete_catalogue", evidence: { table: table.id, ...lack } };
  return undefined;
}

export function entityOf(table: Table, row: number): EntityRef {
  return { table: table.id, key: table.keys[row]!, name: table.names[row]!, record: table.records[row]! };
}

/** Selects one entity by an extremum or rank, with a margin against every rival. */
export const select = defineStage<SelectLimits, FilteredRow, SelectedRow>({
  kind: "select",
  version: 1,
  summary: "selects one entity by an extremum, with a safe margin against every rival",
  mode: "row",
  params: selectLimits,
  takes: "filtered",
  gives: "selected",
  input: filteredRow,
  output: selectedRow,
  reasons: selectReasons,
  run(row, { catalog, params }) {
    const { program } = row;
    const table = catalog.tables.get(program.table)!;
    const refusal = judgeSelection(table, program);
    if (refusal !== undefined) return { reject: refusal };
    const selected = selectRow(indexOf(table), program.where, program.select, params);
    if ("reason" in selected)
      return { reject: { reason: selected.reason, evidence: evidenceOf(table, program, selected) } };
    const followed = followedEntity(row, selected.row, catalog);
    if (followed === "nowhere") {
      return {
        reject: {
          reason: "broken_link",
          evidence: { entity: table.keys[selected.row]!, link: program.follow! },
        },
      };
    }
    return { out: { ...row, selection: selectionOf(table, program, selected, followed) } };
  },
});

function followedEntity(
  { program }: FilteredRow,
  selected: number,
  catalog: Catalog,
): EntityRef | undefined | "nowhere" {
  const hop = hopOf(program, catalog);
  if (hop === undefined) return undefined;
  const at = hop.from(selected);
  return at === undefined ? "nowhere" : entityOf(hop.to, at);
}

/** The best candidates that are stored as evidence. */
const RANKING_LENGTH = 10;

function selectionOf(
  table: Table,
  program: Program,
  selected: Selected,
  followed: EntityRef | undefined,
): SelectedRow["selection"] {
  const index = indexOf(table);
  const order = index.order(program.select.column);
  const { column } = order;
  const best = ranking(order, program.select, index.candidates(program.where).definite, RANKING_LENGTH);
  if (!best.includes(selected.row)) best.push(selected.row);
  const value = column.values[selected.row]!;
  const { tightest } = selected;
  return {
    entity: entityOf(table, selected.row),
    ...(followed === undefined ? {} : { followed }),
    value: round12(value),
    unit: column.card.unit!,
    ranking: best.map((r) => ({
      key: table.keys[r]!,
      name: table.names[r]!,
      value: round12(column.values[r]!),
      u: Number(column.u[r]!.toPrecision(6)),
    })),
    margin:
      tightest === undefined
        ? null
        : {
            rival: table.names[tightest.row]!,
            gap: round12(tightest.gap),
            required: Number(tightest.required.toPrecision(6)),
            relative: value === 0 ? 0 : Number((tightest.gap / Math.abs(value)).toPrecision(6)),
          },
    without: selected.without.map((r) => (r < 0 ? null : table.names[r]!)),
  };
}

function evidenceOf(table: Table, program: Program, refusal: Refusal): Json {
  const column = table.columns.get(program.select.column) as NumberColumn;
  const condition =
    refusal.condition === undefined ? {} : { condition: program.where[refusal.condition] as unknown as Json };
  const subject =
    refusal.condition === undefined
      ? column
      : (table.columns.get(program.where[refusal.condition]!.column) as NumberColumn);
  const entity =
    refusal.row === undefined
      ? {}
      : {
          entity: table.names[refusal.row]!,
          key: table.keys[refusal.row]!,
          record: table.records[refusal.row]!,
          ...cellOf(subject, refusal.row),
        };
  const gap = refusal.gap === undefined ? {} : { gap: refusal.gap, required: refusal.required! };
  return {
    table: table.id,
    column: subject.id,
    ...condition,
    ...entity,
    ...gap,
    ...(refusal.count === undefined ? {} : { candidates: refusal.count }),
  };
}

function cellOf(column: NumberColumn, row: number): { [key: string]: Json } {
  if (column.type !== "number" && column.type !== "integer") return {};
  const value = column.values[row]!;
  const u = column.u[row]!;
  return {
    value: Number.isNaN(value) ? null : value,
    // A card may make it larger than any double.
    u: Number.isFinite(u) ? u : null,
    unit: column.card.unit ?? null,
  };
}
