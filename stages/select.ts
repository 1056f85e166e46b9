import type { Json } from "../pipeline/base/canonical.js";
import { completeClasses } from "../sources/catalog.js";
import type { Catalog, NumberColumn, Table } from "../sources/table.js";
import { round12 } from "../verifiers/numbers.js";
import {
  type ChooseLimits,
  type ChooseReason,
  type ChooseRefusal,
  type Chosen,
  choose,
  chooseLimits,
  type Choice as MadeChoice,
} from "./program/choose.js";
import { incompleteness } from "./program/completeness.js";
import { catalogFor } from "./program/derived.js";
import { pathOf } from "./program/path.js";
import type { Program, Select } from "./program/program.js";
import { ranking } from "./program/selection.js";
import { statistic } from "./program/statistics.js";
import { indexOf } from "./program/table-index.js";
import { defineStage } from "./stage.js";
import {
  type Choice,
  type EntityRef,
  type FilteredRow,
  filteredRow,
  type SelectedRow,
  selectedRow,
} from "./task.js";

/** What the cards alone say against a selection. */
export type SelectCardReason = "column_may_not_select" | "incomplete_catalogue" | "mixed_kinds";

export const selectReasons: Readonly<Record<ChooseReason | SelectCardReason, string>> = {
  column_may_not_select: "the card does not let this column decide who is selected",
  incomplete_catalogue:
    "no class that is known to be complete holds all that the conditions describe, so a missing entity might win",
  broken_link: "the selected entity's link leads to no entity, or it has no peers",
  mixed_kinds: "peers are compared in numbers of several kinds",
  same_entity: "a step leads back to the selected entity, or both selections choose the same one",
  too_many_members: "a figure of more candidates is asked for than a solver can be asked to look up",
  unknown_member: "the value of one of the candidates, of which a figure is asked, is not known",
  dominated_by_one: "one of the candidates alone moves the figure of all of them by more than is allowed",
  too_few_candidates: "no more candidates than the rank asks for: the last of all is nobody's third",
  near_threshold: "a candidate stands within its uncertainty of a threshold",
  unknown_rival: "a rival's value is not known",
  unbounded_rival: "a rival's value is only bounded, and the bound does not rule it out",
  uncertain_member: "an entity of which it is not sure that it meets the conditions would win",
  undeclared_uncertainty: "a value's uncertainty is not declared, so no margin can be judged",
  tie: "two candidates up to the wanted rank have the same value",
  margin: "a rival is closer than 5·√(u² + u²) + drift",
  decorative_condition:
    "without one of the conditions, or one end of a range, the same entity is selected or shares its place",
};

/** What the cards alone say against a program's selections, figures of all candidates included. */
export function judgeSelection(
  table: Table,
  program: Program,
  catalog: Catalog,
): { reason: SelectCardReason; evidence: Json } | undefined {
  const { where, select, other, follow = [] } = program;
  const first = judgeChoice(table, where, select);
  if (first !== undefined) return first;
  const second = other === undefined ? undefined : judgeChoice(table, other.where, other.select);
  if (second !== undefined) return second;
  const tables = [table, ...(pathOf(program, catalog)?.tables ?? [])];
  for (const [i, step] of follow.entries()) {
    if (typeof step === "string") continue;
    // Whatever the shared value is, the class must hold all that have it.
    const { kind } = tables[i]!.card.columns[step.select.column]!;
    if (kind !== undefined && kind !== step.peers)
      return { reason: "mixed_kinds", evidence: { table: tables[i]!.id, column: step.select.column } };
    const refused = judgeChoice(tables[i]!, [{ column: step.peers, op: "eq", value: "" }], step.select);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function judgeChoice(
  table: Table,
  where: Program["where"],
  select: Select | undefined,
): { reason: SelectCardReason; evidence: Json } | undefined {
  if (select !== undefined && !table.card.columns[select.column]!.may.includes("select")) {
    return { reason: "column_may_not_select", evidence: { table: table.id, column: select.column } };
  }
  const lack = incompleteness(table, completeClasses(table), { where, select });
  if (lack !== undefined) return { reason: "incomplete_catalogue", evidence: { table: table.id, ...lack } };
  return undefined;
}

export function entityOf(table: Table, row: number): EntityRef {
  return { table: table.id, key: table.keys[row]!, name: table.names[row]!, record: table.records[row]! };
}

/** Makes a program's choices: entities by an extremum or rank, with a margin against every rival, or candidates fit for a figure. */
export const select = defineStage<ChooseLimits, FilteredRow, SelectedRow>({
  kind: "select",
  version: 3,
  summary: "selects one entity by an extremum, with a safe margin against every rival",
  mode: "row",
  params: chooseLimits,
  takes: "filtered",
  gives: "selected",
  input: filteredRow,
  output: selectedRow,
  reasons: selectReasons,
  run(row, context) {
    const { program } = row;
    const catalog = catalogFor(row, context.catalog);
    const refusal = judgeSelection(catalog.tables.get(program.table)!, program, catalog);
    if (refusal !== undefined) return { reject: refusal };
    const chosen = choose(program, catalog, context.params);
    if ("reason" in chosen) return { reject: { reason: chosen.reason, evidence: evidenceOf(chosen) } };
    const selection = selectionOf(chosen);
    const aggregate = aggregateOf(chosen, program);
    return {
      out: {
        ...row,
        ...(selection === undefined ? {} : { selection }),
        ...(aggregate === undefined ? {} : { aggregate }),
      },
    };
  },
});

function selectionOf({ selected, steps, other }: Chosen): SelectedRow["selection"] {
  if (selected === undefined) return undefined;
  const entities = steps.map(({ table, row }) => entityOf(table, row));
  const peers = steps.flatMap((s) => (s.peers === undefined ? [] : [counted(s.peers)]));
  return {
    ...choiceOf(selected),
    ...(entities.length > 1 ? { via: entities.slice(0, -1) } : {}),
    ...(entities.length > 0 ? { followed: entities.at(-1)! } : {}),
    ...(peers.length > 0 ? { peers } : {}),
    ...(other === undefined ? {} : { other: counted(other) }),
  };
}

function counted(choice: MadeChoice): Choice & { candidates: number } {
  return { ...choiceOf(choice), candidates: choice.selected.candidates };
}

/** The best candidates that are stored as evidence. */
const RANKING_LENGTH = 10;

function choiceOf({ table, where, select: wanted, selected }: MadeChoice): Choice {
  const index = indexOf(table);
  const order = index.order(wanted.column);
  const { column } = order;
  const best = ranking(order, wanted, index.candidates(where).definite, RANKING_LENGTH);
  if (!best.includes(selected.row)) best.push(selected.row);
  const value = column.values[selected.row]!;
  const { tightest } = selected;
  return {
    entity: entityOf(table, selected.row),
    value: round12(value),
    unit: column.card.unit!,
    ranking: best.map((r) => ({
      key: table.keys[r]!,
      name: table.names[r]!,
      value: round12(column.values[r]!),
      u: knownU(column.u[r]!),
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

/** Null where nobody declares it. */
function knownU(u: number): number | null {
  return Number.isNaN(u) ? null : Math.min(Number(u.toPrecision(6)), Number.MAX_VALUE);
}

function aggregateOf({ members }: Chosen, { compute }: Program): SelectedRow["aggregate"] {
  if (members === undefined) return undefined;
  const { table, rows, influence } = members;
  const tested = Object.entries(influence).map(([name, { row, left, relative }]) => {
    const { column, take } = compute.inputs[name]!;
    const value = statistic(table.columns.get(column) as NumberColumn, rows, take!);
    const figures = { value: round12(value), left: round12(left), relative: Number(relative.toPrecision(6)) };
    return [name, { ...figures, without: table.names[row]! }];
  });
  const found: { key: string; record: number }[] = [];
  rows.each((row) => found.push({ key: table.keys[row]!, record: table.records[row]! }));
  return { members: found, leave_one_out: Object.fromEntries(tested) };
}

function evidenceOf(refusal: ChooseRefusal): Json {
  const { table, where, part } = refusal;
  const condition =
    refusal.condition === undefined ? {} : { condition: where[refusal.condition] as unknown as Json };
  const subject = table.columns.get(
    refusal.condition === undefined ? refusal.column : where[refusal.condition]!.column,
  ) as NumberColumn;
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
    ...(part === "selected" ? {} : { part }),
    ...condition,
    ...entity,
    ...gap,
    ...(refusal.influence === undefined ? {} : { influence: finiteOr(refusal.influence) }),
    ...(refusal.count === undefined ? {} : { candidates: refusal.count }),
  };
}

/** Evidence is JSON, which has no infinity. */
function finiteOr(figure: number): number | null {
  return Number.isFinite(figure) ? Number(figure.toPrecision(6)) : null;
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
