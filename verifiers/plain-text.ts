/**
 * One plain form for the many ways of typing the same text: LaTeX, HTML, superscripts, full-width digits, odd spaces. Linear in
 * the text's length. Used by all checks of wordings; case is kept, as mm and Mm differ.
 */
import { dictionary } from "./dictionary.js";

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** Zero-width and other marks that only a machine sees, soft hyphens among them. */
export const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5/gu;
const ENTITIES = dictionary<string>({
  nbsp: " ",
  thinsp: " ",
  ensp: " ",
  emsp: " ",
  times: "×",
  middot: "·",
  sdot: "·",
  minus: "-",
  deg: "°",
  micro: "µ",
  ndash: "–",
  mdash: "—",
  apos: "'",
  rsquo: "'",
  amp: "&",
});
/** LaTeX commands that stand for one character. */
export const LATEX = dictionary<string>({
  times: "×",
  cdot: "·",
  ast: "*",
  approx: "≈",
  sim: "~",
  degree: "°",
  circ: "°",
  mu: "µ",
  Omega: "Ω",
  odot: "☉",
  oplus: "⊕",
  percent: "%",
  pm: "±",
});

/** The text in its plain form: "$1.27\\times10^{3}$ kg\u202fm⁻³" becomes "1.27×10^3 kg m^-3". */
export function plainText(text: string): string {
  const typed = text
    .replace(INVISIBLE, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, dec, hex, name) =>
      entity(whole, dec, hex, name),
    )
    .replace(/<sup>/gi, "^")
    .replace(/<\/?[a-z]{1,10}>/gi, "")
    .replace(/[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{1,20}/gu, (raised) => `^${[...raised].map(lowered).join("")}`)
    .replace(/[\u2033\u301e]/g, "\ue000")
    .normalize("NFKC")
    .replace(/\ue000/g, "″")
    .replace(/\p{Nd}/gu, digit);
  return latex(typed)
    .replace(/[\u2212\u2010\u2011\ufe63]/g, "-")
    .replace(/[\u2018\u2019\u02bc\u201b\uff07\u00b4`]/g, "'")
    .replace(/\u03bc/g, "µ")
    .replace(/[⋅∙•]/g, "·")
    .replace(/[^\S\n]/g, " ");
}

const lowered = (c: string): string => (c === "⁻" ? "-" : c === "⁺" ? "" : String(RAISED.indexOf(c)));

function entity(whole: string, dec?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
  const code = Number.parseInt(dec ?? hex!, dec === undefined ? 16 : 10);
  return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : whole;
}

/** A decimal digit of any script as ASCII. Unicode's digits come in blocks of ten that start at a multiple of 2 with zero. */
function digit(c: string): string {
  const code = c.codePointAt(0)!;
  if (code < 0x80) return c;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

function latex(text: string): string {
  if (!/[\\${}~]/.test(text)) return text;
  return text
    .replace(/\{,\}/g, ",")
    .replace(/\\(?:[,;:! ]|quad|qquad)/g, " ")
    .replace(/\\%/g, "%")
    .replace(/\\([A-Za-z]{1,20})/g, (_, command: string) => LATEX[command] ?? " ")
    .replace(/[{}$]/g, "")
    .replace(/~(?=\S)/g, " ");
}

/** A word of a text: letters and digits, folded (no case, no accents), with its place in the plain text. */
export interface Word {
  readonly folded: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

const LETTERS = dictionary<string>({
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
});

/** Lower case without accents: "Ōumuamua" gives "oumuamua". */
export function fold(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðþłħıŋ]/g, (c) => LETTERS[c]!);
}

/** The words of a plain text in order. */
export function wordsOf(plain: string): Word[] {
  return Array.from(plain.matchAll(/[\p{L}\p{N}\p{M}]+/gu), (m) => ({
    raw: m[0],
    folded: fold(m[0]),
    start: m.index,
    end: m.index + m[0].length,
  }));
}

/** A short piece of the text around a place, for evidence. */
export function excerpt(plain: string, start: number, end: number): string {
  const from = Math.max(0, start - 30);
  const piece = plain.slice(from, Math.min(plain.length, end + 30));
  return piece.length > 200 ? `${piece.slice(0, 200)}...` : piece;
}
