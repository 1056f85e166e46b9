import type { Catalog } from "../../sources/table.js";
import type { Formula } from "../formulas/formula.js";
import type { Computable } from "../formulas/numeric.js";
import type { ProgramRow } from "../task.js";
import { type DerivedFormulas, derivedCard } from "./derived.js";
import { formulaOf } from "./formula-of.js";
import { pathOf } from "./path.js";
import { type Program, taskId } from "./program.js";

/** Definitions of the formulas of a program's derived columns; undefined where it has none. */
export function derivedOf(
  { derive }: Pick<Program, "derive">,
  formulas: ReadonlyMap<string, Formula>,
): DerivedFormulas | undefined {
  if (derive === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(derive).map(([id, d]) => [id, definition(formulas.get(d.formula)!)]),
  );
}

function definition(formula: Formula | Computable): Computable {
  const { anchors: _, ...rest } = formula as Formula;
  return rest;
}

/** Makes the row of a program: the definitions of its formulas and the hashes of the tables it reads travel with it. */
export function programRowOf(
  program: Program,
  formulas: ReadonlyMap<string, Formula>,
  catalog: Catalog,
  origin: ProgramRow["origin"],
): ProgramRow {
  const derived = derivedOf(program, formulas);
  const cards = new Map([...catalog.tables].map(([id, { card }]) => [id, card]));
  cards.set(program.table, derivedCard(cards.get(program.table)!, program.derive, derived ?? {}));
  const formula = definition(formulaOf(program, formulas, cards)!);
  const read = new Set([program.table, ...(pathOf(program, catalog)?.tables ?? []).map((t) => t.id)]);
  const snapshots = Object.fromEntries([...read].map((id) => [id, catalog.tables.get(id)!.hash]));
  const id = taskId(program, derived === undefined ? formula : { formula, derived }, snapshots);
  return { id, program, formula, ...(derived === undefined ? {} : { derived }), snapshots, origin };
}
