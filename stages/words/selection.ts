import type { Program } from "../program/program.js";
import { type Clause, clausesOf, modified, type Speech } from "./clauses.js";
import { type ColumnWords, columnWords, nounSuperlatives } from "./columns.js";
import { ordinal } from "./english.js";

/** The ways in which a question may speak of the candidates and of the one that is chosen. */
export interface Selection {
  /** "the planets of the Solar System that have a ring system" */
  readonly set: string;
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
}

/** Words for what a program selects. */
export function selectionOf(program: Program, speech: Speech): Selection {
  const { card, voice } = speech;
  const { singular, plural, scope } = card.entity;
  const clauses = clausesOf(program.where, speech);
  const column = columnWords(card, program.select.column);
  const all =
    clauses.length === 0
      ? voice.pick("all", ["the", "all the", "all"])
      : voice.pick("all", ["the", "the", "all"]);
  const set = `${all} ${modified(plural, scope, clauses, true)}`;
  const noun = singular;
  const adjective = adjectiveOf(program, column, speech);
  if (adjective !== undefined) {
    const whole = `the ${adjective} ${modified(singular, scope, clauses, false)}`;
    return {
      set,
      whole,
      ofThem: `the ${adjective} of them`,
      one: `the ${adjective} one`,
      verb: `is the ${adjective}`,
      noun,
      clauses: clauses.length,
    };
  }
  if (column.part !== undefined && speech.definitions.has(column)) {
    const word = ranked(
      voice.pick("superlative.word", nounSuperlatives(column, program.select.order)),
      program.select.rank,
    );
    const one = `the one whose ${column.part.of} has the ${word} ${column.part.head}`;
    const whole =
      clauses.length === 0
        ? `the ${modified(singular, scope, [], false)} ${one.slice("the one ".length)}`
        : undefined;
    return {
      set,
      whole,
      ofThem: one,
      one,
      verb: `has the ${column.part.of} with the ${word} ${column.part.head}`,
      noun,
      clauses: clauses.length,
    };
  }
  const best = nounOf(program, column, speech);
  return {
    set,
    whole: wholeWithNoun(singular, scope, clauses, best),
    ofThem: `the one with ${best}`,
    one: `the one with ${best}`,
    verb: `has ${best}`,
    noun,
    clauses: clauses.length,
  };
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
function adjectiveOf(
  program: Program,
  column: ColumnWords,
  { voice, definitions }: Speech,
): string | undefined {
  const ways = column[program.select.order];
  if (ways.length === 0 || !definitions.has(column)) return undefined;
  if (voice.named("superlative", ["adjective", "adjective", "noun"]) === "noun") return undefined;
  return ranked(voice.pick("superlative.word", ways), program.select.rank);
}

/** "the third-smallest semi-major axis", "the most known moons" */
function nounOf(program: Program, column: ColumnWords, { voice, definitions }: Speech): string {
  const { order, rank } = program.select;
  if (column.counted !== undefined && rank === 1 && definitions.has(column) && voice.seldom(2)) {
    voice.style["superlative.word"] = "count";
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
