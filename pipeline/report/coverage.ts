import type { TaskRow } from "../../datasets/task-record.js";
import { type Decade, decades, type Share, shares, whole } from "./tally.js";

/** A finished row as the report reads it. */
export interface ReportRow extends TaskRow {
  readonly program: TaskRow["program"] & {
    readonly select: { readonly column: string; readonly order: string; readonly rank: number };
  };
  readonly selection: TaskRow["selection"] & { readonly margin: { readonly relative: number } | null };
}

/** What the accepted tasks are about, and how hard they are. */
export interface Coverage {
  readonly tables: readonly Share[];
  /** Rows that read a column, by use: in a condition, to select, to compute. */
  readonly columns: readonly {
    readonly column: string;
    readonly filter: number;
    readonly select: number;
    readonly compute: number;
  }[];
  readonly formulas: readonly Share[];
  readonly units: readonly Share[];
  readonly entities: { readonly distinct: number; readonly top: readonly Share[]; readonly once: number };
  readonly splits: readonly Share[];
  readonly answers: readonly Decade[];
  /** Relative gap between the selected entity and its closest rival. */
  readonly margins: readonly Decade[];
  readonly tolerances: readonly Decade[];
  readonly conditions: readonly Share[];
  readonly ranks: readonly Share[];
  readonly hops: readonly Share[];
  readonly candidates: readonly Decade[];
  readonly formula_inputs: readonly Share[];
  /** Rows by number of conditions and rank. */
  readonly difficulty: readonly {
    readonly conditions: number;
    readonly rank: number;
    readonly rows: number;
  }[];
}

const TOP_ENTITIES = 20;

export function coverageOf(rows: readonly ReportRow[]): Coverage {
  const entities = shares(rows.map(({ selection: { entity } }) => `${entity.table}: ${entity.name}`));
  return {
    tables: shares(rows.map((r) => r.program.table)),
    columns: columns(rows),
    formulas: shares(rows.map((r) => r.program.compute.formula)),
    units: shares(rows.map((r) => r.answer.unit)),
    entities: {
      distinct: entities.length,
      top: entities.slice(0, TOP_ENTITIES),
      once: entities.filter((e) => e.rows === 1).length,
    },
    splits: shares(rows.map((r) => r.split)),
    answers: decades(rows.map((r) => r.answer.value)),
    margins: decades(rows.flatMap((r) => (r.selection.margin === null ? [] : [r.selection.margin.relative]))),
    tolerances: decades(rows.map((r) => r.answer.tolerance)),
    conditions: whole(rows.map((r) => r.difficulty.conditions)),
    ranks: whole(rows.map((r) => r.difficulty.rank)),
    hops: whole(rows.map((r) => r.difficulty.hops)),
    candidates: decades(rows.map((r) => r.difficulty.candidates)),
    formula_inputs: whole(rows.map((r) => r.difficulty.formula_inputs)),
    difficulty: difficulty(rows),
  };
}

function columns(rows: readonly ReportRow[]): Coverage["columns"] {
  const uses = {
    filter: new Map<string, number>(),
    select: new Map<string, number>(),
    compute: new Map<string, number>(),
  };
  const count = (use: keyof typeof uses, names: Iterable<string>) => {
    for (const name of new Set(names)) uses[use].set(name, (uses[use].get(name) ?? 0) + 1);
  };
  for (const { program, inputs } of rows) {
    count(
      "filter",
      program.where.map((c) => `${program.table}.${c.column}`),
    );
    count("select", [`${program.table}.${program.select.column}`]);
    count(
      "compute",
      Object.values(inputs).map((i) => `${i.entity.table}.${i.column}`),
    );
  }
  const names = new Set(Object.values(uses).flatMap((use) => [...use.keys()]));
  return [...names].sort().map((column) => ({
    column,
    filter: uses.filter.get(column) ?? 0,
    select: uses.select.get(column) ?? 0,
    compute: uses.compute.get(column) ?? 0,
  }));
}

function difficulty(rows: readonly ReportRow[]): Coverage["difficulty"] {
  return shares(rows.map((r) => `${r.difficulty.conditions}/${r.difficulty.rank}`))
    .map(({ value, rows: n }) => {
      const [conditions, rank] = value.split("/").map(Number);
      return { conditions: conditions!, rank: rank!, rows: n };
    })
    .sort((a, b) => a.conditions - b.conditions || a.rank - b.rank);
}
