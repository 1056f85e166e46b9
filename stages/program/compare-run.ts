import { holds, type Value, valueAt } from "../../sources/conditions.js";
import type { Catalog, Column, Table } from "../../sources/table.js";
import type { Computable } from "../formulas/numeric.js";
import { compileNumeric } from "../formulas/numeric.js";
import { Bits } from "./bits.js";
import { hopOf } from "./hop.js";
import type { Program } from "./program.js";
import { nth } from "./selection.js";
import { indexOf } from "./table-index.js";

/** A program and what its formula computes. */
export interface Meaning {
  readonly program: Program;
  readonly formula: Computable;
}

/** What a program comes to: rows that meet all conditions, the one chosen (-1 for nobody), the answer there (NaN for none). */
export interface Result {
  readonly candidates: Bits;
  readonly winner: number;
  readonly answer: number;
}

/** Tables as a program reads them, somewhere. */
export interface Scene {
  readonly rows: number;
  column(id: string): readonly Value[];
  link(name: string): readonly (number | null)[];
  linked(name: string, column: string): readonly Value[];
}

/**
 * Runs programs at face value: margins, completeness and unknown rivals are no matter, as two programs that mean the same choose the
 * same row wherever they are run. Made once per program; `unit` is the one that answers are given in.
 */
export class PlainProgram {
  readonly table: Table;
  private readonly evaluate: (args: readonly number[]) => number;

  constructor(
    readonly meaning: Meaning,
    private readonly catalog: Catalog,
    unit: string,
  ) {
    const { program, formula } = meaning;
    this.table = catalog.tables.get(program.table)!;
    const there = hopOf(program, catalog)?.to;
    const units = Object.entries(program.compute.inputs).map(([name, { of, column }]) => {
      const card = (of === "selected" ? this.table : there!).card;
      return [name, card.columns[column]!.unit!];
    });
    this.evaluate = compileNumeric(formula, Object.fromEntries(units), unit);
  }

  /** On the real tables. */
  onSnapshot(): Result {
    const { program } = this.meaning;
    const index = indexOf(this.table);
    const candidates = index.holding(program.where);
    const winner = nth(index.order(program.select.column), program.select, candidates);
    const hop = hopOf(program, this.catalog);
    const read = (table: Table, column: string, row: number): Value => {
      return valueAt(table.columns.get(column) as Column, row);
    };
    const answer = this.answerAt(winner, (of, column) => {
      if (of === "selected") return read(this.table, column, winner);
      const there = hop?.from(winner);
      return there === undefined ? null : read(hop!.to, column, there);
    });
    return { candidates, winner, answer };
  }

  on(scene: Scene): Result {
    const { where, select, follow } = this.meaning.program;
    const candidates = Bits.full(scene.rows);
    for (const condition of where) {
      const held = new Bits(scene.rows);
      scene.column(condition.column).forEach((value, row) => {
        if (holds(condition, value) === true) held.set(row);
      });
      candidates.and(held);
    }
    const winner = chosen(scene.column(select.column), select, candidates);
    const answer = this.answerAt(winner, (of, column) => {
      if (of === "selected") return scene.column(column)[winner]!;
      const there = scene.link(follow!)[winner]!;
      return there === null ? null : scene.linked(follow!, column)[there]!;
    });
    return { candidates, winner, answer };
  }

  private answerAt(winner: number, cell: (of: "selected" | "followed", column: string) => Value): number {
    if (winner < 0) return Number.NaN;
    const refs = Object.values(this.meaning.program.compute.inputs);
    const args = refs.map(({ of, column }) => cell(of, column));
    return args.every((a) => typeof a === "number") ? this.evaluate(args) : Number.NaN;
  }
}

/** The row at the wanted rank by value; of equal values the later row counts as larger, as in a sorted column. */
function chosen(values: readonly Value[], { order, rank }: Program["select"], rows: Bits): number {
  const known: number[] = [];
  rows.each((row) => {
    if (values[row] !== null) known.push(row);
  });
  const sign = order === "min" ? 1 : -1;
  known.sort((a, b) => sign * ((values[a] as number) - (values[b] as number) || a - b));
  return known[rank - 1] ?? -1;
}
