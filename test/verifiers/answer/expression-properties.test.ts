import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradeExpression } from "../../../verifiers/answer/expression/index.js";

/** Trees of the tests' own, and what they look like on paper: nothing of the verifier is used to make them. */
type Tree =
  | { op: "number"; value: number }
  | { op: "name"; name: string }
  | { op: "+" | "-" | "*" | "/"; left: Tree; right: Tree }
  | { op: "^"; left: Tree; power: number }
  | { op: "call"; name: "sin" | "cos" | "exp" | "arctan"; of: Tree };

const leaf: fc.Arbitrary<Tree> = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map((value): Tree => ({ op: "number", value })),
  fc.constantFrom("x", "y", "theta").map((name): Tree => ({ op: "name", name })),
);

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthIdentifier: "tree" },
    leaf,
    fc.record({
      op: fc.constantFrom("+", "-", "*", "/"),
      left: tie("tree"),
      right: tie("tree"),
    }) as fc.Arbitrary<Tree>,
    fc.record({
      op: fc.constant("^"),
      left: tie("tree"),
      power: fc.integer({ min: 2, max: 3 }),
    }) as fc.Arbitrary<Tree>,
    fc.record({
      op: fc.constant("call"),
      name: fc.constantFrom("sin", "cos", "exp", "arctan"),
      of: tie("tree"),
    }) as fc.Arbitrary<Tree>,
  ),
}));

function latex(t: Tree): string {
  switch (t.op) {
    case "number":
      return String(t.value);
    case "name":
      return t.name === "theta" ? "\\theta " : t.name;
    case "/":
      return `\\frac{${latex(t.left)}}{${latex(t.right)}}`;
    case "*":
      return `\\left(${latex(t.left)}\\right)\\cdot \\left(${latex(t.right)}\\right)`;
    case "^":
      return `{\\left(${latex(t.left)}\\right)}^{${t.power}}`;
    case "call":
      return t.name === "exp" ? `e^{${latex(t.of)}}` : `\\${t.name}\\left(${latex(t.of)}\\right)`;
    default:
      return `${latex(t.left)} ${t.op} \\left(${latex(t.right)}\\right)`;
  }
}

function plain(t: Tree): string {
  switch (t.op) {
    case "number":
      return String(t.value);
    case "name":
      return t.name;
    case "^":
      return `(${plain(t.left)})**${t.power}`;
    case "call":
      return `${t.name === "arctan" ? "atan" : t.name}(${plain(t.of)})`;
    default:
      return `(${plain(t.left)})${t.op}(${plain(t.right)})`;
  }
}

/** Unicode, factors side by side, the halves of sums and products changed about, powers written out. */
function commuted(t: Tree): string {
  switch (t.op) {
    case "number":
      return String(t.value);
    case "name":
      return t.name === "theta" ? "θ" : t.name;
    case "+":
      return `(${commuted(t.right)} + ${commuted(t.left)})`;
    case "-":
      return `(−(${commuted(t.right)}) + ${commuted(t.left)})`;
    case "*":
      return `(${commuted(t.right)})(${commuted(t.left)})`;
    case "/":
      return `(${commuted(t.left)})(${commuted(t.right)})^{-1}`;
    case "^":
      return Array.from({ length: t.power }, () => `(${commuted(t.left)})`).join("");
    case "call":
      return `${t.name}(${commuted(t.of)})`;
  }
}

/** Each difference between two squares, each product of a sum multiplied out. */
function expanded(t: Tree): string {
  if (t.op === "*" && (t.left.op === "+" || t.left.op === "-")) {
    const { op, left, right } = t.left;
    const common = expanded(t.right);
    return `((${expanded(left)})(${common}) ${op} (${expanded(right)})(${common}))`;
  }
  if (t.op === "call" && t.name === "sin") return `2sin((${expanded(t.of)})/(2))cos((${expanded(t.of)})/(2))`;
  if (t.op === "call" && t.name === "cos") return `(1-2(sin((${expanded(t.of)})/(2)))^2)`;
  if (t.op === "+" || t.op === "-" || t.op === "*" || t.op === "/") {
    return `((${expanded(t.left)})${t.op}(${expanded(t.right)}))`;
  }
  if (t.op === "^") return `(${expanded(t.left)})^{${t.power}}`;
  if (t.op === "call") return `${t.name}(${expanded(t.of)})`;
  return plain(t);
}

const grade = (answer: string, text: string) => gradeExpression(answer, { type: "expression", text });

const IDENTITIES: readonly (readonly [string, string])[] = [
  ["\\sin(@+y)", "\\sin(@)\\cos y+\\cos(@)\\sin y"],
  ["\\cos(@-y)", "\\cos(@)\\cos y+\\sin(@)\\sin y"],
  ["\\tan(@)", "\\frac{\\sin(@)}{\\cos(@)}"],
  ["\\sin(3(@))", "3\\sin(@)-4\\sin^3(@)"],
  ["1+\\tan^2(@)", "\\sec^2(@)"],
  ["\\cosh^2(@)-\\sinh^2(@)", "1"],
  ["\\tanh(@)", "\\frac{e^{2(@)}-1}{e^{2(@)}+1}"],
  ["\\sin^2(@)", "\\frac{1-\\cos(2(@))}{2}"],
  ["\\ln(e^{@})", "@"],
  ["\\arctan(@)+\\operatorname{arccot}", ""],
].filter(([, right]) => right !== "") as [string, string][];

describe("expressions that are equal", () => {
  it("are right in every style", () => {
    const styles = [latex, plain, commuted, expanded];
    fc.assert(
      fc.property(tree, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }), (t, i, j) => {
        const { verdict, reason } = grade(styles[i]!(t), styles[j]!(t));
        // A tree may be too large or too flat for any point (e^(9^9^...), x - x in a divisor): then it cannot be told.
        if (verdict === "undecided") expect(reason).toMatch(/^(out_of_reach|unreadable_reference)$/);
        else expect(verdict).toBe("right");
      }),
      { numRuns: 600, seed: 1 },
    );
  });

  it("are seldom undecided", () => {
    const trees = fc.sample(tree, { numRuns: 200, seed: 2 });
    const decided = trees.filter((t) => grade(latex(t), commuted(t)).verdict === "right");
    expect(decided.length).toBeGreaterThanOrEqual(196);
  });

  it("are right by the identities of trigonometry, whatever stands in them", () => {
    for (const [left, right] of IDENTITIES) {
      for (const inner of ["x", "2x", "x+1", "\\frac{x}{2}", "x^2"]) {
        const { verdict, why } = grade(left.replaceAll("@", inner), right.replaceAll("@", inner));
        expect(`${left} ${inner} ${verdict} ${why}`).toContain(" right ");
      }
    }
  });
});

/** One thing changed. Each changes the function unless it stands where nothing depends on it. */
const MUTATIONS: readonly ((t: Tree) => Tree | undefined)[] = [
  (t) => (t.op === "+" ? { ...t, op: "-" } : undefined),
  (t) => (t.op === "-" ? { ...t, op: "+" } : undefined),
  (t) => (t.op === "*" ? { ...t, op: "/" } : undefined),
  (t) => (t.op === "/" ? { ...t, op: "*" } : undefined),
  (t) => (t.op === "^" ? { ...t, power: t.power + 1 } : undefined),
  (t) => (t.op === "number" ? { ...t, value: t.value + 1 } : undefined),
  (t) => (t.op === "name" ? { ...t, name: t.name === "x" ? "y" : "x" } : undefined),
  (t) => (t.op === "call" && t.name === "sin" ? { ...t, name: "cos" } : undefined),
  (t) => (t.op === "call" && t.name === "exp" ? t.of : undefined),
];

/** Numerical values by an evaluator of the tests' own, to tell mutations that change nothing from those that do. */
function value(t: Tree, at: Record<string, number>): number {
  switch (t.op) {
    case "number":
      return t.value;
    case "name":
      return at[t.name]!;
    case "^":
      return value(t.left, at) ** t.power;
    case "call": {
      const fn = t.name === "arctan" ? Math.atan : Math[t.name];
      return fn(value(t.of, at));
    }
    case "+":
      return value(t.left, at) + value(t.right, at);
    case "-":
      return value(t.left, at) - value(t.right, at);
    case "*":
      return value(t.left, at) * value(t.right, at);
    case "/":
      return value(t.left, at) / value(t.right, at);
  }
}

function differs(a: Tree, b: Tree): boolean {
  return [0.7, 1.3, 2.1].every((x) => {
    const at = { x, y: x * x - 0.3, theta: 1.9 - x / 3 };
    const [u, v] = [value(a, at), value(b, at)];
    return (
      Number.isFinite(u) && Number.isFinite(v) && Math.abs(u - v) > 1e-6 * Math.max(Math.abs(u), Math.abs(v))
    );
  });
}

describe("expressions that are not equal", () => {
  it("are never right: one sign, operator, exponent, number, name or function changed", () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(...MUTATIONS), (t, mutate) => {
        const other = mutate(t) ?? (t.op !== "number" && t.op !== "name" ? inner(t, mutate) : undefined);
        fc.pre(other !== undefined && differs(t, other));
        const { verdict } = grade(commuted(other!), latex(t));
        expect(verdict).not.toBe("right");
      }),
      { numRuns: 1000, seed: 3 },
    );
  });

  it("are wrong, not undecided, nearly always", () => {
    const trees = fc.sample(tree, { numRuns: 600, seed: 4 });
    const pairs = trees.flatMap((t, i) => {
      const other = MUTATIONS[i % MUTATIONS.length]!(t);
      return other !== undefined && differs(t, other) ? [[t, other] as const] : [];
    });
    const wrong = pairs.filter(([t, other]) => grade(latex(other), plain(t)).verdict === "wrong");
    expect(pairs.length).toBeGreaterThan(40);
    expect(wrong.length / pairs.length).toBeGreaterThan(0.97);
  });
});

function inner(t: Tree, mutate: (t: Tree) => Tree | undefined): Tree | undefined {
  if (t.op === "call") {
    const of = mutate(t.of);
    return of && { ...t, of };
  }
  if (t.op === "number" || t.op === "name") return undefined;
  const left = mutate(t.left);
  return left && { ...t, left };
}

describe("any text", () => {
  const pieces = fc.constantFrom(
    ..."\\frac \\sqrt { } ( ) [ ] | ^ _ + - * / ! , . = ' ° \\left \\right \\sum _{k=1} ^{n} \\binom \\sin \\log ln x y 2 10 0.5 e i π \\text{a} \\cdot $ & 1e5 sqrt( \\lfloor \\rfloor \\mathrm { e ² x_1".split(
      " ",
    ),
  );

  it("gets a verdict and is never an error", () => {
    const one: fc.Arbitrary<string> = fc.oneof(
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(" ")),
      fc.string({ unit: "binary", maxLength: 60 }),
    );
    fc.assert(
      fc.property(one, one, (a, b) => {
        expect(["right", "wrong", "undecided"]).toContain(grade(a, b).verdict);
        expect(["right", "wrong", "undecided"]).toContain(grade(a, "x+1").verdict);
      }),
      { numRuns: 1500, seed: 5 },
    );
  });

  it("gets the same verdict each time", () => {
    fc.assert(
      fc.property(tree, (t) => {
        expect(grade(plain(t), latex(t))).toEqual(grade(plain(t), latex(t)));
      }),
      { numRuns: 100, seed: 6 },
    );
  });
});
