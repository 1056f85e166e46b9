import { askCompared, type Comparison, type Pair } from "./comparison.js";
import { shortNoun } from "./english.js";
import { type Asked, doIt, one, pickOut, seek, takeOne } from "./moods.js";
import type { Plan } from "./plans.js";
import type { Selection } from "./selection.js";
import type { Voice } from "./voice.js";

/** What a question about two entities of one table has to say. */
export interface Two {
  readonly a: Selection;
  readonly b: Selection;
  /** Whether both are chosen from the same candidates. */
  readonly shared: boolean;
  /** Whether one of them is the second or third of its kind, so that "the second" would be read twice. */
  readonly ranked: boolean;
  /** "moons of the planets and Pluto" */
  readonly all: string;
  /** Whether the entity has a scope, which is said once. */
  readonly scoped: boolean;
}

/**
 * Questions about two selected entities. "Those" always means those of the whole table, which has been named before: "of the moons with
 * rings take A, and of those with ... take B" would leave open from which set B comes.
 */
export function compare(plan: Plan, two: Two, c: Comparison, voice: Voice): Asked {
  const imperative = plan === "find" || plan === "calculate" ? doIt(voice) : undefined;
  if (two.shared) return one(fromOneSet(plan, two, c, imperative, voice));
  switch (plan) {
    case "question_first":
    case "calculate": {
      const pair = wholePair(two);
      if (pair !== undefined) return one(askCompared(c, pair, imperative, voice));
      return one(`${listed("Consider", two, voice)} ${ending(c, two, imperative, voice)}`);
    }
    case "consider":
      return one(`${listed("Consider", two, voice)} ${ending(c, two, imperative, voice)}`);
    case "among":
    case "of_which": {
      const from = plan === "among" ? "Among" : "Of";
      return one(`${listed(from, two, voice)} ${ending(c, two, imperative, voice)}`);
    }
    case "find":
    case "take": {
      const both = two.scoped ? listed("Consider", two, voice) : oneByOne(plan, two, voice);
      return one(`${both} ${ending(c, two, imperative, voice)}`);
    }
  }
}

function ending(c: Comparison, two: Two, imperative: string | undefined, voice: Voice): string {
  return askCompared(c, pairNames(two, c, voice), imperative, voice);
}

/** "The first’s first ionization energy" would be read twice. */
function pairNames({ a, ranked }: Two, { first, second }: Comparison, voice: Voice): Pair {
  const names: Pair[] = [{ one: "the former", two: "the latter" }];
  const ordinal = /\b(?:first|second)\b/.test(`${first.noun} ${second.noun}`);
  if (!ranked && !ordinal) {
    names.push({ one: "the first", two: "the second" });
    names.push({ one: `the first ${shortNoun(a.noun)}`, two: `the second ${shortNoun(a.noun)}` });
  }
  return voice.pick("pair", names);
}

/** Two whole descriptions inside one question, if both are short. */
function wholePair({ a, b }: Two): Pair | undefined {
  if (a.whole === undefined || b.whole === undefined || a.clauses + b.clauses > 1) return undefined;
  return { one: a.whole, two: b.whole };
}

/** "Consider two moons of the planets: the most massive one among those with ..., and the one with ... among those on ..." */
function listed(opening: string, { a, b, all, ranked }: Two, voice: Voice): string {
  const [first, second] = [a, b].map(
    (s) => `${s.clauses === 0 ? s.one.replace(/ one$/, "") : s.one} ${s.those}`,
  );
  const ways = [`${first}, and ${second}`];
  if (!ranked) ways.push(`first, ${first}; second, ${second}`);
  const both = voice.pick("list", ways);
  if (opening === "Consider")
    return `${voice.pick("two", ["Consider", "Compare", "Take"])} two ${all}: ${both}.`;
  return `${opening} the ${all}, ${voice.pick("two", ["take", "consider", "compare"])} two: ${both}.`;
}

/** "Take the most massive moon with ... . Then, of the moons on ..., take the one with ..." */
function oneByOne(plan: Plan, { a, b }: Two, voice: Voice): string {
  const pick = (s: Selection) => (plan === "find" ? pickOut(s, voice) : takeOne(s, voice));
  const then = voice.pick("then", ["Then", "Next"]);
  const second = voice.within("other", () => pick(b));
  return `${pick(a)}. ${then}, ${second.charAt(0).toLowerCase()}${second.slice(1)}.`;
}

function fromOneSet(
  plan: Plan,
  two: Two,
  c: Comparison,
  imperative: string | undefined,
  voice: Voice,
): string {
  const { a, b } = two;
  const end = ending(c, two, imperative, voice);
  switch (plan) {
    case "question_first":
    case "calculate":
    case "consider":
      return `Consider ${a.set}. Take ${a.ofThem} and ${b.one}. ${end}`;
    case "among":
    case "of_which":
    case "take":
      return `${voice.pick("from", ["Of", "From", "Among"])} ${a.set}, take ${a.one} and ${b.one}. ${end}`;
    case "find":
      return `Among ${a.set}, ${seek(voice)} ${a.one} and ${b.one}. ${end}`;
  }
}
