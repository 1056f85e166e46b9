/**
 * What a question must say: each condition, each superlative and its rank, the quantity, unit and digits, constants, scope. Plain
 * values in, findings out; nothing here knows who wrote the words. Linear in the text's length.
 */
import type { Finding } from "./findings.js";
import { missingNumbers, missingPhrase, type WantedNumber, type WantedPhrase } from "./mention-conditions.js";
import { missingFigure, type WantedFigure } from "./mention-figures.js";
import { missingSelections, type WantedSelect } from "./mention-selects.js";
import { missing, type Text } from "./mention-text.js";
import { saysAll, saysMost, saysQuantity } from "./mention-words.js";
import { scanNumbers } from "./number-scan.js";
import { wordsOf } from "./plain-text.js";
import { unitsAt } from "./unit-scan.js";
import { parseUnit, type Unit } from "./units.js";
import { states } from "./value-leaks.js";
import { isPure, sameUnit } from "./values-equal.js";

export interface Wanted {
  readonly numbers: readonly WantedNumber[];
  readonly phrases: readonly WantedPhrase[];
  /** Each choice of an entity: the selected one, those along a path, the other one. */
  readonly selects: readonly WantedSelect[];
  /** Singular and plural of the entity. */
  readonly entity: readonly [string, string];
  readonly scope: string;
  /** What is asked for, and further nouns that its definition rests on. */
  readonly quantity: string;
  readonly definition: readonly string[];
  /** Whole definitions of terms, of which most words must be said. */
  readonly terms: readonly string[];
  /** How the quantity comes from figures of two entities or of all candidates, where it does. */
  readonly figure: WantedFigure | undefined;
  /** What names each step to another entity, "the planet that {it} orbits", if the question needs it. */
  readonly hops: readonly string[];
  readonly answer: { readonly unit: string; readonly digits: number; readonly exact: boolean };
  readonly constants: readonly { readonly symbol: string; readonly value: number; readonly unit: string }[];
  /** The years of the data, where values drift. */
  readonly years: readonly string[];
}

/** What a plain text fails to say. */
export function missingMentions(plain: string, wanted: Wanted): Finding[] {
  const text: Text = { plain, words: wordsOf(plain), numbers: scanNumbers(plain) };
  const nouns = [
    ...wanted.selects.map((s) => s.noun),
    ...wanted.numbers.map((n) => n.label),
    wanted.figure?.noun ?? wanted.quantity,
  ];
  const { marks, findings } = missingSelections(text, wanted.selects, nouns);
  return [
    ...missingNumbers(text, wanted.numbers),
    ...wanted.phrases.flatMap((p) => missingPhrase(text, p)),
    ...findings,
    ...missingSubject(text, wanted),
    ...(wanted.figure === undefined ? [] : missingFigure(text, wanted.figure, marks)),
    ...missingAnswerForm(text, wanted.answer),
    ...missingConstants(text, wanted),
  ];
}

function missingSubject({ words, numbers }: Text, wanted: Wanted): Finding[] {
  const findings: Finding[] = [];
  if (!wanted.entity.some((e) => saysAll(words, e)))
    findings.push(missing("missing_scope", `the candidates are not called ${wanted.entity[1]}`));
  if (!saysAll(words, wanted.scope)) findings.push(missing("missing_scope", `“${wanted.scope}” is not said`));
  if (wanted.figure === undefined && !saysQuantity(words, wanted.quantity))
    findings.push(missing("missing_quantity", `the ${wanted.quantity} is not asked for`));
  for (const noun of wanted.definition) {
    if (!saysAll(words, noun))
      findings.push(missing("missing_definition", `the definition does not name the ${noun}`));
  }
  for (const term of wanted.terms) {
    if (!saysMost(words, term)) findings.push(missing("missing_definition", `“${term}” is not said`));
  }
  for (const hop of wanted.hops) {
    if (!saysAll(words, hop.replaceAll("{it}", "")))
      findings.push(missing("missing_hop", `the step to ${hop.replaceAll("{it}", "it")} is not said`));
  }
  for (const year of wanted.years) {
    if (!numbers.some((n) => n.values.includes(Number(year))))
      findings.push(missing("missing_date", `the data's year ${year} is not said`));
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

const WORDS_OF_TEN: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9 };

/** "in units of 10^24 kg", "in millions of years". */
function scaledUnit(plain: string, place: number, unit: Unit): boolean {
  const power = /(?:10\^(-?\d{1,3})|(thousand|million|billion)s?(?: of)?) /y;
  power.lastIndex = place;
  const [, digits, word] = power.exec(plain) ?? [];
  if (digits === undefined && word === undefined) return false;
  const exponent = word === undefined ? Number(digits) : WORDS_OF_TEN[word]!;
  return unitsAt(plain, power.lastIndex).some((u) =>
    sameUnit({ ...u.unit, factor: u.unit.factor * 10 ** exponent }, unit),
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
