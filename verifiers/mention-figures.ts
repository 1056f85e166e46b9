/**
 * Whether a text says how the answer comes from figures of two entities or of all candidates: "the ratio of the former's mass to the
 * latter's" and not the other way round, "the median mass", "its share of the total mass".
 */
import type { Finding } from "./findings.js";
import { missing, type Text } from "./mention-text.js";
import { keywords, saysNoun, stem } from "./mention-words.js";
import type { Word } from "./plain-text.js";

export type WantedFigure =
  | {
      readonly kind: "ratio" | "difference";
      /** The column whose figures are compared. */
      readonly noun: string;
      /** Which entity's figure comes first: the one that the program selects first, or the one it comes to second. */
      readonly first: "one" | "two";
      /** What the two are called, where they are not called the same. */
      readonly names: readonly [string, string] | undefined;
      /** Which choices (by place among the wanted ones) pick the two out. */
      readonly selects: readonly [number, number | undefined];
    }
  | { readonly kind: "total" | "mean" | "median" | "share" | "times_mean"; readonly noun: string };

/** How many words may stand between what is done and what it is done with. */
const REACH = 12;

/** @param marks places of the superlatives among the words, by choice */
export function missingFigure(
  { words }: Text,
  wanted: WantedFigure,
  marks: readonly (number | undefined)[],
): Finding[] {
  switch (wanted.kind) {
    case "ratio":
      return missingRatio(words, wanted, marks);
    case "difference":
      return asksMagnitude(words, wanted.noun)
        ? []
        : [missing("missing_quantity", `the absolute difference in ${wanted.noun} is not asked for`)];
    case "total":
    case "mean":
    case "median":
      return statistics(words, wanted.kind, wanted.noun).length > 0
        ? []
        : [missing("missing_statistic", `the ${wanted.kind} of the ${wanted.noun} is not asked for`)];
    case "share":
      return (said(words, SHARE, wanted.noun) || asksPercentOf(words)) &&
        statistics(words, "total", wanted.noun).length > 0
        ? []
        : [missing("missing_statistic", `a share of the total ${wanted.noun} is not asked for`)];
    case "times_mean":
      return missingTimes(words, wanted.noun);
  }
}

/** Words for how far two figures lie apart, and those that need an "absolute", as they may be read with a sign. */
const APART = /^(?:differ|differs|apart)$/;
const SIGNED = /^(?:difference|gap|minus|subtracted)$/;
const SHARE = /^(?:share|fraction|percentage|proportion)$/;
const RATIO = /^(?:ratio|quotient)$/;
const DIVIDED = /^(?:divided|over)$/;
const STATISTICS = {
  total: /^(?:total|sum|combined|altogether|summed|aggregate|added)$/,
  mean: /^(?:mean|average|averaged)$/,
  median: /^median$/,
} as const;

/** "What percent of the total ...", not "give the answer in percent". */
const asksPercentOf = (words: readonly Word[]): boolean =>
  words.some((w, i) => w.folded === "percent" && words[i + 1]?.folded === "of");

/** Places of a word by which the noun stands. */
function places(words: readonly Word[], word: RegExp, noun: string): number[] {
  return words.flatMap((w, i) => {
    if (!word.test(w.folded)) return [];
    return saysNoun(words.slice(Math.max(0, i - REACH), i + REACH + 1), noun) ? [i] : [];
  });
}

const said = (words: readonly Word[], word: RegExp, noun: string): boolean =>
  places(words, word, noun).length > 0;

/** "By how much do they differ", "the absolute difference", "the absolute value of the first minus the second". */
function asksMagnitude(words: readonly Word[], noun: string): boolean {
  if (said(words, APART, noun)) return true;
  return places(words, SIGNED, noun).some((i) =>
    words.slice(Math.max(0, i - REACH), i + REACH + 1).some((w, k, near) => {
      const next = near[k + 1]?.folded ?? "";
      // The "absolute" of "absolute magnitude" is the column's own.
      return w.folded === "absolute" && /^(?:differences?|gap|value|terms)$/.test(next);
    }),
  );
}

/** Places of a statistic; the "mean" of "mean radius" is none. */
function statistics(words: readonly Word[], kind: keyof typeof STATISTICS, noun: string): number[] {
  const stems = keywords(noun);
  return places(words, STATISTICS[kind], noun).filter((i) => {
    const own = stems.indexOf(stem(words[i]!.folded));
    const next = stems[own + 1];
    return own < 0 || next === undefined || words[i + 1]?.folded.startsWith(next) !== true;
  });
}

function missingTimes(words: readonly Word[], noun: string): Finding[] {
  const means = statistics(words, "mean", noun);
  const ratios = places(words, RATIO, noun);
  const times = words.some((w) => /^(?:times|multiple|factor|divided)$/.test(w.folded));
  if (means.length === 0 || (ratios.length === 0 && !times))
    return [missing("missing_statistic", `the ratio of its ${noun} to the mean is not asked for`)];
  // "The ratio of the mean mass to ..." is turned round.
  const turned = ratios.some((r) => means.some((m) => m > r && m - r <= 3));
  return turned ? [missing("wrong_direction", `the mean ${noun} is divided by the entity's own`)] : [];
}

type Ratio = Extract<WantedFigure, { kind: "ratio" | "difference" }>;
type Side = "one" | "two";

interface Token {
  readonly at: number;
  readonly side: Side;
}

/** A ratio's word with the noun near it, and the two entities behind it (or around "divided by") in the right order. */
function missingRatio(
  words: readonly Word[],
  wanted: Ratio,
  marks: readonly (number | undefined)[],
): Finding[] {
  const ratios = places(words, RATIO, wanted.noun);
  const divided = places(words, DIVIDED, wanted.noun);
  if (ratios.length + divided.length === 0)
    return [missing("missing_quantity", `the ratio of the ${wanted.noun} is not asked for`)];
  const sides = [
    ...ratios.map((at) => firstSide(words, wanted, marks, at, "behind")),
    ...divided.map((at) => firstSide(words, wanted, marks, at, "before")),
  ];
  if (sides.includes(wanted.first)) return [];
  const why = sides.some((s) => s !== undefined) ? "is turned round" : "does not say what is divided by what";
  return [missing("wrong_direction", `the ratio of the ${wanted.noun} ${why}`)];
}

/** Whose figure comes first: of the two that are named behind "ratio", or the one named before "divided". */
function firstSide(
  words: readonly Word[],
  wanted: Ratio,
  marks: readonly (number | undefined)[],
  at: number,
  where: "behind" | "before",
): Side | undefined {
  const pick = (tokens: readonly Token[]): Side | undefined => {
    if (where === "before") {
      const before = tokens.filter((t) => t.at < at).at(-1);
      const behind = tokens.find((t) => t.at > at);
      return before === undefined || behind === undefined || before.side === behind.side
        ? undefined
        : before.side;
    }
    const [first, ...rest] = tokens.filter((t) => t.at > at);
    return rest.some((t) => t.side !== first!.side) ? first!.side : undefined;
  };
  return pick(roles(words, wanted, marks)) ?? pick(names(words, wanted)) ?? pick(descriptions(wanted, marks));
}

/** "The former", "the second moon", but not "the second most massive" and no word of the noun's own ("first ionization energy"). */
function roles(words: readonly Word[], wanted: Ratio, marks: readonly (number | undefined)[]): Token[] {
  const own = new Set(keywords(wanted.noun));
  const superlatives = new Set(marks);
  const [one, two] = wanted.selects.map((s) => (s === undefined ? undefined : marks[s]));
  const swapped = one !== undefined && two !== undefined && two < one;
  return words.flatMap(({ folded }, at): Token[] => {
    const early = /^(?:former|first)$/.test(folded);
    if (!early && !/^(?:latter|second)$/.test(folded)) return [];
    const ordinal = folded === "first" || folded === "second";
    if (ordinal && (own.has(stem(folded)) || superlatives.has(at + 1) || superlatives.has(at + 2))) return [];
    return [{ at, side: early !== swapped ? "one" : "two" }];
  });
}

/** "This moon", "that planet". */
function names(words: readonly Word[], { names }: Ratio): Token[] {
  if (names === undefined) return [];
  const stems = names.map((name) => keywords(name).at(-1)!);
  return words.flatMap(({ folded }, at): Token[] => {
    if (folded.startsWith(stems[0]!)) return [{ at, side: "one" }];
    return folded.startsWith(stems[1]!) ? [{ at, side: "two" }] : [];
  });
}

/** The two described where the ratio is asked for: "of the mass of the most massive planet to that of the smallest". */
function descriptions({ selects }: Ratio, marks: readonly (number | undefined)[]): Token[] {
  const tokens = selects.flatMap((s, i): Token[] => {
    const at = s === undefined ? undefined : marks[s];
    return at === undefined ? [] : [{ at, side: i === 0 ? "one" : "two" }];
  });
  return tokens.sort((a, b) => a.at - b.at);
}
