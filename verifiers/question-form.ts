/** The outward form of a question: length, end, characters, leftovers of a template. Linear in the text's length. */
import type { Finding } from "./findings.js";
import { INVISIBLE } from "./plain-text.js";

export const MIN_LENGTH = 30;
export const MAX_LENGTH = 2000;

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
}

const RULES: readonly Rule[] = [
  { what: "there are two spaces in a row", pattern: / {2}/u },
  { what: "there is a space before a mark", pattern: /[ \u00a0][,;:?!](?:\s|$)| \.(?:\s|$)/u },
  {
    what: "a place of a template is not filled",
    pattern: /(?<![\\^_A-Za-z}])\{\{?\s{0,3}[A-Za-z_][\w .-]{0,40}\}/u,
  },
  {
    what: "a place of a template is not filled",
    pattern: /\$\{|<(?:[a-z]{1,20}_[a-z_]{1,20}|noun|value|unit|entity|name)>|\[(?:TODO|INSERT|object)\b/u,
  },
  { what: "a programme's word is left in the text", pattern: /\b(?:undefined|NaN|null|TODO|FIXME)\b/u },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  { what: "there is a control character", pattern: /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u },
  { what: "there is an invisible character", pattern: new RegExp(INVISIBLE.source, "u") },
  {
    what: "there is a character that no reader can show",
    pattern: /[\ufffd\ue000-\uf8ff]|\p{Cs}|[\u{f0000}-\u{10ffff}]/u,
  },
  { what: "a word is written twice", pattern: /\b(a|an|the|of|in|is|and|with|that|to|its)\s\1\b/iu },
  {
    what: "a word mixes alphabets",
    pattern:
      /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}]|[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}]\p{Script=Latin}|\p{Script=Latin}{2}[\u03b1-\u03c9]\p{Script=Latin}/u,
  },
];

/** What is wrong with the form of a question as written (not its plain form). */
export function formProblems(text: string): Finding[] {
  const found: string[] = [];
  if (text.length < MIN_LENGTH)
    found.push(`the question has ${text.length} characters, fewer than ${MIN_LENGTH}`);
  if (text.length > MAX_LENGTH)
    found.push(`the question has ${text.length} characters, more than ${MAX_LENGTH}`);
  if (text !== text.trim()) found.push("the question begins or ends with a space");
  if (!/[.?!]["”’)\]]?$/u.test(text.slice(-2)))
    found.push("the question does not end with a full stop or a question mark");
  if (!/^["“‘(]?[\p{Lu}\d]/u.test(text)) found.push("the question does not begin with a capital letter");
  if (text !== text.normalize("NFC")) found.push("the text is not in Unicode's composed form");
  if (!balanced(text)) found.push("brackets do not close");
  for (const { what, pattern } of RULES) if (pattern.test(text)) found.push(what);
  return [...new Set(found)].map((what) => ({ code: "malformed", what }));
}

const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "”": "“" };

function balanced(text: string): boolean {
  const open: string[] = [];
  for (const c of text) {
    if (c === "(" || c === "[" || c === "“") open.push(c);
    else if (CLOSING[c] !== undefined && open.pop() !== CLOSING[c]) return false;
  }
  return open.length === 0;
}
