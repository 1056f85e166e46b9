import type { Card } from "../../sources/card.js";
import type { Formula } from "../formulas/formula.js";
import { genericFormula, isGeneric } from "../formulas/generic.js";
import { cardOf } from "./path.js";
import type { Program } from "./program.js";

/**
 * The formula of a program: one of those given, or a generic one (a ratio, a mean) made for the column that it is asked of.
 * @param cards with the program's derived columns, if it has any
 * @returns undefined where there is none of that name, or where it does not fit the column
 */
export function formulaOf(
  program: Pick<Program, "table" | "follow" | "compute">,
  formulas: ReadonlyMap<string, Formula>,
  cards: ReadonlyMap<string, Card>,
): Formula | undefined {
  const { formula, inputs } = program.compute;
  if (!isGeneric(formula)) return formulas.get(formula);
  const [first] = Object.values(inputs);
  if (first === undefined) return undefined;
  const card = cardOf(program, first.of, cards);
  if (card === undefined || !Object.hasOwn(card.columns, first.column)) return undefined;
  return genericFormula(formula, first.column, card.columns[first.column]!, card.entity);
}
