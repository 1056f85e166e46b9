/**
 * Hidden values in a text. Linear in the text's length times the number of hidden values.
 *
 * A number leaks a hidden value when it renders it with three significant digits or as many as are asked for: in the hidden
 * unit, in any unit of the same kind (converted), or without a unit, in the hidden unit or in SI (1270 for 1.27 g/cm³). Without a
 * unit four digits give it away whatever the power of ten.
 * A number in a unit of another kind leaks nothing.
 *
 * Numbers that the question has to state (thresholds, constants, digits, ranks, dates) are excused. That a threshold lies near
 * the winner's own value is for the near-threshold check of `select`, which knows uncertainties; it is no leak, as nobody can
 * tell. But a threshold that renders the *answer* in the answer's own kind of unit would let a solver be right by copying, so
 * it is reported; where the answer is an exact integer below 1000, such a coincidence says nothing and is excused.
 */
import type { Finding } from "./findings.js";
import { type Numeral, scanNumbers } from "./number-scan.js";
import { excerpt } from "./plain-text.js";
import { parseUnit, type Unit } from "./units.js";
import { alike, isPure, mantissa, renders, same } from "./values-equal.js";

export interface HiddenValue {
  /** What it is, for the finding: "answer", "mass of the selected entity". */
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly answer: boolean;
  /** An exact whole number: only equality counts. */
  readonly integer: boolean;
  /** Significant digits from which on a number gives it away. */
  readonly digits: number;
}

export interface StatedValue {
  readonly value: number;
  /** Null or "1" for a pure number. */
  readonly unit: string | null;
  /** A threshold or other value of a condition, as opposed to a constant, a date or the digits asked for. */
  readonly condition: boolean;
}

const LARGE_INTEGER = 1000;
/** Digits without a unit and whatever their power of ten: three agree by chance too often. */
const DIGITS_ALONE = 4;
/** Numbers in words below this are ordinary English. */
const WORDY = 13;

/** Hidden values that a plain text gives away. */
export function valueLeaks(
  plain: string,
  hidden: readonly HiddenValue[],
  stated: readonly StatedValue[],
): Finding[] {
  const targets = hidden.map((h) => ({ ...h, parsed: parseUnit(h.unit) }));
  const findings: Finding[] = [];
  for (const { numeral, excuse } of excused(plain, stated)) {
    for (const target of targets) {
      if (excuse !== undefined ? !(target.answer && copies(excuse, target)) : !gives(numeral, target))
        continue;
      findings.push({
        code: "value_leaked",
        what: `the ${target.label} (${target.value} ${target.unit}) can be read off`,
        where: excerpt(plain, numeral.start, numeral.end),
      });
    }
    if (findings.length >= 20) break;
  }
  return findings;
}

/** Quantities with a unit that nothing asks the question to state: a condition of the writer's own. */
export function addedQuantities(plain: string, stated: readonly StatedValue[]): Finding[] {
  return excused(plain, stated)
    .filter(
      ({ numeral, excuse }) =>
        excuse === undefined && numeral.units.some((u) => !u.doubtful && !isPure(u.unit)),
    )
    .slice(0, 20)
    .map(({ numeral }) => ({
      code: "added_quantity",
      what: "a quantity is stated that the program does not have",
      where: excerpt(plain, numeral.start, numeral.end),
    }));
}

interface Excused {
  readonly numeral: Numeral;
  readonly excuse: Parsed<StatedValue> | undefined;
}

/** All numbers of a text, each with the stated value that it renders. The parts of an excused number ("10" and "000") are excused with it. */
function excused(plain: string, stated: readonly StatedValue[]): Excused[] {
  const known = stated.map((s) => ({ ...s, parsed: parseUnit(s.unit ?? "1") }));
  const wholes = scanNumbers(plain).map((numeral) => ({ numeral, excuse: excuseOf(numeral, known) }));
  // Parts stand beside their whole in the order of the text.
  return wholes.map((here, i) => {
    if (here.excuse !== undefined) return here;
    const whole = wholes
      .slice(Math.max(0, i - 4), i + 5)
      .find(
        (w) =>
          w.excuse !== undefined &&
          w.numeral.start <= here.numeral.start &&
          w.numeral.end >= here.numeral.end,
      );
    return whole === undefined
      ? here
      : { numeral: here.numeral, excuse: { ...whole.excuse!, condition: false } };
  });
}

type Parsed<T> = T & { readonly parsed: Unit };

/** The stated value that a numeral renders; one of a condition first, as it is judged more strictly. */
function excuseOf(numeral: Numeral, stated: readonly Parsed<StatedValue>[]): Parsed<StatedValue> | undefined {
  const fitting = stated.filter((s) => states(numeral, s.value, s.parsed));
  return fitting.find((s) => !s.condition) ?? fitting[0];
}

/** Whether a numeral says a value: the same in the same unit or bare, or converted with three digits or more. */
export function states(numeral: Numeral, value: number, unit: Unit): boolean {
  const bare = numeral.units.length === 0 || numeral.units.some((u) => u.doubtful);
  if ((bare || isPure(unit)) && numeral.values.some((v) => same(v, value))) {
    if (bare || numeral.units.some((u) => alike(u.unit, unit))) return true;
  }
  return numeral.units.some(({ unit: shown }) => {
    if (!alike(shown, unit)) return false;
    const there = (value * unit.factor + unit.offset - shown.offset) / shown.factor;
    return numeral.values.some(
      (v) => same(v, there) || (numeral.digits >= 3 && renders(v, there, Math.max(3, numeral.digits))),
    );
  });
}

/** Whether a condition's own number is the answer, in the answer's kind of unit. */
function copies(stated: Parsed<StatedValue>, answer: Parsed<HiddenValue>): boolean {
  if (!stated.condition || !alike(stated.parsed, answer.parsed)) return false;
  if (answer.integer) return Math.abs(answer.value) >= LARGE_INTEGER && same(stated.value, answer.value);
  const there =
    (stated.value * stated.parsed.factor + stated.parsed.offset - answer.parsed.offset) /
    answer.parsed.factor;
  return renders(there, answer.value, answer.digits);
}

/** Whether an unexcused numeral gives a hidden value away. */
function gives(numeral: Numeral, target: Parsed<HiddenValue>): boolean {
  for (const { unit, doubtful } of numeral.units) {
    if (!alike(unit, target.parsed) || (doubtful && numeral.inWords)) continue;
    const there = (target.value * target.parsed.factor + target.parsed.offset - unit.offset) / unit.factor;
    if (numeral.values.some((v) => shows(v, there, target))) return true;
  }
  const bare = numeral.units.length === 0 || numeral.units.every((u) => u.doubtful);
  return bare && bareGives(numeral, target);
}

function shows(shown: number, value: number, target: HiddenValue): boolean {
  return target.integer ? same(shown, value) : renders(Math.abs(shown), Math.abs(value), target.digits);
}

function bareGives(numeral: Numeral, target: Parsed<HiddenValue>): boolean {
  const { values, inWords, digits } = numeral;
  if (target.integer) {
    return values.some((v) => same(v, target.value) && (!inWords || v >= WORDY || (target.answer && v > 1)));
  }
  if (inWords && digits === 0 && values.every((v) => v < WORDY)) return false;
  if (digits < 2 && !inWords) return false;
  const si = target.value * target.parsed.factor + target.parsed.offset;
  const likely = isPure(target.parsed) ? [target.value, target.value * 100] : [target.value, si];
  return values.some((v) => {
    if (likely.some((l) => shows(v, l, target))) return true;
    if (digits < DIGITS_ALONE || isYear(v) || isPure(target.parsed)) return false;
    return [target.value, si].some((l) =>
      renders(Math.abs(mantissa(v)), Math.abs(mantissa(l)), DIGITS_ALONE),
    );
  });
}

/** A whole number that reads as a year says nothing about digits. */
const isYear = (v: number): boolean => Number.isInteger(v) && v >= 1500 && v <= 2100;
