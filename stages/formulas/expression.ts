/**
 * The formula language: + - * / ^, parentheses, decimal numbers, names, and a closed list of functions. A small parser of its own
 * gives the tree for SQL, plain numbers and dimensions; evaluator B hands the same text to mathjs, so that not even the
 * parser is shared. `^` binds tighter than a sign and groups to the right: -a^2 is -(a^2), a^b^c is a^(b^c).
 */

/** Functions of one argument. All but sqrt, cbrt and abs take and give pure numbers; angles are in radians. */
export const FUNCTIONS = [
  "sqrt",
  "cbrt",
  "exp",
  "ln",
  "log10",
  "sin",
  "cos",
  "tan",
  "asin",
  "acos",
  "atan",
  "abs",
  "factorial",
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** Words of mathjs' own grammar, which no name can replace: `in`, `to` convert units, `true` is a value. */
export const RESERVED: ReadonlySet<string> = new Set(
  "pi and end false in Infinity mod NaN not null or to true undefined xor".split(" "),
);

/** Characters `at` (from 0) up to `end` of the text. */
interface Span {
  readonly at: number;
  readonly end: number;
}

export type Expression = Span &
  (
    | { readonly kind: "number"; readonly value: number }
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "negate"; readonly of: Expression }
    | {
        readonly kind: "binary";
        readonly op: "+" | "-" | "*" | "/" | "^";
        readonly left: Expression;
        readonly right: Expression;
      }
    | { readonly kind: "call"; readonly name: FunctionName; readonly argument: Expression }
  );

/** A text that is no expression of the language. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  constructor(
    message: string,
    /** 0-based position in the text. */
    readonly at: number,
    readonly hint: string | undefined = undefined,
  ) {
    super(message);
  }
}

const MAX_LENGTH = 1000;
const MAX_DEPTH = 60;
const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|([-+*/^()]))/y;

interface Token extends Span {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
}

const parsed = new Map<string, Expression>();

/** Parses an expression. @throws ExpressionError with the position of what is not allowed. */
export function parseExpression(text: string): Expression {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const expression = parse(text);
  if (parsed.size < 10_000) parsed.set(text, expression);
  return expression;
}

function parse(text: string): Expression {
  const tokens = tokenize(text);
  let i = 0;
  let depth = 0;
  const peek = () => tokens[i]!;
  const take = () => tokens[i++]!;
  const accept = (...signs: string[]) => peek().kind === "sign" && signs.includes(peek().text);

  function sum(): Expression {
    let left = product();
    while (accept("+", "-")) left = binary(take(), left, product());
    return left;
  }
  function product(): Expression {
    let left = signed();
    while (accept("*", "/")) left = binary(take(), left, signed());
    return left;
  }
  function signed(): Expression {
    if (accept("+")) throw new ExpressionError("a plus sign needs something before it", peek().at);
    if (!accept("-")) return power();
    const { at } = take();
    const of = nested(signed);
    return { kind: "negate", of, at, end: of.end };
  }
  function power(): Expression {
    const base = primary();
    if (!accept("^")) return base;
    return binary(take(), base, nested(signed));
  }
  function primary(): Expression {
    const token = take();
    if (token.kind === "number")
      return { kind: "number", value: Number(token.text), at: token.at, end: token.end };
    if (token.kind === "name") return accept("(") ? call(token) : name(token);
    if (token.text === "(") {
      const inner = nested(sum);
      return { ...inner, at: token.at, end: close(token).end };
    }
    throw new ExpressionError(
      token.kind === "end" ? "the expression ends too early" : `\`${token.text}\` cannot stand here`,
      token.at,
      "a number, a name, a function or `(` would be right",
    );
  }
  function call(token: Token): Expression {
    const known = FUNCTIONS.find((f) => f === token.text);
    if (known === undefined) {
      throw new ExpressionError(
        `\`${token.text}\` is not a function`,
        token.at,
        `functions: ${FUNCTIONS.join(", ")}`,
      );
    }
    const open = take();
    const argument = nested(sum);
    return { kind: "call", name: known, argument, at: token.at, end: close(open).end };
  }
  function close(open: Token): Token {
    if (accept(")")) return take();
    throw new ExpressionError("this `(` is not closed", open.at);
  }
  function nested(rule: () => Expression): Expression {
    if (++depth > MAX_DEPTH) throw new ExpressionError("the expression is nested too deeply", peek().at);
    const inner = rule();
    depth--;
    return inner;
  }

  const whole = sum();
  if (peek().kind === "end") return whole;
  const hint = peek().kind === "sign" ? undefined : "multiplication is always written: `4*pi*r`";
  throw new ExpressionError(`\`${peek().text}\` is not expected here`, peek().at, hint);
}

function name(token: Token): Expression {
  if (FUNCTIONS.some((f) => f === token.text)) {
    throw new ExpressionError(`\`${token.text}\` is a function`, token.at, `write \`${token.text}(...)\``);
  }
  if (token.text !== "pi" && RESERVED.has(token.text)) {
    throw new ExpressionError(`\`${token.text}\` is a reserved word`, token.at, "choose another name");
  }
  return { kind: "name", name: token.text, at: token.at, end: token.end };
}

function binary(sign: Token, left: Expression, right: Expression): Expression {
  return { kind: "binary", op: sign.text as "+", left, right, at: left.at, end: right.end };
}

function tokenize(text: string): Token[] {
  if (text.length > MAX_LENGTH) throw new ExpressionError("the expression is too long", MAX_LENGTH);
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) {
      const at = from + /^\s*/.exec(text.slice(from))![0].length;
      throw new ExpressionError(
        `\`${String.fromCodePoint(text.codePointAt(at)!)}\` is not part of the formula language`,
        at,
      );
    }
    const [, number, word, sign] = match;
    const piece = number ?? word ?? sign!;
    const kind = number !== undefined ? "number" : word !== undefined ? "name" : "sign";
    tokens.push({ kind, text: piece, at: pattern.lastIndex - piece.length, end: pattern.lastIndex });
  }
  return [...tokens, { kind: "end", text: "", at: end, end }];
}

/** Names that an expression reads, `pi` excepted, in order of appearance. */
export function namesIn(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (e: Expression): void => {
    if (e.kind === "name" && e.name !== "pi") names.add(e.name);
    else if (e.kind === "negate") visit(e.of);
    else if (e.kind === "call") visit(e.argument);
    else if (e.kind === "binary") {
      visit(e.left);
      visit(e.right);
    }
  };
  visit(expression);
  return names;
}

/** How many operations stand above each other: a number or a name has depth 0. */
export function depthOf(expression: Expression): number {
  if (expression.kind === "negate") return depthOf(expression.of);
  if (expression.kind === "call") return 1 + depthOf(expression.argument);
  if (expression.kind === "binary") return 1 + Math.max(depthOf(expression.left), depthOf(expression.right));
  return 0;
}
