/** Words of a phrase looked for in a text: by their stems, near each other. Linear in the text's length. */
import { plainText, type Word, wordsOf } from "./plain-text.js";

const STOP = new Set(
  "a an the of in on at to for from by with without that which who whose has have is are was were be its it their this these not no non and or any as do does".split(
    " ",
  ),
);

/** The words of a phrase that carry its meaning, cut to a stem: "ring systems" gives ring, syste. */
export function keywords(phrase: string): string[] {
  return wordsOf(plainText(phrase))
    .map((w) => w.folded)
    .filter((w) => !STOP.has(w))
    .map(stem);
}

export function stem(word: string): string {
  const bare = word.replace(/(?:ies|ed|ing|es|s|y)$/, "");
  return (bare.length >= 3 ? bare : word).slice(0, 8);
}

/** Places of words that begin with a stem. */
export function places(words: readonly Word[], stems: readonly string[]): number[][] {
  return stems.map((s) => words.flatMap((w, i) => (w.folded.startsWith(s) ? [i] : [])));
}

/** Words that introduce a definition and say nothing of it. */
const INTRODUCING = new Set(["taking", "using", "computed", "here", "defined"].map(stem));

/** Two thirds of a definition's words that carry meaning. */
export function saysMost(words: readonly Word[], definition: string): boolean {
  const stems = [...new Set(keywords(definition))].filter((s) => !INTRODUCING.has(s));
  const found = places(words, stems).filter((p) => p.length > 0).length;
  return found >= (stems.length * 2) / 3;
}

/** At least half of a noun's words that carry meaning. */
export function saysNoun(words: readonly Word[], noun: string): boolean {
  const stems = keywords(noun);
  const found = places(words, stems).filter((p) => p.length > 0).length;
  return stems.length === 0 || found >= Math.ceil(stems.length / 2);
}

/** How many words may stand between those of a quantity's noun, beside its own small words. */
const SLACK = 8;

/** In one place, the head of the noun ("orbital speed" of "orbital speed at perihelion") and three quarters of all its words. */
export function saysQuantity(words: readonly Word[], noun: string): boolean {
  const stems = [...new Set(keywords(noun))];
  const [head] = noun.split(
    / (?:of|that|at|by|about|in|as|with|from|to|on|per|between|after|over|under|for) | \(|,/,
  );
  const needed = new Set(keywords(head!));
  const span = wordsOf(plainText(noun)).length + SLACK;
  return together(
    words,
    stems,
    span,
    (said) => said.size >= Math.ceil(stems.length * 0.75) && [...needed].every((s) => said.has(s)),
  );
}

/** How many other words may stand among those of a phrase, a definition in brackets among them. */
const AMONG = 10;

/** All words of a phrase that carry its meaning, near each other. */
export function saysTogether(words: readonly Word[], phrase: string): boolean {
  const stems = [...new Set(keywords(phrase))];
  return together(words, stems, stems.length + AMONG, (said) => stems.every((s) => said.has(s)));
}

/** Whether some stretch of `span` words says enough of the stems: one pass with a moving window. */
function together(
  words: readonly Word[],
  stems: readonly string[],
  span: number,
  enough: (said: ReadonlyMap<string, number>) => boolean,
): boolean {
  if (stems.length === 0) return true;
  const said = new Map<string, number>();
  const add = (at: number, by: 1 | -1): boolean => {
    const word = words[at]?.folded;
    const hit = word === undefined ? undefined : stems.find((s) => word.startsWith(s));
    if (hit === undefined) return false;
    const count = (said.get(hit) ?? 0) + by;
    if (count === 0) said.delete(hit);
    else said.set(hit, count);
    return true;
  };
  for (let i = 0; i < words.length; i++) {
    if (i >= span) add(i - span, -1);
    if (add(i, 1) && enough(said)) return true;
  }
  return false;
}

export function saysAll(words: readonly Word[], phrase: string): boolean {
  return places(words, keywords(phrase)).every((p) => p.length > 0);
}
