/** Whether a text states conditions: values with their units and sides, classes, flags, texts. */
import type { Finding } from "./findings.js";
import { missing, type Text } from "./mention-text.js";
import { keywords, places, saysNoun, saysTogether } from "./mention-words.js";
import type { Numeral } from "./number-scan.js";
import { plainText, type Word, wordsOf } from "./plain-text.js";
import { parseUnit, type Unit } from "./units.js";
import { states } from "./value-leaks.js";
import { isPure } from "./values-equal.js";

export type Comparison = "above" | "below";

/** A number that a condition states. */
export interface WantedNumber {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  /** On which side of it the candidates lie. */
  readonly side: Comparison | undefined;
}

/** A class, flag or text that a condition states: at least one of these phrases, by its keywords. */
export interface WantedPhrase {
  readonly label: string;
  readonly phrases: readonly string[];
  /** A yes or no: a phrase with a negation ("without a ring system") must be denied in the text too, and no other may be. */
  readonly flag: boolean;
  /** A text to be found as it is, such as a spectral type or first letters; the noun must be near it. */
  readonly literal?: boolean;
  /** Its words must stand together: "known" of something else is no "known mass". */
  readonly together?: boolean;
}

const ABOVE =
  /^(?:above|over|exceed\w*|greater|more|larger|higher|longer|later|after|least|beyond|heavier|minimum|bigger|farther|further|warmer|hotter|faster|surpass\w*|outside)$/;
const BELOW =
  /^(?:below|under|less|fewer|smaller|lower|shorter|earlier|before|most|within|lighter|maximum|nearer|closer|cooler|colder|slower|inside|until|up)$/;
const NEGATION =
  /^(?:not|no|never|without|lack\w*|neither|nor|cannot|none|non|free|absent|missing|devoid|t)$/;

/**
 * What is not said of the numbers that conditions state. Conditions on different columns that name the same number need as many
 * numbers in the text.
 */
export function missingNumbers(text: Text, wanted: readonly WantedNumber[]): Finding[] {
  const numbers = text.numbers.filter((n) => isStated(text, n));
  const hits = wanted.map((w) => {
    const unit = parseUnit(w.unit);
    return numbers.filter((n) => saysValue(n, w.value, unit));
  });
  const same = (a: WantedNumber, b: WantedNumber) => a.label === b.label && a.value === b.value;
  const first = wanted.map((w) => wanted.findIndex((v) => same(v, w)));
  const placed = withPlaces(hits.map((h, i) => (first[i] === i ? h.map((n) => n.start) : [])));
  return wanted.flatMap((w, i) => missingNumber(text, w, placed.has(first[i]!) ? hits[i]! : []));
}

/** Which of some claims get a place of their own, as many as can. Claims are few; of places a handful is tried for each. */
function withPlaces(claims: readonly (readonly number[])[]): Set<number> {
  const taken = new Map<number, number>();
  const place = (claim: number, tried: Set<number>): boolean =>
    claims[claim]!.slice(0, claims.length).some((at) => {
      if (tried.has(at)) return false;
      tried.add(at);
      const holder = taken.get(at);
      if (holder !== undefined && !place(holder, tried)) return false;
      taken.set(at, claim);
      return true;
    });
  claims.forEach((_, claim) => {
    place(claim, new Set());
  });
  return new Set(taken.values());
}

/** Whether a numeral may belong to a condition: "three" significant figures and "the one" with the largest mass do not. */
function isStated({ plain, words }: Text, numeral: Numeral): boolean {
  if (/^[ -]sig(?:nificant\b|\b)/i.test(plain.slice(numeral.end, numeral.end + 12))) return false;
  if (!numeral.inWords || !numeral.values.includes(1)) return true;
  const before = words[firstFrom(words, numeral.start) - 1]?.folded ?? "";
  return /^(?:than|least|most|exactly|equals?|is|are|be|over|under|above|below|between|and|or|to)$/.test(
    before,
  );
}

function missingNumber({ plain, words }: Text, wanted: WantedNumber, hits: readonly Numeral[]): Finding[] {
  if (hits.length === 0)
    return [missing("missing_condition", `${wanted.label} is not stated as ${wanted.value} ${wanted.unit}`)];
  if (wanted.side === undefined || hits.some((n) => sideOf(plain, words, n) === wanted.side)) return [];
  return [
    missing("wrong_comparison", `${wanted.label} does not say ${wanted.side} ${wanted.value} ${wanted.unit}`),
  ];
}

/** The number in its unit; a unit is needed unless the quantity is a pure number. */
function saysValue(numeral: Numeral, value: number, unit: Unit): boolean {
  if (!states(numeral, value, unit)) return false;
  return (
    isPure(unit) ||
    numeral.units.some((u) => states({ ...numeral, units: [{ ...u, doubtful: false }] }, value, unit))
  );
}

/** The nearest comparative before a number (or just behind it: "or more"), turned round by a "not" or "no" before it. */
function sideOf(plain: string, words: readonly Word[], numeral: Numeral): Comparison | undefined {
  const sign = /(?:>|≥|>=|\\geq?|<|≤|<=) ?[-~]?$/.exec(
    plain.slice(Math.max(0, numeral.start - 5), numeral.start),
  )?.[0];
  if (sign !== undefined) return /[>≥]|geq?/.test(sign) ? "above" : "below";
  const from = firstFrom(words, numeral.start) - 1;
  for (let i = from; i >= 0 && i > from - 7; i--) {
    const side = comparative(words[i]!.folded);
    if (side === undefined) continue;
    const turned = [words[i - 1], words[i - 2]].some((w) => w !== undefined && NEGATION.test(w.folded));
    return turned ? (side === "above" ? "below" : "above") : side;
  }
  const after = words
    .slice(from + 1, from + 7)
    .find((w) => w.start >= numeral.end && comparative(w.folded) !== undefined);
  return after === undefined ? undefined : comparative(after.folded);
}

const comparative = (word: string): Comparison | undefined =>
  ABOVE.test(word) ? "above" : BELOW.test(word) ? "below" : undefined;

/** Index of the first word at or after a place (words are in order). */
function firstFrom(words: readonly Word[], place: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.start < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function missingPhrase({ words }: Text, wanted: WantedPhrase): Finding[] {
  const said = wanted.phrases.some((phrase) => {
    if (wanted.literal === true) return saysLiteral(words, phrase) && saysNoun(words, wanted.label);
    if (wanted.together === true) return saysTogether(words, phrase);
    const found = places(words, keywords(phrase));
    if (found.some((p) => p.length === 0)) return false;
    if (!wanted.flag || found.length === 0) return true;
    const denied = wordsOf(plainText(phrase)).some((w) => NEGATION.test(w.folded));
    return found[0]!.some((at) => isDenied(words, at) === denied);
  });
  return said
    ? []
    : [
        missing(
          "missing_condition",
          `${wanted.label} is not stated: ${wanted.phrases.slice(0, 3).join(" / ")}`,
        ),
      ];
}

/** Words as written, one after the other. */
function saysLiteral(words: readonly Word[], text: string): boolean {
  const raw = wordsOf(plainText(text)).map((w) => w.raw);
  return words.some((_, i) => raw.every((r, k) => words[i + k]?.raw === r));
}

/** Whether a negation stands before a word in the same clause. */
function isDenied(words: readonly Word[], at: number): boolean {
  for (let i = at - 1; i >= 0 && i >= at - 5; i--) {
    if (NEGATION.test(words[i]!.folded)) return true;
    if (/^(?:and|but|that|which|whose|with)$/.test(words[i]!.folded)) return false;
  }
  return false;
}
