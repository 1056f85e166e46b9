import { type Ball, isBall } from "./ball.js";
import { size, subtract } from "./complex.js";
import { type Effort, evaluate } from "./evaluate.js";
import type { Point, Points } from "./points.js";
import { evaluatePrecisely } from "./precise.js";
import { bare, children, type Node } from "./tree.js";

export interface Comparison {
  readonly verdict: "right" | "wrong" | "undecided";
  readonly reason: string;
  readonly why: string;
}

/** Points that must agree, points that are tried at most, and those that many digits confirm. */
const ENOUGH = 12;
const TRIES = 96;
const CONFIRMED = 2;
/** Two constants are equal within this (relative). */
const CONSTANT_TOLERANCE = 1e-12;
/** Equality counts only where rounding cannot hide a larger relative difference. */
const SHARP = 1e-9;
/** The slack of the rounding bounds, in units of 2^-53. */
const SLACK = 64 * 2 ** -53;
/** Nodes visited in doubles, and steps at many digits, for one verdict. */
const EFFORT = 300_000;
const PRECISE_EFFORT = 40_000;

const right = (why: string): Comparison => ({ verdict: "right", reason: "equal", why });
const wrong = (why: string, reason = "wrong_value"): Comparison => ({ verdict: "wrong", reason, why });
const undecided = (reason: string, why: string): Comparison => ({ verdict: "undecided", reason, why });

/**
 * Whether two expressions are equal: same values, to rounding, at seeded points of the domain, and a value at the same points.
 * Over the reals where both have real values, over the complex numbers (principal values) elsewhere.
 * @param declared whether the domain gives a range for each variable: then a value outside the reals is a difference; else it
 *   may only be that the range is not known
 */
export function compare(expected: Node, answer: Node, points: Points, declared: boolean): Comparison {
  const found = points.constant
    ? new Comparer(expected, answer).constants()
    : new Comparer(expected, answer).functions(points, declared);
  // What is the same term for term is equal even where its value is out of reach, if nothing says that it has none.
  const same = found.reason === "out_of_reach" && bare(expected) === bare(answer);
  return same ? right("it is the same term for term") : found;
}

type Agreement = "equal" | "different" | "unclear";

class Comparer {
  private readonly effort: Effort = { left: EFFORT };
  private readonly precise: Effort = { left: PRECISE_EFFORT };
  private agreed = 0;
  private confirmed = 0;
  /** Points at which only one has a value, and at which they differ but not both are real. */
  private lone = 0;
  private beyond = 0;
  private everReal = false;

  constructor(
    private readonly expected: Node,
    private readonly answer: Node,
  ) {}

  constants(): Comparison {
    const point: Point = new Map();
    const [x, y] = [evaluate(this.expected, point, this.effort), evaluate(this.answer, point, this.effort)];
    if (x === "undefined") return undecided("unreadable_reference", "the expected expression has no value");
    if (y === "undefined") return wrong("it has no value", "undefined");
    let agreement: Agreement = "unclear";
    if (isBall(x) && isBall(y)) agreement = agree(x, y, CONSTANT_TOLERANCE, CONSTANT_TOLERANCE);
    if (agreement === "unclear") agreement = this.precisely(point, CONSTANT_TOLERANCE);
    if (agreement === "equal") return right("both have the same value");
    if (agreement === "different") return wrong("its value is another one");
    return undecided(
      "out_of_reach",
      "its value is too large, too small or too finely balanced to be compared",
    );
  }

  functions(points: Points, declared: boolean): Comparison {
    for (let i = 0; i < TRIES && this.agreed < ENOUGH && this.effort.left > 0; i++) {
      const point = points.at(i);
      if (this.look(point) === "different") return wrong(`it has another value at ${shown(point)}`);
    }
    if (this.lone > 2 && this.lone * 4 > this.agreed) {
      return wrong("one of the two has no value where the other has one", "different_domain");
    }
    if (this.beyond > 0) return this.outsideReals(declared);
    if (this.agreed < ENOUGH) {
      return undecided("out_of_reach", "too few points of the domain are left at which both can be compared");
    }
    return right(`both have the same values at ${this.agreed} points of the domain`);
  }

  private outsideReals(declared: boolean): Comparison {
    if (!this.everReal) return wrong("its values are others");
    const why = "it is equal where both are real, but elsewhere they are not both real";
    return declared
      ? wrong(why, "different_domain")
      : undecided("different_domain", `${why}, and the range of the variables is not declared`);
  }

  private look(point: Point): Agreement {
    const x = evaluate(this.expected, point, this.effort);
    const y = evaluate(this.answer, point, this.effort);
    if (isBall(x) !== isBall(y) && (x === "undefined" || y === "undefined")) this.lone++;
    if (x === "undefined" || y === "undefined") return "unclear";
    let agreement: Agreement = "unclear";
    if (isBall(x) && isBall(y)) {
      agreement = agree(x, y, 0, SHARP);
      if (agreement === "different" && !(x.real && y.real) && !this.isComplex()) {
        this.beyond++;
        return "unclear";
      }
      if (x.real && y.real && agreement === "equal") {
        this.everReal = true;
        agreement = this.confirm(point);
      }
    }
    if (agreement === "unclear" && !(isBall(x) && !x.real)) {
      agreement = this.precisely(point, 0);
      if (agreement === "equal") this.everReal = true;
    }
    if (agreement === "equal") this.agreed++;
    return agreement;
  }

  /** A difference that doubles cannot see shows at many digits: sin x against x, x being small. */
  private confirm(point: Point): Agreement {
    if (this.confirmed >= CONFIRMED) return "equal";
    this.confirmed++;
    return this.precisely(point, 0) === "different" ? "different" : "equal";
  }

  private precisely(point: Point, tolerance: number): Agreement {
    const x = evaluatePrecisely(this.expected, point, this.precise);
    const y = x && evaluatePrecisely(this.answer, point, this.precise);
    if (x === undefined || y === undefined) return "unclear";
    const larger = x.value.abs().gt(y.value.abs()) ? x.value.abs() : y.value.abs();
    const allowed = x.error.plus(y.error).plus(larger.times(tolerance));
    return x.value.minus(y.value).abs().lte(allowed) ? "equal" : "different";
  }

  private complexKnown: boolean | undefined;
  private isComplex(): boolean {
    this.complexKnown ??= hasI(this.expected) || hasI(this.answer);
    return this.complexKnown;
  }
}

/** @param tolerance relative, beside rounding. @param sharp the largest rounding that lets two values count as equal (relative) */
function agree(x: Ball, y: Ball, tolerance: number, sharp: number): Agreement {
  const larger = Math.max(size(x.at), size(y.at));
  const noise = x.radius + y.radius;
  if (size(subtract(x.at, y.at)) > 2 * noise + (tolerance + SLACK) * larger) return "different";
  return noise <= sharp * larger ? "equal" : "unclear";
}

function hasI(node: Node): boolean {
  return (node.kind === "constant" && node.name === "i") || children(node).some(hasI);
}

function shown(point: Point): string {
  return [...point]
    .slice(0, 6)
    .map(([name, value]) => `${name} = ${Number(value.toPrecision(6))}`)
    .join(", ");
}
