/** What the question says by itself: its numbers and names earn nothing. */
import { notationOf } from "../answer/language.js";
import { numberAt } from "../answer/number.js";
import { fold, plainText } from "../plain-text.js";
import { unitsAt } from "../unit-scan.js";
import { parseUnit, type Unit } from "../units.js";
import { doubleOf } from "./double.js";
import type { Value } from "./findings.js";

/** Letters from which on a name in the question is no accident: "He", "In" and "As" are words as well as elements. */
const MIN_NAME = 3;
/** Relative difference up to which two values are the same: decimals that went through binary arithmetic. */
const SAME = 1e-9;
const MAX_QUESTION = 20_000;
/** Where a number may begin: a minus sign belongs to it unless a word or a number stands before. */
const NUMBER = /(?<![\p{L}\p{N}^_.,])(?:-(?=[\d.]))?(?:\d|\.\d)/gu;
const PURE = parseUnit("1");

export interface Given {
  readonly values: readonly Value[];
  /** Whether a name stands in the question as whole words. */
  says(name: string): boolean;
}

export function givenIn(question: string, language: string): Given {
  const plain = plainText(question.slice(0, MAX_QUESTION));
  const words = spaced(plain);
  return {
    values: valuesIn(plain, language),
    says: (name) => letters(name) >= MIN_NAME && words.includes(spaced(name)),
  };
}

/**
 * Numbers with every unit that may be meant. One without a unit is a pure number, and has the next one's unit as well: "between 5 and
 * 7 km".
 */
function valuesIn(plain: string, language: string): Value[] {
  const notation = notationOf(language);
  const values: Value[] = [];
  let waiting: number[] = [];
  let from = 0;
  for (const { index } of plain.matchAll(NUMBER)) {
    if (index < from) continue;
    const number = numberAt(plain, index, notation);
    if (typeof number === "string" || number.value === "beyond") continue;
    from = number.end;
    const value = doubleOf(number.value);
    const units = unitsAt(plain, number.end).map((u) => u.unit);
    if (units.length === 0) {
      values.push({ value, unit: PURE });
      waiting.push(value);
      continue;
    }
    for (const unit of units) for (const v of [value, ...waiting]) values.push({ value: v, unit });
    waiting = [];
  }
  return values;
}

const spaced = (text: string): string => ` ${wordsIn(text)} `;
const wordsIn = (text: string): string => (fold(plainText(text)).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
const letters = (name: string): number => [...wordsIn(name).replace(/[^\p{L}]/gu, "")].length;

/** Whether two units are of one dimension. */
export function alike(a: Unit, b: Unit): boolean {
  return a.dimension.every((d, i) => Math.abs(d - b.dimension[i]!) < SAME);
}

/** The value in another unit of its dimension. */
function inUnit({ value, unit }: Value, to: Unit): number {
  if (unit.factor === to.factor && unit.offset === to.offset) return value;
  return (value * unit.factor + unit.offset - to.offset) / to.factor;
}

/** Whether a value is the one in `of`, within a relative tolerance. */
export function matches(value: Value, of: Value, tolerance = 0): boolean {
  if (!alike(value.unit, of.unit)) return false;
  return Math.abs(inUnit(value, of.unit) - of.value) <= (tolerance + SAME) * Math.abs(of.value);
}
