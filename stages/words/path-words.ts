import type { Card } from "../../sources/card.js";
import { cardsAlong } from "../program/path.js";
import type { Peers } from "../program/program.js";
import { phraseClause, type Speech } from "./clauses.js";
import { columnWords } from "./columns.js";
import { modified } from "./modified.js";
import type { Sayable } from "./reads.js";
import { adjectiveOf, bestOf } from "./selection.js";

/** One step of a path: how to speak of the entity that another one leads to. */
export interface StepWords {
  /** "the planet that {it} orbits" for a given "it". */
  readonly to: (it: string) => string;
  /** "planet" */
  readonly noun: string;
}

/** A path in words. */
export interface PathWords {
  readonly steps: readonly StepWords[];
  /** Whether the quantity needs figures of both ends, and so is asked of the selected entity. */
  readonly mixed: boolean;
}

/** Whether a path has to be said: an input is read at its end, and the quantity's own noun does not say it already. */
export function saysPath(row: Sayable, cards: ReadonlyMap<string, Card>): boolean {
  const { program, formula } = row;
  const refs = Object.values(program.compute.inputs);
  if (program.follow === undefined || !refs.some((r) => r.of === "followed")) return false;
  const [step, further] = program.follow;
  if (further !== undefined || typeof step !== "string" || !refs.some((r) => r.of === "selected"))
    return true;
  // "its orbital speed about its planet" says the hop by itself.
  const noun = cardsAlong(program, cards)[0]!.entity.singular;
  return !new RegExp(`\\bits ${noun.replace(/[^\w ]/g, ".")}\\b`).test(formula.noun);
}

/** The path of a program in words, where it has to be said. */
export function pathWords(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  speech: Speech,
): PathWords | undefined {
  const { program } = row;
  if (!saysPath(row, cards)) return undefined;
  const along = cardsAlong(program, cards);
  const steps = program.follow!.map((step, i): StepWords => {
    const here = i === 0 ? cards.get(program.table)! : along[i - 1]!;
    const noun = along[i]!.entity.singular;
    if (typeof step !== "string")
      return speech.voice.within("peers", () => peersWords(step, { ...speech, card: here }));
    return { to: (it) => linkWords(here.links[step]!.phrase, it), noun };
  });
  return { steps, mixed: Object.values(program.compute.inputs).some((r) => r.of === "selected") };
}

/** "its capital", not "the capital of it"; "the country whose capital it is", not "... whose capital is this capital". */
function linkWords(phrase: string, it: string): string {
  const own = /^the ([\w -]+) of \{it\}$/.exec(phrase)?.[1];
  if (own !== undefined && it === "it") return `its ${own}`;
  const part = / whose ([\w -]+) is \{it\}$/.exec(phrase)?.[1];
  if (part !== undefined && it.endsWith(` ${part}`))
    return phrase.replace(/ whose [\w -]+ is \{it\}$/, ` of which it is the ${part}`);
  const turned = it === "it" ? phrase.replace(/ is \{it\}$/, " it is") : phrase;
  return turned.replaceAll("{it}", it);
}

/** Columns of places and of what has an inside; of kinds of things; of anything else two things have the same. */
const INSIDE =
  /\b(?:country|region|state|province|county|city|municipality|constellation|block|zone|area|district|territory|sea|ocean|galaxy|category)$/;
const UPON = /\b(?:continent|island|chromosome|arm)$/;
const KIND = /\b(?:element|kind|class|type|family|group|species|genus|order|planet|star|host|parent)$/;

/** "in the same country", "on the same continent", "of the same element", "with the same currency" */
export function sameWords(noun: string): string {
  const word = INSIDE.test(noun) ? "in" : UPON.test(noun) ? "on" : KIND.test(noun) ? "of" : "with";
  return `${word} the same ${noun}`;
}

/**
 * "the highest airport in the same country as {it}", "the longest of the bands (of the human genome) on the same chromosome as {it}".
 * What the scope has in brackets of its own was said with the first candidates.
 */
function peersWords({ peers, select }: Peers, speech: Speech): StepWords {
  const { card, voice } = speech;
  const { singular, plural } = card.entity;
  const scope = card.entity.scope.replace(/ ?\([^)]*\)/g, "");
  const same = sameWords(columnWords(card, peers).noun);
  const column = columnWords(card, select.column);
  const adjective = adjectiveOf(select, column, speech);
  const those = (noun: string, many: boolean) => (it: string) =>
    modified(noun, scope, [phraseClause(`${same} as ${it}`)], many);
  const others = those(plural, true);
  if (adjective === undefined) {
    const { form, text } = bestOf(select, column, speech);
    return { to: (it) => `the one ${form} ${text} among the ${others(it)}`, noun: singular };
  }
  if (voice.named("same", ["short", "long"]) === "long")
    return { to: (it) => `the ${adjective} of the ${others(it)}`, noun: singular };
  const other = those(singular, false);
  return { to: (it) => `the ${adjective} ${other(it)}`, noun: singular };
}
