/** Small facts of English that the grammar needs. British spelling, no serial comma. */

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const ORDINALS =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** "three" for 3; digits beyond twenty. */
export function numberWord(n: number): string {
  return ONES[n] ?? String(n);
}

/** "third" for 3; "21st" beyond twenty. */
export function ordinal(n: number): string {
  const known = ORDINALS[n];
  if (known !== undefined) return known;
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${n}${teen ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;
}

/** "A", "A and B", "A, B and C". */
export function list(items: readonly string[], word: "and" | "or" = "and"): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

const ADJECTIVES = /^(?:[a-z]+(?:al|ic|ive|ite|ing|ar|ous|ly) )+/;

/** An entity's noun alone, for when it has been named: "isotope" of "naturally occurring isotope", "capital" of "capital of a country", but "amino acid". */
export function shortNoun(noun: string): string {
  return noun.replace(/ (?:of|in|on|at|with) .*$/, "").replace(ADJECTIVES, "");
}

/** The text with its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Vowel letters that sound as a consonant: a unit, a European, a one-year. */
const CONSONANT_SOUND = /^(?:uni(?!n|m)|use|usu|util|ura|ure|uro|uto|ubi|eu|ewe|one\b|once\b|u[- ])/i;
const SILENT_H = /^(?:hour|honest|honou?r|heir)/i;
/** Abbreviations read letter by letter whose first letter's name starts with a vowel: an X-ray, an RNA. */
const SPELLED = /^(?:[AEFHILMNORSX][A-Z0-9]+\b|[AEFHILMNORSX](?:-|\b))/;
/** Numbers that are read with a vowel first: 8, 11, 18, 80..., 8,000. */
const VOWEL_NUMBER = /^(?:8|1[18](?!\d))/;

/** "a" or "an", by the sound that the words begin with. */
export function article(words: string): "a" | "an" {
  if (/^\d/.test(words)) return VOWEL_NUMBER.test(words) ? "an" : "a";
  if (SILENT_H.test(words) || SPELLED.test(words)) return "an";
  return /^[aeiouåø]/i.test(words) && !CONSONANT_SOUND.test(words) ? "an" : "a";
}

const TO_PLURAL: Readonly<Record<string, string>> = {
  has: "have",
  is: "are",
  does: "do",
  was: "were",
  "isn't": "aren't",
};

/**
 * A clause after "that", written for one thing, made to fit many: "has a ring system" becomes "have a ring system". Other
 * verbs lose their -s; a past or modal verb, or a clause with a subject of its own, stays.
 */
export function agree(clause: string, many: boolean): string {
  if (!many) return clause;
  const parts = clause.split(/((?:, | )(?:and|but|or) )/);
  return parts.map((part, i) => (i % 2 === 0 ? agreeOne(part, i > 0) : part)).join("");
}

function agreeOne(clause: string, onlyKnown: boolean): string {
  const [, not, noun, after = ""] =
    /^is( not)? (?:an?|no) ([\w -]+?)( (?:of|in|with|that|on|at) .*)?$/.exec(clause) ?? [];
  if (noun !== undefined)
    return `are${clause.startsWith("is no ") ? " no" : (not ?? "")} ${plural(noun)}${after.replace(OF_ONE, (_, one: string) => ` of ${plural(one)}`)}`;
  const [verb, ...rest] = clause.split(" ");
  const known = TO_PLURAL[verb!];
  const regular = onlyKnown || !/^[a-z]+s$/.test(verb!) || /ss$/.test(verb!) ? verb! : bare(verb!);
  return [known ?? regular, ...rest].join(" ").replace(/\bits\b/g, "their");
}

/** "of an acrocentric chromosome" behind what is said of many. */
const OF_ONE = /^ of an? ([\w -]+?)(?= \(|$)/;

const IRREGULAR: Readonly<Record<string, string>> = {
  vertex: "vertices",
  index: "indices",
  axis: "axes",
  radius: "radii",
  life: "lives",
  series: "series",
};

/** The plural of a noun phrase that ends in its noun. */
export function plural(noun: string): string {
  const [, before, word] = /^(.*?)([^ -]+)$/.exec(noun)!;
  const known = IRREGULAR[word!];
  if (known !== undefined) return `${before}${known}`;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** One of what is counted: "spanning tree" of "spanning trees", "curve in the isogeny class" of "curves in the isogeny class". */
export function singular(counted: string): string {
  const [, head, rest] = /^(.+?)((?: (?:of|in|on|at|with|per|that) .*)?)$/.exec(counted)!;
  const [, before, word] = /^(.*?)([^ -]+)$/.exec(head!)!;
  const known = Object.entries(IRREGULAR).find(([, many]) => many === word)?.[0];
  return `${before}${known ?? oneOf(word!)}${rest}`;
}

function oneOf(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss|x|z|ch|sh)es$|(?<![su])s$/, "");
}

function bare(verb: string): string {
  if (/ies$/.test(verb) && verb.length > 4) return `${verb.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz|o)es$/.test(verb)) return verb.slice(0, -2);
  return verb.slice(0, -1);
}

/** An as-of date for prose, with its preposition: "in 2024", "in March 2024", "on 15 March 2024". */
export function onDate(date: string): string {
  const [year, month, day] = date.split("-");
  if (month === undefined) return `in ${year}`;
  const name = MONTHS[Number(month) - 1] ?? month;
  return day === undefined ? `in ${name} ${year}` : `on ${Number(day)} ${name} ${year}`;
}
