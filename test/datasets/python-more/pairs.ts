import fc from "fast-check";
import type { Expected } from "../../../verifiers/answer/answer.js";

/** Pairs of expressions that are equal, nearly equal, equal on a part of the reals, or not at all. */
type Expression = Extract<Expected, { type: "expression" }>;

const leaf = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom(
    ..."x x x y n t \\theta \\pi e i 0.5 1.25 1e-3 1e-9 37 100 10^{40} \\frac{1}{3} 2e-3".split(" "),
  ),
);
const FUNCTIONS =
  "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh arsinh arcosh artanh exp ln log abs sgn floor ceil sqrt cbrt lg log2";

const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthIdentifier: "expression" },
    leaf,
    fc
      .tuple(tie("tree"), fc.constantFrom("+", "-", "*", " ", "/"), tie("tree"))
      .map(([a, sign, b]) => `(${a}${sign}${b})`),
    fc.tuple(tie("tree"), tie("tree")).map(([a, b]) => `\\frac{${a}}{${b}}`),
    fc
      .tuple(tie("tree"), fc.constantFrom("2", "3", "-1", "1/2", "1/3", "-2/3", "0", "-0", "2/5", "7/2"))
      .map(([a, b]) => `(${a})^{${b}}`),
    fc.tuple(tie("tree"), tie("tree")).map(([a, b]) => `(${a})^{${b}}`),
    fc.tuple(fc.constantFrom(...FUNCTIONS.split(" ")), tie("tree")).map(([f, a]) => `${f}(${a})`),
    fc
      .tuple(fc.constantFrom("min", "max", "binom"), tie("tree"), tie("tree"))
      .map(([f, a, b]) => `${f}(${a},${b})`),
    tie("tree").map((a) => `(${a})!`),
    fc
      .tuple(
        fc.constantFrom("sum", "prod"),
        fc.constantFrom("1", "0", "x"),
        fc.constantFrom("5", "n"),
        tie("tree"),
      )
      .map(([f, from, to, body]) => `\\${f}_{k=${from}}^{${to}} k(${body})`),
  ),
}));

/** Equal for all values, or for some. */
const SAME: readonly ((s: string) => string)[] = [
  (s) => s,
  (s) => `(${s})+0`,
  (s) => `${s}+1-1`,
  (s) => `\\frac{(${s})^2}{(${s})}`,
  (s) => `\\sqrt{(${s})^2}`,
  (s) => `\\ln(e^{${s}})`,
  (s) => `e^{\\ln(${s})}`,
  (s) => `(${s})(\\sin^2(x)+\\cos^2(x))`,
  (s) => `\\sin(\\arcsin(${s}))`,
  (s) => `\\tanh(artanh(${s}))`,
  (s) => `(${s})^{1/2}(${s})^{1/2}`,
  (s) => `cbrt((${s})^3)`,
  (s) => `i*(${s})/i`,
];
/** Moved by as little as doubles just see, or do not. */
const NEAR: readonly ((s: string) => string)[] = [
  ...["-9", "-12", "-13", "-14", "-15", "-30"].map((ten) => (s: string) => `(${s})(1+10^{${ten}})`),
  (s) => `(${s})(1+7.1\\cdot 10^{-15})`,
  (s) => `${s}+10^{-15}`,
];
const OTHER: readonly ((s: string) => string)[] = [
  (s) => s.replace(/[1-9]/, (d) => String((Number(d) + 1) % 10)),
  (s) => s.replace("+", "-"),
  (s) => s.replace("sin", "cos"),
  (s) => s.replace("x", "y"),
  (s) => s.replace("(", ""),
  (s) => `${s}+C`,
  (s) => `y = ${s}`,
  (s) => `${s} = ${s}+0`,
];
const DOMAINS: readonly Expression["domain"][] = [
  undefined,
  undefined,
  { x: [1, 5] },
  { x: [0.1, 1e5], y: [1e-6, 1e6] },
  { x: [-10, 10], y: [-1, 1], n: [1, 20], t: [0, 1] },
  { x: [2, 2], n: [0, 8] },
  { theta: [0, 6.28], x: [1e5, 1e9] },
];

export const pair: fc.Arbitrary<{ answer: string; expected: Expression }> = fc
  .tuple(
    tree,
    fc.oneof(fc.constantFrom(...SAME), fc.constantFrom(...NEAR), fc.constantFrom(...OTHER)),
    fc.constantFrom(...SAME.slice(0, 3), ...OTHER),
    fc.constantFrom(...DOMAINS),
  )
  .map(([of, there, here, domain]) => ({
    answer: there(of),
    expected: { type: "expression", text: here(of), ...(domain === undefined ? {} : { domain }) },
  }));

const PIECES =
  "\\frac \\dfrac \\sqrt { } ( ) [ ] | ^ _ + - * / ! , . = ' ° \\left \\right \\sum _{k=1} ^{n} \\prod \\binom \\sin \\log ln x y 2 10 0.5 e i π \\text{a} \\cdot $ & 1e5 2e-3 sqrt( \\lfloor \\rfloor \\mathrm { e ² x_1 \\operatorname{arsinh} sin cos 12 345 1,234 \\theta_1 ′ x² ₂ 𝑥 ½ \\{ \\} \\hat{x} \\; ~ min( f(x) dy/dx ^\\circ d v_max for \\varphi \\boxed{ \\( \\) √ × ÷ − \ufeff 😀";
const pieces = fc.array(fc.constantFrom(...PIECES.split(" ")), { minLength: 1, maxLength: 12 });

/** Texts of which few are expressions. */
export const soup: fc.Arbitrary<string> = fc.oneof(
  pieces.map((p) => p.join("")),
  pieces.map((p) => p.join(" ")),
  fc.string({ unit: "binary", maxLength: 20 }),
);
