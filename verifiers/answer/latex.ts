/**
 * LaTeX to the plain forms that the readers know: `\frac{1}{3}` to `1⁄3`, `\begin{pmatrix}1\\2\end{pmatrix}` to `[[1];[2]]`, `\{` to a
 * bracket of its own. A command that is not known here stays as a word, so that `\ln 5` never becomes 5. Linear in the text's length
 * for a given depth, which is bounded.
 */
import { dictionary } from "../dictionary.js";
import { LATEX, plainText } from "../plain-text.js";

const MAX_DEPTH = 40;
/** Braces that stand for themselves; the plain ones only group. */
const OPEN = "❴";
const CLOSE = "❵";

/** Commands whose argument is meant as it stands. */
const TRANSPARENT = new Set(
  (
    "text textrm textbf textit textsf texttt textnormal mathrm mathbf mathit mathsf mathtt mathbb boldsymbol operatorname mbox hbox " +
    "rm unit si num emph underline boxed fbox ensuremath ce mathcal"
  ).split(" "),
);
const DROPPED = new Set(
  (
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle textstyle rm bf it limits nolimits middle " +
    "mathopen mathclose hline"
  ).split(" "),
);
/** Marks over a name, which say what it is: \vec{v}. Over digits they say how these go on, and stay. */
const ACCENTS = new Set("vec bar hat tilde overline overrightarrow widehat dot ddot".split(" "));
const FRACTIONS = new Set(["frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"]);
const SYMBOLS = dictionary<string>({
  ...LATEX,
  div: "/",
  simeq: "≈",
  pi: "π",
  infty: "∞",
  le: "≤",
  leq: "≤",
  leqslant: "≤",
  ge: "≥",
  geq: "≥",
  geqslant: "≥",
  lt: "<",
  gt: ">",
  in: "∈",
  cup: "∪",
  langle: "⟨",
  rangle: "⟩",
  lbrace: OPEN,
  rbrace: CLOSE,
  lbrack: "[",
  rbrack: "]",
  lparen: "(",
  rparen: ")",
  ldots: "...",
  dots: "...",
  quad: " ",
  qquad: " ",
  AA: "Å",
  per: "/",
  implies: " ⟹ ",
  therefore: " ",
});
const MATRICES = /^(?:[pbBvV]?matrix|smallmatrix|array)\*?$/;

/** A final answer in plain form: LaTeX undone, then as {@link plainText}, spaces single. */
export function plainAnswer(text: string): string {
  const typed = text
    .replace(/(\d)\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])/gu, "$1 $2")
    .replace(/(?<![⁰¹²³⁴⁵⁶⁷⁸⁹⁻])([⁰¹²³⁴⁵⁶⁷⁸⁹]{0,3})⁺(?![⁰¹²³⁴⁵⁶⁷⁸⁹])/gu, "^$1+")
    .replace(/\u2215/g, "/")
    .replaceAll("+/-", "±");
  const undone = /[\\{}$^]/.test(typed) ? new Undoing(typed).text() : typed;
  return plainText(undone).replace(/\s+/g, " ").trim();
}

class Undoing {
  private readonly partner: Int32Array;

  constructor(private readonly source: string) {
    this.partner = partners(source);
  }

  text(): string {
    return this.read(0, this.source.length, 0);
  }

  /** The plain form of source[from, to). */
  private read(from: number, to: number, depth: number): string {
    if (depth > MAX_DEPTH) return " … ";
    let out = "";
    for (let at = from; at < to; ) {
      const c = this.source[at]!;
      const step =
        c === "\\"
          ? this.command(at, to, depth)
          : c === "{"
            ? this.group(at, to, depth)
            : c === "^" || c === "_"
              ? this.script(at, to, depth)
              : { text: c === "$" ? "" : c === "}" ? CLOSE : c === "~" ? this.tie(at) : c, at: at + 1 };
      out += step.text;
      at = step.at;
    }
    return out;
  }

  /** A tie between a number and its unit is a space; elsewhere the mark says "about". */
  private tie(at: number): string {
    const behind = /[\s\\\p{L}{]/u.test(this.source[at + 1] ?? "");
    return behind && /[\d}\p{L}]/u.test(this.source[at - 1] ?? "") ? " " : "~";
  }

  /** A brace that belongs to no command: a set's, unless it holds a font switch or a separator. */
  private group(at: number, to: number, depth: number): Step {
    const close = this.partner[at]!;
    if (close < 0 || close >= to) return { text: OPEN, at: at + 1 };
    const inside = this.source.slice(at + 1, Math.min(close, at + 8));
    if (inside === "," || inside === ".") return { text: inside, at: close + 1 };
    const content = this.read(at + 1, close, depth + 1);
    const silent = /^\s*\\(?:rm|bf|it|mathrm|text)\b/.test(inside);
    return { text: silent ? content : `${OPEN}${content}${CLOSE}`, at: close + 1 };
  }

  /** `^{-3}` as ^-3, `^{a+b}` as ^(a+b), `^\circ` as °, `_{\odot}` as ☉. */
  private script(at: number, to: number, depth: number): Step {
    const mark = this.source[at]!;
    if (!/[{\\\p{L}\d+−-]/u.test(this.source[at + 1] ?? "")) return { text: mark, at: at + 1 };
    const argument = this.argument(at + 1, to, depth);
    if (argument === undefined) return { text: mark, at: at + 1 };
    const content = argument.text.trim();
    if (/^[°′″]/.test(content) && mark === "^") return { text: content, at: argument.at };
    if (mark === "_" && /^[☉⊕]$/.test(content)) return { text: content, at: argument.at };
    const bare = /^[+\-−]?\d+$|^\p{L}$/u.test(content) || (mark === "_" && /^[\p{L}\d]+$/u.test(content));
    return { text: bare ? `${mark}${content}` : `${mark}(${content})`, at: argument.at };
  }

  private command(at: number, to: number, depth: number): Step {
    const next = this.source[at + 1] ?? "";
    if (!/[A-Za-z]/.test(next)) return { text: escaped(next), at: Math.min(at + 2, to) };
    const form = /[A-Za-z]{1,40}/y;
    form.lastIndex = at + 1;
    const name = form.exec(this.source)![0];
    const after = form.lastIndex;
    if (name === "begin") return this.environment(after, to, depth);
    if (FRACTIONS.has(name)) return this.fraction(after, to, depth);
    if (name === "sqrt") return this.root(after, to, depth);
    if (name === "SI" || name === "qty") return this.pair(name, after, to, depth, (a, b) => `${a} ${b}`);
    if (TRANSPARENT.has(name) && this.braceAt(after, to) !== undefined) {
      const argument = this.argument(after, to, depth)!;
      return { text: argument.text, at: argument.at };
    }
    if (ACCENTS.has(name)) {
      const argument = this.argument(after, to, depth);
      if (argument !== undefined && /^\p{L}/u.test(argument.text)) return argument;
    }
    if (DROPPED.has(name)) return { text: "", at: after };
    const symbol = SYMBOLS[name];
    return symbol === undefined ? word(name, after) : { text: symbol, at: after };
  }

  private fraction(after: number, to: number, depth: number): Step {
    return this.pair("frac", after, to, depth, (a, b) =>
      /^\d+$/.test(a.trim()) && /^\d+$/.test(b.trim()) ? ` ${a.trim()}⁄${b.trim()}` : `(${a})/(${b})`,
    );
  }

  private root(after: number, to: number, depth: number): Step {
    if (this.source[after] === "[") return word("root", after);
    const argument = this.argument(after, to, depth);
    return argument === undefined ? word("sqrt", after) : { text: `√(${argument.text})`, at: argument.at };
  }

  /** A command of two arguments. What was read of one that lacks them is not read again: that would double at every depth. */
  private pair(
    name: string,
    after: number,
    to: number,
    depth: number,
    join: (a: string, b: string) => string,
  ): Step {
    const first = this.argument(after, to, depth);
    if (first === undefined) return word(name, after);
    const second = this.argument(first.at, to, depth);
    if (second === undefined) return { text: ` ${name} ${first.text}`, at: first.at };
    return { text: join(first.text, second.text), at: second.at };
  }

  /** A command's argument: a group, a command or one character. */
  private argument(from: number, to: number, depth: number): Step | undefined {
    let at = from;
    while (at < to && this.source[at] === " ") at++;
    if (at >= to) return undefined;
    const close = this.braceAt(at, to);
    if (close !== undefined) return { text: this.read(at + 1, close, depth + 1), at: close + 1 };
    if (depth > MAX_DEPTH) return undefined;
    if (this.source[at] === "\\") return this.command(at, to, depth + 1);
    const sign = this.source[at] === "-" || this.source[at] === "−";
    if (sign || from === at) {
      const number = /[-−]?\d+|[-−]?./uy;
      number.lastIndex = at;
      const before = this.source[from - 1];
      const text = before === "^" ? (number.exec(this.source)?.[0] ?? this.source[at]!) : this.source[at]!;
      return { text, at: at + text.length };
    }
    return { text: this.source[at]!, at: at + 1 };
  }

  private braceAt(at: number, to: number): number | undefined {
    if (this.source[at] !== "{") return undefined;
    const close = this.partner[at]!;
    return close >= 0 && close < to ? close : undefined;
  }

  /** A matrix as [[a;b];[c;d]]; the commands of another environment go, what it holds stays. */
  private environment(after: number, to: number, depth: number): Step {
    const close = this.braceAt(after, to);
    const name = close === undefined ? "" : this.source.slice(after + 1, close);
    if (close === undefined || !MATRICES.test(name))
      return { text: " ", at: close === undefined ? after : close + 1 };
    const end = this.source.indexOf(`\\end{${name}}`, close);
    if (end < 0 || end >= to) return word("begin", after);
    let start = close + 1;
    if (name.startsWith("array")) start = (this.braceAt(start, end) ?? start - 1) + 1;
    // A matrix within a matrix would be split by the outer one's marks: such an answer stays unread.
    const body = this.source.slice(start, end);
    if (body.includes("\\begin")) return word("matrix", end);
    const rows = rowsOf(body).map((cells) => {
      const plain = cells.map((cell) => new Undoing(cell).read(0, cell.length, depth + 1).trim());
      return `[${plain.join(" ; ")}]`;
    });
    return { text: `[${rows.join(" ; ")}]`, at: end + name.length + 6 };
  }
}

interface Step {
  readonly text: string;
  readonly at: number;
}

const word = (name: string, at: number): Step => ({ text: ` ${name} `, at });

/** What a backslash and one character that is no letter stand for. */
function escaped(c: string): string {
  if (c === "{") return OPEN;
  if (c === "}") return CLOSE;
  if (/[%&#_*]/.test(c)) return c;
  return /[()[\]!]/.test(c) ? "" : " ";
}

function rowsOf(body: string): string[][] {
  const rows = body.split(/\\\\(?:\[[^\]]{0,20}\])?/).map((r) => r.split("&").map((cell) => cell.trim()));
  if (rows.length > 1 && rows.at(-1)!.every((cell) => cell === "")) rows.pop();
  return rows;
}

/** For each opening brace its closing one, -1 for those without; escaped braces do not count. */
function partners(text: string): Int32Array {
  const found = new Int32Array(text.length).fill(-1);
  const open: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\\") i++;
    else if (c === "{") open.push(i);
    else if (c === "}") {
      const start = open.pop();
      if (start !== undefined) found[start] = i;
    }
  }
  return found;
}
