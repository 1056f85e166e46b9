import type { Card, Condition } from "../../sources/card.js";
import type { Catalog, Table } from "../../sources/table.js";
import { constantOf } from "../../verifiers/constants.js";
import type { Wanted, WantedNumber, WantedPhrase } from "../../verifiers/mentions.js";
import type { Names } from "../../verifiers/name-leaks.js";
import { scanNumbers } from "../../verifiers/number-scan.js";
import { plainText } from "../../verifiers/plain-text.js";
import type { HiddenValue, StatedValue } from "../../verifiers/value-leaks.js";
import type { ComputedRow, EntityRef } from "../task.js";
import { columnWords } from "./columns.js";
import { asOfDate, definitionOf, hopOf, usedColumns } from "./grammar.js";

/** What the lint looks for in the wording of one row, as plain values. */
export interface Expectations {
  readonly wanted: Wanted;
  readonly names: Names;
  readonly hidden: readonly HiddenValue[];
  readonly stated: readonly StatedValue[];
  readonly sources: { readonly names: readonly string[]; readonly hosts: readonly string[] };
}

/** A value with fewer digits than this many gives nothing away. */
const LEAK_DIGITS = 3;

export function expectationsOf(row: ComputedRow, catalog: Catalog): Expectations {
  const cards = new Map([...catalog.tables].map(([id, table]) => [id, table.card]));
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
    stated: statedOf(row, wanted, allowed, asOfDate(row, cards)),
    sources: {
      names: used.flatMap((c) => [...c.source_names, c.publisher.name]),
      hosts: used.flatMap((c) => c.publisher.hosts),
    },
  };
}

function wantedOf(row: ComputedRow, cards: ReadonlyMap<string, Card>): Wanted {
  const { program, formula, answer } = row;
  const card = cards.get(program.table)!;
  const column = columnWords(card, program.select.column);
  const definition = definitionOf(row, cards);
  const inputs = Object.values(formula.inputs).map((i) => i.noun);
  return {
    numbers: program.where.flatMap((c) => numbersOf(c, card)),
    phrases: program.where.flatMap((c) => phrasesOf(c, card)),
    select: {
      order: program.select.order,
      rank: program.select.rank,
      superlatives: column[program.select.order],
      noun: column.noun,
    },
    entity: [card.entity.singular, card.entity.plural],
    scope: card.entity.scope,
    quantity: formula.noun,
    definition: inputs.filter((noun) => definition.includes(noun)),
    hop: hopOf(row, cards) === undefined ? undefined : card.links[program.follow!]!.phrase,
    answer: { unit: answer.unit, digits: answer.digits, exact: answer.type === "integer" },
    constants: formula.state_constants.map((symbol) => constantOf(symbol)!),
    year: asOfDate(row, cards)?.slice(0, 4),
  };
}

const SIDES = { gt: "above", ge: "above", lt: "below", le: "below" } as const;

function numbersOf(condition: Condition, card: Card): WantedNumber[] {
  const { noun, unit } = columnWords(card, condition.column);
  const number = (value: number, side?: "above" | "below"): WantedNumber => ({
    label: noun,
    value,
    unit,
    side,
  });
  switch (condition.op) {
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return [number(condition.value, SIDES[condition.op])];
    case "between":
      return [number(condition.low), number(condition.high)];
    case "eq":
      return typeof condition.value === "number" && !hasPhrase(card, condition.column, condition.value)
        ? [number(condition.value)]
        : [];
    case "in":
      return condition.values
        .filter((v) => typeof v === "number" && !hasPhrase(card, condition.column, v))
        .map((v) => number(v as number));
    default:
      return [];
  }
}

const hasPhrase = (card: Card, column: string, value: string | number): boolean =>
  card.columns[column]!.phrase?.values?.[String(value)] !== undefined;

function phrasesOf(condition: Condition, card: Card): WantedPhrase[] {
  const { noun } = columnWords(card, condition.column);
  const phrase = card.columns[condition.column]!.phrase;
  const value = (v: string | number): WantedPhrase[] => {
    const own = phrase?.values?.[String(v)];
    if (own === undefined && typeof v === "number") return [];
    return [{ label: noun, phrases: own ?? [String(v)], flag: false, literal: own === undefined }];
  };
  switch (condition.op) {
    case "is": {
      const own = condition.value ? phrase?.true : phrase?.false;
      const bare = noun.replace(/^(?:has|is) /, "");
      return [{ label: noun, phrases: own ?? [condition.value ? bare : `not ${bare}`], flag: true }];
    }
    case "eq":
      return value(condition.value);
    case "in":
      return condition.values.flatMap(value);
    case "starts_with":
      return condition.values.map((v) => ({ label: noun, phrases: [v], flag: false, literal: true }));
    case "known":
      return [{ label: noun, phrases: [`known ${noun}`], flag: false }];
    default:
      return [];
  }
}

/** Texts that stand in the question whatever the entity is: a name inside them names nobody. */
function allowedTexts(row: ComputedRow, cards: ReadonlyMap<string, Card>): string[] {
  const { program, formula } = row;
  const card = cards.get(program.table)!;
  const linked = new Set(Object.values(card.links).map((l) => l.column));
  const phrases = program.where
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
  const constants = formula.state_constants.map((s) => constantOf(s)!.name);
  const hop = program.follow === undefined ? [] : card.links[program.follow]!.phrase.split("{it}");
  return [
    card.entity.scope,
    formula.noun,
    definitionOf(row, cards),
    ...constants,
    ...phrases,
    ...columns,
    ...hop,
  ].filter((t) => t !== "");
}

function namesOf(row: ComputedRow, catalog: Catalog): Pick<Names, "names" | "aliases"> {
  const { entity, followed } = row.selection;
  const entities = followed === undefined ? [entity] : [entity, followed];
  const full = entities.map((e) => e.name);
  return { names: full, aliases: entities.flatMap((e) => otherNames(e, catalog.tables.get(e.table)!)) };
}

/** Aliases, and the key where it reads as a name: with a letter in it. */
function otherNames(entity: EntityRef, table: Table): string[] {
  const at = table.rowOf(entity.key);
  const aliases = at === undefined ? [] : table.aliases[at]!;
  return [...aliases, ...(/\p{L}/u.test(entity.key) ? [entity.key] : [])];
}

/** Every value that was computed or read on the way to the answer. */
function hiddenOf(row: ComputedRow): HiddenValue[] {
  const { answer, selection, program } = row;
  const exact = answer.type === "integer";
  const steps = row.chain
    .filter((s) => s.kind !== "answer" && s.value !== null)
    .map((s) => ({ label: s.label, value: s.value!, unit: s.unit ?? "1", tolerance: s.tolerance }));
  const measured = [
    {
      label: `selected ${program.select.column}`,
      value: selection.value,
      unit: selection.unit,
      tolerance: null,
    },
    ...Object.entries(row.inputs).map(([name, i]) => ({
      label: name,
      value: i.value,
      unit: i.unit,
      tolerance: null,
    })),
    ...steps,
  ];
  const seen = new Set<string>();
  const others = measured.filter((m) => {
    const key = `${m.value} ${m.unit}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return [
    {
      label: "answer",
      value: answer.value,
      unit: answer.unit,
      answer: true,
      integer: exact,
      digits: Math.min(LEAK_DIGITS, answer.digits),
    },
    ...others.map(({ label, value, unit }) => ({
      label,
      value,
      unit,
      answer: false,
      integer: Number.isInteger(value) && Math.abs(value) < 1e5 && unit === "1",
      digits: LEAK_DIGITS,
    })),
  ];
}

/** Numbers that the question has to contain. */
function statedOf(
  row: ComputedRow,
  wanted: Wanted,
  allowed: readonly string[],
  asOf: string | undefined,
): StatedValue[] {
  const given = (value: number, unit: string | null = null): StatedValue => ({
    value,
    unit,
    condition: false,
  });
  const inTexts = allowed.flatMap((text) =>
    scanNumbers(plainText(text)).flatMap((n) =>
      n.values.flatMap((v) => [given(v), ...n.units.map((u) => given(v, u.unit.text))]),
    ),
  );
  const { answer, program } = row;
  const date = asOf === undefined ? [] : [asOf];
  return [
    ...wanted.numbers.map((n) => ({ value: n.value, unit: n.unit, condition: true })),
    ...wanted.constants.map((c) => given(c.value, c.unit)),
    ...date.flatMap((d) => d.split("-")).map((v) => given(Number(v))),
    given(answer.digits),
    given(program.select.rank),
    ...program.where.flatMap((c) => textNumbers(c)).map((v) => given(v)),
    ...(wanted.constants.length > 0 ? [given(1, "au"), given(1, "u"), given(1, "atm")] : []),
    ...inTexts,
  ];
}

/** Digits inside a condition's text, e.g. a spectral type G2. */
function textNumbers(condition: Condition): number[] {
  const values =
    condition.op === "eq"
      ? [condition.value]
      : condition.op === "in" || condition.op === "starts_with"
        ? condition.values
        : [];
  return values.flatMap((v) =>
    typeof v === "string" ? scanNumbers(plainText(v)).flatMap((n) => n.values) : [],
  );
}
