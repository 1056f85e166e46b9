import type { Card, ColumnCard } from "../../sources/card.js";
import { DERIVED } from "../program/derived.js";
import { article } from "./english.js";
import { isJoined } from "./joined.js";

/** What a column's values are like, for the right comparative: "longer than 3 d", "higher than 300 K", "later than 1990". */
export type Manner = "size" | "time" | "level" | "year" | "count";

export interface ColumnWords {
  readonly id: string;
  readonly noun: string;
  /** "a", "an", "the" or "". */
  readonly article: string;
  readonly manner: Manner;
  /** For counts: what is counted ("known moons" of "number of known moons"). */
  readonly counted: string | undefined;
  /** "order" and "derived subgroup" of "order of the derived subgroup". */
  readonly part: { readonly head: string; readonly of: string } | undefined;
  /** For years: what happened in it ("discovered" of "year of discovery"). */
  readonly event: string | undefined;
  readonly unit: string;
  /** Whether only whole or exact values occur, so that the ends of a range matter. */
  readonly exact: boolean;
  readonly definition: string | undefined;
  /** Superlatives that may stand before the entity's noun. */
  readonly max: readonly string[];
  readonly min: readonly string[];
}

const TIME = /\b(?:period|half-life|lifetime|duration|age|day|time|longevity|lifespan)$/;
const LEVEL =
  /\b(?:temperature|density|speed|velocity|albedo|abundance|energy|pressure|point|conductivity|capacity|rate|potential|frequency|gravity|latitude|inclination|obliquity|tilt|affinity|electronegativity|magnitude|elevation|altitude|activity)$/;
const YEAR = /^(?:year|date)\b|\byear$/;

const EVENTS: Readonly<Record<string, string>> = {
  discovery: "discovered",
  publication: "published",
  launch: "launched",
  construction: "built",
  foundation: "founded",
  isolation: "isolated",
  synthesis: "synthesised",
};

/** How a column is spoken of; a missing phrase falls back on the column's id. */
export function columnWords(card: Card, id: string): ColumnWords {
  const column = card.columns[id]!;
  const phrase = column.phrase;
  const derived = column.from === DERIVED;
  const said = phrase?.noun ?? id.replaceAll("_", " ");
  // Behind "with a ..." nothing is named yet that "its" could stand for.
  const noun = derived ? said.replace(" of its ", " of the ") : said;
  const counted = /^number of (.+)$/.exec(noun)?.[1];
  const manner: Manner =
    counted !== undefined
      ? "count"
      : isYear(column, noun)
        ? "year"
        : TIME.test(noun)
          ? "time"
          : LEVEL.test(noun)
            ? "level"
            : "size";
  const event =
    manner === "year"
      ? EVENTS[/^(?:year|date) of (?:its )?(?:first )?(\w+)$/.exec(noun)?.[1] ?? ""]
      : undefined;
  const [, head, whole] = /^(\w[\w -]*) of the (\w[\w -]*)$/.exec(noun) ?? [];
  return {
    id,
    noun,
    event,
    part:
      head === undefined || whole === undefined || manner === "year" || manner === "count"
        ? undefined
        : { head, of: whole },
    article: phrase?.article ?? article(noun),
    manner,
    counted,
    unit: manner === "year" ? "1" : (column.unit ?? "1"),
    exact: column.scale === "exact" || column.scale === "count" || column.type === "integer",
    definition: derived ? computedHere(noun, phrase?.definition) : phrase?.definition,
    max: (phrase?.max ?? (event === undefined ? [] : [`most recently ${event}`])).filter(standsBefore),
    min: (phrase?.min ?? (event === undefined ? [] : [`earliest-${event}`])).filter(standsBefore),
  };
}

/** A formula's definition as a sentence behind the question: "Here a bulk density is computed taking the body as a sphere." */
function computedHere(noun: string, definition: string | undefined): string | undefined {
  if (definition === undefined) return undefined;
  return `Here ${article(noun)} ${noun} is computed ${isJoined(definition) ? "" : "as "}${definition}.`;
}

/** A calendar year is a point in time, not a duration: it has no unit in prose. */
function isYear(column: ColumnCard, noun: string): boolean {
  return YEAR.test(noun) && column.scale !== "ratio" && column.scale !== "log";
}

/** "closest to the Sun" cannot stand before a noun. */
function standsBefore(superlative: string): boolean {
  return !/ (?:to|from|in|of|on|at|by) /.test(superlative);
}

const SUPERLATIVES: Readonly<Record<Manner, { max: readonly string[]; min: readonly string[] }>> = {
  size: { max: ["largest", "greatest"], min: ["smallest"] },
  time: { max: ["longest"], min: ["shortest"] },
  level: { max: ["highest"], min: ["lowest"] },
  year: { max: ["latest", "most recent"], min: ["earliest"] },
  count: { max: ["largest", "greatest"], min: ["smallest"] },
};

/** Superlatives for "the one with the ... noun". */
export function nounSuperlatives(column: ColumnWords, order: "max" | "min"): readonly string[] {
  return SUPERLATIVES[column.manner][order];
}

/** Definitions said so far: each is said once. */
export class Definitions {
  private readonly said = new Set<string>();

  has(column: ColumnWords): boolean {
    const { definition } = column;
    return definition === undefined || isSentence(definition) || this.said.has(definition);
  }

  /** The noun with its definition where that is still to be said: "sidereal orbital period", "radius (volumetric mean)". */
  noun(column: ColumnWords): string {
    if (this.has(column)) return column.noun;
    const definition = column.definition!;
    this.said.add(definition);
    if (column.noun.includes(definition)) return column.noun;
    return isAdjective(definition) ? `${definition} ${column.noun}` : `${column.noun} (${definition})`;
  }

  /** As {@link noun}, with the card's article, or the one that the first word asks for. */
  withArticle(column: ColumnWords): string {
    const noun = this.noun(column);
    if (column.article === "") return noun;
    return `${column.article === "the" ? "the" : article(noun)} ${noun}`;
  }
}

/** "The mean radius is that of the sphere of equal volume.": too long to stand inside a question, it follows it. */
export function isSentence(definition: string): boolean {
  return /^\p{Lu}.*\.$/u.test(definition);
}

/** One word such as "sidereal" or "geometric". */
function isAdjective(definition: string): boolean {
  return /^[a-z]+(?:al|ic|ar|ing|ed|ive|ous)$/.test(definition);
}
