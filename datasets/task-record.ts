import { canonicalJson } from "../pipeline/base/canonical.js";
import { fail } from "../pipeline/base/errors.js";
import { completeGates, type Gate, metGates } from "./admission.js";
import { jsonIn, objectIn } from "./json-text.js";
import type { TaskRecord } from "./schema/index.js";
import type { SourceFacts } from "./source-facts.js";

interface Entity {
  readonly table: string;
  readonly key: string;
  readonly name: string;
  readonly record: number;
}

/** A finished row of the main line, as far as pools look into it; `stages/task.ts` says all of it. */
export interface TaskRow {
  readonly id: string;
  readonly program: {
    readonly table: string;
    readonly where: readonly { readonly column: string }[];
    readonly derive?: Readonly<Record<string, { readonly inputs: Readonly<Record<string, string>> }>>;
    readonly select?: { readonly column: string };
    readonly follow?: readonly (
      | string
      | { readonly peers: string; readonly select: { readonly column: string } }
    )[];
    readonly other?: {
      readonly where: readonly { readonly column: string }[];
      readonly select: { readonly column: string };
    };
    readonly compute: { readonly formula: string };
  };
  readonly snapshots: Readonly<Record<string, string>>;
  readonly origin: {
    readonly stage: string;
    readonly kind: string;
    readonly name: string;
    readonly index?: number;
  };
  /** Absent where a figure of all candidates is asked for. */
  readonly selection?: {
    readonly entity: Entity;
    readonly via?: readonly Entity[];
    readonly followed?: Entity;
    readonly other?: { readonly entity: Entity };
  };
  readonly aggregate?: { readonly members: readonly { readonly key: string; readonly record: number }[] };
  readonly answer: {
    readonly type: string;
    readonly value: number;
    readonly unit: string;
    readonly digits: number;
    readonly text: string;
    readonly tolerance: number;
    readonly uncertainty: number;
    readonly by_duckdb: number;
    readonly by_typescript: number;
    readonly condition_number: number;
  };
  readonly inputs: Readonly<Record<string, { readonly entity?: Entity; readonly column: string }>>;
  readonly wrong_answers: TaskRecord["hidden_wrong_answers"];
  readonly chain: TaskRecord["hidden_chain"];
  readonly gates: readonly Gate[];
  readonly difficulty: TaskRecord["difficulty"];
  readonly question: string;
  readonly split: string;
  readonly group: string;
}

/** Fields that have columns of their own; what else a row has goes into `hidden_rest`. */
const PLACED = new Set([
  "id",
  "program",
  "formula",
  "snapshots",
  "origin",
  "filter",
  "selection",
  "answer",
  "inputs",
  "wrong_answers",
  "chain",
  "gates",
  "difficulty",
  "question",
  "wording",
  "split",
  "group",
]);

/**
 * The row of the tasks pool for a task; {@link taskRow} is its inverse.
 * @throws TaskmillError (internal, `task_not_lossless`) for a row that the pool would not keep whole.
 */
export function taskRecord(row: TaskRow, sources: ReadonlyMap<string, SourceFacts>): TaskRecord {
  const { program, selection, answer, difficulty, origin } = row;
  const fields = row as TaskRow & Readonly<Record<string, unknown>>;
  const rest = Object.entries(fields).filter(([name]) => !PLACED.has(name));
  const { type, unit, digits, ...values } = answer;
  const record: TaskRecord = {
    task_id: row.id,
    split: row.split,
    domain: sources.get(program.table)!.domain,
    table: program.table,
    formula: program.compute.formula,
    question: row.question,
    answer_type: type,
    answer_unit: unit,
    answer_digits: digits,
    conditions: difficulty.conditions,
    hops: difficulty.hops,
    candidates: difficulty.candidates,
    difficulty,
    gates: completeGates(row.gates),
    licences: [...new Set(Object.keys(row.snapshots).map((id) => sources.get(id)!.licence))].sort(),
    snapshots: Object.entries(row.snapshots)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([table, hash]) => ({ table, hash })),
    origin: { ...origin, index: origin.index ?? null },
    wording: canonicalJson(fields.wording),
    hidden_group: row.group,
    hidden_entity_key: selection?.entity.key ?? null,
    hidden_entity_name: selection?.entity.name ?? null,
    hidden_answer: values,
    hidden_chain: row.chain,
    hidden_wrong_answers: row.wrong_answers,
    hidden_program: canonicalJson(program),
    hidden_formula: canonicalJson(fields.formula),
    hidden_filter: canonicalJson(fields.filter),
    hidden_selection: canonicalJson(selection ?? null),
    hidden_inputs: canonicalJson(row.inputs),
    hidden_provenance: provenance(row, sources),
    hidden_rest: canonicalJson(Object.fromEntries(rest)),
  };
  if (canonicalJson(taskRow(record)) !== canonicalJson(row)) {
    fail("internal", "task_not_lossless", `task ${row.id} has fields that the tasks pool has no place for`);
  }
  return record;
}

/** Columns that hold JSON as text. */
type JsonColumn = Extract<keyof TaskRecord, "wording" | `hidden_${string}`>;

/**
 * The task that a row of the tasks pool was made from.
 * @param where the row stands, for messages
 * @throws TaskmillError (verification) for a column of JSON text that holds something else
 */
export function taskRow(
  record: TaskRecord,
  where = `task ${record.task_id}`,
): TaskRow & Readonly<Record<string, unknown>> {
  const { index, ...origin } = record.origin;
  const json = (column: JsonColumn) => jsonIn(String(record[column]), column, where);
  const object = (column: JsonColumn) => objectIn(String(record[column]), column, where);
  return {
    ...object("hidden_rest"),
    id: record.task_id,
    program: object("hidden_program") as TaskRow["program"],
    formula: json("hidden_formula"),
    snapshots: Object.fromEntries(record.snapshots.map(({ table, hash }) => [table, hash])),
    origin: index === null ? origin : { ...origin, index },
    filter: json("hidden_filter"),
    ...(record.hidden_selection === "null"
      ? {}
      : { selection: object("hidden_selection") as TaskRow["selection"] & object }),
    answer: {
      type: record.answer_type,
      unit: record.answer_unit,
      digits: record.answer_digits,
      ...record.hidden_answer,
    },
    inputs: object("hidden_inputs") as TaskRow["inputs"],
    wrong_answers: record.hidden_wrong_answers,
    chain: record.hidden_chain,
    gates: metGates(record.gates as readonly Gate[]),
    difficulty: record.difficulty,
    question: record.question,
    wording: json("wording"),
    split: record.split,
    group: record.hidden_group,
  };
}

type Cell = readonly [Entity, string];

/** Each source cell once, in the order in which the task reads them: conditions, selections, steps, inputs. */
function provenance(
  row: TaskRow,
  sources: ReadonlyMap<string, SourceFacts>,
): TaskRecord["hidden_provenance"] {
  const read = [...choiceCells(row), ...stepCells(row, sources), ...inputCells(row)];
  const cells = read.flatMap((cell) => underived(cell, row));
  const seen = new Set<string>();
  return cells.flatMap(([{ table, key, record }, column]) => {
    const cell = canonicalJson([table, key, column]);
    if (seen.has(cell)) return [];
    seen.add(cell);
    return [{ table, key, record, column, snapshot_sha256: sources.get(table)!.snapshot_sha256 }];
  });
}

/** A derived column is computed from cells of its row. */
function underived([entity, column]: Cell, { program }: TaskRow): readonly Cell[] {
  const derived = entity.table === program.table ? program.derive?.[column] : undefined;
  if (derived === undefined) return [[entity, column]];
  return Object.values(derived.inputs).map((input) => [entity, input]);
}

function choiceCells({ program, selection }: TaskRow): Cell[] {
  if (selection === undefined) return [];
  const { where, select, other } = program;
  const of = (entity: Entity, columns: readonly { readonly column: string }[]) =>
    columns.map(({ column }): Cell => [entity, column]);
  const second = selection.other?.entity;
  return [
    ...of(selection.entity, [...where, ...(select === undefined ? [] : [select])]),
    ...(second === undefined || other === undefined ? [] : of(second, [...other.where, other.select])),
  ];
}

/** By what each step was taken, and what decided among peers. */
function stepCells({ program, selection }: TaskRow, sources: ReadonlyMap<string, SourceFacts>): Cell[] {
  if (selection?.followed === undefined) return [];
  const reached = [selection.entity, ...(selection.via ?? []), selection.followed];
  return (program.follow ?? []).flatMap((step, i): Cell[] => {
    const from = reached[i]!;
    if (typeof step === "string") return [[from, sources.get(from.table)!.links[step]!.column]];
    const to = reached[i + 1]!;
    return [
      [from, step.peers],
      [to, step.peers],
      [to, step.select.column],
    ];
  });
}

/** What the formula reads; a figure of all candidates reads each, and what made it a candidate. */
function inputCells({ program, inputs, aggregate }: TaskRow): Cell[] {
  const { table, where } = program;
  return Object.values(inputs).flatMap(({ entity, column }): Cell[] => {
    if (entity !== undefined) return [[entity, column]];
    const columns = [...where.map((c) => c.column), column];
    return (aggregate?.members ?? []).flatMap(({ key, record }) =>
      columns.map((id): Cell => [{ table, key, record, name: key }, id]),
    );
  });
}
