import { dictionary } from "../../dictionary.js";
import type { Reading } from "./reading.js";
import { Refusal } from "./refusal.js";
import { FUNCTIONS, LETTER_NAMES, LETTERS, LONGEST_WORD, PLAIN_WORDS, PROSE } from "./words.js";

export interface Token {
  /**
   * `number`, `name` (a variable or constant), `function`, `command` (what is left of LaTeX: frac, sqrt, sum, ...), `sign` (one
   * character of the grammar), `end`.
   */
  readonly kind: "number" | "name" | "function" | "command" | "sign" | "end";
  readonly text: string;
  readonly at: number;
  /** Whether something other than a token stands before it. */
  readonly spaced: boolean;
  /** Behind a backslash. */
  readonly latex: boolean;
}

/** LaTeX that only says how it looks. */
const SILENT = new Set(
  "left right big Big bigl bigr Bigl Bigr bigg Bigg displaystyle textstyle limits nolimits quad qquad mathstrut".split(
    " ",
  ),
);
const SIGN_COMMANDS = dictionary<string>({
  cdot: "*",
  times: "*",
  ast: "*",
  div: "/",
  lvert: "|",
  rvert: "|",
  vert: "|",
  mid: "|",
  lbrace: "(",
  rbrace: ")",
  circ: "°",
  degree: "°",
});
/** Commands that the parser knows. */
const KEPT = new Set("frac binom sum prod lfloor rfloor lceil rceil operatorname mathrm text".split(" "));
const ALIASES = dictionary<string>({
  dfrac: "frac",
  tfrac: "frac",
  cfrac: "frac",
  dbinom: "binom",
  tbinom: "binom",
});
/** Letters in another face, or with something on top: the mark becomes part of the name. */
export const MARKS = dictionary<string>({
  hat: "hat ",
  vec: "",
  bar: "bar ",
  dot: "dot ",
  ddot: "ddot ",
  tilde: "tilde ",
  mathbf: "",
  boldsymbol: "",
  mathcal: "cal ",
  mathit: "",
});

const SIGNS = dictionary<string>({
  "−": "-",
  "–": "-",
  "×": "*",
  "·": "*",
  "⋅": "*",
  "∙": "*",
  "∗": "*",
  "÷": "/",
  "∕": "/",
  "⁄": "/",
  "∣": "|",
  "′": "'",
  "’": "'",
});
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ";
const SUPERSCRIPT_MEANS = "0123456789+-ni";
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** Breaks a text into tokens in one pass. `named` are variables of more than one letter. @throws Refusal */
export function tokenize(source: string, named: ReadonlySet<string>, reading: Reading): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let spaced = false;
  const push = (kind: Token["kind"], text: string, start: number, latex = false): void => {
    tokens.push({ kind, text, at: start, spaced, latex });
    spaced = false;
  };
  while (at < source.length) {
    const start = at;
    const code = source.codePointAt(at)!;
    const char = String.fromCodePoint(code);
    if (/\s|~/u.test(char)) {
      at += char.length;
      spaced = true;
    } else if (char === "\\") {
      at = command(source, at, push);
      if (at < 0) {
        at = -at;
        spaced = true;
      }
    } else if (/[0-9]/.test(char) || (char === "." && /[0-9]/.test(source[at + 1] ?? ""))) {
      at = numeral(source, at, reading);
      push("number", source.slice(start, at), start);
    } else if (SUPERSCRIPTS.includes(char)) {
      at = runOf(source, at, SUPERSCRIPTS);
      push("sign", "^", start);
      push("sign", "{", start);
      scripted(source.slice(start, at), start, push);
      push("sign", "}", start);
    } else if (SUBSCRIPTS.includes(char)) {
      at = runOf(source, at, SUBSCRIPTS);
      push("sign", "_", start);
      push("number", [...source.slice(start, at)].map((c) => SUBSCRIPTS.indexOf(c)).join(""), start);
    } else if (LETTERS.has(char)) {
      at += char.length;
      push("name", LETTERS.get(char)!, start);
    } else if (/[a-zA-Z]/.test(char)) {
      const end = letterRun(source, at);
      at = end;
      const apart =
        /^\s?$/.test(source[start - 1] ?? "") &&
        /^\s?$/.test(source[end] ?? "") &&
        end - start < source.length;
      words(source.slice(start, end), start, apart, named, push);
    } else if (source.startsWith("**", at)) {
      at += 2;
      push("sign", "^", start);
    } else {
      at += char.length;
      const sign = SIGNS[char] ?? char;
      if (sign === "√") push("function", "sqrt", start);
      else if ("+-*/^_(){}[]|!,=°'&".includes(sign)) push("sign", sign, start);
      else throw new Refusal(`${JSON.stringify(char)} is not read here`, start);
    }
  }
  push("end", "", source.length);
  return tokens;
}

type Push = (kind: Token["kind"], text: string, start: number, latex?: boolean) => void;

/** The end of a numeral: digits, a point with digits, a scientific exponent without spaces. */
function numeral(source: string, start: number, reading: Reading): number {
  let at = digits(source, start);
  if (source[at] === "." && !/[.]/.test(source[at + 1] ?? "")) at = digits(source, at + 1);
  if (/[eE]/.test(source[at] ?? "") && !/[a-zA-Z]/.test(source[at + 1] ?? "")) {
    const sign = /[+\-−]/.test(source[at + 1] ?? "") ? 1 : 0;
    const end = digits(source, at + 1 + sign);
    // "2e-3" is 0.002 or 2e - 3; "2e3" and "2.5e-3" are scientific.
    const clear = sign === 0 || source.slice(start, at).includes(".");
    if (end > at + 1 + sign && (clear || reading.is("exponent", "scientific"))) return end;
  }
  return at;
}

function digits(source: string, start: number): number {
  let at = start;
  while (/[0-9]/.test(source[at] ?? "")) at++;
  return at;
}

function letterRun(source: string, start: number): number {
  let at = start;
  while (/[a-zA-Z]/.test(source[at] ?? "")) at++;
  return at;
}

function runOf(source: string, start: number, set: string): number {
  let at = start;
  while (at < source.length && set.includes(source[at]!)) at++;
  return at;
}

/** Tokens of raised digits, signs and letters. */
function scripted(raised: string, start: number, push: Push): void {
  const plain = [...raised].map((c) => SUPERSCRIPT_MEANS[SUPERSCRIPTS.indexOf(c)]!).join("");
  for (const part of plain.match(/[0-9]+|[+-]|[ni]/g) ?? []) {
    push(/[0-9]/.test(part) ? "number" : /[ni]/.test(part) ? "name" : "sign", part, start);
  }
}

/**
 * A backslash and what belongs to it.
 * @returns the end; negative if it says nothing but space
 */
function command(source: string, start: number, push: Push): number {
  const end = letterRun(source, start + 1);
  const name = source.slice(start + 1, end);
  if (name === "") {
    const char = source[start + 1] ?? "";
    if (char === "{" || char === "}") push("sign", char === "{" ? "(" : ")", start);
    else if (!",;:! \n".includes(char) || char === "") throw new Refusal(`\\${char} is not read here`, start);
    return char === "{" || char === "}" ? start + 2 : -(start + 2);
  }
  const plain = name.replace(/^var(?=epsilon|theta|phi|rho|sigma|pi|kappa)/, "");
  if (SILENT.has(name)) return source[end] === "." ? -(end + 1) : -end;
  const sign = SIGN_COMMANDS[name];
  if (sign !== undefined) push("sign", sign, start, true);
  else if (KEPT.has(ALIASES[name] ?? name)) push("command", ALIASES[name] ?? name, start, true);
  else if (MARKS[name] !== undefined) push("command", name, start, true);
  else if (LETTER_NAMES.has(plain)) push("name", plain, start, true);
  else if (FUNCTIONS.has(name)) push("function", name, start, true);
  else throw new Refusal(`\\${name} is not read here`, start);
  return end;
}

/** Takes a run of letters apart: names of the domain first, then functions and Greek letters, else letter by letter. */
function words(run: string, start: number, apart: boolean, named: ReadonlySet<string>, push: Push): void {
  if (apart && PROSE.has(run.toLowerCase()) && !named.has(run))
    throw new Refusal(`"${run}" is a word of prose`, start);
  let at = 0;
  let unknown = 0;
  while (at < run.length) {
    const word = longest(run, at, named);
    if (word !== undefined) {
      unknown = 0;
      push(FUNCTIONS.has(word) && !named.has(word) ? "function" : "name", word, start + at);
      at += word.length;
    } else {
      // Four letters in a row that mean nothing are a word, not a product.
      if (++unknown === 4)
        throw new Refusal(`"${run}" is neither a known name nor a product of letters`, start);
      push("name", run[at]!, start + at);
      at++;
    }
  }
}

function longest(run: string, at: number, named: ReadonlySet<string>): string | undefined {
  for (let n = Math.min(run.length - at, 40); n > 1; n--) {
    const word = run.slice(at, at + n);
    if (named.has(word) || (n <= LONGEST_WORD && PLAIN_WORDS.has(word))) return word;
  }
  return undefined;
}
