import { holds, type Value, valueAt } from "../../sources/conditions.js";
import type { Catalog, Column, Table } from "../../sources/table.js";
import { type Computable, compileNumeric } from "../formulas/numeric.js";
import { Bits } from "./bits.js";
import { chosen, type Scene, walkTo } from "./compare-walk.js";
import type { DerivedFormulas } from "./derived.js";
import { pathOf, tableOf } from "./path.js";
import type { InputRef, Program, Select } from "./program.js";
import { nth } from "./selection.js";
import { figureOf } from "./statistics.js";
import { indexOf } from "./table-index.js";

/** A program and what its formulas compute. */
export interface Meaning {
  readonly program: Program;
  readonly formula: Computable;
  readonly derived?: DerivedFormulas | undefined;
}

/** Who is chosen from whom: rows that meet all conditions, the one chosen (-1 for nobody). */
export interface Chosen {
  readonly candidates: Bits;
  readonly winner: number;
}

/** What a program comes to: its choices, the answer (NaN for none). */
export interface Result extends Chosen {
  readonly other: Chosen | undefined;
  readonly answer: number;
}

/** Cells that a formula's inputs are read from: of one entity, or all of a column. */
interface Ground {
  readonly cell: (of: "selected" | "followed" | "other", column: string) => Value;
  readonly all: (column: string) => Value[];
}

/**
 * Runs programs at face value: margins, completeness and unknown rivals are no matter, as two programs that mean the same choose the
 * same row wherever they are run. Made once per program; `unit` is the one that answers are given in.
 */
export class PlainProgram {
  readonly table: Table;
  private readonly evaluate: (args: readonly number[]) => number;

  /** @param catalog with the program's derived columns */
  constructor(
    readonly meaning: Meaning,
    private readonly catalog: Catalog,
    unit: string,
  ) {
    const { program, formula } = meaning;
    this.table = catalog.tables.get(program.table)!;
    const units = Object.entries(program.compute.inputs).map(([name, { of, column }]) => {
      return [name, tableOf(program, of, catalog)!.card.columns[column]!.unit!];
    });
    this.evaluate = compileNumeric(formula, Object.fromEntries(units), unit);
  }

  /** On the real tables. */
  onSnapshot(): Result {
    const { program } = this.meaning;
    const index = indexOf(this.table);
    const choose = (where: Program["where"], select: Select | undefined): Chosen => {
      const candidates = index.holding(where);
      return {
        candidates,
        winner: select === undefined ? -1 : nth(index.order(select.column), select, candidates),
      };
    };
    const first = choose(program.where, program.select);
    const other = program.other && choose(program.other.where, program.other.select);
    const read = (table: Table, column: string, row: number | undefined): Value =>
      row === undefined || row < 0 ? null : valueAt(table.columns.get(column) as Column, row);
    const path = pathOf(program, this.catalog);
    const followed = first.winner < 0 ? undefined : path?.end(first.winner);
    const answer = this.answerOn({
      cell: (of, column) => {
        if (of === "followed") return read(path!.tables.at(-1)!, column, followed);
        return read(this.table, column, of === "other" ? other?.winner : first.winner);
      },
      all: (column) => rowsOf(first.candidates).map((row) => read(this.table, column, row)),
    });
    return { ...first, other, answer };
  }

  on(scene: Scene): Result {
    const { program } = this.meaning;
    const first = chooseOn(scene, program.where, program.select);
    const other = program.other && chooseOn(scene, program.other.where, program.other.select);
    const end = program.follow && first.winner >= 0 ? walkTo(program.follow, scene, first.winner) : undefined;
    const answer = this.answerOn({
      cell: (of, column) => {
        if (of === "followed") return end === undefined ? null : end.scene.column(column)[end.row]!;
        const row = of === "other" ? (other?.winner ?? -1) : first.winner;
        return row < 0 ? null : scene.column(column)[row]!;
      },
      all: (column) => {
        const cells = scene.column(column);
        return rowsOf(first.candidates).map((row) => cells[row]!);
      },
    });
    return { ...first, other, answer };
  }

  private answerOn(ground: Ground): number {
    const args = Object.values(this.meaning.program.compute.inputs).map((ref) => argOf(ref, ground));
    return args.every((a) => a !== undefined) ? this.evaluate(args) : Number.NaN;
  }
}

function argOf({ of, column, take }: InputRef, ground: Ground): number | undefined {
  if (of !== "candidates") {
    const value = ground.cell(of, column);
    return typeof value === "number" ? value : undefined;
  }
  const known = ground.all(column).filter((v) => typeof v === "number");
  return known.length === 0 || take === undefined ? undefined : figureOf(known, take);
}

function chooseOn(scene: Scene, where: Program["where"], select: Select | undefined): Chosen {
  const candidates = Bits.full(scene.rows);
  for (const condition of where) {
    const held = new Bits(scene.rows);
    scene.column(condition.column).forEach((value, row) => {
      if (holds(condition, value) === true) held.set(row);
    });
    candidates.and(held);
  }
  if (select === undefined) return { candidates, winner: -1 };
  return { candidates, winner: chosen(scene.column(select.column), select, rowsOf(candidates)) };
}

function rowsOf(bits: Bits): number[] {
  const rows: number[] = [];
  bits.each((row) => {
    rows.push(row);
  });
  return rows;
}
