import type { UnaryName } from "./tree.js";

/** Names of functions, in plain text or behind a backslash, and what they stand for. */
export const FUNCTIONS: ReadonlyMap<
  string,
  UnaryName | "log" | "lg" | "sqrt" | "cbrt" | "binom" | "min" | "max"
> = new Map([
  ...(["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh"] as const).map(
    (n) => [n, n] as const,
  ),
  ...(["exp", "ln", "abs", "sign", "floor", "ceil", "log", "lg", "sqrt", "cbrt", "min", "max"] as const).map(
    (n) => [n, n] as const,
  ),
  ...(["sin", "cos", "tan"] as const).flatMap((n) => [
    [`arc${n}`, `arc${n}`] as const,
    [`a${n}`, `arc${n}`] as const,
  ]),
  ...(["sinh", "cosh", "tanh"] as const).flatMap((n) =>
    [`arc${n}`, `ar${n}`, `a${n}`].map((name) => [name, `arc${n}` as const] as const),
  ),
  ["tg", "tan"],
  ["ctg", "cot"],
  ["cosec", "csc"],
  ["sgn", "sign"],
  ["binom", "binom"],
  ["binomial", "binom"],
]);

/** Functions undone by an exponent of -1. */
export const INVERSES: Readonly<Partial<Record<string, UnaryName>>> = {
  sin: "arcsin",
  cos: "arccos",
  tan: "arctan",
  sinh: "arcsinh",
  cosh: "arccosh",
  tanh: "arctanh",
};

const GREEK_LETTERS: readonly (readonly [name: string, letters: string])[] = [
  ["alpha", "α"],
  ["beta", "β"],
  ["gamma", "γ"],
  ["delta", "δ"],
  ["epsilon", "εϵ"],
  ["zeta", "ζ"],
  ["eta", "η"],
  ["theta", "θϑ"],
  ["iota", "ι"],
  ["kappa", "κ"],
  ["lambda", "λ"],
  ["mu", "μµ"],
  ["nu", "ν"],
  ["xi", "ξ"],
  ["pi", "π"],
  ["rho", "ρϱ"],
  ["sigma", "σς"],
  ["tau", "τ"],
  ["upsilon", "υ"],
  ["phi", "φϕ"],
  ["chi", "χ"],
  ["psi", "ψ"],
  ["omega", "ω"],
  ["Gamma", "Γ"],
  ["Delta", "Δ∆"],
  ["Theta", "Θ"],
  ["Lambda", "Λ"],
  ["Xi", "Ξ"],
  ["Pi", "Π"],
  ["Sigma", "Σ"],
  ["Phi", "Φ"],
  ["Psi", "Ψ"],
  ["Omega", "ΩΩ"],
  ["hbar", "ℏħ"],
  ["ell", "ℓ"],
];

/** Greek and other named letters by each of their signs. */
export const LETTERS: ReadonlyMap<string, string> = new Map(
  GREEK_LETTERS.flatMap(([name, letters]) => [...letters].map((letter) => [letter, name] as const)),
);

/** Their names, which stand for them in plain text and behind a backslash; `\varphi` is `phi`. */
export const LETTER_NAMES: ReadonlySet<string> = new Set(GREEK_LETTERS.map(([name]) => name));

/** Names that plain text may hold inside a run of letters: the longest that fits is taken ("xsin" is x sin). */
export const PLAIN_WORDS: ReadonlySet<string> = new Set([...FUNCTIONS.keys(), ...LETTER_NAMES]);
export const LONGEST_WORD = Math.max(...[...PLAIN_WORDS].map((w) => w.length));

/** Short words of prose: a text that holds one between spaces is no formula. */
export const PROSE: ReadonlySet<string> = new Set(
  "and are but can do for from has if is it its let no not of or so that the then this to we with where when".split(
    " ",
  ),
);
