import type { Catalog, NumberColumn, Table } from "../../sources/table.js";
import { convert } from "../../verifiers/units.js";
import type { Formula } from "../formulas/formula.js";
import { compileNumeric } from "../formulas/numeric.js";
import { type Sensitivities, sensitivities } from "../formulas/sensitivity.js";
import { type Hop, hopOf } from "./hop.js";
import type { Program } from "./program.js";

/** One input of a formula, bound to a column of the selected or of the followed table. */
export interface BoundInput {
  readonly name: string;
  readonly of: "selected" | "followed";
  readonly table: Table;
  readonly column: NumberColumn;
}

type Evaluate = (args: readonly number[]) => number;

/** What some way of answering gives. */
export interface Answered {
  readonly how: string;
  readonly value: number;
}

/**
 * A formula bound to columns: its answer for any selected row, as plain numbers. Made once per (tables, formula, inputs,
 * unit) and kept, so that judging what a wrong choice would answer costs an array access.
 */
export class Computation {
  private readonly evaluate: (args: readonly number[]) => number;
  private readonly units: Readonly<Record<string, string>>;
  private routes: { how: string; evaluate: Evaluate }[] | undefined;
  private others: { how: string; i: number; column: NumberColumn; evaluate: Evaluate }[] | undefined;
  private readonly answers: Float64Array;
  private readonly asked: Uint8Array;
  /** Followed row of each selected row, -1 where the link leads nowhere. */
  private readonly hop: Int32Array | undefined;

  constructor(
    readonly table: Table,
    readonly formula: Formula | Omit<Formula, "anchors">,
    readonly inputs: readonly BoundInput[],
    readonly unit: string,
    hop: Hop | undefined,
  ) {
    this.units = Object.fromEntries(inputs.map((i) => [i.name, i.column.card.unit!]));
    this.evaluate = compileNumeric(formula, this.units, unit);
    this.answers = new Float64Array(table.rows);
    this.asked = new Uint8Array(table.rows);
    if (hop !== undefined) this.hop = Int32Array.from(table.keys, (_, row) => hop.from(row) ?? -1);
  }

  /** Row of the followed table for a selected row; undefined where there is no link or it leads nowhere. */
  followedRow(row: number): number | undefined {
    const to = this.hop?.[row];
    return to === undefined || to < 0 ? undefined : to;
  }

  /** Row that input `i` is read from. */
  inputRow(input: BoundInput, row: number): number | undefined {
    return input.of === "selected" ? row : this.followedRow(row);
  }

  /** Input values in their columns' units; NaN where unknown or only bounded. */
  args(row: number): number[] {
    return this.inputs.map((input) => {
      const at = this.inputRow(input, row);
      if (at === undefined || input.column.limit[at] !== 0) return Number.NaN;
      return input.column.values[at]!;
    });
  }

  /** The answer for a selected row in the asked unit; NaN where an input is unknown. */
  answer(row: number): number {
    if (this.asked[row] === 0) {
      this.asked[row] = 1;
      const args = this.args(row);
      this.answers[row] = args.some(Number.isNaN) ? Number.NaN : this.evaluate(args);
    }
    return this.answers[row]!;
  }

  /** Whether a value lies in the formula's validity range for an input. */
  valid(input: BoundInput, value: number): boolean {
    const spec = this.formula.inputs[input.name]!;
    if (spec.valid === undefined) return true;
    const inSpecUnit = convert(value, input.column.card.unit!, spec.unit);
    const [low, high] = spec.valid;
    return (low === null || inSpecUnit >= low) && (high === null || inSpecUnit <= high);
  }

  /** Answers of the formula's declared plain mistakes at a row. */
  wrongRoutes(row: number): Answered[] {
    this.routes ??= this.formula.wrong_routes.map(({ expression, reason }) => ({
      how: reason,
      evaluate: compileNumeric({ ...this.formula, expression }, this.units, this.unit),
    }));
    const args = this.args(row);
    return this.routes.map(({ how, evaluate }) => ({ how, value: evaluate(args) }));
  }

  /** Answers with another column in place of an input, where the table has one of the variant's quantity. */
  variants(row: number): Answered[] {
    this.others ??= this.formula.variants.flatMap(({ input, quantity, reason }) => {
      const i = this.inputs.findIndex((b) => b.name === input);
      const table = this.inputs[i]?.table;
      const column = [...(table?.columns.values() ?? [])].find((c) => c.card.quantity === quantity);
      if (column === undefined || column.type === "text" || column.type === "flag") return [];
      const units = { ...this.units, [input]: column.card.unit! };
      return [{ how: reason, i, column, evaluate: compileNumeric(this.formula, units, this.unit) }];
    });
    return this.others.map(({ how, i, column, evaluate }) => {
      const args = this.args(row);
      args[i] = column.values[this.inputRow(this.inputs[i]!, row)!]!;
      return { how, value: evaluate(args) };
    });
  }

  /** First derivatives of the answer at a row. */
  sensitivities(row: number): Sensitivities {
    const args = this.args(row);
    const measured = this.inputs.map((input, i) => [
      input.name,
      { value: args[i]!, unit: input.column.card.unit! },
    ]);
    return sensitivities(this.formula, Object.fromEntries(measured), this.unit);
  }
}

const cache = new WeakMap<Catalog, Map<string, Computation>>();

/** The computation of a program, kept per catalog. */
export function computationOf(
  catalog: Catalog,
  program: Program,
  formula: Formula | Omit<Formula, "anchors">,
): Computation {
  let known = cache.get(catalog);
  if (known === undefined) {
    known = new Map();
    cache.set(catalog, known);
  }
  const { inputs, unit } = program.compute;
  const key = JSON.stringify([program.table, program.follow, formula.id, formula.expression, inputs, unit]);
  let computation = known.get(key);
  if (computation === undefined) {
    const table = catalog.tables.get(program.table)!;
    const hop = hopOf(program, catalog);
    const bound = Object.entries(inputs).map(([name, ref]): BoundInput => {
      const from = ref.of === "followed" ? hop!.to : table;
      return { name, of: ref.of, table: from, column: from.columns.get(ref.column) as NumberColumn };
    });
    computation = new Computation(table, formula, bound, unit, hop);
    known.set(key, computation);
  }
  return computation;
}
