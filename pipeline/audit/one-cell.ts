import type { Catalog, NumberColumn, Table } from "../../sources/table.js";
import { clusteredWilson } from "../../verifiers/clusters.js";
import { fromSI, parseUnit, sameDimension, toSI } from "../../verifiers/units.js";
import type { Dataset } from "./dataset.js";
import { type GroupRate, ratesBy } from "./groups.js";
import { entitiesOf, isAnswer, type TableTask } from "./rows.js";
import { notRun, percent, rows, type Shortcut, tested } from "./shortcut.js";

/** A task whose answer stands ready in one cell. */
export interface OneCell {
  readonly task: string;
  readonly table: string;
  readonly key: string;
  readonly column: string;
  /** As the cell has it. */
  readonly value: number;
  readonly unit: string;
}

export interface OneCells {
  /** Tasks whose answer is an attribute of the very entity: the tag `one_cell`. */
  readonly tasks: readonly OneCell[];
  /** Tasks for which some cell of some row of the tables they read holds the answer, coincidences included. */
  readonly anywhere: number;
  readonly formulas: readonly GroupRate[];
}

const TEST = "each answer, in any unit, compared with every number that the sources hold of the entity";

export function oneCells(dataset: Dataset): { shortcut: Shortcut; cells: OneCells | null } {
  const tasks = dataset.tasks.filter(({ task }) => task !== undefined);
  if (tasks.length === 0)
    return { shortcut: notRun("one_cell", TEST, "problems have no table behind them"), cells: null };
  const sorted = new SortedColumns(dataset.catalog);
  const found: OneCell[] = [];
  let anywhere = 0;
  const trials = tasks.map(({ entity, formula, task }) => {
    const cell = cellOf(task!, dataset.catalog);
    if (cell !== undefined) found.push(cell);
    if (cell !== undefined || sorted.holds(task!)) anywhere++;
    return { cluster: entity, success: cell !== undefined, formula };
  });
  const rate = clusteredWilson(trials);
  const cells: OneCells = {
    tasks: found,
    anywhere,
    formulas: [...ratesBy(trials, (t) => t.formula)].sort((a, b) => b.rate.successes - a.rate.successes),
  };
  const shortcut = tested("one_cell", dataset.tasks.length, {
    test: TEST,
    tested: tasks.length,
    untested: "problems have no table behind them",
    open: found.length,
    result:
      found.length === 0
        ? `none of ${rows(tasks.length, "task")}`
        : `${percent(found.length / tasks.length)} of tasks (${found.length} of ${tasks.length})`,
    rate,
    removed: null,
    reach:
      `Such tasks still ask for the right entity, but not for a computation: a quota, not a fault. A cell of any other row holds the answer ` +
      `of ${rows(anywhere - found.length, "further task")}, most by coincidence. Fields of a snapshot that its card leaves out are not looked at, nor is the web.`,
  });
  return { shortcut, cells };
}

/** The first cell of the entities that a task comes by that holds the answer. */
function cellOf(task: TableTask, { tables }: Catalog): OneCell | undefined {
  for (const of of entitiesOf(task)) {
    const table = tables.get(of.table);
    const row = table?.rowOf(of.key);
    if (table === undefined || row === undefined) continue;
    for (const column of numberColumns(table)) {
      const unit = column.card.unit!;
      const value = inUnit(column.values[row]!, unit, task.answer.unit);
      if (column.limit[row] === 0 && value !== undefined && isAnswer(value, task))
        return {
          task: task.id,
          table: of.table,
          key: of.key,
          column: column.id,
          value: column.values[row]!,
          unit,
        };
    }
  }
  return undefined;
}

function numberColumns(table: Table): NumberColumn[] {
  return [...table.columns.values()].filter(
    (c): c is NumberColumn => c.type !== "text" && c.type !== "flag" && c.card.unit !== undefined,
  );
}

/** Undefined where the units measure different things, or the value is not known. */
function inUnit(value: number, from: string, to: string): number | undefined {
  if (Number.isNaN(value) || !sameDimension(from, to)) return undefined;
  return fromSI(toSI(value, from), to);
}

/** All numbers of a table by column, in SI units and in order. */
class SortedColumns {
  private readonly columns = new Map<
    string,
    readonly { readonly unit: string; readonly values: Float64Array }[]
  >();

  constructor(private readonly catalog: Catalog) {}

  /** Whether any cell of the tables that a task reads holds its answer. */
  holds(task: TableTask): boolean {
    const { value, unit, tolerance } = task.answer;
    const spread = Math.max(5e-12, tolerance) * Math.abs(value);
    const ends = [toSI(value - spread, unit), toSI(value + spread, unit)];
    return Object.keys(task.snapshots).some((id) =>
      this.of(id).some((c) => sameDimension(c.unit, unit) && holdsBetween(c.values, ends[0]!, ends[1]!)),
    );
  }

  private of(id: string): readonly { readonly unit: string; readonly values: Float64Array }[] {
    const known = this.columns.get(id);
    if (known !== undefined) return known;
    const table = this.catalog.tables.get(id);
    const columns = (table === undefined ? [] : numberColumns(table)).map(({ card, values, limit }) => {
      const unit = parseUnit(card.unit!);
      const known = values.filter((v, row) => !Number.isNaN(v) && limit[row] === 0).map((v) => toSI(v, unit));
      return { unit: card.unit!, values: known.sort() };
    });
    this.columns.set(id, columns);
    return columns;
  }
}

function holdsBetween(sorted: Float64Array, low: number, high: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < low) from = middle + 1;
    else to = middle;
  }
  return from < sorted.length && sorted[from]! <= high;
}
