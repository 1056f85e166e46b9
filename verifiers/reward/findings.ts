/**
 * What an agent committed itself to on the way: lines `Finding: <what> = <name, or value with unit>`. How a finding is read depends on
 * its own text alone, never on what would be right: else guesses could be listed for free.
 */
import { uncommitted } from "../answer/commitment.js";
import { gradeAnswer } from "../answer/grade.js";
import { notationOf } from "../answer/language.js";
import { plainAnswer } from "../answer/latex.js";
import { numberAt } from "../answer/number.js";
import { withoutLead } from "../answer/phrases.js";
import { readQuantity } from "../answer/quantity.js";
import { fold, plainText } from "../plain-text.js";
import { unitsAt } from "../unit-scan.js";
import { parseUnit, type Unit } from "../units.js";
import { doubleOf } from "./double.js";

/** A number with its unit as doubles have it. */
export interface Value {
  readonly value: number;
  readonly unit: Unit;
}

export type Finding =
  /** `digits` as written, zeros in front aside. */
  | ({ readonly kind: "value"; readonly digits: number } & Value)
  | { readonly kind: "name"; readonly text: string };

/** Characters of a finding's two sides; a longer line is prose. */
const MAX_SIDE = 200;
/** An agent that writes more of them commits itself to none. */
const MAX_FINDINGS = 200;

const FINDING =
  /^[ \t]{0,8}(?:(?:[-*+•]|[0-9]{1,3}[.)])[ \t]{1,4})?[*_`]{0,3}[Ff][Ii][Nn][Dd][Ii][Nn][Gg](?:[ \t]{0,2}#?[0-9]{1,3})?[*_`]{0,3}[ \t]{0,3}(?:[:：]|[-–—](?=[ \t]))[*_`]{0,3}[ \t]{0,8}(.{1,1200})$/;
const EQUALS = /[=＝≈≃≅]/;
/** Words in brackets behind a value: "25362 km (mean)". */
const NOTE = / ?[([][^()[\]\d]{1,80}[)\]]$/;
/** What is counted: "27 known moons". */
const COUNTED = /^(-?[\d.,]{1,30})(?: \p{Ll}[\p{L}-]{1,30}){1,4}$/u;
/** Words that make it something else than that many. */
const OTHERWISE =
  /\b(?:or|and|to|not|than|less|more|fewer|minus|plus|times|by|over|per|of|from|percent|dozens?|hundreds?|thousands?|millions?|billions?)\b/;

/**
 * The findings of an agent's turns, or undefined if they are too many to commit it to anything. A `what` that is said again takes back
 * what was said of it before.
 */
export function findingsIn(turns: readonly string[], language: string): Finding[] | undefined {
  const last = new Map<string, string>();
  for (const turn of turns) {
    for (const line of turn.split(/\r\n|\r|\n/)) {
      const sides = sidesOf(line);
      if (sides === undefined) continue;
      last.set(sides.what, sides.said);
      if (last.size > MAX_FINDINGS) return undefined;
    }
  }
  return [...last.values()].flatMap((said) => readFinding(said, language) ?? []);
}

/** What the line speaks of, folded, and what it says of it: behind the last sign of equality, as a value may be derived on the way. */
function sidesOf(line: string): { what: string; said: string } | undefined {
  const rest = FINDING.exec(line)?.[1];
  if (rest === undefined) return undefined;
  const sides = rest.split(EQUALS);
  if (sides.length < 2 || sides.slice(0, -1).some((side) => /[!<>≠]$/.test(side))) return undefined;
  const said = bare(sides.at(-1)!);
  const what = (fold(plainText(sides[0]!)).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
  if (what === "" || said === "" || what.length > MAX_SIDE || said.length > MAX_SIDE) return undefined;
  return { what, said };
}

/** Without marks of Markdown around it. */
const bare = (text: string): string => text.replace(/^[\s*_`]+/, "").replace(/[\s*_`]+$/, "");

/** A finding as it is read; undefined for what commits to neither a value nor a name: a hedge, a range, a sum that was not worked out. */
export function readFinding(said: string, language: string): Finding | undefined {
  const plain = plainAnswer(said);
  if (uncommitted(plain) !== undefined) return undefined;
  const value = quantityIn(plain, language) ?? quantityIn(withoutWords(plain), language);
  if (value !== undefined)
    return value === "unclear" ? undefined : { kind: "value", ...value, digits: digitsOf(plain) };
  return /\d/.test(plain) && isFigure(plain, language) ? undefined : { kind: "name", text: said };
}

/** A value without words that only say more of it. */
function withoutWords(plain: string): string {
  const counted = OTHERWISE.test(plain) ? null : COUNTED.exec(plain);
  return counted === null ? plain.replace(NOTE, "") : counted[1]!;
}

/** The value that a plain text is, with its unit; `unclear` if it has more than one reading, undefined if it is none. */
export function quantityIn(plain: string, language: string): Value | "unclear" | undefined {
  const reading = readQuantity(withoutLead(plain), notationOf(language));
  if (typeof reading === "string") return undefined;
  const { number, units } = reading;
  const value = number.value === "beyond" ? Number.NaN : doubleOf(number.value);
  if (units.length !== 1 || !Number.isFinite(value)) return "unclear";
  return { value, unit: units[0] ?? parseUnit("1") };
}

/** Whether a text with digits in it is about numbers (a range, a value with a remark), and so no name: 433 Eros is one. */
function isFigure(plain: string, language: string): boolean {
  if (/[\^√∛×]|\d ?[*/+·] ?[\d(]|^[-\d.,]{1,30} \p{Ll}/u.test(plain)) return true;
  const number = numberAt(plain, 0, notationOf(language));
  if (typeof number !== "string" && unitsAt(plain, number.end).some((u) => !u.doubtful)) return true;
  const any = { type: "quantity", value: 1, unit: "1", tolerance: 0 } as const;
  return gradeAnswer(plain, any, { language }).reason !== "unreadable";
}

/** Digits that a value is written with, zeros in front and powers of ten aside. */
function digitsOf(plain: string): number {
  const mantissa = /^[^\d]{0,60}([\d.,' ]{0,60})/.exec(plain)![1]!;
  return mantissa.replace(/\D/g, "").replace(/^0+/, "").length;
}
