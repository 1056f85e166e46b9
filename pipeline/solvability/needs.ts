import { z } from "zod";
import { condition } from "../../sources/card.js";
import { holds, valueAt } from "../../sources/conditions.js";
import type { Catalog, Table } from "../../sources/table.js";
import type { Row } from "../../stages/stage.js";
import { canonicalJson } from "../base/canonical.js";

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

const input = z.object({ of: z.enum(["selected", "followed"]).default("selected"), column: z.string() });
const entity = z.object({ table: z.string(), key: z.string() });

/** As much of a task as this check reads, and keeps; rows come from a file. */
const tableTask = z.object({
  id: z.string(),
  program: z.object({
    table: z.string(),
    where: z.array(condition),
    select: z.object({ column: z.string(), order: z.enum(["max", "min"]), rank: z.number() }),
    follow: z.string().optional(),
    compute: z.object({ formula: z.string(), inputs: z.record(z.string(), input) }),
  }),
  selection: z.object({ entity, followed: entity.optional() }),
});
export type TableTask = z.infer<typeof tableTask>;

/** @returns undefined for rows that are no table tasks (problems have no table to look up). */
export function tableTaskOf(row: Row): TableTask | undefined {
  const read = tableTask.safeParse(row);
  return read.success ? read.data : undefined;
}

/** The needs of one task. */
export interface Needs {
  /** Rows that meet the conditions, at face value. */
  readonly candidates: readonly number[];
  /** To find the entity: what every candidate is told apart by. */
  readonly choosing: readonly Need[];
  /** To compute the answer, once it is found. */
  readonly computing: readonly Need[];
  /** Row of the selected entity. */
  readonly selected: number;
}

/** Reads needs off tasks, again and again at little cost: candidates of a conjunction are found once. */
export class NeedReader {
  private readonly candidates = new Map<string, readonly number[]>();

  constructor(private readonly catalog: Catalog) {}

  /** @returns undefined where the task does not fit the tables (then `verify` says what is wrong). */
  of(task: TableTask): Needs | undefined {
    const { program, selection } = task;
    const table = this.catalog.tables.get(program.table);
    const selected = table?.rowOf(selection.entity.key);
    if (table === undefined || selected === undefined) return undefined;
    const filters = [...new Set(program.where.map((c) => c.column))];
    if (![...filters, program.select.column].every((column) => table.columns.has(column))) return undefined;
    const candidates = this.rows(table, program.where);
    const computing = this.inputs(task, table, selected);
    if (computing === undefined) return undefined;
    const choosing = candidates.flatMap((row): Need[] => [
      ...filters.map((column): Need => ({ table: table.id, row, column, for: "filter" })),
      ...(filters.includes(program.select.column)
        ? []
        : [{ table: table.id, row, column: program.select.column, for: "select" } as const]),
    ]);
    return { candidates, choosing, computing, selected };
  }

  private rows(table: Table, where: TableTask["program"]["where"]): readonly number[] {
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

  private inputs({ program, selection }: TableTask, table: Table, selected: number): Need[] | undefined {
    const link = program.follow === undefined ? undefined : table.card.links[program.follow];
    const to = link === undefined ? undefined : this.catalog.tables.get(link.to);
    const followed = selection.followed === undefined ? undefined : to?.rowOf(selection.followed.key);
    const needs: Need[] = [];
    if (link !== undefined) {
      if (to === undefined || followed === undefined) return undefined;
      const leads = { table: to.id, row: followed };
      needs.push({ table: table.id, row: selected, column: link.column, for: "link", to: leads });
    }
    for (const { of, column } of Object.values(program.compute.inputs)) {
      const at = of === "selected" ? { table, row: selected } : { table: to, row: followed };
      if (at.table?.columns.has(column) !== true || at.row === undefined) return undefined;
      needs.push({ table: at.table.id, row: at.row, column, for: "input" });
    }
    return needs;
  }
}
