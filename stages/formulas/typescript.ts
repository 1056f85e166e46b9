/**
 * Evaluator B: the formula's text given to mathjs, with units carried through the arithmetic, so that a wrong factor or dimension
 * shows. Shares no conversion or formula code with evaluator A (sql.ts).
 */
import type { EvalFunction, Unit } from "mathjs";
import { constantOf } from "../../verifiers/constants.js";
import { namesIn, parseExpression } from "./expression.js";
import { amountIn, mathjs, quantity } from "./mathjs-units.js";
import type { Computable } from "./numeric.js";

/** An input's value with its unit. */
export interface Measured {
  readonly value: number;
  readonly unit: string;
}

/** A compiled expression and the names it reads. */
interface Compiled {
  readonly code: EvalFunction;
  readonly names: readonly string[];
}

/**
 * The formula's value in `outputUnit`; NaN where it has no finite real value.
 * @throws Error if a name or unit is unknown or the dimensions do not fit; see `checkFormula`.
 */
export function evaluate(
  formula: Pick<Computable, "expression">,
  inputs: Readonly<Record<string, Measured>>,
  outputUnit: string,
): number {
  const { code, names } = compile(formula.expression);
  const scope = new Map(names.map((name) => [name, measured(name, inputs)]));
  const value: unknown = code.evaluate(scope as unknown as object);
  return amountIn(value, outputUnit);
}

/** Values of the named intermediate steps, each in its declared unit. @throws as {@link evaluate}. */
export function evaluateSteps(
  formula: Pick<Computable, "steps">,
  inputs: Readonly<Record<string, Measured>>,
): Record<string, number> {
  const steps = Object.entries(formula.steps);
  return Object.fromEntries(steps.map(([id, step]) => [id, evaluate(step, inputs, step.unit)]));
}

const compiled = new Map<string, Compiled>();

function compile(expression: string): Compiled {
  let known = compiled.get(expression);
  if (known === undefined) {
    // The whitelist: what our parser refuses never reaches mathjs. Of its tree only the names are used.
    const names = [...namesIn(parseExpression(expression))];
    known = { code: mathjs().parse(expression).compile(), names };
    if (compiled.size < 10_000) compiled.set(expression, known);
  }
  return known;
}

/** Every name is given a value by us: mathjs' own symbols (e, i, m, ...) are never reached. */
function measured(name: string, inputs: Readonly<Record<string, Measured>>): number | Unit {
  const found = Object.hasOwn(inputs, name) ? inputs[name] : constantOf(name);
  if (found === undefined) throw new Error(`\`${name}\` is neither an input nor a constant`);
  return quantity(found.value, found.unit);
}
