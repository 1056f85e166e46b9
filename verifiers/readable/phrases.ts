/** Whether a passage states a fact in words: a class, a yes or no, a superlative. Conservative: no synonyms, no guesses. */
import { fold, plainText } from "../plain-text.js";

/** A fact in words. */
export interface WantedPhrase {
  readonly kind: "phrase";
  /** Any of these: "with a ring system", "that has a ring system". */
  readonly phrases: readonly string[];
}

/** Words that say nothing about what is stated. */
const EMPTY = new Set(
  "a an the of in on at to by for from with that which who is are was be has have had it its this belongs belong as and".split(
    " ",
  ),
);
const NEGATION = /^(?:not|no|never|without|lacks?|lacking|neither|nor|cannot|none|non|absent|except|unlike)$/;

/** Tokens as they are compared: folded, without plural s, marks at their ends gone; "0+" stays whole, "radium-226" counts in parts too. */
export function tokensOf(text: string): ReadonlySet<string> {
  const tokens = new Set(tokenList(text));
  for (const token of [...tokens]) {
    const parts = token.split("-");
    // "non-metallic" says nothing of "metallic".
    if (parts.length > 1 && parts.every((p) => /^[\p{L}\p{N}]+$/u.test(p) && !isNegation(p)))
      for (const p of parts) tokens.add(p);
  }
  return tokens;
}

function tokenList(text: string): string[] {
  return plainText(text)
    .split(/[\s|]+/)
    .map((t) => singular(fold(t.replace(/^[^\p{L}\p{N}]+|[.,;:!?"')\]]+$/gu, ""))))
    .filter((t) => t !== "");
}

function singular(token: string): string {
  if (token.length > 4 && token.endsWith("ies")) return `${token.slice(0, -3)}y`;
  return token.length > 3 && token.endsWith("s") && !token.endsWith("ss") && !token.endsWith("us")
    ? token.slice(0, -1)
    : token;
}

const isNegation = (token: string): boolean => NEGATION.test(token) || token.endsWith("n't");

/** A phrase's tokens that say something, and whether it denies them. */
function contents(phrase: string): { tokens: string[]; denies: boolean } {
  const all = tokenList(phrase);
  return {
    tokens: all.filter((t) => !EMPTY.has(t) && !isNegation(t) && t !== "does"),
    denies: all.some(isNegation),
  };
}

/** Whether a text states one of the phrases: all its content words, denied if and only if the phrase denies them. */
export function statesPhrase(text: string, { phrases }: WantedPhrase): boolean {
  const tokens = tokensOf(text);
  const denied = [...tokens].some(isNegation);
  return phrases.some((phrase) => {
    const wanted = contents(phrase);
    return wanted.tokens.length > 0 && wanted.denies === denied && wanted.tokens.every((t) => tokens.has(t));
  });
}

/** Words after which a superlative is of something less than it seems. */
const WEAKENED = new Set(
  "second third fourth fifth sixth seventh eighth ninth tenth among one after except almost nearly perhaps probably possibly may than next".split(
    " ",
  ),
);

/**
 * Whether a text says that its subject is the extreme one: "the smallest planet", "the largest moon of Neptune". The superlative must
 * stand directly before the noun, nothing may weaken it, and each condition's phrase must be stated with it.
 */
export function statesSuperlative(
  text: string,
  superlatives: readonly string[],
  nouns: readonly string[],
  conditions: readonly WantedPhrase[],
): boolean {
  const list = tokenList(text);
  if (list.some((t) => WEAKENED.has(t) || isNegation(t))) return false;
  const joined = ` ${list.join(" ")} `;
  const said = superlatives.some((s) =>
    nouns.some((n) => joined.includes(` the ${tokenList(s).join(" ")} ${tokenList(n).join(" ")} `)),
  );
  return said && conditions.every((c) => statesPhrase(text, c));
}

/** Qualifiers that texts leave out. */
const QUALIFIERS = new Set("number orbital natural standard first normal".split(" "));
const PREPOSITIONS = new Set("of in to at for from with".split(" "));

/** What a column is called, by the words that texts will not leave out: "orbital inclination to the ecliptic" gives inclination. */
export function nounTokens(noun: string): string[] {
  const all = tokenList(noun);
  const end = all.findIndex((t) => PREPOSITIONS.has(t));
  const head = (end < 0 ? all : all.slice(0, end)).filter((t) => !EMPTY.has(t) && !QUALIFIERS.has(t));
  return head.length > 0 ? head : all.filter((t) => !EMPTY.has(t) && !QUALIFIERS.has(t));
}
