import type { Expected } from "./answer/answer.js";
import { scanNumbers } from "./number-scan.js";
import { plainText, wordsOf } from "./plain-text.js";

/** Digits of a number, and letters of a single word, up to which it may well stand in a question for other reasons. */
const SHORT_DIGITS = 4;
const SHORT_WORD = 10;
/** Characters of an expression, spaces aside, up to which it may. */
const SHORT_EXPRESSION = 7;

/**
 * Whether a text shows the right answer: what of it, or undefined. Short numbers and words prove nothing ("Is Mars or Venus larger?"),
 * and neither do options of a choice nor yes and no. Linear in the text's length for an answer of given size.
 */
export function shownAnswer(text: string, expected: Expected): string | undefined {
  const plain = plainText(text);
  switch (expected.type) {
    case "boolean":
    case "choice":
      return undefined;
    case "quantity":
    case "integer":
      return showsNumber(plain, expected.value) ? `the number ${expected.value}` : undefined;
    case "date":
      return /^-?\d{4}-\d\d-\d\d$/.test(expected.value) && plain.includes(expected.value)
        ? `the date ${expected.value}`
        : undefined;
    case "expression":
      return showsExpression(text, expected.text) ? `the expression ${expected.text}` : undefined;
    default:
      return phrasesOf(expected).find((phrase) => showsPhrase(plain, phrase));
  }
}

function showsNumber(plain: string, value: number | string): boolean {
  const number = Number(value);
  const digits = String(value)
    .replace(/e.*$/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");
  if (digits.length <= SHORT_DIGITS) return false;
  return scanNumbers(plain).some((found) => found.values.includes(number));
}

function showsExpression(text: string, answer: string): boolean {
  const wanted = tight(answer).text;
  if (wanted.length <= SHORT_EXPRESSION) return false;
  const within = tight(text);
  for (let at = within.text.indexOf(wanted); at >= 0; at = within.text.indexOf(wanted, at + 1)) {
    // 2x+12 does not stand in 12x+123.
    const before = text[within.places[at]! - 1] ?? "";
    const after = text[within.places[at + wanted.length - 1]! + 1] ?? "";
    if (!/[\p{L}\p{N}]/u.test(before + after)) return true;
  }
  return false;
}

/** A text without spaces and dollar signs, and where each of its characters stood. */
function tight(text: string): { text: string; places: number[] } {
  const places: number[] = [];
  for (let i = 0; i < text.length; i++) if (!/[\s$]/.test(text[i]!)) places.push(i);
  return { text: places.map((i) => text[i]).join(""), places };
}

/** Names and texts that say the answer; a list is said by its items in their order. */
function phrasesOf(expected: Expected): string[] {
  switch (expected.type) {
    case "entity":
      return [expected.name, ...expected.aliases];
    case "text":
      return [expected.value];
    case "list":
    case "set":
    case "tuple":
    case "vector":
      return expected.items.length < 2 ? [] : [expected.items.map(partText).join(" ")];
    case "matrix":
      return [expected.rows.flat().map(partText).join(" ")];
    default:
      return [];
  }
}

function partText(item: Expected): string {
  if (item.type === "quantity" || item.type === "integer") return String(item.value);
  return phrasesOf(item)[0] ?? "";
}

/** Whether the words of a phrase stand one after the other in a text, whatever marks stand between them. */
function showsPhrase(plain: string, phrase: string): boolean {
  const wanted = wordsOf(plainText(phrase)).map((w) => w.folded);
  const [only, ...more] = wanted;
  if (only === undefined || (more.length === 0 && [...only].length <= SHORT_WORD)) return false;
  const words = wordsOf(plain).map((w) => w.folded);
  return ` ${words.join(" ")} `.includes(` ${wanted.join(" ")} `);
}
