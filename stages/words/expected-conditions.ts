import type { Card, Condition } from "../../sources/card.js";
import type { WantedNumber, WantedPhrase } from "../../verifiers/mention-conditions.js";
import { columnWords } from "./columns.js";

/** What the lint looks for where a program has a condition: numbers with their sides, phrases of classes and flags. */

const SIDES = { gt: "above", ge: "above", lt: "below", le: "below" } as const;

export function numbersOf(condition: Condition, card: Card): WantedNumber[] {
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

export function phrasesOf(condition: Condition, card: Card): WantedPhrase[] {
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
      return [{ label: noun, phrases: [`known ${noun}`], flag: false, together: true }];
    default:
      return [];
  }
}
