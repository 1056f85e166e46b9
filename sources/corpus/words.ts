/** How documents and queries are cut into words: the same for both, or nothing would be found. */

/** Longer runs (sequences, encoded data) are cut: nobody searches for them whole. */
const LONGEST = 64;

/** Letters that NFKD leaves whole. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** An exponent, which without its sign `^` would read as more digits: 10³ is not 103. */
const EXPONENT = /(?<=[\p{L}\d])([⁻⁺]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,9})/gu;
/** `6.4 × 10^3` in its many spellings. */
const POWER = /(?<=\d) ?[×x*·⋅] ?10\^([+-]?)(?=\d)/gu;
/** Groups of thousands set apart by narrow or fixed spaces. */
const GROUPS = /(?<=\d)[\u2009\u202f\u00a0](?=\d{3}(?!\d))/gu;

/** Separators count inside numbers and units only: 8.68e+25, 1,234.5, m^-3. Scripts without spaces give a word per character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}])+(?:(?:(?<=\d)[.,](?=\d)|(?<=\de)[+-](?=\d)|(?<=[\p{L}\d])\^-?(?=\d))[\p{L}\p{M}\p{N}]+)*/gu;
const ASCII_WORD = /[a-z0-9]+(?:(?:(?<=\d)[.,](?=\d)|(?<=\de)[+-](?=\d)|(?<=[a-z0-9])\^-?(?=\d))[a-z0-9]+)*/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The words of a text in order: compatibility forms, case, diacritics and plurals folded, digits and units kept (`8.68e25`, `h2o`, `m^3`).
 */
export function wordsOf(text: string): string[] {
  const plain = ASCII.test(text);
  const found = folded(text, plain).match(plain ? ASCII_WORD : WORD);
  return found === null ? [] : found.map(wordOf);
}

function folded(text: string, plain: boolean): string {
  const lower = plain ? text.toLowerCase() : foldedLetters(text);
  const spelled = lower.includes("10^") ? lower.replace(POWER, "e$1") : lower;
  const joined = spelled.includes("_") ? spelled.replace(/(?<=\p{L})_(?=\d)/gu, "") : spelled;
  return joined.includes("'s") ? joined.replace(/(?<=[\p{L}\p{N}])'s(?![\p{L}\p{N}])/gu, "") : joined;
}

function foldedLetters(text: string): string {
  return text
    .replace(GROUPS, "")
    .replace(EXPONENT, (_, sign: string, digits: string) => {
      return `^${sign === "⁻" ? "-" : ""}${[...digits].map((d) => SUPERSCRIPTS.indexOf(d)).join("")}`;
    })
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/gu, " ")
    .replaceAll("’", "'")
    .replaceAll("−", "-")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter]!);
}

/** One spelling for numbers, one number (singular) for English nouns. */
function wordOf(word: string): string {
  const first = word.charCodeAt(0);
  if (first >= 48 && first <= 57) return numberOf(word).slice(0, LONGEST);
  return singular(word.replace(/\^(?=\d)/, "")).slice(0, LONGEST);
}

function numberOf(word: string): string {
  const grouped = /^\d{1,3}(?:,\d{3})+(?![\d,])/.exec(word);
  const ungrouped = grouped === null ? word : grouped[0].replaceAll(",", "") + word.slice(grouped[0].length);
  return ungrouped.replaceAll(",", ".").replace("e+", "e");
}

/**
 * Plurals only, after Harman's S stemmer (JASIS 42, 1991) and, beyond it, masses and boxes: stronger stemmers make one word of many
 * names.
 */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s")) return word;
  if (word.endsWith("ies")) return /[ae]ies$/.test(word) ? word : `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("es")) return /[aeo]es$/.test(word) ? word : word.slice(0, -1);
  return /[us]s$/.test(word) ? word : word.slice(0, -1);
}
