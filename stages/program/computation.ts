import { canonicalJson, compareText } from "../../pipeline/base/canonical.js";
import type { Catalog, NumberColumn, Table } from "../../sources/table.js";
import { driftOf } from "../../verifiers/margin.js";
import { type Computable, compileNumeric } from "../formulas/numeric.js";
import { type Sensitivities, sensitivities } from "../formulas/sensitivity.js";
import type { Bits } from "./bits.js";
import { validIn } from "./derived.js";
import { type Path, pathOf, tableOf } from "./path.js";
import type { InputRef, Program, Statistic } from "./program.js";
import { statistic, statisticDrift, statisticU } from "./statistics.js";

/** One input of a formula, bound to a column. */
export interface BoundInput {
  readonly name: string;
  readonly of: InputRef["of"];
  /** Of `candidates`. */
  readonly take: Statistic | undefined;
  readonly table: Table;
  readonly column: NumberColumn;
}

/** The rows that an answer is read from. */
export interface Places {
  /** Row of the selected entity. */
  readonly selected?: number | undefined;
  /** Row at the end of the path; without it the path is walked from `selected`. */
  readonly followed?: number | undefined;
  /** Row of the second entity. */
  readonly other?: number | undefined;
  /** Rows that figures of all candidates are taken over. */
  readonly members?: Bits | undefined;
  /** Another figure of them than the one asked for. */
  readonly take?: Statistic;
}

/** What inputs propagate to a value, relative to it: a standard uncertainty, and how far published values differ. */
export interface Spread {
  readonly uncertainty: number;
  readonly drift: number;
}

type Evaluate = (args: readonly number[]) => number;

/** What some way of answering gives. */
export interface Answered {
  readonly how: string;
  readonly value: number;
}

/**
 * A formula bound to columns: its answer for any rows, as plain numbers. Made once per (tables, formula, inputs, unit) and kept, so
 * that judging what a wrong choice would answer costs an array access.
 */
export class Computation {
  private readonly evaluate: Evaluate;
  private readonly units: Readonly<Record<string, string>>;
  private routes: { how: string; evaluate: Evaluate }[] | undefined;
  private shorter: Shorter[] | undefined;
  private others: { how: string; i: number; column: NumberColumn; evaluate: Evaluate }[] | undefined;
  /** Answers that depend on the selected row alone. */
  private readonly answers: Float64Array | undefined;
  private readonly asked: Uint8Array;
  private readonly ends: Int32Array | undefined;

  constructor(
    readonly table: Table,
    readonly formula: Computable,
    readonly inputs: readonly BoundInput[],
    readonly unit: string,
    readonly path: Path | undefined,
  ) {
    this.units = Object.fromEntries(inputs.map((i) => [i.name, i.column.card.unit!]));
    this.evaluate = compileNumeric(formula, this.units, unit);
    // Programs among peers are too many for each to keep the answers of all rows.
    const fixed = path === undefined || !path.amongPeers;
    const alone = fixed && inputs.every((i) => i.of === "selected" || i.of === "followed");
    this.answers = alone ? new Float64Array(table.rows) : undefined;
    this.asked = new Uint8Array(alone ? table.rows : 0);
    if (path !== undefined && fixed) this.ends = new Int32Array(table.rows).fill(UNWALKED);
  }

  /** Row at the end of the path from a selected row; undefined where there is no path or it leads nowhere. */
  followedRow(row: number): number | undefined {
    if (this.path === undefined) return undefined;
    if (this.ends === undefined) return this.path.end(row);
    if (this.ends[row] === UNWALKED) this.ends[row] = this.path.end(row) ?? NOWHERE;
    const end = this.ends[row]!;
    return end === NOWHERE ? undefined : end;
  }

  /** Row that an input is read from; undefined for figures of all candidates, and where a path leads nowhere. */
  inputRow({ of }: BoundInput, places: Places): number | undefined {
    if (of === "candidates") return undefined;
    if (of === "other") return places.other;
    if (of === "selected" || places.selected === undefined) return places.selected;
    return places.followed ?? this.followedRow(places.selected);
  }

  /** An input's value in its column's unit; NaN where unknown or only bounded. */
  private arg(input: BoundInput, places: Places): number {
    if (input.take !== undefined) return statistic(input.column, places.members!, places.take ?? input.take);
    const at = this.inputRow(input, places);
    if (at === undefined || input.column.limit[at] !== 0) return Number.NaN;
    return input.column.values[at]!;
  }

  args(places: Places): number[] {
    return this.inputs.map((input) => this.arg(input, places));
  }

  /** Standard uncertainty of an input, in its column's unit; NaN if undeclared. */
  inputU(input: BoundInput, places: Places): number {
    if (input.take !== undefined) return statisticU(input.column, places.members!, input.take);
    return input.column.u[this.inputRow(input, places)!]!;
  }

  /** How far published values of an input differ, in its column's unit. */
  inputDrift(input: BoundInput, places: Places, value: number): number {
    if (input.take !== undefined) return statisticDrift(input.column, places.members!, input.take);
    return driftOf(value, input.column.card.drift);
  }

  /**
   * First-order propagation to a value with these slopes, relative to it: uncertainties in quadrature (JCGM 100:2008, 5.1.2), drifts
   * linearly, as they are no chance. Inputs that read the same cell move together.
   */
  spread(places: Places, { value, absolute }: Pick<Sensitivities, "value" | "absolute">): Spread {
    const args = this.args(places);
    const cells = new Map<string, { slope: number; u: number; drift: number }>();
    this.inputs.forEach((input, i) => {
      const at = input.take ?? this.inputRow(input, places);
      const key = `${input.table.id} ${input.column.id} ${at}`;
      const slope = absolute[input.name]! + (cells.get(key)?.slope ?? 0);
      const drift = this.inputDrift(input, places, args[i]!);
      cells.set(key, { slope, u: this.inputU(input, places), drift });
    });
    let variance = 0;
    let wander = 0;
    for (const { slope, u, drift } of cells.values()) {
      if (u > 0) variance += (slope * u) ** 2;
      if (drift > 0) wander += Math.abs(slope) * drift;
    }
    return { uncertainty: Math.sqrt(variance) / Math.abs(value), drift: wander / Math.abs(value) };
  }

  /** As {@link spread}, of another expression over the same inputs. */
  spreadOf(places: Places, expression: string, unit: string): Spread {
    const output = { unit, quantity: "step" };
    return this.spread(places, sensitivities({ expression, output }, this.measured(places), unit));
  }

  /** The answer in the asked unit; NaN where an input is unknown. */
  answer(places: Places): number {
    const { selected, followed } = places;
    if (this.answers === undefined || selected === undefined || followed !== undefined)
      return this.answerAnew(places);
    if (this.asked[selected] === 0) {
      this.asked[selected] = 1;
      this.answers[selected] = this.answerAnew(places);
    }
    return this.answers[selected]!;
  }

  private answerAnew(places: Places): number {
    const args = this.args(places);
    return args.some(Number.isNaN) ? Number.NaN : this.evaluate(args);
  }

  /** Whether a value lies in the formula's validity range for an input. */
  valid(input: BoundInput, value: number): boolean {
    const [low, high] = validIn(this.formula, input.name, input.column.card.unit!);
    return value >= low && value <= high;
  }

  /** Answers of the formula's declared plain mistakes. */
  wrongRoutes(places: Places): Answered[] {
    this.routes ??= this.formula.wrong_routes.map(({ expression, reason }) => ({
      how: reason,
      evaluate: compileNumeric({ ...this.formula, expression }, this.units, this.unit),
    }));
    const args = this.args(places);
    const routes = this.routes.map(({ how, evaluate }) => ({ how, value: evaluate(args) }));
    return [...routes, ...this.cutShort(places)];
  }

  /** Answers of an entity on the way that bears the same quantities as the one at the end: the airport's latitude for its capital's. */
  private cutShort({ selected }: Places): Answered[] {
    if (this.path === undefined || selected === undefined) return [];
    this.shorter ??= this.shorterWays(this.path);
    if (this.shorter.length === 0) return [];
    const rows = [selected, ...this.path.walk(selected)];
    return this.shorter.map(({ how, at, columns, evaluate }) => {
      const row = rows[at]!;
      return { how, value: evaluate(columns.map((c) => (c.limit[row] === 0 ? c.values[row]! : Number.NaN))) };
    });
  }

  private shorterWays({ tables }: Path): Shorter[] {
    const { inputs, formula, unit } = this;
    if (!inputs.every((input) => input.of === "followed")) return [];
    return [this.table, ...tables.slice(0, -1)].flatMap((table, at) => {
      if (table === tables.at(-1)) return [];
      const columns = inputs.map(({ column }) => bearing(table, column.card.quantity));
      if (!columns.every((column) => column !== undefined)) return [];
      const units = Object.fromEntries(inputs.map(({ name }, i) => [name, columns[i]!.card.unit!]));
      const how = at === 0 ? "no step made" : `no step made after ${at}`;
      return [{ how, at, columns, evaluate: compileNumeric(formula, units, unit) }];
    });
  }

  /** Answers with another column in place of an input, where the table has one of the variant's quantity. */
  variants(places: Places): Answered[] {
    this.others ??= this.formula.variants.flatMap(({ input, quantity, reason }) => {
      const i = this.inputs.findIndex((b) => b.name === input);
      const column = i < 0 ? undefined : bearing(this.inputs[i]!.table, quantity);
      if (column === undefined) return [];
      const units = { ...this.units, [input]: column.card.unit! };
      return [{ how: reason, i, column, evaluate: compileNumeric(this.formula, units, this.unit) }];
    });
    return this.others.map(({ how, i, column, evaluate }) => {
      const args = this.args(places);
      args[i] = this.arg({ ...this.inputs[i]!, column }, places);
      return { how, value: evaluate(args) };
    });
  }

  /** First derivatives of the answer. */
  sensitivities(places: Places): Sensitivities {
    return sensitivities(this.formula, this.measured(places), this.unit);
  }

  private measured(places: Places): Record<string, { value: number; unit: string }> {
    const args = this.args(places);
    const measured = this.inputs.map((input, i) => [
      input.name,
      { value: args[i]!, unit: input.column.card.unit! },
    ]);
    return Object.fromEntries(measured);
  }
}

/** A formula bound to an entity on the way, by its place there. */
interface Shorter {
  readonly how: string;
  readonly at: number;
  readonly columns: readonly NumberColumn[];
  readonly evaluate: Evaluate;
}

/** A table's column of a quantity. */
function bearing(table: Table, quantity: string | undefined): NumberColumn | undefined {
  const column = [...table.columns.values()].find((c) => c.card.quantity === quantity);
  if (quantity === undefined || column === undefined) return undefined;
  return column.type === "text" || column.type === "flag" ? undefined : column;
}

const UNWALKED = -2;
const NOWHERE = -1;

const cache = new WeakMap<Catalog, Map<string, Computation>>();

/** The computation of a program, kept per catalog: the one that has the program's derived columns, if it has any. */
export function computationOf(
  catalog: Catalog,
  program: Pick<Program, "table" | "follow" | "compute">,
  formula: Computable,
): Computation {
  let known = cache.get(catalog);
  if (known === undefined) {
    known = new Map();
    cache.set(catalog, known);
  }
  const { inputs, unit } = program.compute;
  const key = canonicalJson([
    program.table,
    program.follow ?? null,
    formula.id,
    formula.expression,
    inputs,
    unit,
  ]);
  let computation = known.get(key);
  if (computation === undefined) {
    // By name: the order in which a program happens to list them says nothing, and is not kept when it is stored.
    const named = Object.entries(inputs).sort(([a], [b]) => compareText(a, b));
    const bound = named.map(([name, { of, column, take }]): BoundInput => {
      const table = tableOf(program, of, catalog)!;
      return { name, of, take, table, column: table.columns.get(column) as NumberColumn };
    });
    const path = pathOf(program, catalog);
    computation = new Computation(catalog.tables.get(program.table)!, formula, bound, unit, path);
    known.set(key, computation);
  }
  return computation;
}
