import { unitsAt } from "../unit-scan.js";
import type { Expected, Verdict } from "./answer.js";
import { compare, fromDecimal, negate } from "./exact.js";
import type { Notation } from "./language.js";
import { type NumberReading, numberAt, type Unread } from "./number.js";
import { withoutLead } from "./phrases.js";
import { unread } from "./quantity.js";
import { gradeStatements } from "./statements.js";
import { right, undecided, wrong } from "./verdicts.js";

type Integer = Extract<Expected, { type: "integer" }>;

/** Judges an exact integer of any size: "7", "1e3", "7.0", "7 moons". 7.0001 is not 7, and √50 never is an integer. */
export function gradeInteger(plain: string, expected: Integer, notation: Notation): Verdict {
  return gradeStatements(plain, {
    grade: (text) => gradeOne(text, expected, notation),
    within: (text) => gradeOne(text, expected, notation),
    value: (text) => {
      const number = readWhole(text, notation).number;
      return typeof number === "string" || number.value === "beyond" ? undefined : number.value;
    },
  });
}

/** The number in front, and the noun behind it; what is neither is `unreadable`. */
function readWhole(text: string, notation: Notation): { number: NumberReading | Unread; rest: string } {
  const plain = withoutLead(text).replace(/[\s.;]{1,20}$/, "");
  const inner = /^\(([^()]*)\)$/.exec(plain)?.[1] ?? plain;
  const number = numberAt(inner, 0, notation);
  if (typeof number === "string") return { number, rest: "" };
  const rest = inner.slice(number.end).trim();
  return { number: isNoun(rest) ? number : "unreadable", rest };
}

function gradeOne(text: string, expected: Integer, notation: Notation): Verdict {
  const { number, rest } = readWhole(text, notation);
  const value = fromDecimal(expected.value);
  if (typeof number === "string" || value === undefined)
    return unread(typeof number === "string" ? number : "unreadable", text);
  if (number.value === "beyond")
    return wrong("wrong_value", "the number is beyond any size that could be meant", text);
  if (number.rounded || compare(number.value, value) !== 0) {
    return compare(number.value, negate(value)) === 0
      ? wrong("wrong_sign", "the sign is wrong", text)
      : wrong("wrong_value", "it is another number", text);
  }
  return rest !== "" && unitsAt(rest, 0).some((u) => u.end === rest.length && !u.doubtful)
    ? undecided("unexpected_unit", "a unit stands behind a number that is asked for without one", text)
    : right("equal", "it is the same integer", text);
}

/** What is counted: "moons", "known planets"; a percent sign or a second number is none. */
function isNoun(rest: string): boolean {
  return (
    rest === "" ||
    /^of (?:them|these|those)$/i.test(rest) ||
    (/^\p{L}[\p{L}-]{0,30}(?: \p{L}[\p{L}-]{0,30}){0,3}$/u.test(rest) &&
      !/\b(?:and|or|plus|minus|times|x|e|i|to|the|of|by|over|hal(?:f|ves)|thirds?|fourths?|quarters?|\p{L}+ths?|squared|cubed|factorial|dozens?|scores?|or so|is|was|are|were|not|never|wrong|incorrect|false|invalid|fails?|failed|excluded|eliminated|too|less|fewer|more|if|unless|except|per|short|off|away|guess|mod|modulo)\b/iu.test(
        rest,
      ))
  );
}
