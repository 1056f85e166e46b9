import type { Condition } from "../../sources/card.js";
import type { Column, NumberColumn, Table } from "../../sources/table.js";
import { constantOf } from "../../verifiers/constants.js";
import { driftOf } from "../../verifiers/margin.js";
import { nounTokens, type WantedPhrase } from "../../verifiers/readable/phrases.js";
import type { WantedValue } from "../../verifiers/readable/values.js";
import { fromSI, toSI } from "../../verifiers/units.js";

/** What would be evidence of a cell: any of these. */
export type Wanted = WantedValue | WantedPhrase;

/** @returns none where the cell is unknown: nothing can be evidence of it. */
export function wantedOf(column: Column, row: number): Wanted[] {
  if (column.type === "flag") return flagWanted(column.card.phrase, column.values[row]!);
  if (column.type === "text") return textWanted(column.card.phrase, column.values[row] ?? null);
  return numberWanted(column, row);
}

function flagWanted(phrase: Column["card"]["phrase"], value: number): Wanted[] {
  const phrases = value === 1 ? phrase?.true : value === 0 ? phrase?.false : undefined;
  return phrases === undefined ? [] : [{ kind: "phrase", phrases }];
}

function textWanted(phrase: Column["card"]["phrase"], value: string | null): Wanted[] {
  if (value === null) return [];
  const literal = phrase === undefined ? [] : [`${phrase.noun} ${value}`];
  return [{ kind: "phrase", phrases: [...(phrase?.values?.[value] ?? []), ...literal] }];
}

function numberWanted(column: NumberColumn, row: number): Wanted[] {
  const { card } = column;
  const value = column.values[row]!;
  if (Number.isNaN(value) || column.limit[row] !== 0) return [];
  const exact = card.scale === "exact" || card.scale === "count";
  // An undeclared uncertainty adds nothing to the drift.
  const u = Number.isNaN(column.u[row]!) ? 0 : column.u[row]!;
  const tolerance = exact ? 0 : u + driftOf(value, card.drift);
  const nouns = nounTokens(card.phrase?.noun ?? column.id.replaceAll("_", " "));
  const plain: WantedValue = { kind: "value", value, unit: card.unit!, tolerance, nouns };
  const by = BY_G[card.quantity ?? ""];
  return by === undefined ? [plain] : [plain, byG(plain, by)];
}

/** A mass says GM, and GM a mass: the constant of gravitation is known to 2e-5. */
const BY_G: Readonly<Record<string, { readonly unit: string; readonly power: 1 | -1 }>> = {
  mass: { unit: "km^3/s^2", power: 1 },
  gravitational_parameter: { unit: "kg", power: -1 },
};

function byG(wanted: WantedValue, { unit, power }: { unit: string; power: 1 | -1 }): WantedValue {
  const g = constantOf("G")!.value ** power;
  const through = (x: number): number => fromSI(toSI(x, wanted.unit) * g, unit);
  return { ...wanted, value: through(wanted.value), unit, tolerance: through(wanted.tolerance), nouns: [] };
}

/** What would be evidence of a link: the name of the entity that it leads to. "Gold-197" says by itself what element it is of. */
export function linkWanted(to: Table, row: number): Wanted[] {
  return [{ kind: "phrase", phrases: [to.names[row]!, ...to.aliases[row]!] }];
}

/** A stated superlative that would settle a selection. */
export interface WantedSuperlative {
  readonly superlatives: readonly string[];
  readonly nouns: readonly string[];
  readonly conditions: readonly WantedPhrase[];
}

/** @returns undefined where no plain superlative could say it: a rank beyond the first, a threshold, a column without one. */
export function superlativeOf(
  table: Table,
  where: readonly Condition[],
  select: { readonly column: string; readonly order: "max" | "min"; readonly rank: number },
): WantedSuperlative | undefined {
  const superlatives = table.columns.get(select.column)!.card.phrase?.[select.order];
  if (superlatives === undefined || select.rank !== 1) return undefined;
  const conditions = where.map((c) => phraseOf(table, c));
  if (conditions.some((c) => c === undefined)) return undefined;
  const { singular, plural } = table.card.entity;
  return { superlatives, nouns: [singular, plural], conditions: conditions as WantedPhrase[] };
}

function phraseOf(table: Table, condition: Condition): WantedPhrase | undefined {
  const phrase = table.columns.get(condition.column)!.card.phrase;
  const phrases =
    condition.op === "eq" && typeof condition.value === "string"
      ? phrase?.values?.[condition.value]
      : condition.op === "is"
        ? phrase?.[condition.value ? "true" : "false"]
        : undefined;
  return phrases === undefined ? undefined : { kind: "phrase", phrases };
}
