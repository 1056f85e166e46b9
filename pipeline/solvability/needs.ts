import { z } from "zod";
import { condition } from "../../sources/card.js";
import { holds, valueAt } from "../../sources/conditions.js";
import type { Catalog, Table } from "../../sources/table.js";
import type { Row } from "../../stages/stage.js";
import { canonicalJson } from "../base/canonical.js";
import { sourceColumns } from "../task-columns.js";

/** What a solver of a table task has to read: cells of tables, each named by table, row and column. */

export interface Need {
  readonly table: string;
  readonly row: number;
  readonly column: string;
  /** `filter` and `select` of each candidate, `link` for the hop, `input` of the formula. */
  readonly for: "filter" | "select" | "link" | "input";
  /** Of a link: where it leads. */
  readonly to?: { readonly table: string; readonly row: number };
}

const select = z.object({ column: z.string(), order: z.enum(["max", "min"]), rank: z.number() });
const input = z.object({
  of: z.enum(["selected", "followed", "other", "candidates"]).default("selected"),
  column: z.string(),
});
const entity = z.object({ table: z.string(), key: z.string() });

/** As much of a task as this check reads, and keeps; rows come from a file. */
const tableTask = z.object({
  id: z.string(),
  program: z.object({
    table: z.string(),
    derive: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.string()) })).optional(),
    where: z.array(condition),
    select: select.optional(),
    follow: z.array(z.union([z.string(), z.object({ peers: z.string(), select })])).optional(),
    other: z.object({ where: z.array(condition), select }).optional(),
    compute: z.object({ formula: z.string(), inputs: z.record(z.string(), input) }),
  }),
  selection: z
    .object({
      entity,
      via: z.array(entity).optional(),
      followed: entity.optional(),
      other: z.object({ entity }).optional(),
    })
    .optional(),
});
export type TableTask = z.infer<typeof tableTask>;
type Program = TableTask["program"];

/** @returns undefined for rows that are no table tasks (problems have no table to look up). */
export function tableTaskOf(row: Row): TableTask | undefined {
  const read = tableTask.safeParse(row);
  return read.success ? read.data : undefined;
}

/** The needs of one task. */
export interface Needs {
  /** Rows that meet the conditions, at face value. Conditions on derived columns are for the solver to test: their rows count. */
  readonly candidates: readonly number[];
  /** To find the entities: what every candidate is told apart by. */
  readonly choosing: readonly Need[];
  /** To compute the answer, once they are found. */
  readonly computing: readonly Need[];
  /** Row of the selected entity; undefined where a figure of all candidates is asked for. */
  readonly selected: number | undefined;
}

/** Reads needs off tasks, again and again at little cost: candidates of a conjunction are found once. */
export class NeedReader {
  private readonly candidates = new Map<string, readonly number[]>();

  constructor(private readonly catalog: Catalog) {}

  /** @returns undefined where the task does not fit the tables (then `verify` says what is wrong). */
  of(task: TableTask): Needs | undefined {
    const table = this.catalog.tables.get(task.program.table);
    if (table === undefined || !fits(task.program, table)) return undefined;
    const places = this.placesOf(task, table);
    if (places === undefined) return undefined;
    const { program } = task;
    const candidates = this.rows(table, underived(program));
    const others =
      program.other === undefined ? [] : this.rows(table, underived({ ...program, ...program.other }));
    const computing = inputNeeds(program, places, candidates);
    if (computing === undefined) return undefined;
    const choosing = [
      ...cells(table, candidates, program, program.where, program.select),
      ...(program.other === undefined
        ? []
        : cells(table, others, program, program.other.where, program.other.select)),
      ...this.peers(program, places),
    ];
    return {
      candidates,
      choosing,
      computing: [...linkNeeds(program, places), ...computing],
      selected: places.selected?.row,
    };
  }

  private rows(table: Table, where: Program["where"]): readonly number[] {
    const key = canonicalJson([table.id, where]);
    let rows = this.candidates.get(key);
    if (rows === undefined) {
      const columns = where.map((c) => table.columns.get(c.column)!);
      rows = Array.from({ length: table.rows }, (_, row) => row).filter((row) =>
        where.every((c, i) => holds(c, valueAt(columns[i]!, row)) === true),
      );
      this.candidates.set(key, rows);
    }
    return rows;
  }

  /** Where the task's entities stand; undefined where one is not to be found. */
  private placesOf({ program, selection }: TableTask, table: Table): Places | undefined {
    if (selection === undefined) return program.select === undefined ? { table, way: [] } : undefined;
    const { entity: chosen, via = [], followed, other } = selection;
    const way = [...via, ...(followed === undefined ? [] : [followed])].map((e) => this.place(e));
    const [selected, second] = [this.place(chosen), other && this.place(other.entity)];
    if (selected === undefined || way.includes(undefined) || way.length !== (program.follow?.length ?? 0))
      return undefined;
    if ((program.other === undefined) !== (second === undefined)) return undefined;
    return { table, selected, way: way as Place[], ...(second === undefined ? {} : { other: second }) };
  }

  private place({ table: id, key }: { readonly table: string; readonly key: string }): Place | undefined {
    const table = this.catalog.tables.get(id);
    const row = table?.rowOf(key);
    return table === undefined || row === undefined ? undefined : { table, row };
  }

  /** What tells the one among peers apart: for each of them. */
  private peers({ follow = [] }: Program, { selected, way }: Places): Need[] {
    return follow.flatMap((step, i): Need[] => {
      if (typeof step === "string") return [];
      const { table, row } = i === 0 ? selected! : way[i - 1]!;
      const column = table.columns.get(step.peers)!;
      const shared = valueAt(column, row);
      const rows = this.rows(table, [{ column: step.peers, op: "eq", value: String(shared) }]);
      return rows.flatMap((r): Need[] => [
        { table: table.id, row: r, column: step.peers, for: "filter" },
        { table: table.id, row: r, column: step.select.column, for: "select" },
      ]);
    });
  }
}

interface Place {
  readonly table: Table;
  readonly row: number;
}

interface Places {
  /** The program's. */
  readonly table: Table;
  readonly selected?: Place;
  /** After each step. */
  readonly way: readonly Place[];
  readonly other?: Place;
}

/** Whether all columns that the program names are in its table, or derived from such. */
function fits(program: Program, table: Table): boolean {
  const { where, select, other } = program;
  const named = [...where, ...(other?.where ?? []), ...[select, other?.select].flatMap((s) => s ?? [])];
  return named
    .flatMap(({ column }) => sourceColumns(program, column))
    .every((column) => table.columns.has(column));
}

/** The conditions that the table itself decides. */
function underived({ derive = {}, where }: Pick<Program, "derive" | "where">): Program["where"] {
  return where.filter((c) => !Object.hasOwn(derive, c.column));
}

function cells(
  table: Table,
  rows: readonly number[],
  program: Program,
  where: Program["where"],
  selects: Program["select"],
): Need[] {
  const filters = [...new Set(where.flatMap((c) => sourceColumns(program, c.column)))];
  const selecting = selects === undefined ? [] : sourceColumns(program, selects.column);
  return rows.flatMap((row): Need[] => [
    ...filters.map((column): Need => ({ table: table.id, row, column, for: "filter" })),
    ...selecting
      .filter((column) => !filters.includes(column))
      .map((column): Need => ({ table: table.id, row, column, for: "select" })),
  ]);
}

function linkNeeds({ follow = [] }: Program, { selected, way }: Places): Need[] {
  return follow.flatMap((step, i): Need[] => {
    if (typeof step !== "string") return [];
    const from = i === 0 ? selected! : way[i - 1]!;
    const link = from.table.card.links[step];
    const to = way[i]!;
    if (link === undefined) return [];
    const leads = { table: to.table.id, row: to.row };
    return [{ table: from.table.id, row: from.row, column: link.column, for: "link", to: leads }];
  });
}

function inputNeeds(
  { compute }: Program,
  { table, selected, way, other }: Places,
  candidates: readonly number[],
): Need[] | undefined {
  const needs: Need[] = [];
  for (const { of, column } of Object.values(compute.inputs)) {
    const one = { selected, followed: way.at(-1), other, candidates: undefined }[of];
    const places =
      of === "candidates" ? candidates.map((row) => ({ table, row })) : one === undefined ? [] : [one];
    if (places.length === 0 || places.some((p) => !p.table.columns.has(column))) return undefined;
    for (const { table: at, row } of places) needs.push({ table: at.id, row, column, for: "input" });
  }
  return needs;
}
