import type { Condition } from "../../sources/card.js";
import type { Select } from "../program/program.js";
import { type Clause, clausesOf, modified, type Speech } from "./clauses.js";
import { type ColumnWords, columnWords, nounSuperlatives } from "./columns.js";
import { ordinal } from "./english.js";

/** The ways in which a question may speak of the candidates and of the one that is chosen. */
export interface Selection {
  /** "the planets of the Solar System that have a ring system" */
  readonly set: string;
  /** "those that have a ring system", "all of them": where the noun and its scope have been said. */
  readonly those: string;
  /** "the least massive planet of the Solar System that has a ring system"; absent where only "the one with ..." reads well. */
  readonly whole: string | undefined;
  /** "the least massive of them", "the one with the smallest mass" */
  readonly ofThem: string;
  /** "the least massive", "the one with the smallest mass" after "which is" / "take". */
  readonly one: string;
  /** "is the least massive", "has the smallest mass" */
  readonly verb: string;
  /** "planet" */
  readonly noun: string;
  readonly clauses: number;
  /** "The smallest", or "the one with the smallest radius". */
  readonly by: "adjective" | "noun";
}

/** Words for what a program selects. */
export function selectionOf(
  { where, select }: { readonly where: readonly Condition[]; readonly select: Select },
  speech: Speech,
): Selection {
  const { card, voice } = speech;
  const { singular, scope } = card.entity;
  const clauses = clausesOf(where, speech);
  const column = columnWords(card, select.column);
  const set = setOf(clauses, speech);
  const those = clauses.length === 0 ? "all of them" : modified("those", "", clauses, true);
  const shared = { set, those, noun: singular, clauses: clauses.length, by: "noun" as const };
  const adjective = adjectiveOf(select, column, speech);
  if (adjective !== undefined) {
    const whole = `the ${adjective} ${modified(singular, scope, clauses, false)}`;
    return {
      ...shared,
      by: "adjective",
      whole,
      ofThem: `the ${adjective} of them`,
      one: `the ${adjective} one`,
      verb: `is the ${adjective}`,
    };
  }
  if (column.part !== undefined && speech.definitions.has(column)) {
    const word = ranked(voice.pick("superlative.word", nounSuperlatives(column, select.order)), select.rank);
    const one = `the one whose ${column.part.of} has the ${word} ${column.part.head}`;
    const whole =
      clauses.length === 0
        ? `the ${modified(singular, scope, [], false)} ${one.slice("the one ".length)}`
        : undefined;
    return {
      ...shared,
      whole,
      ofThem: one,
      one,
      verb: `has the ${column.part.of} with the ${word} ${column.part.head}`,
    };
  }
  const best = nounOf(select, column, speech);
  return {
    ...shared,
    whole: wholeWithNoun(singular, scope, clauses, best),
    ofThem: `the one with ${best}`,
    one: `the one with ${best}`,
    verb: `has ${best}`,
  };
}

/** "the planets of the Solar System that have a ring system" */
export function setOf(clauses: readonly Clause[], { card, voice }: Speech): string {
  const { plural, scope } = card.entity;
  const all =
    clauses.length === 0
      ? voice.pick("all", ["the", "all the", "all"])
      : voice.pick("all", ["the", "the", "all"]);
  return `${all} ${modified(plural, scope, clauses, true)}`;
}

/** With conditions, "the planet that has rings with the smallest mass" would read wrongly; without any it reads well. */
function wholeWithNoun(
  noun: string,
  scope: string,
  clauses: readonly Clause[],
  best: string,
): string | undefined {
  if (clauses.length > 0) return undefined;
  return `the ${modified(noun, scope, [], false)} ${scope.startsWith("with ") ? "that has" : "with"} ${best}`;
}

/** "third most massive"; undefined where the card has none, or where the noun and its definition must be said. */
export function adjectiveOf(
  { order, rank }: Select,
  column: ColumnWords,
  { voice, definitions, by }: Speech,
): string | undefined {
  const ways = column[order];
  if (ways.length === 0 || !definitions.has(column) || by === "noun") return undefined;
  if (by === undefined && voice.named("superlative", ["adjective", "adjective", "noun"]) === "noun")
    return undefined;
  return ranked(voice.pick("superlative.word", ways), rank);
}

/** "the third-smallest semi-major axis", "the most known moons" */
export function nounOf({ order, rank }: Select, column: ColumnWords, { voice, definitions }: Speech): string {
  if (column.counted !== undefined && rank === 1 && definitions.has(column) && voice.seldom(2)) {
    voice.note("superlative.word", "count");
    return order === "max" ? `the most ${column.counted}` : `the fewest ${column.counted}`;
  }
  const word = voice.pick("superlative.word", nounSuperlatives(column, order));
  return `the ${ranked(word, rank)} ${definitions.noun(column)}`;
}

/** "second-largest" for one word, "second most massive" for two. */
function ranked(superlative: string, rank: number): string {
  if (rank === 1) return superlative;
  return `${ordinal(rank)}${/[ -]/.test(superlative) ? " " : "-"}${superlative}`;
}
