import * as z from "./complex.js";
import type { UnaryName } from "./tree.js";

/**
 * A value with a bound on how far rounding may have moved it: what tells a difference from noise, also after cancellation.
 * `real`: neither it nor anything on the way to it left the reals.
 */
export interface Ball {
  readonly at: z.Complex;
  readonly radius: number;
  readonly real: boolean;
}

/** Why there is no value: the function has none there, or doubles cannot tell (overflow, too near to a pole or cut, cancelled). */
export type NoBall = "undefined" | "unclear";
export type Result = Ball | NoBall;

/** Unit roundoff of doubles, and the least that underflow loses. */
const U = 2 ** -53;
const TINY = Number.MIN_VALUE;

export const isBall = (r: Result): r is Ball => typeof r !== "string";

/** @param radius what is inexact beyond the operation itself */
function ball(at: z.Complex, radius: number, real: boolean): Result {
  if (!Number.isFinite(at.re) || !Number.isFinite(at.im) || !Number.isFinite(radius)) return "unclear";
  return { at, radius, real };
}

/** A number as written; `exact` if the double is what is written. */
export function literal(value: number, exact: boolean): Result {
  return ball(z.complex(value), exact ? 0 : U * Math.abs(value) + TINY, true);
}

export const imaginary: Ball = { at: z.complex(0, 1), radius: 0, real: false };

export function add(a: Ball, b: Ball): Result {
  const at = z.add(a.at, b.at);
  return ball(at, a.radius + b.radius + 2 * U * z.size(at), a.real && b.real);
}

export function negative(a: Ball): Ball {
  return { ...a, at: z.negative(a.at) };
}

export function multiply(a: Ball, b: Ball): Result {
  const at = z.multiply(a.at, b.at);
  const [x, y] = [z.size(a.at), z.size(b.at)];
  const lost = x === 0 || y === 0 ? 0 : 6 * U * x * y + TINY;
  return ball(at, x * b.radius + y * a.radius + a.radius * b.radius + lost, a.real && b.real);
}

export function divide(a: Ball, b: Ball): Result {
  const [x, y] = [z.size(a.at), z.size(b.at)];
  if (y <= b.radius) return y === 0 && b.radius === 0 ? "undefined" : "unclear";
  const at = z.divide(a.at, b.at);
  const lost = x === 0 ? 0 : 8 * U * z.size(at) + TINY;
  return ball(at, (a.radius + (x / y) * b.radius) / (y - b.radius) + lost, a.real && b.real);
}

interface Fn {
  readonly value: (a: z.Complex) => z.Complex;
  /** |f'|, given the argument and the value. */
  readonly slope: (a: z.Complex, value: z.Complex) => number;
  /** Where the real function has a value. */
  readonly defined?: (x: number) => boolean;
  /** Points at which it has no derivative: where it is not within reach of them, it can be told. */
  readonly singular?: readonly z.Complex[];
  /** Real arguments that lie on a cut, reached from one side only. */
  readonly cut?: (x: number) => boolean;
  /** Whether the cut lies on the imaginary axis instead. */
  readonly imaginaryCut?: boolean;
}

const ONE = z.complex(1);
const ENDS = [z.complex(1), z.complex(-1)];
const square = (a: z.Complex): z.Complex => z.multiply(a, a);
const over = (d: z.Complex): number => 1 / z.size(d);
const rootOver = (d: z.Complex): number => 1 / Math.sqrt(z.size(d));

const FUNCTIONS: Readonly<Record<Exclude<UnaryName, "abs" | "sign" | "floor" | "ceil">, Fn>> = {
  sin: { value: z.sin, slope: (a) => z.size(z.cos(a)) },
  cos: { value: z.cos, slope: (a) => z.size(z.sin(a)) },
  tan: { value: (a) => z.divide(z.sin(a), z.cos(a)), slope: (_, v) => z.size(z.add(ONE, square(v))) },
  cot: { value: (a) => z.divide(z.cos(a), z.sin(a)), slope: (_, v) => z.size(z.add(ONE, square(v))) },
  sec: { value: (a) => z.divide(ONE, z.cos(a)), slope: (a, v) => z.size(z.multiply(square(v), z.sin(a))) },
  csc: { value: (a) => z.divide(ONE, z.sin(a)), slope: (a, v) => z.size(z.multiply(square(v), z.cos(a))) },
  arcsin: {
    value: z.arcsin,
    slope: (a) => rootOver(z.subtract(ONE, square(a))),
    defined: (x) => Math.abs(x) <= 1,
    singular: ENDS,
    cut: (x) => Math.abs(x) > 1,
  },
  arccos: {
    value: z.arccos,
    slope: (a) => rootOver(z.subtract(ONE, square(a))),
    defined: (x) => Math.abs(x) <= 1,
    singular: ENDS,
    cut: (x) => Math.abs(x) > 1,
  },
  arctan: {
    value: z.arctan,
    slope: (a) => over(z.add(ONE, square(a))),
    singular: [z.complex(0, 1), z.complex(0, -1)],
    cut: (y) => Math.abs(y) > 1,
    imaginaryCut: true,
  },
  sinh: { value: z.sinh, slope: (a) => z.size(z.cosh(a)) },
  cosh: { value: z.cosh, slope: (a) => z.size(z.sinh(a)) },
  tanh: {
    value: (a) => (a.im === 0 ? z.complex(Math.tanh(a.re)) : z.divide(z.sinh(a), z.cosh(a))),
    slope: (_, v) => z.size(z.subtract(ONE, square(v))),
  },
  arcsinh: {
    value: z.arcsinh,
    slope: (a) => rootOver(z.add(ONE, square(a))),
    singular: [z.complex(0, 1), z.complex(0, -1)],
    cut: (y) => Math.abs(y) > 1,
    imaginaryCut: true,
  },
  arccosh: {
    value: z.arccosh,
    slope: (a) => rootOver(z.subtract(square(a), ONE)),
    defined: (x) => x >= 1,
    singular: ENDS,
    cut: (x) => x < 1,
  },
  arctanh: {
    value: z.arctanh,
    slope: (a) => over(z.subtract(ONE, square(a))),
    defined: (x) => Math.abs(x) < 1,
    singular: ENDS,
    cut: (x) => Math.abs(x) > 1,
  },
  exp: { value: z.exp, slope: (_, v) => z.size(v) },
  ln: { value: z.ln, slope: over, defined: (x) => x > 0, singular: [z.complex(0)], cut: (x) => x < 0 },
};

/** Formulas over the complex numbers cancel a little; those over the reals are the platform's, good to an ulp. */
const complexLoss = 2 ** -44;

/** A function of a ball; first-order bounds, doubled, as far as the ball is small against the distance to the nearest singularity. */
export function apply(name: UnaryName, a: Ball): Result {
  if (name === "abs") return ball(z.complex(z.size(a.at)), a.radius + 2 * U * z.size(a.at), a.real);
  if (name === "sign" || name === "floor" || name === "ceil") return step(name, a);
  const f = FUNCTIONS[name];
  for (const point of f.singular ?? []) {
    const distance = z.size(z.subtract(a.at, point));
    if (distance === 0 && a.radius === 0) return atSingularity(name, a);
    if (distance <= 1e4 * a.radius) return "unclear";
  }
  if (crosses(f, a)) return "unclear";
  if (a.radius > 1e-5 * (1 + z.size(a.at))) return "unclear";
  const at = f.value(a.at);
  if (f.cut === undefined && z.size(at) > 1e12 * (1 + z.size(a.at)) && /tan|cot|sec|csc/.test(name))
    return "unclear";
  const real = a.real && (f.defined?.(a.at.re) ?? true);
  const own = real && a.at.im === 0 ? 4 * U * z.size(at) : complexLoss * (1 + z.size(at) + z.size(a.at));
  // Pole functions are quotients of two rounded values.
  return ball(
    at,
    2 * f.slope(a.at, at) * (a.radius + 2 * U * z.size(a.at)) * spread(name) + own + TINY,
    real,
  );
}

/** Exact arguments need no allowance for the argument's own rounding, save where a quotient is formed. */
function spread(name: string): number {
  return /^(tan|cot|sec|csc)$/.test(name) ? 2 : 1;
}

function atSingularity(name: string, a: Ball): Result {
  const value = FUNCTIONS[name as keyof typeof FUNCTIONS].value(a.at);
  return Number.isFinite(value.re) && Number.isFinite(value.im)
    ? ball(value, 4 * U * z.size(value), a.real)
    : "undefined";
}

/** Whether rounding alone may have put the argument on the other side of the function's cut. */
function crosses(f: Fn, a: Ball): boolean {
  if (f.cut === undefined) return false;
  const [along, across] = f.imaginaryCut ? [a.at.im, a.at.re] : [a.at.re, a.at.im];
  const exactlyOn = across === 0 && (a.real || a.radius === 0);
  return f.cut(along) && Math.abs(across) <= a.radius && !exactlyOn;
}

function step(name: "sign" | "floor" | "ceil", a: Ball): Result {
  if (!a.real || a.at.im !== 0) return "undefined";
  const x = a.at.re;
  const nearest = name === "sign" ? 0 : Math.round(x);
  if (a.radius > 0 && Math.abs(x - nearest) <= a.radius) return "unclear";
  const value = name === "sign" ? Math.sign(x) : name === "floor" ? Math.floor(x) : Math.ceil(x);
  return ball(z.complex(value), 0, true);
}

/** An exponent that is a fraction of two small whole numbers, in lowest terms. */
export interface Rational {
  readonly over: number;
  readonly under: number;
}

/** Whole powers and real roots: the odd root of a negative number is negative. */
export function rationalPower(a: Ball, { over: p, under: q }: Rational): Result {
  const r = z.size(a.at);
  if (r <= a.radius && (q !== 1 || p < 0)) {
    if (r > 0 || a.radius > 0) return "unclear";
    return p > 0 ? ball(z.complex(0), 0, a.real) : "undefined";
  }
  const isReal = a.real && a.at.im === 0;
  if (isReal && (a.at.re >= 0 || q % 2 === 1)) {
    const magnitude =
      q === 1
        ? r ** Math.abs(p)
        : q === 2
          ? Math.sqrt(r) ** Math.abs(p)
          : q === 3
            ? Math.cbrt(r) ** Math.abs(p)
            : r ** (Math.abs(p) / q);
    const size = p < 0 ? 1 / magnitude : magnitude;
    const value = a.at.re < 0 && Math.abs(p) % 2 === 1 ? -size : size;
    return ball(z.complex(value), powerRadius(a, p / q, size), true);
  }
  if (q === 1) return wholePower(a, p);
  const root = q === 2 ? z.sqrt(a.at) : undefined;
  if (root === undefined) return power(a, { at: z.complex(p / q), radius: U, real: true });
  if (Math.abs(a.at.im) <= a.radius && a.at.re < 0 && !(a.at.im === 0 && a.real)) return "unclear";
  return wholePower({ at: root, radius: a.radius / Math.sqrt(r) + 8 * U * z.size(root), real: false }, p);
}

/** |a^n| times n·(relative radius), doubled where that is small, and the rounding of the power itself. */
function powerRadius(a: Ball, n: number, size: number): number {
  const r = z.size(a.at);
  const relative = r === 0 ? 0 : (Math.abs(n) * a.radius) / r;
  if (relative > 1e-3) return r === 0 ? 0 : Number.POSITIVE_INFINITY;
  return (
    size * (2 * relative + (8 + Math.abs(Math.log(size || 1))) * U) +
    (size === 0 && r > 0 ? TINY : 0) +
    (r > 0 ? TINY : 0)
  );
}

/** By squaring. */
function wholePower(a: Ball, n: number): Result {
  let result: Result = { at: ONE, radius: 0, real: a.real };
  let square: Result = a;
  for (let rest = Math.abs(n); rest > 0; rest = Math.floor(rest / 2)) {
    if (!isBall(result) || !isBall(square)) return "unclear";
    if (rest % 2 === 1) result = multiply(result, square);
    if (isBall(result) && rest > 1) square = multiply(square, square);
  }
  return n < 0 && isBall(result) ? divide({ at: ONE, radius: 0, real: true }, result) : result;
}

/** Principal value of a^b = exp(b ln a). */
export function power(a: Ball, b: Ball): Result {
  const r = z.size(a.at);
  if (r <= a.radius) {
    if (r > 0 || a.radius > 0) return "unclear";
    return b.real && b.at.re > b.radius
      ? ball(z.complex(0), 0, a.real)
      : b.real && b.at.re < -b.radius
        ? "undefined"
        : "unclear";
  }
  if (a.real && a.at.im === 0 && a.at.re > 0 && b.real && b.at.im === 0) {
    const value = a.at.re ** b.at.re;
    const relative = (Math.abs(b.at.re) * a.radius) / r + Math.abs(Math.log(r)) * b.radius;
    if (relative > 1e-3) return "unclear";
    return ball(z.complex(value), value * (2 * relative + 8 * U) + TINY, true);
  }
  const log = apply("ln", a);
  const exponent = isBall(log) ? multiply(log, b) : log;
  return isBall(exponent) ? apply("exp", exponent) : exponent;
}
