/** Dimensions carried through an expression: what it measures, or where its units do not fit. */
import { type Dimension, dimensionText } from "../../verifiers/units.js";
import { type Expression, ExpressionError } from "./expression.js";

const NONE: Dimension = [0, 0, 0, 0, 0, 0, 0];

const same = (a: Dimension, b: Dimension): boolean => a.every((d, i) => Math.abs(d - b[i]!) < 1e-9);
const combined = (a: Dimension, b: Dimension, sign: 1 | -1): Dimension =>
  a.map((d, i) => d + sign * b[i]!) as unknown as Dimension;
const raised = (a: Dimension, power: number): Dimension => a.map((d) => d * power) as unknown as Dimension;

/**
 * The dimension of an expression whose names have the given dimensions.
 * @throws ExpressionError at the part whose dimensions do not fit, or at a name without one.
 */
export function dimensionOf(e: Expression, names: ReadonlyMap<string, Dimension>): Dimension {
  switch (e.kind) {
    case "number":
      return NONE;
    case "name":
      return named(e.name, e.at, names);
    case "negate":
      return dimensionOf(e.of, names);
    case "call":
      return ofCall(e.name, e.argument, names);
    case "binary": {
      const left = dimensionOf(e.left, names);
      const right = dimensionOf(e.right, names);
      if (e.op === "*") return combined(left, right, 1);
      if (e.op === "/") return combined(left, right, -1);
      if (e.op === "^") return ofPower(e.right, left, right);
      if (same(left, right)) return left;
      const verb = e.op === "+" ? "added to" : "subtracted from";
      const [first, second] = e.op === "+" ? [left, right] : [right, left];
      throw new ExpressionError(
        `${dimensionText(first)} cannot be ${verb} ${dimensionText(second)}`,
        e.right.at,
      );
    }
  }
}

function named(name: string, at: number, names: ReadonlyMap<string, Dimension>): Dimension {
  const dimension = name === "pi" ? NONE : names.get(name);
  if (dimension === undefined)
    throw new ExpressionError(`\`${name}\` is neither an input nor a declared constant`, at);
  return dimension;
}

function ofCall(name: string, argument: Expression, names: ReadonlyMap<string, Dimension>): Dimension {
  const dimension = dimensionOf(argument, names);
  if (name === "abs") return dimension;
  if (name === "sqrt") return raised(dimension, 1 / 2);
  if (name === "cbrt") return raised(dimension, 1 / 3);
  if (same(dimension, NONE)) return NONE;
  throw new ExpressionError(`${name}() takes a pure number, not ${dimensionText(dimension)}`, argument.at);
}

function ofPower(exponent: Expression, base: Dimension, ofExponent: Dimension): Dimension {
  if (!same(ofExponent, NONE)) {
    throw new ExpressionError(`an exponent is a pure number, not ${dimensionText(ofExponent)}`, exponent.at);
  }
  if (same(base, NONE)) return NONE;
  const power = constantValue(exponent);
  if (power !== undefined) return raised(base, power);
  throw new ExpressionError("the exponent of a quantity with a unit must be a number", exponent.at);
}

/** The value of an expression of numbers alone, such as (1/3) or -2. */
function constantValue(e: Expression): number | undefined {
  if (e.kind === "number") return e.value;
  if (e.kind === "negate") {
    const of = constantValue(e.of);
    return of === undefined ? undefined : -of;
  }
  if (e.kind !== "binary") return undefined;
  const left = constantValue(e.left);
  const right = constantValue(e.right);
  if (left === undefined || right === undefined) return undefined;
  return { "+": left + right, "-": left - right, "*": left * right, "/": left / right, "^": left ** right }[
    e.op
  ];
}
