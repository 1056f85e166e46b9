import type { Condition } from "../../sources/card.js";
import type { Select } from "../program/program.js";
import { type Clause, clausesOf, type Speech } from "./clauses.js";
import { type ColumnWords, columnWords, nounSuperlatives } from "./columns.js";
import { ordinal } from "./english.js";
import { modified } from "./modified.js";

/** The ways in which a question may speak of the candidates and of the one that is chosen. */
export interface Selection {
  /** "the planets of the Solar System that have a ring system" */
  readonly set: string;
  /** "among those that have a ring system", "of all": where the noun and its scope have been said. */
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
  const { card } = speech;
  const { singular, scope } = card.entity;
  const clauses = clausesOf(where, speech);
  const column = columnWords(card, select.column);
  const set = setOf(clauses, speech);
  const those = clauses.length === 0 ? "of all" : `among ${modified("those", "", clauses, true)}`;
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
  const best = bestOf(select, column, speech);
  const one = `the one ${best.form} ${best.text}`;
  return {
    ...shared,
    // With conditions, "the planet that has rings with the smallest mass" would read wrongly.
    whole: clauses.length === 0 ? `the ${modified(singular, scope, [best], false)}` : undefined,
    ofThem: one,
    one,
    verb: best.form === "with" ? `has ${best.text}` : best.text.replace(/^(.+) has /, "has the $1 with "),
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

/** "third most massive"; undefined where the card has none, or where the noun and its definition must be said. */
export function adjectiveOf(
  { order, rank }: Select,
  column: ColumnWords,
  { voice, definitions, by }: Speech,
): string | undefined {
  const ways = column[order];
  if (ways.length === 0 || !definitions.has(column) || by === "noun") return undefined;
  // "The oldest" is always better than "the one whose base has the greatest age".
  // And "the lowest latitude" might be the one nearest the equator.
  const free = by === undefined && column.part === undefined && !ways.every((way) => /ernmost$/.test(way));
  if (free && voice.named("superlative", ["adjective", "adjective", "noun"]) === "noun") return undefined;
  return ranked(voice.pick("superlative.word", ways), rank);
}

/** "with the third-smallest semi-major axis", "with the most known moons", "whose derived subgroup has the largest order" */
export function bestOf(
  { order, rank }: Select,
  column: ColumnWords,
  { voice, definitions }: Speech,
): Clause & { readonly form: "with" | "whose" } {
  const said = definitions.has(column);
  if (column.counted !== undefined && rank === 1 && said && voice.seldom(2)) {
    voice.note("superlative.word", "count");
    return { form: "with", text: `the ${order === "max" ? "most" : "fewest"} ${column.counted}` };
  }
  const word = ranked(voice.pick("superlative.word", nounSuperlatives(column, order)), rank);
  if (column.part !== undefined && said)
    return { form: "whose", text: `${column.part.of} has the ${word} ${column.part.head}` };
  return { form: "with", text: `the ${word} ${definitions.noun(column)}` };
}

/** "second-largest" for one word, "second most massive" for two. */
function ranked(superlative: string, rank: number): string {
  if (rank === 1) return superlative;
  return `${ordinal(rank)}${/[ -]/.test(superlative) ? " " : "-"}${superlative}`;
}
