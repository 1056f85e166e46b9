/**
 * The grammar of units: text to parts, nothing computed. An optional number, then symbols with integer exponents multiplied by
 * a space, `*` or `·`, then at most one `/` followed by a single symbol.
 */
import { ATOMS, type Atom, PREFIXES, type Prefix } from "./unit-table.js";

/** One symbol of a unit as written, e.g. `km^-3`: for words and for messages. */
export interface UnitPart {
  readonly symbol: string;
  readonly atom: Atom;
  readonly prefix: Prefix | undefined;
  readonly exponent: number;
  /** 0-based position of the symbol in the text. */
  readonly at: number;
}

/** A unit taken apart: `scale` is the power of ten (or number) in front. */
export interface UnitParts {
  readonly scale: string;
  readonly parts: readonly UnitPart[];
  /** Whether the last part was written behind a `/`. */
  readonly slash: boolean;
}

/** A unit that cannot be read, or two that do not fit each other. */
export class UnitError extends Error {
  override readonly name = "UnitError";
  constructor(
    /** What is wrong, one sentence without a full stop. */
    readonly what: string,
    /** The unit's text. */
    readonly text: string,
    /** 0-based position in the text. */
    readonly where: number,
    /** What would be right. */
    readonly suggestion: string | undefined,
  ) {
    super(suggestion === undefined ? what : `${what}; ${suggestion}`);
  }
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const MAX_LENGTH = 100;
const MAX_EXPONENT = 12;
const BY_SYMBOL: ReadonlyMap<string, Atom> = new Map(
  ATOMS.flatMap((a) => a.symbols.map((s) => [s, a] as const)),
);

/** The parts of a unit as written. @throws UnitError as {@link parseUnit}. */
export function takeApart(text: string): UnitParts {
  if (text.length > MAX_LENGTH)
    throw new UnitError("the unit is too long", text.slice(0, MAX_LENGTH), 0, undefined);
  const tokens = tokenize(text);
  if (tokens.length === 0) throw new UnitError("the unit is empty", text, 0, "write `1` for a pure number");
  const slashes = tokens.filter((t) => t.text === "/");
  const last = tokens.length - 1;
  if (slashes.length > 1 || (slashes.length === 1 && tokens[last - 1]?.text !== "/"))
    throw ambiguous(text, tokens);
  const scale = tokens[0]!.scale ? tokens[0]! : undefined;
  const parts: UnitPart[] = [];
  tokens.forEach((token, i) => {
    if (token === scale || token.text === "/") return;
    if (token.scale)
      throw new UnitError(`a number may only stand first in a unit`, text, token.at, undefined);
    parts.push(part(text, token, i === last && slashes.length === 1 ? -1 : 1));
  });
  return { scale: scale?.text ?? "1", parts, slash: slashes.length === 1 };
}

interface Token {
  readonly text: string;
  readonly at: number;
  readonly scale: boolean;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /[ *·⋅]+|\/|[^ *·⋅/]+/gu;
  // NFC: the ohm and ångström signs (U+2126, U+212B) are the letters Ω and Å.
  for (const match of text.normalize("NFC").matchAll(pattern)) {
    const piece = match[0];
    const at = match.index;
    if (/^[ *·⋅]+$/u.test(piece)) {
      if (piece.replaceAll(" ", "").length > 1)
        throw new UnitError("two signs of multiplication in a row", text, at, "write one space");
      continue;
    }
    tokens.push({ text: piece, at, scale: /^[0-9.]/.test(piece) });
  }
  return tokens;
}

function ambiguous(text: string, tokens: readonly Token[]): UnitError {
  const slash = tokens.findIndex((t) => t.text === "/");
  const plain = tokens
    .filter((t) => t.text !== "/")
    .map((t) => t.text.replace(/[()]/g, ""))
    .map((t, i) => (i < slash ? t : inverted(t)))
    .join(" ");
  return new UnitError(
    `\`${text}\` could be read in more than one way`,
    text,
    tokens[slash]!.at,
    `write \`${plain}\``,
  );
}

function inverted(symbol: string): string {
  const [name, exponent] = splitExponent(symbol);
  return `${name}^${-(exponent ?? 1)}`;
}

/** Name and exponent of `cm^-3`, `cm⁻³`, `cm`; the exponent is undefined if it is not a whole number. */
function splitExponent(symbol: string): [string, number | undefined] {
  const caret = /^([^^⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+)\^([+\-−]?\d+)$/u.exec(symbol);
  if (caret) return [caret[1]!, Number(caret[2]!.replace("−", "-"))];
  const raised = /^([^^⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+)([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/u.exec(symbol);
  if (raised) return [raised[1]!, Number(plainDigits(raised[2]!))];
  return [symbol, /[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]/u.test(symbol) ? undefined : 1];
}

/** "⁻³" as "-3". */
export function plainDigits(raised: string): string {
  return [...raised]
    .map((c) => (c === "⁻" ? "-" : c === "⁺" ? "" : String(SUPERSCRIPTS.indexOf(c))))
    .join("");
}

function part(text: string, token: Token, sign: 1 | -1): UnitPart {
  const [symbol, exponent] = splitExponent(token.text);
  if (exponent === undefined || exponent === 0 || Math.abs(exponent) > MAX_EXPONENT) {
    const hint = `an exponent is a whole number from -${MAX_EXPONENT} to ${MAX_EXPONENT}, such as \`m^2\` or \`s⁻¹\``;
    throw new UnitError(`the exponent of \`${token.text}\` cannot be read`, text, token.at, hint);
  }
  const found = lookUp(symbol);
  if (found === undefined) throw unknownSymbol(text, token, symbol);
  return { symbol, ...found, exponent: sign * exponent, at: token.at };
}

/** A symbol as such, else a prefix and a symbol that takes it: `min` is a minute, never a milli-inch. */
function lookUp(symbol: string): { atom: Atom; prefix: Prefix | undefined } | undefined {
  const whole = BY_SYMBOL.get(symbol);
  if (whole !== undefined) return { atom: whole, prefix: undefined };
  for (const prefix of PREFIXES) {
    for (const start of prefix.symbols) {
      if (!symbol.startsWith(start)) continue;
      const atom = BY_SYMBOL.get(symbol.slice(start.length));
      if (atom !== undefined && takes(atom, prefix)) return { atom, prefix };
    }
  }
  return undefined;
}

function takes(atom: Atom, prefix: Prefix): boolean {
  return atom.prefixes === "all" || atom.prefixes.split(" ").includes(prefix.symbols[0]!);
}

function unknownSymbol(text: string, token: Token, symbol: string): UnitError {
  const digits = /^(\p{L}+)(\d)$/u.exec(symbol);
  if (/[()]/.test(token.text)) {
    return new UnitError(
      "a unit has no parentheses",
      text,
      token.at,
      "write negative exponents: `kg m^-1 s^-1`",
    );
  }
  if (digits && lookUp(digits[1]!)) {
    const hint = `write \`${digits[1]}^${digits[2]}\``;
    return new UnitError(`\`${symbol}\` is not a unit`, text, token.at, hint);
  }
  const close = nearestSymbol(symbol);
  return new UnitError(
    `\`${symbol}\` is not a known unit`,
    text,
    token.at,
    close === undefined ? "docs/units.md lists them" : `did you mean \`${close}\`?`,
  );
}

/** The known symbol closest to a mistyped one or to a unit's name: the same letters in another case first. */
function nearestSymbol(symbol: string): string | undefined {
  const lower = symbol.toLowerCase();
  const limit = symbol.length <= 2 ? 0 : symbol.length <= 4 ? 1 : 2;
  let best: string | undefined;
  let distance = limit + 1;
  for (const [spelling, meant] of spellings()) {
    if (Math.abs(spelling.length - symbol.length) >= distance) continue;
    const d = edits(lower, spelling.toLowerCase());
    if (d < distance) [best, distance] = [meant, d];
  }
  return best;
}

/** Symbols and names, bare ones first, with the symbol each stands for. */
function* spellings(): Generator<readonly [string, string]> {
  for (const a of ATOMS) for (const s of [...a.symbols, a.singular, a.plural]) yield [s, a.symbols[0]!];
  for (const prefix of PREFIXES) {
    for (const a of ATOMS.filter((atom) => takes(atom, prefix))) {
      const meant = prefix.symbols[0]! + a.symbols[0]!;
      for (const s of [meant, prefix.word + a.singular, prefix.word + a.plural]) yield [s, meant];
    }
  }
}

function edits(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row.push(
        Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    }
    previous = row;
  }
  return previous[b.length]!;
}
