import type { TaskRow } from "../../datasets/task-record.js";
import { canonicalJson } from "../base/canonical.js";

/**
 * A finished row as the report reads it. The language of programs grows, and a report must not fail on a form that it does not
 * know: what not every row has is optional here, and is read by the functions below alone.
 */
export interface ReportRow extends Omit<TaskRow, "program" | "selection" | "aggregate"> {
  readonly program: Program;
  /** Absent where nobody is selected. */
  readonly selection?: Selection;
  /** Where a figure of all candidates is asked for. */
  readonly aggregate?: {
    readonly members: readonly unknown[];
    readonly leave_one_out?: Readonly<Record<string, LeftOut>>;
  };
  readonly formula?: { readonly noun?: string; readonly expression?: string; readonly definition?: string };
  readonly filter?: {
    readonly rows: number;
    readonly conditions: readonly { readonly holds: number; readonly unknown: number }[];
    readonly candidates: number;
  };
  readonly wording?: { readonly by: string; readonly style: Readonly<Record<string, string>> };
}

export interface Program {
  readonly table: string;
  readonly derive?: Readonly<Record<string, { readonly inputs: Readonly<Record<string, string>> }>>;
  readonly where?: readonly Condition[];
  readonly select?: Select;
  readonly follow?: Step | readonly Step[];
  readonly other?: { readonly where: readonly Condition[]; readonly select: Select };
  readonly compute?: { readonly formula: string };
}

/** A condition: operators differ in what else they have. */
export interface Condition {
  readonly column: string;
  readonly op?: string;
  readonly [more: string]: unknown;
}

export interface Select {
  readonly column: string;
  readonly order: string;
  readonly rank: number;
}

/** Along a link, or to an extremum among those that share a text. */
type Step = string | { readonly peers: string; readonly select: Select };

export interface Entity {
  readonly table: string;
  readonly key: string;
  readonly name: string;
}

/** An entity that was chosen, and how surely. */
export interface Choice {
  readonly entity: Entity;
  readonly unit?: string;
  readonly ranking?: readonly Ranked[];
  readonly margin?: Margin | null;
  /** For each condition, who would be chosen without it. */
  readonly without?: readonly (string | null)[];
  readonly candidates?: number;
}

interface Selection extends Choice {
  readonly via?: readonly Entity[];
  readonly followed?: Entity;
  readonly peers?: readonly Choice[];
  readonly other?: Choice;
}

export interface Ranked {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly u: number | null;
}

export interface Margin {
  readonly rival: string;
  readonly gap: number;
  readonly required: number;
  readonly relative: number;
}

/** A figure of all candidates without the one that moves it most. */
export interface LeftOut {
  readonly value: number;
  readonly without: string;
  readonly left: number;
  readonly relative: number;
}

/** Entities from the selected one along its links. */
export function pathOf({ selection }: ReportRow): Entity[] {
  if (selection === undefined) return [];
  const { entity, via = [], followed } = selection;
  return [entity, ...via, ...(followed === undefined ? [] : [followed])];
}

/** Every choice of an entity that a task rests on: the selected one first. */
export function choicesOf({ selection }: ReportRow): Choice[] {
  if (selection === undefined) return [];
  const { peers = [], other } = selection;
  return [selection, ...peers, ...(other === undefined ? [] : [other])];
}

/** Whom a task is about: the selected entity and the one that it is compared with, or the set that is aggregated. */
export function subjectsOf({ program, selection }: ReportRow): string[] {
  const { table, where = [] } = program;
  if (selection === undefined)
    return [
      `${table}: {${where
        .map((c) => conditionShape(c, true))
        .sort()
        .join(", ")}}`,
    ];
  const chosen = [selection.entity, ...(selection.other === undefined ? [] : [selection.other.entity])];
  return [...new Set(chosen.map((entity) => `${entity.table}: ${entity.name}`))];
}

export function formulaOf({ program }: Pick<ReportRow, "program">): string {
  return program.compute?.formula ?? "none";
}

/** What a program does, in a word. */
export function formOf({ program: { select, follow, other } }: Pick<ReportRow, "program">): string {
  if (select === undefined) return "aggregate";
  if (other !== undefined) return "compare";
  return follow === undefined ? "select" : "hop";
}

/** The steps of a program from the selected entity on, in words. */
export function stepsOf({ follow }: Program): string[] {
  const steps = Array.isArray(follow) ? (follow as Step[]) : follow === undefined ? [] : [follow as Step];
  return steps.map((step) =>
    typeof step === "string" ? step : `${selectShape(step.select)} of the same ${step.peers}`,
  );
}

/** Columns by use, as `table.column`, each once. What a derived column is computed from counts as an input. */
export function columnsOf({ program, inputs }: ReportRow): Record<"filter" | "select" | "compute", string[]> {
  const { table, where = [], select, other, derive = {} } = program;
  const own = (columns: readonly string[]) => [...new Set(columns.map((column) => `${table}.${column}`))];
  const selects = [select, other?.select].flatMap((s) => (s === undefined ? [] : s.column));
  const derived = Object.values(derive).flatMap((d) => Object.values(d.inputs));
  const read = Object.values(inputs).map((i) => `${i.entity?.table ?? table}.${i.column}`);
  return {
    filter: own([...where, ...(other?.where ?? [])].map(({ column }) => column)),
    select: own(selects),
    compute: [...new Set([...read, ...own(derived)])],
  };
}

/**
 * A program without its numbers and formula, in words: the same question at another threshold has the same shape. Ranks stay, and
 * texts, as they say another thing.
 */
export function shapeOf({ program }: Pick<ReportRow, "program">): string {
  const { table, derive, where = [], select, other } = program;
  const steps = stepsOf(program);
  return [
    `${table}: ${conditionsShape(where)}`,
    ...(derive === undefined ? [] : [`with ${Object.keys(derive).sort().join(", ")}`]),
    ...(select === undefined ? ["→ all of them"] : [`→ ${selectShape(select)}`]),
    ...steps.map((step) => `→ ${step}`),
    ...(other === undefined ? [] : [`and ${conditionsShape(other.where)} → ${selectShape(other.select)}`]),
  ].join(" ");
}

function conditionsShape(where: readonly Condition[]): string {
  return where.length === 0
    ? "all"
    : where
        .map((c) => conditionShape(c))
        .sort()
        .join(", ");
}

function selectShape({ order, column, rank }: Select): string {
  return `${order} ${column}${rank > 1 ? ` #${rank}` : ""}`;
}

/** @param whole with its numbers */
function conditionShape({ column, op = "", ...more }: Condition, whole = false): string {
  if (!whole) {
    if (op === "lt" || op === "le") return `${column} below`;
    if (op === "gt" || op === "ge") return `${column} above`;
    if (op === "between") return `${column} between`;
  }
  const { value } = more;
  if (op === "eq") return `${column} = ${String(value)}`;
  return op === "known" ? `${column} known` : `${column} ${op} ${canonicalJson(more)}`;
}

/**
 * How many times the gap that is needed lies between a chosen entity and its tightest rival, the least over all choices; null where
 * none is needed, or nobody rivals.
 */
export function multipleOf(row: ReportRow): number | null {
  const multiples = choicesOf(row).flatMap(({ margin }) =>
    margin === undefined || margin === null || margin.required === 0 ? [] : [margin.gap / margin.required],
  );
  return multiples.length === 0 ? null : Math.min(...multiples);
}
