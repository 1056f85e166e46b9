/** Taking lists apart: brackets, separators, and the comma that may be a decimal mark or part a number's groups. */
import type { Notation } from "./language.js";

const PAIRS: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "❴": "❵",
  "⟨": "⟩",
  "<": ">",
};
const OPENING = "([{❴⟨";
const CLOSING = ")]}❵⟩";

interface Bracketed {
  readonly inside: string;
  readonly open: string;
  /** What stands behind the closing bracket: a unit that all items share. */
  readonly behind: string;
}

/** A text in brackets that fit each other; `behind` is short or empty. */
export function unwrap(text: string): Bracketed | undefined {
  const open = text[0] ?? "";
  const wanted = PAIRS[open];
  if (wanted === undefined) return undefined;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === open || (open !== "<" && OPENING.includes(c))) depth++;
    else if (c === wanted || (open !== "<" && CLOSING.includes(c))) depth--;
    if (depth > 0) continue;
    const behind = text.slice(i + 1).trim();
    const unit = behind.length <= 40 && !/^(?:[,;([{❴⟨<]|(?:and|or)\b|&)/.test(behind);
    return c === wanted && unit ? { inside: text.slice(1, i).trim(), open, behind } : undefined;
  }
  return undefined;
}

/** Positions of a separator outside all brackets. */
export function topLevel(text: string, separators: string): number[] {
  const found: number[] = [];
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (OPENING.includes(c)) depth++;
    else if (CLOSING.includes(c)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && separators.includes(c)) found.push(i);
  }
  return found;
}

export function cut(text: string, at: readonly number[]): string[] {
  return [...at, text.length].map((end, i) => text.slice(i === 0 ? 0 : at[i - 1]! + 1, end).trim());
}

export interface Items {
  readonly items: readonly string[];
  /** Whether the marks could be read in another way, so that nothing right may come of it. */
  readonly ambiguous: boolean;
}

/** The items of a list without its brackets. `count` is how many are asked for. */
export function itemsOf(
  text: string,
  notation: Notation,
  count: number,
  bracketed: boolean,
  or: boolean,
): Items {
  if (text.trim() === "") return { items: [], ambiguous: false };
  const semicolons = topLevel(text, ";");
  if (semicolons.length > 0) return { items: joined(cut(text, semicolons), count, or), ambiguous: false };
  const commas = topLevel(text, ",");
  const tight = commas.filter((i) => /\d/.test(text[i - 1] ?? "") && /\d/.test(text[i + 1] ?? ""));
  const loose = commas.filter((i) => !tight.includes(i));
  if (tight.length === 0) {
    const items = joined(cut(text, loose), count, or);
    if (items.length !== 1 || count < 2) return { items, ambiguous: false };
    const apart = spaced(items[0]!);
    return bracketed ? apart : { items: apart.items, ambiguous: apart.items.length > 1 };
  }
  const all = joined(cut(text, commas), count, or);
  const kept = joined(cut(text, loose), count, or);
  if (!kept.every((item) => oneNumber(item, notation))) return { items: all, ambiguous: false };
  const styled = commas.some((i) => text[i + 1] === " ");
  if (styled || count === 1) return { items: kept, ambiguous: count === 1 && !styled && bracketed };
  // "[1,270]" may be 1270 or two items; in brackets and in English, commas without spaces part items.
  return { items: all, ambiguous: !(bracketed && notation.decimal === ".") };
}

/** Whether the tight commas of an item are part of one number in this language. */
function oneNumber(item: string, notation: Notation): boolean {
  if (!item.includes(",")) return true;
  return notation.decimal === ","
    ? /^[^,]*\d,\d+(?:[^,\d].*)?$/.test(item)
    : /^\D*\d{1,3}(?:,\d{3})+(?![\d,])[^,]*$/.test(item);
}

/** [1 2 3]: spaces part the items, unless they may part groups of digits. */
function spaced(text: string): Items {
  const items = text.split(" ");
  const numbers = items.every((i) => /^[+-]?[\d./]+$/.test(i));
  return numbers ? { items, ambiguous: /\d \d{3}(?!\d)/.test(text) } : { items: [text], ambiguous: false };
}

/** Cut at linking words outside brackets. */
function cutAtWords(item: string, words: RegExp): string[] {
  const pieces = item.split(words);
  const balanced = pieces.every(
    (p) => (p.match(/[([{❴⟨]/g) ?? []).length === (p.match(/[)\]}❵⟩]/g) ?? []).length,
  );
  return balanced ? pieces : [item];
}

/** "Io, Europa and Ganymede": the last link may be a word; it is only cut where items are missing, as in "Antigua and Barbuda". */
function joined(items: readonly string[], count: number, or: boolean): string[] {
  const link = or ? /^(?:and|or|&|und|oder|et|ou|y|o|e)\s+/i : /^(?:and|&|und|et|y|e)\s+/i;
  const clean = items
    .map((item, i) => (i > 0 ? item.replace(link, "") : item))
    .filter((i, at, all) => !(i === "" && at === all.length - 1));
  const words = or ? /\s+(?:and|or|&|und|oder|et|ou)\s+/i : /\s+(?:and|&|und|et)\s+/i;
  const parts = clean.map((item) => cutAtWords(item, words));
  // Numbers never hold such a word: "0, 5 and 5" are three items, whatever count is asked for.
  if (parts.some((p) => p.length > 1 && p.every((n) => /^[+-]?[\d.]/.test(n)))) return parts.flat();
  if (clean.length >= count || clean.length === 0) return clean;
  const ended = [...clean.slice(0, -1), ...parts.at(-1)!];
  return ended.length === count ? ended : parts.flat();
}
