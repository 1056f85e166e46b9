/**
 * Evaluator B: the formula's text given to mathjs, with units carried through the arithmetic, so that a wrong factor or dimension
 * shows. Shares no parser, conversion or formula code with evaluator A (sql.ts).
 */
import type { EvalFunction, Unit } from "mathjs";
import { CONSTANT_SYMBOLS, constantOf } from "../../verifiers/constants.js";
import { parseExpression } from "./expression.js";
import { amountIn, mathjs, quantity } from "./mathjs-units.js";
import type { Computable } from "./numeric.js";

/** An input's value with its unit. */
export interface Measured {
  readonly value: number;
  readonly unit: string;
}

const compiled = new Map<string, EvalFunction>();

/**
 * The formula's value in `outputUnit`; NaN where it has no finite real value.
 * @throws Error if a unit is unknown or the dimensions do not fit; see `checkFormula`.
 */
export function evaluate(
  formula: Pick<Computable, "expression">,
  inputs: Readonly<Record<string, Measured>>,
  outputUnit: string,
): number {
  return evaluateIn(scopeOf(inputs), formula.expression, outputUnit);
}

/** Values of the named intermediate steps, each in its declared unit. @throws as {@link evaluate}. */
export function evaluateSteps(
  formula: Pick<Computable, "steps">,
  inputs: Readonly<Record<string, Measured>>,
): Record<string, number> {
  const scope = scopeOf(inputs);
  const steps = Object.entries(formula.steps);
  return Object.fromEntries(
    steps.map(([id, { expression, unit }]) => [id, evaluateIn(scope, expression, unit)]),
  );
}

type Scope = Map<string, number | Unit>;

function scopeOf(inputs: Readonly<Record<string, Measured>>): Scope {
  const scope: Scope = new Map(constants());
  for (const [name, { value, unit }] of Object.entries(inputs)) scope.set(name, quantity(value, unit));
  return scope;
}

let constantScope: Scope | undefined;

function constants(): Scope {
  constantScope ??= new Map(
    CONSTANT_SYMBOLS.map((symbol) => {
      const { value, unit } = constantOf(symbol)!;
      return [symbol, quantity(value, unit)];
    }),
  );
  return constantScope;
}

function evaluateIn(scope: Scope, expression: string, unit: string): number {
  let code = compiled.get(expression);
  if (code === undefined) {
    // The whitelist: what our parser refuses never reaches mathjs.
    parseExpression(expression);
    code = mathjs().parse(expression).compile();
    compiled.set(expression, code);
  }
  const copy = new Map(scope);
  const value: unknown = code.evaluate(copy as unknown as object);
  return amountIn(value, unit);
}
