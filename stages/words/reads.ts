import type { Card } from "../../sources/card.js";
import type { Catalog } from "../../sources/table.js";
import { catalogFor } from "../program/derived.js";
import { cardOf, cardsAlong } from "../program/path.js";
import type { InputRef, Select } from "../program/program.js";
import type { ComputedRow } from "../task.js";
import { type ColumnWords, columnWords, type Definitions, isSentence } from "./columns.js";
import { shortNoun } from "./english.js";

/** What the words for a program rest on: the columns that it reads, their definitions, constants and date. */

/** What the grammar needs of a row: nothing of the answer but its unit, digits and kind. */
export type Sayable = Pick<ComputedRow, "program" | "formula" | "derived"> & {
  answer: Pick<ComputedRow["answer"], "type" | "unit" | "digits">;
};

/** The cards of a row's tables, its derived columns among the others. */
export function cardsFor(row: Pick<Sayable, "program" | "derived">, catalog: Catalog): Map<string, Card> {
  return new Map([...catalogFor(row, catalog).tables].map(([id, table]) => [id, table.card]));
}

/** An input of the formula and the card of the table that it is read from. */
export interface InputWords {
  readonly name: string;
  readonly ref: InputRef;
  readonly card: Card;
}

export function inputsOf({ program }: Sayable, cards: ReadonlyMap<string, Card>): InputWords[] {
  return Object.entries(program.compute.inputs).map(([name, ref]) => ({
    name,
    ref,
    card: cardOf(program, ref.of, cards)!,
  }));
}

/** All choices that a program makes, each with the card of its table: the selected entity, peers along the path, the other one. */
export function selectsOf(
  { program }: Sayable,
  cards: ReadonlyMap<string, Card>,
): { readonly card: Card; readonly select: Select }[] {
  const card = cards.get(program.table)!;
  const along = cardsAlong(program, cards);
  const peers = (program.follow ?? []).flatMap((step, i) =>
    typeof step === "string" ? [] : [{ card: along[i]!, select: step.select }],
  );
  return [
    ...(program.select === undefined ? [] : [{ card, select: program.select }]),
    ...peers,
    ...(program.other === undefined ? [] : [{ card, select: program.other.select }]),
  ];
}

/** The conditions of a program, those on the other entity behind those on the first. */
export function conditionsOf({ program }: Pick<Sayable, "program">): Sayable["program"]["where"] {
  return [...program.where, ...(program.other?.where ?? [])];
}

interface Read {
  readonly column: string;
  readonly card: Card;
  /** Whether it decides who is chosen. */
  readonly decides: boolean;
}

/** Each column whose figures a program reads, with its card; behind derived ones those that they are computed from. */
function readColumns(row: Sayable, cards: ReadonlyMap<string, Card>): Read[] {
  const card = cards.get(row.program.table)!;
  return [
    ...conditionsOf(row).map((c) => ({ card, column: c.column, decides: true })),
    ...selectsOf(row, cards).map(({ card, select }) => ({ card, column: select.column, decides: true })),
    ...inputsOf(row, cards).map(({ card, ref }) => ({ card, column: ref.column, decides: false })),
    ...columnsBehind(row).map((column) => ({ card, column, decides: false })),
  ];
}

/** The columns from which derived ones are computed. */
function columnsBehind({ program }: Sayable): string[] {
  return Object.values(program.derive ?? {}).flatMap((d) => Object.values(d.inputs));
}

/** The words of each column that a program reads. How its values "are compared" is told only of a column that decides. */
export function usedColumns(row: Sayable, cards: ReadonlyMap<string, Card>): ColumnWords[] {
  return readColumns(row, cards).map(({ card, column, decides }) => {
    const words = columnWords(card, column);
    const idle = !decides && /\b(?:is|are) compared\b/.test(words.definition ?? "");
    return idle ? { ...words, definition: undefined } : words;
  });
}

/** As-of dates of the cards of which a value is used that drifts, each with the entities whose values are of that date. */
export function asOfDates(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
): ReadonlyMap<string, readonly string[]> {
  const dates = new Map<string, string[]>();
  for (const { card, column } of readColumns(row, cards)) {
    if (card.columns[column]!.drift === undefined) continue;
    const noun = shortNoun(card.entity.plural);
    const nouns = dates.get(card.as_of) ?? [];
    dates.set(card.as_of, nouns.includes(noun) ? nouns : [...nouns, noun]);
  }
  return dates;
}

/** The formula's definition with the nouns of the columns that feed it. */
export function definitionOf(row: Sayable, cards: ReadonlyMap<string, Card>): string {
  const nouns = new Map(
    inputsOf(row, cards).map(({ name, ref, card }) => [name, columnWords(card, ref.column).noun]),
  );
  return (row.formula.definition ?? "").replace(/\{([a-z][a-z0-9_-]*)\}/g, (whole, name: string) => {
    return nouns.get(name) ?? row.formula.inputs[name]?.noun ?? whole;
  });
}

/** Symbols of the constants that a question states, those of derived columns among them. */
export function constantsOf({ formula, derived }: Sayable): string[] {
  const others = Object.values(derived ?? {}).flatMap((f) => f.state_constants);
  return [...new Set([...formula.state_constants, ...others])];
}

/** Inputs whose column has a definition that nothing has said yet. */
export function undefinedInputs(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  definitions: Definitions,
): string[] {
  const said = definitionOf(row, cards);
  const own = cards.get(row.program.table)!;
  const inputs = inputsOf(row, cards).map(({ ref, card }) => columnWords(card, ref.column));
  const behind = columnsBehind(row).map((column) => columnWords(own, column));
  return [...inputs, ...behind].flatMap((words) => {
    if (definitions.has(words) || said.includes(words.definition!)) return [];
    return [definitions.noun(words)];
  });
}

/** Definitions of columns that stand as sentences after the question, each once. */
export function sentences(row: Sayable, cards: ReadonlyMap<string, Card>): string[] {
  const definitions = usedColumns(row, cards).flatMap(({ definition }) => definition ?? []);
  return [...new Set(definitions.filter(isSentence))];
}
