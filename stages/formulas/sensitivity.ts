/** How an answer moves with each input: exact first derivatives by forward differentiation of the tree (dual numbers). */
import { parseUnit, toSI } from "../../verifiers/units.js";
import { type Expression, type FunctionName, parseExpression } from "./expression.js";
import { type Computable, factorial, namedValue } from "./numeric.js";
import type { Measured } from "./typescript.js";

/** Derivatives of an answer at given inputs. */
export interface Sensitivities {
  /** The answer in the output unit, computed in plain SI numbers. */
  readonly value: number;
  /** d(answer)/d(input), in output units per unit of the input. */
  readonly absolute: Readonly<Record<string, number>>;
  /** d ln(answer) / d ln(input), without unit. */
  readonly relative: Readonly<Record<string, number>>;
  /** Σ |relative|, at least 1: by how much relative errors of inputs and rounding are magnified. */
  readonly condition: number;
}

/** A value and its partial derivatives. */
interface Dual {
  readonly value: number;
  readonly slope: readonly number[];
}

/**
 * Sensitivities of a formula at given inputs. NaN where the formula has no value or is not differentiable.
 * @throws ExpressionError, UnitError or RangeError if the formula is not sound; see `checkFormula`.
 */
export function sensitivities(
  formula: Pick<Computable, "expression" | "output">,
  inputs: Readonly<Record<string, Measured>>,
  outputUnit: string = formula.output.unit,
): Sensitivities {
  const names = Object.keys(inputs);
  const scope = new Map(names.map((name, i) => [name, variable(inputs[name]!, i, names.length)]));
  const result = evaluateDual(parseExpression(formula.expression), scope, names.length);
  const { factor, offset } = parseUnit(outputUnit);
  const value = (result.value - offset) / factor;
  const absolute: Record<string, number> = {};
  const relative: Record<string, number> = {};
  let condition = 0;
  names.forEach((name, i) => {
    const { value: x, unit } = inputs[name]!;
    absolute[name] = (result.slope[i]! * parseUnit(unit).factor) / factor;
    relative[name] =
      value === 0 ? (absolute[name] === 0 ? 0 : Number.POSITIVE_INFINITY) : (absolute[name]! * x) / value;
    condition += Math.abs(relative[name]!);
  });
  return { value, absolute, relative, condition: Math.max(1, condition) };
}

function variable({ value, unit }: Measured, i: number, n: number): Dual {
  return { value: toSI(value, unit), slope: Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)) };
}

function evaluateDual(e: Expression, scope: ReadonlyMap<string, Dual>, n: number): Dual {
  switch (e.kind) {
    case "number":
      return constant(e.value, n);
    case "name":
      return scope.get(e.name) ?? constant(namedValue(e.name), n);
    case "negate":
      return along(
        evaluateDual(e.of, scope, n),
        (x) => -x,
        () => -1,
      );
    case "call": {
      const [f, derivative] = CALLS[e.name];
      return along(evaluateDual(e.argument, scope, n), f, derivative);
    }
    case "binary":
      return combine(e.op, evaluateDual(e.left, scope, n), evaluateDual(e.right, scope, n));
  }
}

function constant(value: number, n: number): Dual {
  return { value, slope: new Array<number>(n).fill(0) };
}

/** Chain rule; a slope of zero stays zero, whatever the derivative. */
function along(x: Dual, f: (x: number) => number, derivative: (x: number) => number): Dual {
  const d = derivative(x.value);
  return { value: f(x.value), slope: x.slope.map((s) => (s === 0 ? 0 : s * d)) };
}

function combine(op: "+" | "-" | "*" | "/" | "^", a: Dual, b: Dual): Dual {
  switch (op) {
    case "+":
      return merge(a.value + b.value, a, 1, b, 1);
    case "-":
      return merge(a.value - b.value, a, 1, b, -1);
    case "*":
      return merge(a.value * b.value, a, b.value, b, a.value);
    case "/":
      return merge(a.value / b.value, a, 1 / b.value, b, -a.value / (b.value * b.value));
    case "^": {
      const value = a.value ** b.value;
      return merge(value, a, b.value * a.value ** (b.value - 1), b, value * Math.log(a.value));
    }
  }
}

function merge(value: number, a: Dual, da: number, b: Dual, db: number): Dual {
  const part = (s: number, d: number) => (s === 0 ? 0 : s * d);
  return { value, slope: a.slope.map((s, i) => part(s, da) + part(b.slope[i]!, db)) };
}

/** Euler–Mascheroni constant. */
const EULER = 0.5772156649015329;

function harmonic(n: number): number {
  let sum = 0;
  for (let i = 1; i <= n; i++) sum += 1 / i;
  return sum;
}

type Pair = readonly [(x: number) => number, (x: number) => number];

const CALLS: Readonly<Record<FunctionName, Pair>> = {
  sqrt: [Math.sqrt, (x) => 0.5 / Math.sqrt(x)],
  cbrt: [Math.cbrt, (x) => 1 / (3 * Math.cbrt(x) ** 2)],
  exp: [Math.exp, Math.exp],
  ln: [Math.log, (x) => 1 / x],
  log10: [Math.log10, (x) => 1 / (x * Math.LN10)],
  sin: [Math.sin, Math.cos],
  cos: [Math.cos, (x) => -Math.sin(x)],
  tan: [Math.tan, (x) => 1 / Math.cos(x) ** 2],
  asin: [Math.asin, (x) => 1 / Math.sqrt(1 - x * x)],
  acos: [Math.acos, (x) => -1 / Math.sqrt(1 - x * x)],
  atan: [Math.atan, (x) => 1 / (1 + x * x)],
  abs: [Math.abs, Math.sign],
  // Of the gamma function, which goes through the factorials: n!·ψ(n + 1), with ψ(n + 1) = 1 + 1/2 + ... + 1/n − γ.
  factorial: [factorial, (n) => factorial(n) * (harmonic(n) - EULER)],
};
