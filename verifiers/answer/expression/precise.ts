import { Decimal as Base } from "decimal.js";
import { type Effort, rationalOf } from "./evaluate.js";
import type { Node } from "./tree.js";

/**
 * Values at many digits, over the reals, for what doubles cannot settle: cancellation, huge and tiny numbers, and a last look at what
 * they hold to be equal. Evaluated twice, at two precisions: the digits in which both agree are right.
 */
const SHORT = Base.clone({ precision: 28, maxE: 900_000, minE: -900_000, toExpNeg: -30, toExpPos: 30 });
const LONG = Base.clone({ precision: 40, maxE: 900_000, minE: -900_000, toExpNeg: -30, toExpPos: 30 });

const DIGITS = new Map([
  [SHORT, 28],
  [LONG, 40],
]);

/** Beyond these, decimal.js spends its time on reducing arguments; of hyperbolic ones it sums series as long as the argument is large. */
const LARGEST_ANGLE = 1e6;
const LARGEST_EXPONENT = 1e6;
const LARGEST_HYPERBOLIC = 1000;
/** Powers of ten of the argument up to which inverse hyperbolic functions are looked at. */
const LARGEST_POWER = 200;
/** What a function costs beside an addition. */
const FUNCTION_COST = 150;

/** π and e at each precision. */
const PI = new Map([SHORT, LONG].map((D) => [D, D.acos(-1)]));
const E = new Map([SHORT, LONG].map((D) => [D, D.exp(1)]));

export interface Precise {
  readonly value: Base;
  /** How far it may be off. */
  readonly error: Base;
}

/** No value: not real there, too large or small, or a function that is not looked at here. */
export function evaluatePrecisely(
  node: Node,
  point: ReadonlyMap<string, number>,
  effort: Effort,
): Precise | undefined {
  const short = attempt(node, point, SHORT, effort);
  const long = short && attempt(node, point, LONG, effort);
  if (short === undefined || long === undefined) return undefined;
  const error = long.minus(short).abs().times(16).plus(long.abs().times("1e-26"));
  return { value: new LONG(long), error: new LONG(error) };
}

function attempt(
  node: Node,
  point: ReadonlyMap<string, number>,
  D: typeof Base,
  effort: Effort,
): Base | undefined {
  try {
    const value = new Evaluation(D, point, effort).of(node);
    return value.isFinite() ? value : undefined;
  } catch (error) {
    // decimal.js gives up on angles of more digits than its π has; Unsettled is ours.
    if (error instanceof Error && (error instanceof Unsettled || error.message.startsWith("[DecimalError]")))
      return undefined;
    throw error;
  } finally {
    // What decimal.js throws it throws with its precision still raised.
    D.set({ precision: DIGITS.get(D)! });
  }
}

class Unsettled extends Error {}

class Evaluation {
  constructor(
    private readonly D: typeof Base,
    private readonly point: ReadonlyMap<string, number>,
    private readonly effort: Effort,
  ) {}

  of(node: Node): Base {
    this.spend(1);
    const value = this.valueOf(node);
    if (!value.isFinite()) throw new Unsettled();
    return value;
  }

  private valueOf(node: Node): Base {
    const { D } = this;
    switch (node.kind) {
      case "number":
        return new D(node.text);
      case "constant":
        if (node.name === "i") throw new Unsettled();
        return (node.name === "pi" ? PI : E).get(D)!;
      case "variable": {
        const value = this.point.get(node.name);
        if (value === undefined) throw new Unsettled();
        return new D(value);
      }
      case "negative":
        return this.of(node.of).neg();
      case "sum":
        return node.parts.map((p) => this.of(p)).reduce((x, y) => x.plus(y));
      case "product":
        return node.parts.map((p) => this.of(p)).reduce((x, y) => this.kept(x.times(y), x, y));
      case "quotient":
        return this.quotient(this.of(node.over), this.of(node.under));
      case "power":
        return this.power(node.base, node.exponent);
      case "call":
        return this.call(
          node.name,
          node.args.map((a) => this.of(a)),
        );
      default:
        throw new Unsettled();
    }
  }

  private spend(cost: number): void {
    this.effort.left -= cost;
    if (this.effort.left < 0) throw new Unsettled();
  }

  /** A zero that underflow made is no zero. */
  private kept(value: Base, ...from: readonly Base[]): Base {
    if (value.isZero() && !from.some((x) => x.isZero())) throw new Unsettled();
    return value;
  }

  private quotient(x: Base, y: Base): Base {
    if (y.isZero()) throw new Unsettled();
    return x.isZero() ? x : this.kept(x.div(y), x);
  }

  private power(baseNode: Node, exponentNode: Node): Base {
    const base = this.of(baseNode);
    const rational = rationalOf(exponentNode);
    this.spend(FUNCTION_COST);
    if (rational !== undefined && base.isNegative() && rational.under % 2 === 1 && rational.under > 1) {
      const root = base.neg().pow(new this.D(rational.over).div(rational.under));
      return rational.over % 2 === 0 ? root : root.neg();
    }
    const exponent = rational ? new this.D(rational.over).div(rational.under) : this.of(exponentNode);
    if (base.isZero() && !exponent.isPositive()) throw new Unsettled();
    return this.kept(base.pow(exponent), base);
  }

  private call(name: string, args: readonly Base[]): Base {
    this.spend(FUNCTION_COST);
    const [x, y] = args as [Base, Base];
    switch (name) {
      case "abs":
        return x.abs();
      case "exp":
        return this.kept(this.within(x, LARGEST_EXPONENT).exp());
      case "log":
      case "ln":
        return this.positive(x).ln();
      case "logb":
        return this.quotient(this.positive(y).ln(), this.positive(x).ln());
      case "sin":
        return this.angle(x).sin();
      case "cos":
        return this.angle(x).cos();
      case "tan":
        return this.quotient(this.angle(x).sin(), x.cos());
      case "cot":
        return this.quotient(this.angle(x).cos(), x.sin());
      case "sec":
        return this.quotient(new this.D(1), this.angle(x).cos());
      case "csc":
        return this.quotient(new this.D(1), this.angle(x).sin());
      case "arcsin":
        return x.asin();
      case "arccos":
        return x.acos();
      case "arctan":
        return x.atan();
      case "sinh":
        return this.within(x, LARGEST_HYPERBOLIC).sinh();
      case "cosh":
        return this.within(x, LARGEST_HYPERBOLIC).cosh();
      case "tanh":
        return this.within(x, LARGEST_HYPERBOLIC).tanh();
      case "arcsinh":
        return this.bounded(x).asinh();
      case "arccosh":
        return this.bounded(x).acosh();
      case "arctanh":
        return x.atanh();
      default:
        throw new Unsettled();
    }
  }

  private positive(x: Base): Base {
    if (!x.isPositive() || x.isZero()) throw new Unsettled();
    return x;
  }

  private angle(x: Base): Base {
    return this.within(x, LARGEST_ANGLE);
  }

  private bounded(x: Base): Base {
    if (x.e > LARGEST_POWER) throw new Unsettled();
    return x;
  }

  private within(x: Base, bound: number): Base {
    if (x.abs().gt(bound)) throw new Unsettled();
    return x;
  }
}
