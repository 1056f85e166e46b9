/**
 * Formulas as plain-number functions, for the enumeration loop: the tree as closures over SI numbers, in the order of
 * operations in which evaluator A's SQL has them. Not a check of anything: answers are computed by evaluators A and B.
 */
import { constantOf } from "../../verifiers/constants.js";
import { parseUnit, toSI } from "../../verifiers/units.js";
import { type Expression, type FunctionName, parseExpression } from "./expression.js";
import type { Formula } from "./formula.js";

/** What a formula is apart from its anchors, which only tests read. */
export type Computable = Omit<Formula, "anchors">;

type Node = (values: readonly number[]) => number;

const CALLS: Readonly<Record<FunctionName, (x: number) => number>> = {
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  exp: Math.exp,
  ln: Math.log,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  abs: Math.abs,
  factorial,
};

/** n! for whole n from 0 to 33 (the largest in DuckDB's HUGEINT), else NaN. */
export function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 33) return Number.NaN;
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}

/**
 * A function of the inputs, in the order of `unitsOfInputs`' keys and in those units, giving the value in `outputUnit`. NaN where
 * an input is NaN or the formula has no value.
 * @throws ExpressionError, UnitError or RangeError if the formula is not sound; see `checkFormula`.
 */
export function compileNumeric(
  formula: Pick<Computable, "expression">,
  unitsOfInputs: Readonly<Record<string, string>>,
  outputUnit: string,
): (args: readonly number[]) => number {
  const names = Object.keys(unitsOfInputs);
  const units = names.map((n) => parseUnit(unitsOfInputs[n]!));
  const output = parseUnit(outputUnit);
  const body = compile(parseExpression(formula.expression), new Map(names.map((n, i) => [n, i])));
  const si = new Array<number>(names.length);
  return (args) => {
    for (let i = 0; i < si.length; i++) si[i] = args[i]! * units[i]!.factor + units[i]!.offset;
    const value = (body(si) - output.offset) / output.factor;
    return Number.isFinite(value) ? value : Number.NaN;
  };
}

function compile(e: Expression, slots: ReadonlyMap<string, number>): Node {
  switch (e.kind) {
    case "number":
      return () => e.value;
    case "name": {
      const slot = slots.get(e.name);
      if (slot !== undefined) return (values) => values[slot]!;
      const value = namedValue(e.name);
      return () => value;
    }
    case "negate": {
      const of = compile(e.of, slots);
      return (values) => -of(values);
    }
    case "call": {
      const argument = compile(e.argument, slots);
      const apply = CALLS[e.name];
      return (values) => apply(argument(values));
    }
    case "binary":
      return compileBinary(e.op, compile(e.left, slots), compile(e.right, slots));
  }
}

function compileBinary(op: "+" | "-" | "*" | "/" | "^", left: Node, right: Node): Node {
  switch (op) {
    case "+":
      return (v) => left(v) + right(v);
    case "-":
      return (v) => left(v) - right(v);
    case "*":
      return (v) => left(v) * right(v);
    case "/":
      return (v) => left(v) / right(v);
    case "^":
      return (v) => left(v) ** right(v);
  }
}

/** The SI value of `pi` or a constant. @throws RangeError for any other name. */
export function namedValue(name: string): number {
  if (name === "pi") return Math.PI;
  const constant = constantOf(name);
  if (constant === undefined) throw new RangeError(`\`${name}\` is neither an input nor a constant`);
  return toSI(constant.value, constant.unit);
}
