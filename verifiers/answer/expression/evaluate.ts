import * as b from "./ball.js";
import type { Node } from "./tree.js";

/** What an evaluation may still do; shared by all evaluations of one verdict, so that no expression can take long. */
export interface Effort {
  left: number;
}

/** The most terms that a series is written out to, and the largest number whose factorial is taken. */
const MOST_TERMS = 1000;
const LARGEST_FACTORIAL = 170;

/** Value of an expression at a point, with a bound on its rounding. */
export function evaluate(node: Node, point: ReadonlyMap<string, number>, effort: Effort): b.Result {
  if (--effort.left < 0) return "unclear";
  switch (node.kind) {
    case "number":
      return literal(node.text);
    case "constant":
      return node.name === "i" ? b.imaginary : b.literal(node.name === "pi" ? Math.PI : Math.E, false);
    case "variable": {
      const value = point.get(node.name);
      return value === undefined ? "undefined" : b.literal(value, true);
    }
    case "negative": {
      const of = evaluate(node.of, point, effort);
      return b.isBall(of) ? b.negative(of) : of;
    }
    case "sum":
      return folded(node.parts, b.add, point, effort);
    case "product":
      return folded(node.parts, b.multiply, point, effort);
    case "quotient":
      return both(node.over, node.under, b.divide, point, effort);
    case "power":
      return power(node.base, node.exponent, point, effort);
    case "factorial": {
      const n = whole(node.of, point, effort);
      return typeof n === "number" ? factorial(n) : n;
    }
    case "call":
      return call(node, point, effort);
    case "series":
      return series(node, point, effort);
  }
}

type Point = ReadonlyMap<string, number>;
type Operation = (x: b.Ball, y: b.Ball) => b.Result;

function literal(text: string): b.Result {
  const value = Number(text);
  return b.literal(value, Number.isSafeInteger(value) && /^[0-9]{1,16}$/.test(text));
}

function both(x: Node, y: Node, operation: Operation, point: Point, effort: Effort): b.Result {
  const left = evaluate(x, point, effort);
  if (!b.isBall(left)) return left;
  const right = evaluate(y, point, effort);
  return b.isBall(right) ? operation(left, right) : right;
}

function folded(parts: readonly Node[], operation: Operation, point: Point, effort: Effort): b.Result {
  let result = evaluate(parts[0]!, point, effort);
  for (const part of parts.slice(1)) {
    if (!b.isBall(result)) return result;
    const value = evaluate(part, point, effort);
    result = b.isBall(value) ? operation(result, value) : value;
  }
  return result;
}

function power(base: Node, exponent: Node, point: Point, effort: Effort): b.Result {
  if (base.kind === "constant" && base.name === "e") {
    const value = evaluate(exponent, point, effort);
    return b.isBall(value) ? b.apply("exp", value) : value;
  }
  const rational = rationalOf(exponent);
  if (rational === undefined) return both(base, exponent, b.power, point, effort);
  const value = evaluate(base, point, effort);
  return b.isBall(value) ? b.rationalPower(value, rational) : value;
}

/** A whole number or a fraction of two, as written: `2`, `-1/3`, `2/6` (which is 1/3). */
export function rationalOf(node: Node): b.Rational | undefined {
  if (node.kind === "negative") {
    const of = rationalOf(node.of);
    return of && { over: -of.over, under: of.under };
  }
  if (node.kind === "number" && /^[0-9]{1,6}$/.test(node.text)) return { over: Number(node.text), under: 1 };
  if (node.kind !== "quotient") return undefined;
  const [x, y] = [rationalOf(node.over), rationalOf(node.under)];
  if (x === undefined || y === undefined || y.over === 0) return undefined;
  const [p, q] = [x.over * y.under, x.under * y.over];
  if (Math.max(Math.abs(p), Math.abs(q)) > 1e6) return undefined;
  const d = gcd(Math.abs(p), Math.abs(q)) * Math.sign(q);
  return { over: p / d, under: q / d };
}

function gcd(x: number, y: number): number {
  let [a, c] = [x, y];
  while (c !== 0) [a, c] = [c, a % c];
  return a || 1;
}

/** A whole number, or why it is none. */
function whole(node: Node, point: Point, effort: Effort): number | b.NoBall {
  const value = evaluate(node, point, effort);
  if (!b.isBall(value)) return value;
  const n = Math.round(value.at.re);
  if (Math.abs(value.at.re - n) <= value.radius && value.real) return n === 0 ? 0 : n;
  return "undefined";
}

function factorial(n: number): b.Result {
  if (n < 0) return "undefined";
  if (n > LARGEST_FACTORIAL) return "unclear";
  let product = 1;
  for (let k = 2; k <= n; k++) product *= k;
  return b.literal(product, n <= 18);
}

function call(node: Extract<Node, { kind: "call" }>, point: Point, effort: Effort): b.Result {
  const { name, args } = node;
  if (name === "binom") return binomial(args[0]!, args[1]!, point, effort);
  if (name === "min" || name === "max") return folded(args, (x, y) => extreme(name, x, y), point, effort);
  if (name === "logb") {
    return both(
      args[1]!,
      args[0]!,
      (x, base) => quotientOf(b.apply("ln", x), b.apply("ln", base)),
      point,
      effort,
    );
  }
  const value = evaluate(args[0]!, point, effort);
  if (!b.isBall(value)) return value;
  return b.apply(name === "log" ? "ln" : name, value);
}

function quotientOf(x: b.Result, y: b.Result): b.Result {
  if (!b.isBall(x)) return x;
  return b.isBall(y) ? b.divide(x, y) : y;
}

function extreme(name: "min" | "max", x: b.Ball, y: b.Ball): b.Result {
  if (!x.real || !y.real) return "undefined";
  const takesLeft = name === "min" ? x.at.re <= y.at.re : x.at.re >= y.at.re;
  const taken = takesLeft ? x : y;
  return { ...taken, radius: Math.max(x.radius, y.radius) };
}

function binomial(upper: Node, lower: Node, point: Point, effort: Effort): b.Result {
  const n = whole(upper, point, effort);
  const k = whole(lower, point, effort);
  if (typeof n !== "number") return n;
  if (typeof k !== "number") return k;
  if (n < 0) return "undefined";
  if (k < 0 || k > n) return b.literal(0, true);
  if (Math.min(k, n - k) > MOST_TERMS) return "unclear";
  let result = 1;
  for (let j = 1; j <= Math.min(k, n - k); j++) result = (result * (n - j + 1)) / j;
  // Each step is exact while it is a whole number below 2^53.
  return b.literal(result, result < 2 ** 46);
}

function series(node: Extract<Node, { kind: "series" }>, point: Point, effort: Effort): b.Result {
  const from = whole(node.from, point, effort);
  const to = whole(node.to, point, effort);
  if (typeof from !== "number") return from;
  if (typeof to !== "number") return to;
  if (to - from >= MOST_TERMS) return "unclear";
  let result: b.Result = b.literal(node.op === "sum" ? 0 : 1, true);
  const inner = new Map(point);
  for (let k = from; k <= to && b.isBall(result); k++) {
    inner.set(node.index, k);
    const term = evaluate(node.body, inner, effort);
    result = b.isBall(term) ? (node.op === "sum" ? b.add : b.multiply)(result, term) : term;
  }
  return result;
}
