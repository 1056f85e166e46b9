import type { Words } from "./words.js";

/**
 * What makes a question this one and no other of its kind: its numbers and its names. Two texts of one template share most of their
 * words; if one has a number or a name that the other lacks they are different questions.
 */
export interface Specifics {
  readonly numbers: ReadonlySet<string>;
  /** Words with a capital within a sentence. */
  readonly names: ReadonlySet<string>;
  /** Words that carry meaning: all others but function words and the verbs and nouns of asking. */
  readonly content: ReadonlySet<string>;
}

/** Words that say nothing of what a question is about. */
const COMMON = new Set(
  (
    "a an and are as at be been being by can could do does for from had has have how if in into is it its of on or so such than that " +
    "the their then there these this those to was were what when where which while who whose will with would you your " +
    "answer ask asked calculate compute determine estimate evaluate express find following give given gives hint know known let " +
    "obtain please problem question round significant figure figures digit digits show solve state value work below above using use suppose " +
    "assume assuming consider also now take one many much per each all any about approximately to"
  ).split(" "),
);

const SPELLED = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** @param masked words within boilerplate, which are nobody's own */
export function specificsOf(
  { text, starts }: Words,
  words: readonly string[],
  masked: Uint8Array,
): Specifics {
  const numbers = new Set<string>();
  const names = new Set<string>();
  const content = new Set<string>();
  words.forEach((word, i) => {
    if (masked[i] === 1) return;
    const spelled = SPELLED.indexOf(word);
    // "One" is a pronoun as often as a number.
    if (spelled > 1) numbers.add(String(spelled));
    else if (/^\p{N}/u.test(word)) numbers.add(plainNumber(word));
    else if (!COMMON.has(word)) {
      content.add(word);
      if (isName(text, starts[i]!, word.length)) names.add(word);
    }
  });
  return { numbers, names, content };
}

/** A capital that no sentence, label or bracket begins with. Single letters are symbols as often as names. */
function isName(text: string, start: number, length: number): boolean {
  if (length < 2 || !/\p{Lu}/u.test(text[start]!)) return false;
  const before = text.slice(Math.max(0, start - 3), start).trimEnd();
  return before !== "" && !/[.!?:"“”'(\n]$/u.test(before);
}

/** 2.50 is 2.5. */
function plainNumber(text: string): string {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/**
 * Whether two texts that share much may be one question: no number or name of the first is missing in the second, and hardly
 * any word that carries meaning.
 * @param missing the largest share of such words
 */
export function sameSpecifics(one: Specifics, other: Specifics, missing: number): boolean {
  if (![...one.numbers].every((n) => other.numbers.has(n))) return false;
  if (![...one.names].every((n) => other.content.has(n))) return false;
  const lacking = [...one.content].filter((w) => !other.content.has(w)).length;
  return lacking <= missing * one.content.size;
}

/**
 * Whether two texts that share a long run of words may be one question. Of one template, with other numbers or names put in, they
 * are not: less than `shared` of the first's numbers, or of its names, stand in the second.
 */
export function sharesSpecifics(one: Specifics, other: Specifics, shared: number): boolean {
  const enough = (own: ReadonlySet<string>, theirs: ReadonlySet<string>) =>
    own.size === 0 || [...own].filter((w) => theirs.has(w)).length >= shared * own.size;
  return enough(one.numbers, other.numbers) && enough(one.names, other.content);
}
