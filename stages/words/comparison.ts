import type { Card } from "../../sources/card.js";
import { isGeneric } from "../formulas/generic.js";
import type { InputRef } from "../program/program.js";
import { columnWords } from "./columns.js";
import { capitalised } from "./english.js";
import { isJoined } from "./joined.js";
import { definitionOf, inputsOf, type Sayable } from "./reads.js";
import type { Voice } from "./voice.js";

/** A quantity of two entities: one figure of each compared, or something between them. */
export interface Comparison {
  readonly kind: "ratio" | "difference" | "between" | "of_both";
  /** Whose figure comes first, and how the figures are called. */
  readonly first: { readonly of: InputRef["of"]; readonly noun: string };
  readonly second: { readonly of: InputRef["of"]; readonly noun: string };
  /** "great-circle distance" */
  readonly noun: string;
  /** ", on a sphere of the Earth's mean radius", " (...)" or "". */
  readonly definition: string;
}

/** Quantities that lie between two things rather than belong to one of them. */
const BETWEEN = /\b(?:distance|separation|angle|difference|interval|bearing)\b/;

/** What a row compares, where it does: two entities' figures, or those of both ends of a path. */
export function comparisonOf(row: Sayable, cards: ReadonlyMap<string, Card>): Comparison | undefined {
  const { program, formula } = row;
  const inputs = inputsOf(row, cards);
  const far = inputs.filter((i) => i.ref.of === "other" || i.ref.of === "followed");
  const near = inputs.filter((i) => i.ref.of === "selected");
  if (far.length === 0 || inputs.some((i) => i.ref.of === "candidates")) return undefined;
  const generic = isGeneric(formula.id);
  const kind =
    generic && (formula.id === "ratio" || formula.id === "difference")
      ? formula.id
      : BETWEEN.test(formula.noun)
        ? "between"
        : "of_both";
  if (program.other === undefined && (near.length === 0 || kind === "of_both")) return undefined;
  const [a, b] = inputs;
  const side = (input: typeof a) => ({
    of: input!.ref.of,
    noun: columnWords(input!.card, input!.ref.column).noun,
  });
  const text = definitionOf(row, cards);
  const definition = text === "" ? "" : isJoined(text) ? `, ${text}` : ` (${text})`;
  return { kind, first: side(a), second: side(b ?? a), noun: formula.noun, definition };
}

/** How the two are called where the question asks: "the former" and "the latter". */
export interface Pair {
  readonly one: string;
  readonly two: string;
}

/** The compared quantity as a noun phrase, `one` being the selected entity: "the ratio of the mass of the former to that of the latter". */
function comparedWords(c: Comparison, { one, two }: Pair, voice: Voice): string {
  const [a, b] = c.first.of === "selected" ? [one, two] : [two, one];
  const { noun } = c.first;
  const that = c.second.noun === noun ? "that" : `the ${c.second.noun}`;
  switch (c.kind) {
    case "ratio": {
      const ways = [`the ratio of the ${noun} of ${a} to ${that} of ${b}`];
      if (isShort(a) && isShort(b) && that === "that" && isPlain(noun))
        ways.push(`the ratio of ${a}’s ${noun} to ${b}’s`, `the ${noun} of ${a} divided by that of ${b}`);
      return voice.pick("compared", ways);
    }
    case "difference":
      // The answer is a magnitude: a plain difference of the first and the second may be read as negative.
      return voice.pick("compared", [
        `the absolute difference between the ${noun} of ${a} and ${that} of ${b}`,
      ]);
    case "between":
      return `the ${c.noun} between ${one} and ${two}${c.definition}`;
    case "of_both":
      return `the ${c.noun} of ${one} and ${two}${c.definition}`;
  }
}

/** As a sentence that asks: "What is ...?", "By how much do the two differ in mass?". */
export function askCompared(c: Comparison, pair: Pair, imperative: string | undefined, voice: Voice): string {
  if (imperative !== undefined) return `${capitalised(imperative)} ${comparedWords(c, pair, voice)}.`;
  const same = c.first.noun === c.second.noun;
  if (c.kind === "difference" && same && isShort(pair.one) && voice.seldom(3)) {
    voice.note("compared", "differ");
    return `By how much do the two differ in ${isPlain(c.first.noun) ? "" : "the "}${c.first.noun}?`;
  }
  return `What is ${comparedWords(c, pair, voice)}?`;
}

/** "the former", "this moon", not a whole description. */
const isShort = (thing: string): boolean => thing.split(" ").length <= 3;
/** A noun to which "the former’s" may be put. */
const isPlain = (noun: string): boolean => !/ (?:of|in|at|per|to|by|from|on|that|with) /.test(noun);
