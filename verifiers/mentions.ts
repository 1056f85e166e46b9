/**
 * What a question must say: each condition, the superlative and its rank, the quantity, unit and digits, constants, scope. Plain
 * values in, findings out; nothing here knows who wrote the words. Linear in the text's length.
 */
import type { Finding } from "./findings.js";
import { type Numeral, scanNumbers } from "./number-scan.js";
import { plainText, type Word, wordsOf } from "./plain-text.js";
import { unitsAt } from "./unit-scan.js";
import { parseUnit, type Unit } from "./units.js";
import { states } from "./value-leaks.js";
import { isPure, sameUnit } from "./values-equal.js";

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
}

export interface Wanted {
  readonly numbers: readonly WantedNumber[];
  readonly phrases: readonly WantedPhrase[];
  readonly select: {
    readonly order: "max" | "min";
    readonly rank: number;
    /** "most massive", ...: superlatives that name the column by themselves. */
    readonly superlatives: readonly string[];
    readonly noun: string;
  };
  /** Singular and plural of the entity. */
  readonly entity: readonly [string, string];
  readonly scope: string;
  /** What is asked for, and further nouns that its definition rests on. */
  readonly quantity: string;
  readonly definition: readonly string[];
  /** A hop's phrase, "the planet that {it} orbits", if the question needs it. */
  readonly hop: string | undefined;
  readonly answer: { readonly unit: string; readonly digits: number; readonly exact: boolean };
  readonly constants: readonly { readonly symbol: string; readonly value: number; readonly unit: string }[];
  /** The year of the data, where values drift. */
  readonly year: string | undefined;
}

interface Text {
  readonly plain: string;
  readonly words: readonly Word[];
  readonly numbers: readonly Numeral[];
}

/** What a plain text fails to say. */
export function missingMentions(plain: string, wanted: Wanted): Finding[] {
  const text: Text = { plain, words: wordsOf(plain), numbers: scanNumbers(plain) };
  return [
    ...wanted.numbers.flatMap((n) => missingNumber(text, n)),
    ...wanted.phrases.flatMap((p) => missingPhrase(text, p)),
    ...missingSelection(text, wanted.select),
    ...missingSubject(text, wanted),
    ...missingAnswerForm(text, wanted.answer),
    ...missingConstants(text, wanted),
  ];
}

const missing = (code: string, what: string): Finding => ({ code, what });

const ABOVE =
  /^(?:above|over|exceed\w*|greater|more|larger|higher|longer|later|after|least|beyond|heavier|minimum|bigger|farther|further|warmer|hotter|faster|surpass\w*|outside)$/;
const BELOW =
  /^(?:below|under|less|fewer|smaller|lower|shorter|earlier|before|most|within|lighter|maximum|nearer|closer|cooler|colder|slower|inside|until|up)$/;
const NEGATION =
  /^(?:not|no|never|without|lack\w*|neither|nor|cannot|none|non|free|absent|missing|devoid|t)$/;

function missingNumber({ plain, words, numbers }: Text, wanted: WantedNumber): Finding[] {
  const unit = parseUnit(wanted.unit);
  const hits = numbers.filter((n) => saysValue(n, wanted.value, unit));
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

const STOP = new Set(
  "a an the of in on at to for from by with without that which who whose has have is are was were be its it their this these not no non and or any as do does".split(
    " ",
  ),
);

/** The words of a phrase that carry its meaning, cut to a stem: "ring systems" gives ring, syste. */
export function keywords(phrase: string): string[] {
  return wordsOf(plainText(phrase))
    .map((w) => w.folded)
    .filter((w) => !STOP.has(w))
    .map(stem);
}

function stem(word: string): string {
  const bare = word.replace(/(?:ies|ed|ing|es|s|y)$/, "");
  return (bare.length >= 3 ? bare : word).slice(0, 8);
}

/** Places of words that begin with a stem. */
function places(words: readonly Word[], stems: readonly string[]): number[][] {
  return stems.map((s) => words.flatMap((w, i) => (w.folded.startsWith(s) ? [i] : [])));
}

function missingPhrase({ words }: Text, wanted: WantedPhrase): Finding[] {
  const said = wanted.phrases.some((phrase) => {
    if (wanted.literal === true) return saysLiteral(words, phrase) && saysNoun(words, wanted.label);
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

const MOST =
  /^(?:most|largest|greatest|highest|biggest|longest|heaviest|maximum|maximal|maximises|maximizes|farthest|furthest|latest|hottest|warmest|fastest|densest|brightest|oldest|top|newest|recently|widest|deepest|tallest|record|last)$/;
const LEAST =
  /^(?:least|smallest|lowest|fewest|shortest|lightest|minimum|minimal|minimises|minimizes|nearest|closest|earliest|coldest|coolest|slowest|faintest|youngest|tiniest|narrowest|thinnest|shallowest|bottom|first)$/;
const ORDINALS =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );

function missingSelection({ words }: Text, { order, rank, superlatives, noun }: Wanted["select"]): Finding[] {
  const own = new Set(
    superlatives.flatMap((s) =>
      wordsOf(plainText(s))
        .slice(0, 1)
        .map((w) => w.folded),
    ),
  );
  const direction = order === "max" ? MOST : LEAST;
  const isSuperlative = (w: Word | undefined, i: number): boolean =>
    w !== undefined && (direction.test(w.folded) || own.has(w.folded)) && words[i - 1]?.folded !== "at";
  const marks = words.flatMap((w, i) => (isSuperlative(w, i) ? [i] : []));
  const findings: Finding[] = [];
  if (marks.length === 0)
    findings.push(
      missing("missing_order", `no superlative says ${order === "max" ? "largest" : "smallest"}`),
    );
  const named =
    saysNoun(words, noun) || superlatives.some((s) => places(words, keywords(s)).every((p) => p.length > 0));
  if (!named) findings.push(missing("missing_order", `the ${noun} is not named`));
  const ranks = marks.flatMap((i) => rankBefore(words, i) ?? []);
  const right =
    rank === 1
      ? ranks.length < marks.length || marks.length === 0
      : ranks.includes(rank) || ranksElsewhere(words, rank);
  if (!right) findings.push(missing("missing_rank", `the rank is not stated as ${ORDINALS[rank] ?? rank}`));
  return findings;
}

/** The ordinal within two words before a superlative. */
function rankBefore(words: readonly Word[], at: number): number | undefined {
  for (const w of [words[at - 1], words[at - 2]]) {
    const rank = w === undefined ? undefined : ordinalOf(w.folded);
    if (rank !== undefined && rank > 1) return rank;
  }
  return undefined;
}

function ordinalOf(word: string): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)?.[1];
  if (digits !== undefined) return Number(digits);
  const known = ORDINALS.indexOf(word);
  return known > 0 ? known : undefined;
}

/** "ranks third", "in third place", "number 3 by mass". */
function ranksElsewhere(words: readonly Word[], rank: number): boolean {
  return words.some((w, i) => {
    if (ordinalOf(w.folded) !== rank) return false;
    return (
      /^(?:rank\w*|comes?|place[ds]?|stands?|is)$/.test(words[i - 1]?.folded ?? "") ||
      /^(?:place|position|rank|in)$/.test(words[i + 1]?.folded ?? "")
    );
  });
}

/** At least half of a noun's words that carry meaning. */
function saysNoun(words: readonly Word[], noun: string): boolean {
  const stems = keywords(noun);
  const found = places(words, stems).filter((p) => p.length > 0).length;
  return stems.length === 0 || found >= Math.ceil(stems.length / 2);
}

/** How many words may stand between those of a quantity's noun, beside its own small words. */
const SLACK = 8;

/** In one place, the head of the noun ("orbital speed" of "orbital speed at perihelion") and three quarters of all its words. */
function saysQuantity(words: readonly Word[], noun: string): boolean {
  const stems = [...new Set(keywords(noun))];
  const [head] = noun.split(
    / (?:of|that|at|by|about|in|as|with|from|to|on|per|between|after|over|under|for) | \(|,/,
  );
  const needed = new Set(keywords(head!));
  const span = wordsOf(plainText(noun)).length + SLACK;
  return together(
    words,
    stems,
    span,
    (said) => said.size >= Math.ceil(stems.length * 0.75) && [...needed].every((s) => said.has(s)),
  );
}

/** Whether some stretch of `span` words says enough of the stems: one pass with a moving window. */
function together(
  words: readonly Word[],
  stems: readonly string[],
  span: number,
  enough: (said: ReadonlyMap<string, number>) => boolean,
): boolean {
  if (stems.length === 0) return true;
  const said = new Map<string, number>();
  const add = (at: number, by: 1 | -1): boolean => {
    const word = words[at]?.folded;
    const hit = word === undefined ? undefined : stems.find((s) => word.startsWith(s));
    if (hit === undefined) return false;
    const count = (said.get(hit) ?? 0) + by;
    if (count === 0) said.delete(hit);
    else said.set(hit, count);
    return true;
  };
  for (let i = 0; i < words.length; i++) {
    if (i >= span) add(i - span, -1);
    if (add(i, 1) && enough(said)) return true;
  }
  return false;
}

function saysAll(words: readonly Word[], phrase: string): boolean {
  return places(words, keywords(phrase)).every((p) => p.length > 0);
}

function missingSubject({ words, numbers }: Text, wanted: Wanted): Finding[] {
  const findings: Finding[] = [];
  if (!wanted.entity.some((e) => saysAll(words, e)))
    findings.push(missing("missing_scope", `the candidates are not called ${wanted.entity[1]}`));
  if (!saysAll(words, wanted.scope)) findings.push(missing("missing_scope", `“${wanted.scope}” is not said`));
  if (!saysQuantity(words, wanted.quantity))
    findings.push(missing("missing_quantity", `the ${wanted.quantity} is not asked for`));
  for (const noun of wanted.definition) {
    if (!saysAll(words, noun))
      findings.push(missing("missing_definition", `the definition does not name the ${noun}`));
  }
  if (wanted.hop !== undefined && !saysAll(words, wanted.hop.replaceAll("{it}", ""))) {
    findings.push(missing("missing_hop", `the step to ${wanted.hop.replaceAll("{it}", "it")} is not said`));
  }
  if (wanted.year !== undefined && !numbers.some((n) => n.values.includes(Number(wanted.year)))) {
    findings.push(missing("missing_date", `the data's year ${wanted.year} is not said`));
  }
  return findings;
}

function missingAnswerForm(text: Text, { unit, digits, exact }: Wanted["answer"]): Finding[] {
  const findings: Finding[] = [];
  const parsed = parseUnit(unit);
  if (exact) {
    if (!/\b(?:exact|exactly|integer|whole number)\b/i.test(text.plain))
      findings.push(missing("missing_precision", "the exact integer is not asked for"));
  } else if (!asksDigits(text, digits)) {
    findings.push(missing("missing_precision", `${digits} significant figures are not asked for`));
  }
  const pure = isPure(parsed);
  if (
    pure
      ? !exact &&
        unit === "1" &&
        !/\b(?:number|dimensionless|unitless|ratio|fraction|decimal)\b/i.test(text.plain)
      : !asksUnit(text, parsed)
  ) {
    findings.push(
      missing(
        "missing_unit",
        pure ? "a pure number is not asked for" : `the answer is not asked for in ${unit}`,
      ),
    );
  }
  return findings;
}

/** "three significant figures", "3 s.f.", "3 sig figs". */
function asksDigits({ plain, numbers }: Text, digits: number): boolean {
  return numbers.some(
    (n) =>
      n.values.includes(digits) &&
      /^[ -](?:significant|sig\b|s\.? ?f\b)/i.test(plain.slice(n.end, n.end + 16)),
  );
}

/** The asked unit behind "in", "as", "into", "units of" or an opening bracket, not behind a number. */
function asksUnit({ plain, words }: Text, unit: Unit): boolean {
  return words.some((w, i) => {
    const next = words[i + 1];
    const lead = /^(?:in|into|of|as|using|unit|units|a)$/.test(w.folded);
    const place = lead
      ? placeOfUnit(plain, w.end)
      : plain[w.start - 1] === "(" || plain[w.start - 1] === "["
        ? w.start
        : undefined;
    if (place === undefined || (next === undefined && lead && place >= plain.length)) return false;
    const scaled = scaledUnit(plain, place, unit);
    return scaled || unitsAt(plain, place).some((u) => !u.doubtful && sameUnit(u.unit, unit));
  });
}

const placeOfUnit = (plain: string, end: number): number =>
  end + (/^ +/.exec(plain.slice(end, end + 3))?.[0].length ?? 0);

/** "in units of 10^24 kg". */
function scaledUnit(plain: string, place: number, unit: Unit): boolean {
  const power = /10\^(-?\d{1,3}) /y;
  power.lastIndex = place;
  const exponent = power.exec(plain)?.[1];
  if (exponent === undefined) return false;
  return unitsAt(plain, power.lastIndex).some((u) =>
    sameUnit({ ...u.unit, factor: u.unit.factor * 10 ** Number(exponent) }, unit),
  );
}

function missingConstants({ numbers }: Text, { constants, answer }: Wanted): Finding[] {
  return constants.flatMap(({ symbol, value, unit }) => {
    const parsed = parseUnit(unit);
    const stated = numbers.some(
      (n) =>
        states(n, value, parsed) ||
        (n.digits > answer.digits && states(n, Number(value.toPrecision(n.digits)), parsed)),
    );
    return stated
      ? []
      : [missing("missing_constant", `the constant ${symbol} = ${value} ${unit} is not stated`)];
  });
}
