import type { Card } from "../../sources/card.js";
import type { Catalog, Table } from "../../sources/table.js";
import { constantOf } from "../../verifiers/constants.js";
import type { WantedFigure } from "../../verifiers/mention-figures.js";
import type { Wanted } from "../../verifiers/mentions.js";
import type { Names } from "../../verifiers/name-leaks.js";
import type { HiddenValue, StatedValue } from "../../verifiers/value-leaks.js";
import { isGeneric } from "../formulas/generic.js";
import { cardsAlong } from "../program/path.js";
import type { ComputedRow } from "../task.js";
import { columnWords } from "./columns.js";
import { numbersOf, phrasesOf } from "./expected-conditions.js";
import { hiddenOf, statedOf, textsOf } from "./expected-values.js";
import { saysPath } from "./path-words.js";
import {
  asOfDates,
  cardsFor,
  conditionsOf,
  constantsOf,
  definitionOf,
  inputsOf,
  selectsOf,
  usedColumns,
} from "./reads.js";
import { scopeOf } from "./scope.js";

/** What the lint looks for in the wording of one row, as plain values. */
export interface Expectations {
  readonly wanted: Wanted;
  readonly names: Names;
  readonly hidden: readonly HiddenValue[];
  readonly stated: readonly StatedValue[];
  readonly sources: { readonly names: readonly string[]; readonly hosts: readonly string[] };
}

export function expectationsOf(row: ComputedRow, catalog: Catalog): Expectations {
  const cards = cardsFor(row, catalog);
  const tables = Object.keys(row.snapshots).map((id) => catalog.tables.get(id)!);
  const used = tables.map((t) => t.card);
  const wanted = wantedOf(row, cards);
  const allowed = allowedTexts(row, cards);
  return {
    wanted,
    names: {
      ...namesOf(row, catalog),
      allowed,
      vocabulary: used.flatMap((c) => [
        c.entity.singular,
        c.entity.plural,
        ...Object.values(c.columns).map((k) => k.phrase?.noun ?? ""),
      ]),
    },
    hidden: hiddenOf(row),
    stated: statedOf(row, wanted, allowed, [...asOfDates(row, cards).keys()]),
    sources: {
      names: used.flatMap((c) => [...c.source_names, c.publisher.name]),
      hosts: used.flatMap((c) => c.publisher.hosts),
    },
  };
}

function wantedOf(row: ComputedRow, cards: ReadonlyMap<string, Card>): Wanted {
  const { program, formula, answer } = row;
  const card = cards.get(program.table)!;
  const definition = definitionOf(row, cards);
  const inputs = Object.values(formula.inputs).map((i) => i.noun);
  const conditions = conditionsOf(row);
  return {
    numbers: conditions.flatMap((c) => numbersOf(c, card)),
    phrases: conditions.flatMap((c) => phrasesOf(c, card)),
    selects: selectsOf(row, cards).map(({ card, select }) => {
      const column = columnWords(card, select.column);
      return { ...select, superlatives: column[select.order], noun: column.noun };
    }),
    entity: [card.entity.singular, card.entity.plural],
    scope: scopeOf(card, program).scope,
    quantity: formula.noun,
    definition: inputs.filter((noun) => definition.includes(noun)),
    terms: derivedDefinitions(row, cards),
    figure: figureOf(row, cards),
    hops: hopPhrases(row, cards),
    answer: { unit: answer.unit, digits: answer.digits, exact: answer.type === "integer" },
    constants: constantsOf(row).map((symbol) => constantOf(symbol)!),
    years: [...asOfDates(row, cards).keys()].map((date) => date.slice(0, 4)),
  };
}

/** How derived columns come about, where that is to be said. */
function derivedDefinitions({ program }: ComputedRow, cards: ReadonlyMap<string, Card>): string[] {
  const { columns } = cards.get(program.table)!;
  return Object.keys(program.derive ?? {}).flatMap((id) => columns[id]!.phrase?.definition ?? []);
}

/** What names each step of a path, where it has to be said. */
function hopPhrases(row: ComputedRow, cards: ReadonlyMap<string, Card>): string[] {
  if (!saysPath(row, cards)) return [];
  const { program } = row;
  const along = cardsAlong(program, cards);
  return program.follow!.map((step, i) => {
    const here = i === 0 ? cards.get(program.table)! : along[i - 1]!;
    return typeof step === "string" ? here.links[step]!.phrase : columnWords(here, step.peers).noun;
  });
}

/** How the quantity is made of figures of two entities or of all candidates. */
function figureOf(row: ComputedRow, cards: ReadonlyMap<string, Card>): WantedFigure | undefined {
  const { formula, program } = row;
  if (!isGeneric(formula.id)) return undefined;
  const [first] = inputsOf(row, cards);
  const noun = columnWords(first!.card, first!.ref.column).noun;
  if (formula.id !== "ratio" && formula.id !== "difference") return { kind: formula.id, noun };
  const end = cardsAlong(program, cards).at(-1);
  const here = cards.get(program.table)!.entity.singular;
  const there = program.other === undefined ? (end?.entity.singular ?? here) : here;
  return {
    kind: formula.id,
    noun,
    first: first!.ref.of === "selected" ? "one" : "two",
    names: here === there ? undefined : [here, there],
    // Along a path the first is always spoken of first.
    selects: [0, program.other === undefined ? undefined : selectsOf(row, cards).length - 1],
  };
}

/** Texts that stand in the question whatever the entity is: a name inside them names nobody. */
function allowedTexts(row: ComputedRow, cards: ReadonlyMap<string, Card>): string[] {
  const { program, formula } = row;
  const card = cards.get(program.table)!;
  const linked = new Set(Object.values(card.links).map((l) => l.column));
  const phrases = conditionsOf(row)
    .filter((c) => !linked.has(c.column))
    .flatMap((c) => {
      const phrase = card.columns[c.column]!.phrase;
      return [
        ...(phrase?.true ?? []),
        ...(phrase?.false ?? []),
        ...Object.values(phrase?.values ?? {}).flat(),
      ];
    });
  const columns = usedColumns(row, cards).flatMap((c) => [c.noun, c.definition ?? ""]);
  const constants = constantsOf(row).map((s) => constantOf(s)!.name);
  const hops = hopPhrases(row, cards).flatMap((phrase) => phrase.split("{it}"));
  return [
    card.entity.scope,
    formula.noun,
    definitionOf(row, cards),
    ...constants,
    ...phrases,
    ...columns,
    ...hops,
  ].filter((t) => t !== "");
}

function namesOf(row: ComputedRow, catalog: Catalog): Pick<Names, "names" | "aliases"> {
  const members = membersOf(row, catalog);
  const { selection } = row;
  if (selection === undefined) return members;
  const { entity, via = [], followed, other } = selection;
  const entities = [entity, ...via, followed, other?.entity].filter((e) => e !== undefined);
  return {
    names: [...entities.map((e) => e.name), ...members.names],
    aliases: [
      ...entities.flatMap((e) => otherNames(e.key, catalog.tables.get(e.table)!)),
      ...sharedTexts(row, catalog),
      ...members.aliases,
    ],
  };
}

/** The candidates of which a figure is taken: naming one tells who they are. Not those that a condition names. */
function membersOf({ program, aggregate }: ComputedRow, catalog: Catalog): Pick<Names, "names" | "aliases"> {
  const table = catalog.tables.get(program.table)!;
  const said = new Set(conditionsOf({ program }).flatMap(textsOf));
  const keys = (aggregate?.members ?? []).map((m) => m.key);
  const names = keys.flatMap((key) => {
    const at = table.rowOf(key);
    return at === undefined ? [] : [table.names[at]!];
  });
  const aliases = keys.flatMap((key) => otherNames(key, table));
  return { names: names.filter((n) => !said.has(n)), aliases: aliases.filter((n) => !said.has(n)) };
}

/** What an entity shares with its peers: the country would give half of the way away. Not where a condition names it. */
function sharedTexts({ program, selection }: ComputedRow, catalog: Catalog): string[] {
  const { entity, via = [] } = selection!;
  const said = new Set(conditionsOf({ program }).flatMap(textsOf));
  return (program.follow ?? []).flatMap((step, i) => {
    if (typeof step === "string") return [];
    const from = i === 0 ? entity : via[i - 1];
    const table = from === undefined ? undefined : catalog.tables.get(from.table);
    const row = from === undefined ? undefined : table?.rowOf(from.key);
    const column = table?.columns.get(step.peers);
    const text = row === undefined || column?.type !== "text" ? null : (column.values[row] ?? null);
    if (text === null) return [];
    const called = [text, ...linkedNames(table!, step.peers, text, catalog)];
    return called.some((name) => said.has(name)) ? [] : called;
  });
}

/** What a shared key stands for: "iron" and its aliases where isotopes share the element Fe. */
function linkedNames(from: Table, column: string, key: string, catalog: Catalog): string[] {
  return Object.values(from.card.links).flatMap((link) => {
    const table = link.column === column ? catalog.tables.get(link.to) : undefined;
    const at = table?.rowOf(key);
    return at === undefined ? [] : [table!.names[at]!, ...table!.aliases[at]!];
  });
}

/** Aliases, and the key where it reads as a name: with a letter in it. */
function otherNames(key: string, table: Table): string[] {
  const at = table.rowOf(key);
  const aliases = at === undefined ? [] : table.aliases[at]!;
  return [...aliases, ...(/\p{L}/u.test(key) ? [key] : [])];
}
