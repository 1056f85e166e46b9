/** Names of a table's rows in a text, with the numbers near them. */

export interface PageNumber {
  /** log10 of the figures, modulo 1: where the decimal point stands, and powers of ten, make no difference. */
  readonly log: number;
  /** Half a unit of the last figure, on that scale. */
  readonly slack: number;
}

export interface Mention {
  readonly row: number;
  readonly numbers: readonly PageNumber[];
}

/** Numbers looked at for one mention. */
const MOST = 24;
/** Characters behind a name in which its values stand. */
const NEAR = 800;
/** Mentions of one text. */
const MENTIONS = 60_000;
/** Shorter names are taken as they are written, capitals included: `He` is no pronoun. */
const SHORT = 3;

/** The rows by name and alias, as runs of words. */
export class NameIndex {
  readonly #rows = new Map<string, number>();
  /** By first word: most words of a name. */
  readonly #longest = new Map<string, number>();

  constructor(rows: readonly { readonly name: string; readonly aliases: readonly string[] }[]) {
    for (const [row, { name, aliases }] of rows.entries())
      for (const text of [name, ...aliases]) this.#add(text, row);
  }

  /** The row named by the words from `at` on, and how many they are: the longest name that fits. */
  find(tokens: readonly Token[], at: number): { readonly row: number; readonly words: number } | undefined {
    const { word, written } = tokens[at]!;
    const most = Math.min(this.#longest.get(word) ?? 1, tokens.length - at);
    for (let n = most; n > 1; n--) {
      let key = word;
      for (let i = 1; i < n; i++) key += ` ${tokens[at + i]!.word}`;
      const row = this.#rows.get(key);
      if (row !== undefined) return { row, words: n };
    }
    const row = this.#rows.get(wordOf(written));
    return row === undefined ? undefined : { row, words: 1 };
  }

  #add(text: string, row: number): void {
    const written = (text.match(TOKEN) ?? []).filter((word) => word !== "\n").slice(0, LONGEST_NAME);
    // A bare number names nothing here: pages are full of them.
    if (!written.some((word) => /\p{L}/u.test(word))) return;
    const words = written.length === 1 ? [wordOf(written[0]!)] : written.map(folded);
    const key = words.join(" ");
    if (!this.#rows.has(key)) this.#rows.set(key, row);
    this.#longest.set(words[0]!, Math.max(this.#longest.get(words[0]!) ?? 0, words.length));
  }
}

/** Words, and numbers with their separators; groups of three may be parted by a narrow or no-break space. */
const TOKEN = /\d+(?:[.,'\u00a0\u2009\u202f]\d+)*|\.\d+|[\p{L}\p{M}\p{N}]+|\n/gu;

/** Words of a name that are compared. */
const LONGEST_NAME = 8;

/** A word that is a whole name. */
function wordOf(word: string): string {
  return word.length < SHORT ? `=${word}` : folded(word);
}

const folded = (word: string): string => word.normalize("NFKC").toLowerCase();

export interface Token {
  readonly written: string;
  readonly word: string;
  readonly at: number;
  readonly line: number;
  /** What a number may mean; empty for words, and for numbers of too few figures. */
  readonly numbers: readonly PageNumber[];
}

/** All mentions in order. The numbers of one follow its name up to the next, or stand before it on a line that has no other name. */
export function mentionsIn(tokens: readonly Token[], names: NameIndex): Mention[] {
  const found: { row: number; from: number; to: number }[] = [];
  for (let i = 0; i < tokens.length && found.length < MENTIONS; i++) {
    const hit = names.find(tokens, i);
    if (hit === undefined) continue;
    found.push({ row: hit.row, from: i, to: i + hit.words });
    i += hit.words - 1;
  }
  const mentions = found.map(({ row, from, to }, i) => {
    const next = found[i + 1]?.from ?? tokens.length;
    const alone =
      tokens[found[i - 1]?.from ?? -1]?.line !== tokens[from]!.line &&
      tokens[next]?.line !== tokens[from]!.line;
    return { row, numbers: [...(alone ? lineBefore(tokens, from) : []), ...behind(tokens, to, next)] };
  });
  return [...mentions, ...inColumns(tokens, found)].filter((m) => m.numbers.length >= 2);
}

/** The words and numbers of a text, whatever the table. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match[0] === "\n") line++;
    else if (!/^[\d.]/.test(match[0])) {
      tokens.push({ written: match[0], word: folded(match[0]), at: match.index, line, numbers: [] });
    } else {
      for (const written of listed(match[0]))
        tokens.push({ written, word: folded(written), at: match.index, line, numbers: readings(written) });
    }
  }
  return tokens;
}

/** Commas part the numbers of a list, the thousands of a number, or its decimals. */
function listed(run: string): string[] {
  return !run.includes(",") || ONE.test(run) ? [run] : run.split(",");
}

const ONE = /^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|[\d.'\u00a0\u2009\u202f]+,\d+)$/;

/** `142,984` is one number or two. */
function readings(written: string): PageNumber[] {
  const parts = written.includes(",") ? [written, ...written.split(",")] : [written];
  return parts.map(numberOf).filter((number) => number !== undefined);
}

/** A number of at least three figures; years and other round numbers have fewer that tell, and match less. */
function numberOf(text: string): PageNumber | undefined {
  const figures = text.replace(/\D/g, "").replace(/^0+/, "");
  const sure = /[.,]\d*$/.test(text) ? figures : figures.replace(/0+$/, "");
  if (sure.length < 3) return undefined;
  const first = sure.slice(0, 15);
  const value = Number(`${first[0]}.${first.slice(1)}`);
  return { log: Math.log10(value), slack: (0.5 * 10 ** (1 - first.length) * 1.000001) / (value * Math.LN10) };
}

function behind(tokens: readonly Token[], from: number, to: number): PageNumber[] {
  const numbers: PageNumber[] = [];
  const start = tokens[from - 1]!.at;
  for (let i = from; i < to && numbers.length < MOST && tokens[i]!.at - start < NEAR; i++) {
    numbers.push(...tokens[i]!.numbers);
  }
  return numbers;
}

function lineBefore(tokens: readonly Token[], from: number): PageNumber[] {
  const numbers: PageNumber[] = [];
  const { line, at } = tokens[from]!;
  for (let i = from - 1; i >= 0 && numbers.length < MOST; i--) {
    const token = tokens[i]!;
    if (token.line !== line || at - token.at > NEAR) break;
    numbers.push(...token.numbers);
  }
  return numbers;
}

/** Lines behind a heading that are read as its table. */
const TALLEST = 60;

/** Tables that stand on their side: a line of names, then lines of as many numbers, one for each name. */
function inColumns(tokens: readonly Token[], found: readonly { row: number; from: number }[]): Mention[] {
  const mentions: Mention[] = [];
  for (let i = 0; i < found.length; ) {
    const line = tokens[found[i]!.from]!.line;
    let end = i;
    while (end < found.length && tokens[found[end]!.from]!.line === line) end++;
    const heads = found.slice(i, end);
    if (heads.length >= 3) {
      const stop = tokens[found[end]?.from ?? -1]?.line ?? Number.POSITIVE_INFINITY;
      const columns = columnsBehind(tokens, heads.at(-1)!.from, heads.length, Math.min(stop, line + TALLEST));
      for (const [k, { row }] of heads.entries()) mentions.push({ row, numbers: columns[k]! });
    }
    i = end;
  }
  return mentions;
}

function columnsBehind(tokens: readonly Token[], from: number, width: number, stop: number): PageNumber[][] {
  const columns: PageNumber[][] = Array.from({ length: width }, () => []);
  const head = tokens[from]!.line;
  let i = from;
  while (i < tokens.length && tokens[i]!.line < stop) {
    const { line } = tokens[i]!;
    const digits: Token[] = [];
    for (; i < tokens.length && tokens[i]!.line === line; i++)
      if (/^[\d.]/.test(tokens[i]!.word)) digits.push(tokens[i]!);
    if (line === head || digits.length < width) continue;
    for (const [k, { numbers }] of digits.slice(-width).entries())
      if (columns[k]!.length < MOST) columns[k]!.push(...numbers);
  }
  return columns;
}
