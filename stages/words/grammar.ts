import type { Random } from "../../pipeline/base/random.js";
import type { Card } from "../../sources/card.js";
import type { ComputedRow } from "../task.js";
import { askFor, given } from "./asking.js";
import { type ColumnWords, columnWords, Definitions, isSentence } from "./columns.js";
import { ask, type Hop, PLANS, type Plan, type Quantity } from "./plans.js";
import { selectionOf } from "./selection.js";
import { openVoice } from "./voice.js";

/** A question and how it came to be worded as it is. */
export interface Worded {
  readonly question: string;
  readonly style: Record<string, string>;
}

/** What the grammar needs of a row: nothing of the answer but its unit, digits and kind. */
export type Sayable = Pick<ComputedRow, "program" | "formula"> & {
  answer: Pick<ComputedRow["answer"], "type" | "unit" | "digits">;
};

/**
 * Words a program as one or a few English sentences. The same stream gives the same words.
 * @param plans sentence plans to draw from
 */
export function wordQuestion(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  random: Random,
  plans: readonly Plan[] = PLANS,
): Worded {
  const { program, formula } = row;
  const voice = openVoice(random);
  const definitions = new Definitions();
  const card = cards.get(program.table)!;
  const speech = { card, voice, definitions };
  const selection = selectionOf(program, speech);
  const quantity = quantityOf(row, cards);
  const asked = ask(selection, quantity, hopOf(row, cards), plans, voice);
  const inputs = undefinedInputs(row, cards, definitions);
  const facts = given(formula.state_constants, inputs, asOfDate(row, cards), voice);
  const answer = { ...row.answer } as ComputedRow["answer"];
  const question = [
    asked.text,
    ...sentences(row, cards),
    facts,
    askFor(answer, headOf(formula.noun), asked.twoQuestions, voice),
  ]
    .filter((s) => s !== undefined)
    .join(" ");
  return { question, style: voice.style };
}

/** The card that each input of the formula is read from. */
function inputCards(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
): { name: string; column: string; card: Card }[] {
  const { program } = row;
  const card = cards.get(program.table)!;
  const link = program.follow === undefined ? undefined : card.links[program.follow];
  return Object.entries(program.compute.inputs).map(([name, ref]) => ({
    name,
    column: ref.column,
    card: ref.of === "followed" && link !== undefined ? cards.get(link.to)! : card,
  }));
}

/** Beginnings of a definition that a comma may join to the question; others stand in brackets behind the noun. */
const JOINED =
  /^(?:taking|from|by|as|on|at|over|for|with|assuming|neglecting|defined|in|leaving|treating|using|without|to|under|when|if|relative|ignoring|counting|given|expressed|measured|reckoned|disregarding|including|excluding|based|calculated|computed)\b/;

/** How the quantity is spoken of, by the shape of its noun. */
function quantityOf(row: Sayable, cards: ReadonlyMap<string, Card>): Quantity {
  const { noun } = row.formula;
  const text = definitionOf(row, cards);
  const joined = JOINED.test(text);
  const apposed = !joined && text !== "" && noun.endsWith(")");
  const bracket = text === "" || joined || apposed ? "" : ` (${text})`;
  const definition = joined ? `, ${text}` : apposed ? `, that is, ${text}` : "";
  const pronoun = /\bits?\b/.test(noun);
  const counted = pronoun ? undefined : /^number of (.+)$/.exec(noun)?.[1];
  if (counted !== undefined) {
    return {
      its: `the number of its ${counted}${bracket}`,
      of: bracket === "" ? `the ${noun}` : undefined,
      definition,
    };
  }
  // "the radius of its Hill sphere", "the time that sunlight takes to reach it", but "its orbital speed about its planet".
  const [, link] = / (of|that|at|by|about|in|as|with|from|to|on|between|after|over|under) /.exec(noun) ?? [];
  const owns = !pronoun || link === undefined || /^(?:about|in|by|as|with|to|from)$/.test(link);
  return {
    its: `${owns ? "its" : "the"} ${noun}${bracket}`,
    of: link === undefined && bracket === "" && !apposed ? `the ${noun}` : undefined,
    definition,
  };
}

/** The noun's head, for asking: "radius" of "radius of its Hill sphere". */
function headOf(noun: string): string {
  return noun.split(/ (?:of|that|at|by|about|in|as|with|from|to|on|between|after|over|under) | \(|,/)[0]!;
}

/** The formula's definition with the nouns of the columns that feed it. */
export function definitionOf(row: Sayable, cards: ReadonlyMap<string, Card>): string {
  const nouns = new Map(
    inputCards(row, cards).map(({ name, column, card }) => [name, columnWords(card, column).noun]),
  );
  return (row.formula.definition ?? "").replace(/\{([a-z][a-z0-9_-]*)\}/g, (whole, name: string) => {
    return nouns.get(name) ?? row.formula.inputs[name]?.noun ?? whole;
  });
}

/** The hop, where an input is read beyond it. */
export function hopOf(row: Sayable, cards: ReadonlyMap<string, Card>): Hop | undefined {
  const { program } = row;
  const link = program.follow === undefined ? undefined : cards.get(program.table)!.links[program.follow];
  const refs = Object.values(program.compute.inputs);
  if (link === undefined || !refs.some((r) => r.of === "followed")) return undefined;
  const mixed = refs.some((r) => r.of === "selected");
  const noun = cards.get(link.to)!.entity.singular;
  // "its orbital speed about its planet" says the hop by itself.
  if (mixed && new RegExp(`\\bits ${noun.replace(/[^\w ]/g, ".")}\\b`).test(row.formula.noun))
    return undefined;
  return {
    to: (it) => link.phrase.replaceAll("{it}", it),
    mixed,
    noun,
  };
}

/** Inputs whose column has a definition that nothing has said yet. */
function undefinedInputs(row: Sayable, cards: ReadonlyMap<string, Card>, definitions: Definitions): string[] {
  const said = definitionOf(row, cards);
  return inputCards(row, cards).flatMap(({ column, card }) => {
    const words = columnWords(card, column);
    if (definitions.has(words) || said.includes(words.definition!)) return [];
    return [definitions.noun(words)];
  });
}

/** Definitions of columns that stand as sentences after the question, each once. */
function sentences(row: Sayable, cards: ReadonlyMap<string, Card>): string[] {
  const definitions = usedColumns(row, cards).flatMap(({ definition }) => definition ?? []);
  return [...new Set(definitions.filter(isSentence))];
}

/** Each column that a program reads, with its card. */
function readColumns(row: Sayable, cards: ReadonlyMap<string, Card>): { column: string; card: Card }[] {
  const { program } = row;
  const card = cards.get(program.table)!;
  return [
    ...program.where.map((c) => ({ card, column: c.column })),
    { card, column: program.select.column },
    ...inputCards(row, cards).map(({ column, card }) => ({ column, card })),
  ];
}

/** The words of each column that a program reads. */
export function usedColumns(row: Sayable, cards: ReadonlyMap<string, Card>): ColumnWords[] {
  return readColumns(row, cards).map(({ card, column }) => columnWords(card, column));
}

/** The as-of date of the cards, where a value that is used drifts; the later of two. */
export function asOfDate(row: Sayable, cards: ReadonlyMap<string, Card>): string | undefined {
  const drifting = readColumns(row, cards).filter(
    ({ card, column }) => card.columns[column]!.drift !== undefined,
  );
  return drifting
    .map(({ card }) => card.as_of)
    .sort()
    .at(-1);
}
