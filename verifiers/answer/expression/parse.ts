import { readName } from "./name.js";
import { readNumber, type Separators } from "./number.js";
import type { Reading } from "./reading.js";
import { Refusal } from "./refusal.js";
import { type Token, tokenize } from "./tokens.js";
import { type FunctionName, type Node, UNARY, type UnaryName } from "./tree.js";
import { FUNCTIONS, INVERSES } from "./words.js";

/** Bounds that no honest answer reaches. */
const DEEPEST = 80;
const MOST_NODES = 3000;

export interface ParseOptions {
  readonly reading: Reading;
  readonly separators: Separators;
  /** Names of variables in the declared domain: they come before constants and functions of the same name. */
  readonly named: ReadonlySet<string>;
}

/**
 * Reads LaTeX or plain mathematics into a tree, whole or not at all. Time and memory are linear in the text.
 * @throws Refusal saying where it stopped
 */
export function parse(text: string, options: ParseOptions): Node {
  return new Parser(tokenize(text, options.named, options.reading), options).whole();
}

const one: Node = { kind: "number", text: "1" };
const two: Node = { kind: "number", text: "2" };
const number = (text: string): Node => ({ kind: "number", text });
const quotient = (over: Node, under: Node): Node => ({ kind: "quotient", over, under });
const call = (name: FunctionName, ...args: Node[]): Node => ({ kind: "call", name, args });
const isUnary = (name: string): name is UnaryName => (UNARY as readonly string[]).includes(name);

/** What a bracket closes with. */
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

class Parser {
  private at = 0;
  private depth = 0;
  private nodes = 0;
  /** Open bars of absolute values at this level of brackets: the next bar behind an operand closes one. */
  private bars = 0;
  /** Within the arguments of a function of several, where a comma ends an argument. */
  private listed = false;

  constructor(
    private readonly tokens: Token[],
    private readonly options: ParseOptions,
  ) {}

  whole(): Node {
    const node = this.sum();
    if (this.peek.kind !== "end") this.refuse(`${this.shown()} does not fit here`);
    return node;
  }

  private sum(): Node {
    return this.deeper(() => {
      const parts: Node[] = [this.signed(() => this.product())];
      while (this.peekSign("+", "-")) parts.push(this.signed(() => this.product()));
      return parts.length === 1 ? parts[0]! : this.made({ kind: "sum", parts });
    });
  }

  /** An operand behind any plus or minus signs. */
  private signed(operand: () => Node): Node {
    let negative = false;
    let signs = 0;
    while (this.peekSign("+", "-")) {
      if (++signs > 2) this.refuse("three signs in a row");
      if (this.next().text === "-") negative = !negative;
    }
    const of = operand();
    return negative ? this.made({ kind: "negative", of }) : of;
  }

  private product(): Node {
    let parts: Node[] = [...this.chain()];
    while (this.peekSign("*", "/")) {
      const divides = this.next().text === "/";
      const right = this.peekSign("-", "+") ? [this.signed(() => this.joined(this.chain()))] : this.chain();
      if (!divides) parts.push(...right);
      else {
        const tight = right.length > 1 && this.options.reading.is("slash", "tight");
        const under = tight ? this.joined(right) : right[0]!;
        parts = [this.made(quotient(this.joined(parts), under)), ...(tight ? [] : right.slice(1))];
      }
    }
    return this.joined(parts);
  }

  /** Factors side by side without a sign between them. */
  private chain(): Node[] {
    const factors = [this.power()];
    let before = this.tokens[this.at - 1]!;
    let first = this.at - 1;
    while (this.startsOperand()) {
      const token = this.peek;
      if (token.kind === "number" && before.kind === "number") this.refuse("two numbers side by side");
      const mixed = token.text === "frac" && before.kind === "number" && first === this.at - 1;
      first = this.at;
      const factor = this.power();
      if (mixed && this.isMixed(factors.at(-1)!, factor)) {
        factors.push(this.made({ kind: "sum", parts: [factors.pop()!, factor] }));
      } else factors.push(factor);
      before = this.tokens[this.at - 1]!;
    }
    return factors;
  }

  /** `2\frac{1}{2}` with whole numbers only. */
  private isMixed(whole: Node, part: Node): boolean {
    return (
      whole.kind === "number" &&
      part.kind === "quotient" &&
      part.over.kind === "number" &&
      part.under.kind === "number" &&
      this.options.reading.is("mixed", "sum")
    );
  }

  private power(): Node {
    return this.deeper(() => {
      const base = this.postfix();
      if (!this.takeSign("^")) return base;
      if (this.degrees())
        return this.made(quotient(this.joined([base, { kind: "constant", name: "pi" }]), number("180")));
      return this.made({ kind: "power", base, exponent: this.exponent() });
    });
  }

  /** Behind `^`: a group, or one operand with its own exponent (`x^y^z` is `x^(y^z)`). */
  private exponent(): Node {
    return this.signed(() => this.power());
  }

  /** `^\circ`, in braces or not. */
  private degrees(): boolean {
    if (this.takeSign("°")) return true;
    if (!(this.peekSign("{") && this.tokens[this.at + 1]?.text === "°")) return false;
    this.at += 2;
    this.expect("}");
    return true;
  }

  private postfix(): Node {
    let node = this.primary();
    for (;;) {
      if (this.takeSign("!")) {
        if (this.peekSign("!")) this.refuse("a double factorial is not read");
        node = this.made({ kind: "factorial", of: node });
      } else if (this.takeSign("°")) {
        if (this.peekSign("°")) this.refuse("a degree of a degree is not read");
        node = this.made(quotient(this.joined([node, { kind: "constant", name: "pi" }]), number("180")));
      } else return node;
    }
  }

  private primary(): Node {
    const token = this.peek;
    switch (token.kind) {
      case "number":
        return this.made(number(readNumber(this.numerals(), this.options.separators, (w) => this.refuse(w))));
      case "name":
        return this.named();
      case "function":
        return this.applied();
      case "command":
        return this.command();
      case "sign":
        if (CLOSERS[token.text] !== undefined) return this.group();
        if (token.text === "|") return this.absolute();
    }
    return this.refuse(
      token.kind === "end" ? "it ends where a value should follow" : `${this.shown()} does not fit here`,
    );
  }

  /** The tokens of one number: digits with separators of thousands between them. */
  private numerals(): Token[] {
    const taken = [this.next()];
    for (;;) {
      const [separator, digits] = [this.peek, this.tokens[this.at + 1]];
      const comma = !this.listed && separator.text === "," && !separator.spaced && digits?.kind === "number";
      if (comma && !digits.spaced) taken.push(this.next(), this.next());
      else if (
        separator.kind === "number" &&
        separator.spaced &&
        /^[0-9]{3}(\.[0-9]+)?$/.test(separator.text)
      ) {
        taken.push(this.next());
      } else return taken;
    }
  }

  private named(): Node {
    const { name, token } = readName(this.tokens, this.at, (why) => this.refuse(why));
    this.at = token;
    const { named } = this.options;
    if (!named.has(name)) {
      if (name === "pi" || name === "e" || name === "i") return this.made({ kind: "constant", name });
      if (/^[fgh]'*$/.test(name) && this.peekSign("(") && !this.peek.spaced) {
        this.refuse(`${name}(...) is a function that is not known here`);
      }
    }
    return this.made({ kind: "variable", name });
  }

  private group(): Node {
    const open = this.next();
    const node = this.inside(() => this.sum());
    this.expect(CLOSERS[open.text]!);
    return node;
  }

  private absolute(): Node {
    this.next();
    this.bars++;
    const node = this.sum();
    this.bars--;
    this.expect("|");
    return this.made(call("abs", node));
  }

  /** Brackets hide the bars and lists around them. */
  private inside<T>(read: () => T, listed = false): T {
    const kept = [this.bars, this.listed] as const;
    this.bars = 0;
    this.listed = listed;
    const result = read();
    [this.bars, this.listed] = kept;
    return result;
  }

  /** A function's name, then an exponent or base, then its argument. */
  private applied(): Node {
    const token = this.next();
    const name = FUNCTIONS.get(token.text)!;
    if (name === "sqrt") return this.root(token);
    if (name === "binom" || name === "min" || name === "max") return this.several(name);
    const base = this.takeSign("_") || this.gluedBase(token) ? this.script() : undefined;
    if (base !== undefined && name !== "log") this.refuse(`${name} has no base`);
    const exponent = this.takeSign("^") ? this.exponent() : undefined;
    const inverse =
      exponent?.kind === "negative" && exponent.of.kind === "number" && exponent.of.text === "1";
    const inverseName = inverse ? INVERSES[name] : undefined;
    if (inverse && inverseName === undefined) this.refuse(`${name}^-1 has two meanings`);
    const node = this.made(this.of(inverseName ?? name, base, this.argument()));
    return exponent === undefined || inverse ? node : this.made({ kind: "power", base: node, exponent });
  }

  /** `log2(x)` and `log10(x)`, as in programs. */
  private gluedBase(token: Token): boolean {
    const { kind, text, spaced } = this.peek;
    return (
      token.text === "log" && !token.latex && !spaced && kind === "number" && (text === "2" || text === "10")
    );
  }

  private of(name: string, base: Node | undefined, argument: Node): Node {
    if (base !== undefined) return call("logb", base, argument);
    if (name === "lg") return call("logb", number("10"), argument);
    if (name === "cbrt") return { kind: "power", base: argument, exponent: quotient(one, number("3")) };
    if (name === "log")
      return this.options.reading.is("log", "natural")
        ? call("ln", argument)
        : call("logb", number("10"), argument);
    return isUnary(name) ? call(name, argument) : this.refuse(`${name} is not read here`);
  }

  /** What a function without brackets applies to: `sin 2 pi x`, `ln x^2`; with brackets, the brackets alone. */
  private argument(): Node {
    if (this.peekSign("(", "[", "{", "|") && !this.closesBar()) return this.primary();
    const first = this.peek;
    if (first.kind === "function") return this.power();
    const parts = [this.power()];
    let settled =
      first.kind !== "number" && !(first.kind === "name" && ["pi", "e", "i"].includes(first.text));
    while (this.startsOperand() && this.peek.kind !== "function") {
      const simple = this.peek.kind === "name" && this.tokens[this.at + 1]?.text !== "^";
      if (settled && !simple && this.options.reading.is("reach", "short")) return this.joined(parts);
      settled ||= simple;
      parts.push(this.power());
    }
    if (this.peekSign("/") && this.options.reading.is("reach", "long")) {
      this.next();
      return this.made(quotient(this.joined(parts), this.power()));
    }
    return this.joined(parts);
  }

  private several(name: "binom" | "min" | "max"): Node {
    const args = this.listOf(name);
    if (name === "binom" ? args.length !== 2 : args.length < 1) this.refuse(`${name} takes other arguments`);
    return this.made(call(name, ...args));
  }

  private listOf(name: string): Node[] {
    if (!this.peekSign("(")) this.refuse(`${name} needs its arguments in brackets`);
    this.next();
    return this.inside(() => {
      const args = [this.sum()];
      while (this.takeSign(",")) args.push(this.sum());
      this.expect(")");
      return args;
    }, true);
  }

  /** `\sqrt[n]{x}`, `sqrt(x)`, `sqrt x`. */
  private root(token: Token): Node {
    let index: Node = two;
    if (token.latex && this.peekSign("[")) index = this.group();
    const base = token.latex ? this.operand() : this.peekSign("(", "[", "{") ? this.group() : this.power();
    return this.made({ kind: "power", base, exponent: quotient(one, index) });
  }

  /** What a LaTeX command takes: a group, a letter, or one digit (`\frac12`). */
  private operand(): Node {
    const token = this.peek;
    if (this.peekSign("{", "(")) return this.group();
    if (token.kind === "number" && /^[0-9]$/.test(token.text)) return this.made(number(this.next().text));
    if (token.kind === "number") this.refuse("more than one digit needs braces here");
    if (token.kind === "name") {
      this.next();
      return this.made(this.nameOf(token.text));
    }
    return token.kind === "command" ? this.command() : this.refuse("a group in braces should follow");
  }

  private nameOf(name: string): Node {
    const constant = !this.options.named.has(name) && (name === "pi" || name === "e" || name === "i");
    return constant ? { kind: "constant", name } : { kind: "variable", name };
  }

  private command(): Node {
    const token = this.peek;
    switch (token.text) {
      case "frac":
        this.next();
        return this.fraction();
      case "binom":
        this.next();
        return this.made(call("binom", this.operand(), this.operand()));
      case "sum":
      case "prod":
        return this.series();
      case "lfloor":
      case "lceil": {
        this.next();
        const node = this.inside(() => this.sum());
        this.expect(token.text === "lfloor" ? "rfloor" : "rceil");
        return this.made(call(token.text === "lfloor" ? "floor" : "ceil", node));
      }
      case "operatorname":
      case "mathrm":
      case "text":
        return this.upright();
    }
    return token.text.startsWith("r") ? this.refuse(`${this.shown()} closes nothing`) : this.named();
  }

  private fraction(): Node {
    const digits = this.peek;
    if (digits.kind === "number" && /^[0-9]{2,}$/.test(digits.text)) {
      // In TeX each of `\frac12` and `\frac1{2}` takes one digit: the rest is what follows.
      this.tokens[this.at] = { ...digits, text: digits.text[0]! };
      this.tokens.splice(this.at + 1, 0, {
        ...digits,
        text: digits.text.slice(1),
        at: digits.at + 1,
        spaced: false,
      });
    }
    const over = this.operand();
    const rest = this.peek;
    if (rest.kind === "number" && /^[0-9]{2,}$/.test(rest.text))
      this.refuse("more than one digit needs braces here");
    return this.made(quotient(over, this.operand()));
  }

  /** `\operatorname{arsinh}`, `\mathrm{e}`: a function or a single name. */
  private upright(): Node {
    const end = this.at + 3;
    const [open, inner, close] = this.tokens.slice(this.at + 1, end + 1);
    if (open?.text !== "{" || close?.text !== "}") return this.refuse(`${this.shown()} holds no single name`);
    if (inner?.kind === "function") {
      this.tokens.splice(this.at, 4, inner);
      return this.applied();
    }
    if (inner?.kind === "name") {
      this.tokens.splice(this.at, 4, inner);
      return this.named();
    }
    return this.refuse(`${this.shown()} holds no single name`);
  }

  /** `\sum_{k=1}^{n} body`: the body goes on as far as a product does. */
  private series(): Node {
    const op = this.next().text === "sum" ? "sum" : "product";
    if (!this.takeSign("_")) this.refuse("a sum or product needs its index: \\sum_{k=1}^{n}");
    this.expect("{");
    const { name, token } = readName(this.tokens, this.at, (why) => this.refuse(why));
    this.at = token;
    this.expect("=");
    const from = this.inside(() => this.sum());
    this.expect("}");
    this.expect("^");
    const to = this.peekSign("{") ? this.group() : this.operand();
    const body = this.bound(name, () => this.product());
    return this.made({ kind: "series", op, index: name, from, to, body });
  }

  /** Reads with a name that stands for a variable here, though it may be a constant elsewhere (`\sum_{i=1}`). */
  private bound<T>(name: string, read: () => T): T {
    const options = this.options as { named: ReadonlySet<string> };
    const outer = options.named;
    options.named = new Set([...outer, name]);
    const result = read();
    options.named = outer;
    return result;
  }

  private script(): Node {
    return this.peekSign("{", "(")
      ? this.group()
      : this.peek.kind === "number"
        ? this.made(number(this.next().text))
        : this.operand();
  }

  private startsOperand(): boolean {
    const { kind, text } = this.peek;
    if (kind === "number" || kind === "name" || kind === "function") return true;
    if (kind === "command") return !text.startsWith("rfloor") && !text.startsWith("rceil");
    return kind === "sign" && (CLOSERS[text] !== undefined || (text === "|" && this.bars === 0));
  }

  private closesBar(): boolean {
    return this.peekSign("|") && this.bars > 0;
  }

  private joined(parts: readonly Node[]): Node {
    return parts.length === 1 ? parts[0]! : this.made({ kind: "product", parts });
  }

  private made(node: Node): Node {
    if (++this.nodes > MOST_NODES) this.refuse(`it has more than ${MOST_NODES} parts`);
    return node;
  }

  private deeper<T>(read: () => T): T {
    if (++this.depth > DEEPEST * 2) this.refuse("it is nested too deeply");
    const result = read();
    this.depth--;
    return result;
  }

  private get peek(): Token {
    return this.tokens[this.at]!;
  }

  private next(): Token {
    return this.tokens[this.at++]!;
  }

  private peekSign(...signs: readonly string[]): boolean {
    return this.peek.kind === "sign" && signs.includes(this.peek.text);
  }

  private takeSign(sign: string): boolean {
    const taken = this.peekSign(sign);
    if (taken) this.at++;
    return taken;
  }

  private expect(text: string): void {
    if (this.peek.text !== text) this.refuse(`${this.shown()} stands where "${text}" should`);
    this.at++;
  }

  private shown(): string {
    return this.peek.kind === "end" ? "the end" : JSON.stringify(this.peek.text);
  }

  private refuse(why: string): never {
    throw new Refusal(why, this.peek.at);
  }
}
