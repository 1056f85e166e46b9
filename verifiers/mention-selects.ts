/** Whether a text makes the choices that a program makes: each superlative, what it is about, its rank. */
import type { Finding } from "./findings.js";
import { missing, type Text } from "./mention-text.js";
import { keywords, places, saysNoun } from "./mention-words.js";
import { plainText, type Word, wordsOf } from "./plain-text.js";

export interface WantedSelect {
  readonly order: "max" | "min";
  readonly rank: number;
  /** "most massive", ...: superlatives that name the column by themselves. */
  readonly superlatives: readonly string[];
  readonly noun: string;
}

const MOST =
  /^(?:most|largest|greatest|highest|biggest|longest|heaviest|maximum|maximal|maximises|maximizes|farthest|furthest|latest|hottest|warmest|fastest|densest|brightest|oldest|top|newest|recently|widest|deepest|tallest|record|last)$/;
const LEAST =
  /^(?:least|smallest|lowest|fewest|shortest|lightest|minimum|minimal|minimises|minimizes|nearest|closest|earliest|coldest|coolest|slowest|faintest|youngest|tiniest|narrowest|thinnest|shallowest|bottom|first)$/;
const ORDINALS =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );

/** Where a text makes each choice: the place of its superlative among the words, undefined where it has none. */
export interface Selections {
  readonly marks: readonly (number | undefined)[];
  readonly findings: readonly Finding[];
}

/**
 * What is missing of the choices that a question must make. One is looked for anywhere; of several, each has a place of its own.
 * @param nouns of columns, which may hold superlatives that choose nobody ("length of the longest runway")
 */
export function missingSelections(
  text: Text,
  wanted: readonly WantedSelect[],
  nouns: readonly string[],
): Selections {
  const [only] = wanted;
  if (only === undefined) return { marks: [], findings: [] };
  const idle = superlativesInside(text, nouns);
  if (wanted.length === 1) {
    const marks = superlatives(text, only, idle);
    return { marks: [marks[0]], findings: missingOne(text, only, marks) };
  }
  const places = wanted.map((w) => placesOf(text, w, idle));
  const marks = assigned(places.map((p) => p.right));
  const findings = wanted.flatMap((w, i) => (marks[i] === undefined ? whyNot(w, places[i]!) : []));
  return { marks, findings };
}

function missingOne(text: Text, wanted: WantedSelect, marks: readonly number[]): Finding[] {
  const { words } = text;
  const { order, rank, superlatives: own, noun } = wanted;
  const findings: Finding[] = [];
  if (marks.length === 0) findings.push(noSuperlative(order));
  const named =
    saysNoun(words, noun) || own.some((s) => places(words, keywords(s)).every((p) => p.length > 0));
  if (!named) findings.push(missing("missing_order", `the ${noun} is not named`));
  const ranks = marks.flatMap((i) => rankBefore(text, i) ?? []);
  const right =
    rank === 1
      ? ranks.length < marks.length || marks.length === 0
      : ranks.includes(rank) || ranksElsewhere(words, rank);
  if (!right) findings.push(wrongRank(rank));
  return findings;
}

const noSuperlative = (order: "max" | "min"): Finding =>
  missing("missing_order", `no superlative says ${order === "max" ? "largest" : "smallest"}`);
const wrongRank = (rank: number): Finding =>
  missing("missing_rank", `the rank is not stated as ${ORDINALS[rank] ?? rank}`);

/** Places of superlatives that go the wanted way. */
function superlatives(
  { words }: Text,
  { order, superlatives: own }: WantedSelect,
  idle: ReadonlySet<number>,
): number[] {
  const first = new Set(own.map((s) => wordsOf(plainText(s))[0]?.folded));
  const direction = order === "max" ? MOST : LEAST;
  return words.flatMap(({ folded }, i) =>
    (direction.test(folded) || first.has(folded)) && words[i - 1]?.folded !== "at" && !idle.has(i) ? [i] : [],
  );
}

/** How far from its superlative a column may be named. */
const REACH = 9;

interface Places {
  readonly superlatives: readonly number[];
  /** Those by which the column is named, with how far away it stands. */
  readonly near: readonly Place[];
  /** Those with the right rank besides. */
  readonly right: readonly Place[];
}

interface Place {
  readonly at: number;
  readonly cost: number;
}

function placesOf(text: Text, wanted: WantedSelect, idle: ReadonlySet<number>): Places {
  const { words } = text;
  const own = wanted.superlatives.map(keywords);
  // "The first" and "the last" tell two entities apart here.
  const all = superlatives(text, wanted, idle).filter((i) => !/^(?:first|last)$/.test(words[i]!.folded));
  const near = all.flatMap((at): Place[] => {
    if (own.some((stems) => startsWith(words, at, stems))) return [{ at, cost: 0 }];
    const around = words.slice(Math.max(0, at - REACH), at + REACH);
    return saysNoun(around, wanted.noun) ? [{ at, cost: distance(words, at, wanted.noun) }] : [];
  });
  const right = near.filter(({ at }) => (rankBefore(text, at) ?? 1) === wanted.rank);
  return { superlatives: all, near, right };
}

/** Places of superlatives that are part of a column's noun: followed by the noun's next word. */
function superlativesInside({ words }: Text, nouns: readonly string[]): Set<number> {
  const pairs = nouns.flatMap((noun) => {
    const parts = wordsOf(plainText(noun)).map((w) => w.folded);
    return parts.flatMap((part, i) =>
      (MOST.test(part) || LEAST.test(part)) && parts[i + 1] !== undefined
        ? [[part, parts[i + 1]!] as const]
        : [],
    );
  });
  const inside = (i: number) =>
    pairs.some(([a, b]) => words[i]!.folded === a && words[i + 1]?.folded.startsWith(b) === true);
  return new Set(pairs.length === 0 ? [] : words.flatMap((_, i) => (inside(i) ? [i] : [])));
}

/** Whether words from a place on begin with these stems, one after the other: "most massive". */
function startsWith(words: readonly Word[], at: number, stems: readonly string[]): boolean {
  return stems.length > 0 && stems.every((stem, k) => words[at + k]?.folded.startsWith(stem) === true);
}

/** How far behind its superlative a noun begins; before it, farther. */
function distance(words: readonly Word[], at: number, noun: string): number {
  const stems = keywords(noun);
  const isPart = (i: number) => stems.some((s) => words[i]?.folded.startsWith(s));
  for (let d = 1; d < REACH; d++) if (isPart(at + d)) return d;
  for (let d = 1; d <= REACH; d++) if (isPart(at - d)) return REACH + d;
  return 2 * REACH;
}

function whyNot({ order, rank, noun }: WantedSelect, { superlatives: all, near, right }: Places): Finding[] {
  if (all.length === 0) return [noSuperlative(order)];
  if (near.length === 0) return [missing("missing_order", `the ${noun} is not named by a superlative`)];
  if (right.length === 0) return [wrongRank(rank)];
  return [missing("missing_order", `not every choice has a superlative of its own: ${noun}`)];
}

/** So many places are tried for a choice, the nearest: a question makes few choices, a hostile text holds many superlatives. */
const TRIED = 6;
const NOWHERE = 1000;

/** A place for each, none twice, with the columns as near as can be; of equals, in the order of the text. */
function assigned(places: readonly (readonly Place[])[]): (number | undefined)[] {
  let best: { cost: number; marks: (number | undefined)[] } | undefined;
  const tried = places.map((p) =>
    [...p]
      .sort((a, b) => a.cost - b.cost || a.at - b.at)
      .slice(0, TRIED)
      .sort((a, b) => a.at - b.at),
  );
  const place = (i: number, cost: number, marks: readonly (number | undefined)[]): void => {
    if (best !== undefined && cost >= best.cost) return;
    if (i === tried.length) {
      best = { cost, marks: [...marks] };
      return;
    }
    for (const p of tried[i]!) if (!marks.includes(p.at)) place(i + 1, cost + p.cost, [...marks, p.at]);
    place(i + 1, cost + NOWHERE, [...marks, undefined]);
  };
  place(0, 0, []);
  return best!.marks;
}

/** The ordinal within two words before a superlative. */
function rankBefore({ plain, words }: Text, at: number): number | undefined {
  for (const w of [words[at - 1], words[at - 2]]) {
    const rank = w === undefined ? undefined : ordinalOf(w.folded);
    if (rank === undefined || rank === 1) continue;
    // "second, the largest" counts entities, "second largest" ranks them.
    if (!/[,;:.]/.test(plain.slice(w!.end, words[at]!.start))) return rank;
  }
  return undefined;
}

function ordinalOf(word: string): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word)?.[1];
  if (digits !== undefined) return Number(digits);
  const known = ORDINALS.indexOf(word);
  return known > 0 ? known : undefined;
}

/** "ranks third", "in third place", "number 3 by mass". */
function ranksElsewhere(words: readonly Word[], rank: number): boolean {
  return words.some((w, i) => {
    if (ordinalOf(w.folded) !== rank) return false;
    return (
      /^(?:rank\w*|comes?|place[ds]?|stands?|is)$/.test(words[i - 1]?.folded ?? "") ||
      /^(?:place|position|rank|in)$/.test(words[i + 1]?.folded ?? "")
    );
  });
}
