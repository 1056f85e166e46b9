/**
 * Names in a text: of entities that must stay unnamed, and of sources and publishers. Linear in the text's length.
 *
 * Text and names are compared word by word without case and accents. Hyphens, dots and apostrophes inside a word do not hide
 * it (Ura-nus, U.R.A.N.U.S), nor does a possessive or plural ending; a longer word is another word (ion, ionisation). The
 * parts of a compound name are names (Varuna in "20000 Varuna (2000 WR106)"); bare numbers are not.
 *
 * Names that are also words need care. A name that is a common English word or one of the question's own words (the Moon; In,
 * As, He, I for elements) counts only where it is written as the name is, with its capital, and not where any word would have
 * one. Symbols of one or two letters count only as written, and not as units (K behind a number) or as constants (G = ...).
 */
import type { Finding } from "./findings.js";
import { scanNumbers } from "./number-scan.js";
import { excerpt, fold, plainText, type Word, wordsOf } from "./plain-text.js";
import { unitsAt } from "./unit-scan.js";

/** Words that open or fill an English question and are names of elements, asteroids, moons or towns somewhere. */
const COMMON = new Set(
  (
    "a am an and are as at ate be by can do for from go had has have he her here him his how i if in is it its la lo may me my no nor not of off oh on one or our " +
    "out so such than that the their them then there these they this to too two us was we what when which who whose why will with would you " +
    "all among answer area assume body both calculate class compute consider date day determine each earth exact express figure figures find first five four " +
    "give given group hope identify integer known largest last least less long mass mean moon more most name nine number object orbit " +
    "order period pick planet point pure radius rank report result ring round rounded same second seven single six smallest star state " +
    "sun take taking ten third three time unit units use value values week work year"
  ).split(" "),
);
const MAX_NAME = 80;

export interface Names {
  /** Names that must not appear, such as an entity's name in prose. */
  readonly names: readonly string[];
  /** Other names and symbols of the same. Of one or two letters they count only as written: Fe, not "fe" or "FE". */
  readonly aliases: readonly string[];
  /** Texts that the question may contain though a name stands in them: scope, formula, constants. */
  readonly allowed: readonly string[];
  /** Words of the question's own subject: the entity's noun, columns' nouns. */
  readonly vocabulary: readonly string[];
}

interface Wanted {
  readonly name: string;
  /** As written, for names that count only so. */
  readonly exact: string | undefined;
  /** Whether spaces inside the text's words may part it. */
  readonly loose: boolean;
}

/** Places where a plain text names what it must not. */
export function nameLeaks(
  plain: string,
  { names, aliases, allowed, vocabulary }: Names,
  code: string,
): Finding[] {
  const common = new Set([...COMMON, ...vocabulary.flatMap((v) => fold(v).split(/[^\p{L}\p{N}]+/u))]);
  const wanted = wantedNames(names, aliases, common);
  if (wanted.size === 0) return [];
  const words = wordsOf(plain);
  const masked = [...allowedSpans(plain, allowed), ...unitSpans(plain, words)].sort((a, b) => a[0] - b[0]);
  const longest = Math.max(...[...wanted.keys()].map((k) => k.length));
  const findings: Finding[] = [];
  for (let i = 0; i < words.length && findings.length < 20; i++) {
    const hit = matchAt(plain, words, i, wanted, common, longest);
    if (hit === undefined || isMasked(masked, words[i]!.start, hit.end)) continue;
    findings.push({
      code,
      what: `“${hit.wanted.name}” is named`,
      where: excerpt(plain, words[i]!.start, hit.end),
    });
  }
  return findings;
}

/** All spellings to look for, by their letters and digits run together. */
function wantedNames(
  names: readonly string[],
  aliases: readonly string[],
  common: ReadonlySet<string>,
): Map<string, Wanted[]> {
  const wanted = new Map<string, Wanted[]>();
  const add = (key: string, entry: Wanted) => {
    const list = wanted.get(key) ?? [];
    if (!list.some((w) => w.exact === entry.exact)) wanted.set(key, [...list, entry]);
  };
  const addName = (given: string, full: boolean) => {
    for (const name of partsOf(plainText(given))) {
      const words = wordsOf(name);
      const key = words.map((w) => w.folded).join("");
      if (key.length > MAX_NAME || !/\p{L}/u.test(key)) continue;
      const exact = words[0]!.raw;
      const symbol = key.length <= 2 && !(full && key.length === 2 && !common.has(key));
      if (symbol) add(key, { name: given, exact, loose: false });
      else if (words.length === 1 && common.has(key)) {
        if (exact !== exact.toLowerCase()) add(key, { name: given, exact, loose: false });
      } else {
        add(key, { name: given, exact: undefined, loose: words.length > 1 });
        for (const variant of variants(name, words))
          add(variant, { name: given, exact: undefined, loose: false });
      }
    }
  };
  for (const name of names) addName(name, true);
  for (const name of aliases) addName(name, false);
  return wanted;
}

/** A compound name and its parts: without its number, without and inside its brackets. */
function partsOf(name: string): string[] {
  const inside = Array.from(name.matchAll(/\(([^()]*)\)/g), (m) => m[1]!);
  const outside = name.replace(/\([^()]*\)/g, " ").trim();
  const unnumbered = outside.replace(/^\d+[ .]+/, "");
  return [...new Set([name, outside, unnumbered, ...inside])].filter((n) => n.trim() !== "");
}

const TWINS: readonly (readonly [string, string])[] = [
  ["aluminium", "aluminum"],
  ["caesium", "cesium"],
  ["sulfur", "sulphur"],
];

/** Other spellings: ö as oe, American names of elements, 238U for U-238. */
function variants(name: string, words: readonly Word[]): string[] {
  const found: string[] = [];
  if (/[äöüÄÖÜåÅøØ]/.test(name.normalize("NFC"))) {
    const spelt = name
      .normalize("NFC")
      .replace(/[äÄ]/g, "ae")
      .replace(/[öÖøØ]/g, "oe")
      .replace(/[üÜ]/g, "ue")
      .replace(/[åÅ]/g, "aa");
    found.push(
      wordsOf(spelt)
        .map((w) => w.folded)
        .join(""),
    );
  }
  const key = words.map((w) => w.folded).join("");
  for (const [a, b] of TWINS) {
    if (key.includes(a)) found.push(key.replace(a, b));
    if (key.includes(b)) found.push(key.replace(b, a));
  }
  const nuclide = /^([A-Z][a-z]?)[- ]?(\d{1,3}m?\d?)$/.exec(name);
  if (nuclide !== null) found.push(fold(nuclide[2]! + nuclide[1]!));
  return found;
}

/** A name that starts at word `i`, the words run together as far as only spaces and marks part them. */
function matchAt(
  plain: string,
  words: readonly Word[],
  i: number,
  wanted: ReadonlyMap<string, readonly Wanted[]>,
  common: ReadonlySet<string>,
  longest: number,
): { wanted: Wanted; end: number } | undefined {
  let joined = "";
  let spaced = false;
  for (let j = i; j < words.length && joined.length <= longest + 2; j++) {
    if (j > i) {
      const gap = plain.slice(words[j - 1]!.end, words[j]!.start);
      if (gap.length > 3 || !/^[ \n./()'_^–—-]*$/.test(gap)) return undefined;
      spaced ||= /[ /]/.test(gap) && !(words[j]!.raw.length === 1 && words[j - 1]!.raw.length === 1);
    }
    joined += words[j]!.folded;
    const found = lookUp(plain, words, i, j, joined, spaced, wanted, common);
    if (found !== undefined) return { wanted: found, end: words[j]!.end };
  }
  return undefined;
}

function lookUp(
  plain: string,
  words: readonly Word[],
  i: number,
  j: number,
  joined: string,
  spaced: boolean,
  wanted: ReadonlyMap<string, readonly Wanted[]>,
  common: ReadonlySet<string>,
): Wanted | undefined {
  const entries = wanted.get(joined) ?? pluralOf(joined, wanted);
  return entries?.find((entry) =>
    entry.exact === undefined
      ? !spaced || entry.loose
      : i === j && asWritten(plain, words[i]!, entry.exact, common),
  );
}

/** Names of which this may be the plural. */
function pluralOf(
  joined: string,
  wanted: ReadonlyMap<string, readonly Wanted[]>,
): readonly Wanted[] | undefined {
  if (joined.length < 5 || !joined.endsWith("s")) return undefined;
  return (
    wanted.get(joined.slice(0, -1)) ?? (joined.endsWith("es") ? wanted.get(joined.slice(0, -2)) : undefined)
  );
}

/** Written exactly so, and not with a capital that any word would have there. */
function asWritten(plain: string, word: Word, exact: string, common: ReadonlySet<string>): boolean {
  const longer = exact.length > 3 && (word.raw === `${exact}s` || word.raw === exact.toUpperCase());
  if (word.raw !== exact && !longer) return false;
  return !(common.has(word.folded) && startsSentence(plain, word.start));
}

function startsSentence(plain: string, start: number): boolean {
  return start === 0 || /[.?!:\n]\s*["“'(]?$/.test(plain.slice(Math.max(0, start - 4), start));
}

type Span = readonly [number, number];

function isMasked(masked: readonly Span[], start: number, end: number): boolean {
  let low = 0;
  let high = masked.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (masked[middle]![0] <= start) low = middle + 1;
    else high = middle;
  }
  // Spans may nest: a few before the place are enough, as each is short.
  for (let i = low - 1; i >= 0 && i >= low - 8; i--) if (masked[i]![1] >= end) return true;
  return false;
}

function allowedSpans(plain: string, allowed: readonly string[]): Span[] {
  const lower = plain.toLowerCase();
  return allowed.flatMap((text) => {
    const wanted = plainText(text).toLowerCase();
    const spans: Span[] = [];
    if (wanted.trim().length < 2) return spans;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length))
      spans.push([at, at + wanted.length]);
    return spans;
  });
}

/** Units behind numbers or after "in", and symbols that a number is given to (G = ...). */
function unitSpans(plain: string, words: readonly Word[]): Span[] {
  const spans: Span[] = [];
  for (const numeral of scanNumbers(plain)) {
    const last = numeral.units.at(-1);
    if (last !== undefined) spans.push([numeral.end, last.end]);
  }
  words.forEach((word, i) => {
    if (/^(?:in|into|units|per)$/.test(word.folded) && words[i + 1] !== undefined) {
      const last = unitsAt(plain, words[i + 1]!.start).at(-1);
      if (last !== undefined) spans.push([words[i + 1]!.start, last.end]);
    }
    if (/^ ?=/.test(plain.slice(word.end, word.end + 2))) spans.push([word.start, word.end]);
  });
  return spans;
}
