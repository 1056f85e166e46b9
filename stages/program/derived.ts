import { canonicalJson } from "../../pipeline/base/canonical.js";
import type { Card, ColumnCard } from "../../sources/card.js";
import type { Catalog, Column, NumberColumn, Table } from "../../sources/table.js";
import { driftOf, MARGIN_SIGMAS } from "../../verifiers/margin.js";
import { convert } from "../../verifiers/units.js";
import { type Computable, compileNumeric } from "../formulas/numeric.js";
import { sensitivities } from "../formulas/sensitivity.js";
import type { Derive, Program } from "./program.js";

/** Definitions of the formulas of derived columns, by column. */
export type DerivedFormulas = Readonly<Record<string, Computable>>;

/** Where a derived column comes from, in place of a field of the file. */
export const DERIVED = "#derived";

/** A card with a program's derived columns, as far as no data is needed. */
export function derivedCard(card: Card, derive: Derive | undefined, formulas: DerivedFormulas): Card {
  if (derive === undefined) return card;
  const columns = Object.entries(derive).map(([id, { inputs }]): [string, ColumnCard] => [
    id,
    columnCard(formulas[id]!, inputs, card),
  ]);
  return { ...card, columns: { ...card.columns, ...Object.fromEntries(columns) } };
}

function columnCard(formula: Computable, inputs: Derive[string]["inputs"], card: Card): ColumnCard {
  const definition = formula.definition?.replace(/\{([a-z][a-z0-9_-]*)\}/g, (whole, name: string) => {
    const column = Object.hasOwn(inputs, name) ? inputs[name]! : undefined;
    return (column === undefined ? undefined : card.columns[column]?.phrase?.noun) ?? whole;
  });
  const read = Object.values(inputs).map((column) => card.columns[column]);
  const isExact = read.every((column) => column?.scale === "exact");
  const kind = read.find((column) => column?.kind !== undefined)?.kind;
  return {
    from: DERIVED,
    type: "number",
    scale: formula.exact ? (isExact ? "exact" : "count") : "ratio",
    unit: formula.output.unit,
    trim: false,
    nulls: [],
    uncertainty: { absolute: 0 },
    quantity: formula.output.quantity,
    ...(kind === undefined ? {} : { kind }),
    may: ["filter", "select"],
    exclude: [],
    phrase: { noun: formula.noun, ...(definition === undefined ? {} : { definition }) },
  };
}

/** The columns that one is computed from, if it is. */
export function sourcesOf(column: Column): readonly string[] {
  return column.type === "number" || column.type === "integer" ? (column.derivedFrom ?? []) : [];
}

const extended = new WeakMap<Catalog, Map<string, Catalog>>();

/** The tables as a program sees them: with its derived columns, each computed once for every row. */
export function catalogFor(
  {
    program,
    derived,
  }: { readonly program: Pick<Program, "table" | "derive">; readonly derived?: DerivedFormulas | undefined },
  catalog: Catalog,
): Catalog {
  const { table, derive } = program;
  if (derive === undefined) return catalog;
  const known = extended.get(catalog) ?? new Map<string, Catalog>();
  extended.set(catalog, known);
  const key = canonicalJson([table, derive, derived ?? null]);
  let found = known.get(key);
  if (found === undefined) {
    const tables = new Map(catalog.tables);
    tables.set(table, extend(catalog.tables.get(table)!, derive, derived ?? {}));
    found = { tables };
    known.set(key, found);
  }
  return found;
}

function extend(table: Table, derive: Derive, formulas: DerivedFormulas): Table {
  const card = derivedCard(table.card, derive, formulas);
  const columns = new Map(table.columns);
  for (const [id, { inputs }] of Object.entries(derive)) {
    const column = compute(id, formulas[id]!, inputs, table, card.columns[id]!);
    card.columns[id] = column.card;
    columns.set(id, column);
  }
  return { ...table, card, columns };
}

function compute(
  id: string,
  formula: Computable,
  inputs: Derive[string]["inputs"],
  table: Table,
  card: ColumnCard,
): NumberColumn {
  const bound = Object.entries(inputs).map(([name, column]) => ({
    name,
    column: table.columns.get(column) as NumberColumn,
  }));
  const units = Object.fromEntries(bound.map(({ name, column }) => [name, column.card.unit!]));
  const evaluate = compileNumeric(formula, units, formula.output.unit);
  const ranges = bound.map(({ name, column }) => validIn(formula, name, column.card.unit!));
  const values = new Float64Array(table.rows).fill(Number.NaN);
  const u = new Float64Array(table.rows);
  for (let row = 0; row < table.rows; row++) {
    const args = bound.map(({ column }) => (column.limit[row] === 0 ? column.values[row]! : Number.NaN));
    if (!args.every((arg, i) => arg >= ranges[i]![0] && arg <= ranges[i]![1])) continue;
    values[row] = evaluate(args);
    if (card.scale === "exact" || Number.isNaN(values[row]!)) continue;
    const spread = spreadAt(formula, bound, args, row);
    // Five times this is five times the uncertainty and the drift: so each row has its own, and a value near zero no endless one.
    u[row] = spread.u + spread.drift / MARGIN_SIGMAS;
  }
  return {
    type: "number",
    id,
    card,
    values,
    u,
    limit: new Int8Array(table.rows),
    derivedFrom: [...new Set(Object.values(inputs))],
  };
}

/** Validity range of an input in a column's unit. */
export function validIn(formula: Computable, input: string, unit: string): readonly [number, number] {
  const spec = formula.inputs[input]!;
  const [low, high] = spec.valid ?? [null, null];
  return [
    low === null ? Number.NEGATIVE_INFINITY : convert(low, spec.unit, unit),
    high === null ? Number.POSITIVE_INFINITY : convert(high, spec.unit, unit),
  ];
}

/** Absolute standard uncertainty and drift that the inputs propagate to first order; NaN where an input's is not declared. */
function spreadAt(
  formula: Computable,
  bound: readonly { readonly name: string; readonly column: NumberColumn }[],
  args: readonly number[],
  row: number,
): { u: number; drift: number } {
  const measured = bound.map(({ name, column }, i) => [name, { value: args[i]!, unit: column.card.unit! }]);
  const { absolute } = sensitivities(formula, Object.fromEntries(measured));
  // Inputs that read the same column move together.
  const slopes = new Map<NumberColumn, { slope: number; value: number }>();
  bound.forEach(({ name, column }, i) => {
    slopes.set(column, { slope: absolute[name]! + (slopes.get(column)?.slope ?? 0), value: args[i]! });
  });
  let variance = 0;
  let drift = 0;
  for (const [column, { slope, value }] of slopes) {
    variance += (slope * column.u[row]!) ** 2;
    drift += Math.abs(slope) * driftOf(value, column.card.drift);
  }
  return { u: Math.sqrt(variance), drift };
}
