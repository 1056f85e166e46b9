/**
 * A number as an answer writes it: digits of the question's language, a power of ten, a fraction, a mixed number, powers, roots and
 * multiples of π. Sums and products that were not worked out are no numbers. Exact; bounded by the text's length and a depth.
 */
import { scanNumbers } from "../number-scan.js";
import {
  type Exact,
  fromDecimal,
  negate,
  over,
  PI,
  plus,
  power,
  root,
  scale,
  smallInteger,
  times,
} from "./exact.js";
import type { Notation } from "./language.js";
import { literalAt } from "./literal.js";

export interface NumberReading {
  /** `beyond`: larger (or closer to zero) than anything that can be written down, such as 9^(9^9). */
  readonly value: Exact | "beyond";
  /** Whether π or an irrational root went in: right to some 40 digits. */
  readonly rounded: boolean;
  readonly end: number;
}

/** Why no number could be read: `foreign` digits that the language has no reading for, or something else. */
export type Unread = "unreadable" | "foreign";

const MAX_DEPTH = 30;

/** Ends a reading from any depth. Not an `Error`: most texts that are tried are no numbers, and a stack trace each is most of the time. */
class Stop {
  constructor(readonly why: Unread) {}
}

/** The number that starts at a place of a plain answer. What follows it is the caller's to judge. */
export function numberAt(plain: string, at: number, notation: Notation): NumberReading | Unread {
  try {
    return new Reader(plain, notation).signed(at, 0);
  } catch (error) {
    if (error instanceof Stop) return error.why;
    throw error;
  }
}

type Part = NumberReading;

class Reader {
  constructor(
    private readonly plain: string,
    private readonly notation: Notation,
  ) {}

  signed(at: number, depth: number): Part {
    const mark = this.match(/ ?(?:([-–—])|(minus|negative) |\+|plus (?=\d)) ?/iy, at);
    const part = this.product(at + (mark?.[0].length ?? this.match(/ */y, at)![0].length), depth);
    const minus = mark !== null && (mark[1] ?? mark[2]) !== undefined;
    return minus && part.value !== "beyond" ? { ...part, value: negate(part.value) } : part;
  }

  /** Factors: a number, then `/ n`, `× 10^n`, `π`, `√n`, and a word such as million. */
  private product(at: number, depth: number): Part {
    let left = this.factor(at, depth);
    for (let count = 0; count < 8; count++) {
      const next = this.another(left, depth);
      if (next === undefined) break;
      left = next;
    }
    return this.scaled(left);
  }

  private another(left: Part, depth: number): Part | undefined {
    const slash = this.match(/ ?[/⁄] ?(?=[\d(√π.]|pi(?!\p{L})|sqrt ?\()/iuy, left.end);
    if (slash !== null) {
      const under = this.factor(left.end + slash[0].length, depth);
      return { ...this.quotient(left, under), end: under.end };
    }
    const ten = this.match(
      / ?[×xX*·] ?(?=10 ?(?:\^|\*\*|(?![\d.,]))|\(10\^)| times (?=(?:10|ten)\b)| ?[×*·]? ?(?=[π√]|pi(?!\p{L})|sqrt ?\()/iuy,
      left.end,
    );
    if (ten === null) return undefined;
    const right = this.factor(left.end + ten[0].length, depth);
    return { ...combine(left, right, times), end: right.end };
  }

  /** An atom, perhaps to a power: 10^-3, 10**3, 3^(80), "10 to the power of 3". */
  private factor(at: number, depth: number): Part {
    const base = this.atom(at, depth);
    const mark = this.match(/ ?(?:\^|\*\*) ?| to the (?:power (?:of )?)?(?=[-(\d])/y, base.end);
    if (mark === null) return base;
    const exponent = this.exponent(base.end + mark[0].length, depth + 1);
    return { ...this.raised(base, exponent), end: exponent.end };
  }

  private exponent(at: number, depth: number): Part {
    const sign = this.match(/[-–+]/y, at);
    const part = this.factor(at + (sign?.[0].length ?? 0), depth);
    const minus = sign !== null && sign[0] !== "+";
    return minus && part.value !== "beyond" ? { ...part, value: negate(part.value) } : part;
  }

  private raised(base: Part, exponent: Part): Omit<Part, "end"> {
    if (base.value === "beyond" || exponent.value === "beyond") {
      const unit = base.value !== "beyond" && smallInteger(base.value);
      if (unit === 0n || unit === 1n || unit === -1n) throw new Stop("unreadable");
      return { value: "beyond", rounded: false };
    }
    const count = smallInteger(exponent.value);
    if (count === undefined || exponent.rounded) throw new Stop("unreadable");
    const value = power(base.value, count);
    if (value === undefined) throw new Stop("unreadable");
    return { value, rounded: base.rounded };
  }

  private atom(at: number, depth: number): Part {
    if (depth > MAX_DEPTH) throw new Stop("unreadable");
    const c = this.plain[at];
    if (c === "(") return this.bracketed(at, depth);
    const pi = this.match(/π|pi(?!\p{L})/iuy, at);
    if (pi !== null) return { value: PI, rounded: true, end: at + pi[0].length };
    const radical = this.match(/√|sqrt ?(?=\()/iy, at);
    if (radical !== null) return this.rooted(at + radical[0].length, depth);
    if (/[\d.,]/.test(c ?? "")) return this.digits(at);
    return this.words(at);
  }

  private bracketed(at: number, depth: number): Part {
    const inside = this.signed(at + 1, depth + 1);
    const close = this.match(/ ?\)/y, inside.end);
    if (close === null) throw new Stop("unreadable");
    return { ...inside, end: inside.end + close[0].length };
  }

  private rooted(at: number, depth: number): Part {
    const under = this.atom(at, depth + 1);
    if (under.value === "beyond") return under;
    if (under.value.n < 0n) throw new Stop("unreadable");
    const { value, exact } = root(under.value);
    return { value, rounded: under.rounded || !exact, end: under.end };
  }

  /** Digits with an e-exponent, or a mixed number: 1.27e3, 1 1/2. */
  private digits(at: number): Part {
    const literal = literalAt(this.plain, at, this.notation);
    if (literal === undefined) throw new Stop("unreadable");
    if (literal.value === undefined) throw new Stop("foreign");
    const tail = this.match(/[eE]([+-]?\d{1,7})(?![\d.,])/uy, literal.end);
    if (tail !== null)
      return {
        value: scale(literal.value, Number(tail[1])),
        rounded: false,
        end: literal.end + tail[0].length,
      };
    const mixed = literal.bare ? this.match(/ (\d{1,9}) ?[/⁄] ?(\d{1,9})(?!\d)/y, literal.end) : null;
    if (mixed === null) return { value: literal.value, rounded: false, end: literal.end };
    const fraction = over(fromDecimal(mixed[1]!)!, fromDecimal(mixed[2]!)!);
    if (fraction === undefined || Number(mixed[1]) >= Number(mixed[2])) throw new Stop("unreadable");
    return { value: plus(literal.value, fraction), rounded: false, end: literal.end + mixed[0].length };
  }

  /** English words: "twenty-five", "one point two seven". */
  private words(at: number): Part {
    if (!/[a-z]/i.test(this.plain[at] ?? "") || this.plain.length > 400) throw new Stop("unreadable");
    const found = scanNumbers(this.plain).find((n) => n.start === at && n.inWords);
    const value = fromDecimal(found?.values[0] ?? Number.NaN);
    if (found === undefined || value === undefined) throw new Stop("unreadable");
    return { value, rounded: false, end: found.end };
  }

  private scaled(part: Part): Part {
    let { value, end } = part;
    for (let i = 0; i < 2; i++) {
      const name = this.match(/[ -]?(\p{L}{3,12})(?!\p{L})/uy, end);
      const word = name?.[1]?.toLowerCase();
      const table = this.notation.scales;
      const ten = word === undefined ? undefined : (own(table, word) ?? own(table, word.replace(/s$/, "")));
      if (ten === undefined || value === "beyond") break;
      value = scale(value, ten);
      end += name![0].length;
    }
    return { ...part, value, end };
  }

  private quotient(left: Part, under: Part): Omit<Part, "end"> {
    return combine(left, under, (a, b) => {
      const value = over(a, b);
      if (value === undefined) throw new Stop("unreadable");
      return value;
    });
  }

  private match(form: RegExp, at: number): RegExpExecArray | null {
    form.lastIndex = at;
    return form.exec(this.plain);
  }
}

function combine(a: Part, b: Part, by: (a: Exact, b: Exact) => Exact): Omit<Part, "end"> {
  const rounded = a.rounded || b.rounded;
  if (a.value === "beyond" || b.value === "beyond") {
    // Zero times anything is zero, and beyond over beyond may be anything.
    if (a.value === b.value || [a, b].some((p) => p.value !== "beyond" && p.value.n === 0n))
      throw new Stop("unreadable");
    return { value: "beyond", rounded };
  }
  return { value: by(a.value, b.value), rounded };
}

const own = (table: Readonly<Record<string, number>>, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
