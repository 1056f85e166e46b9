import { sfc32 } from "../../pipeline/base/random.js";
import type { Card, Condition } from "../../sources/card.js";
import { amount, amounts, askedUnit } from "./amounts.js";
import { statedConstant } from "./asking.js";
import { columnWords, isSentence, nounSuperlatives } from "./columns.js";
import { list, onDate, ordinal } from "./english.js";
import { asOfDate, definitionOf, hopOf, type Sayable, usedColumns } from "./grammar.js";
import { Voice } from "./voice.js";

/**
 * What a writer is told of a program: all that the question must say, item by item. It takes what the grammar takes, which holds
 * neither the entity nor any value on the way to the answer.
 */
export function briefOf(row: Sayable, cards: ReadonlyMap<string, Card>, english = true): string {
  const card = cards.get(row.program.table)!;
  const voice = plainVoice(english);
  const { entity } = card;
  const conditions = row.program.where.map((c) => conditionText(c, card, voice));
  const lines: (readonly [string, string | undefined])[] = [
    [
      "Candidates",
      `${entity.plural} (one: ${entity.singular}); scope, to be said: ${entity.scope || "none"}`,
    ],
    ["Conditions", conditions.length === 0 ? "none: all of them are candidates" : listed(conditions)],
    ["Which one", selectionText(row, card)],
    ["From there go on to", hopText(row, cards)],
    ["Quantity asked for", row.formula.noun],
    ["How it is defined", definitionOf(row, cards) || undefined],
    ["What the terms mean, to be said", termsText(row, cards)],
    ["Constants to be stated", row.formula.state_constants.map(statedConstant).join("; ") || undefined],
    ["Date to be stated", dateText(row, cards)],
    ["Form of the answer", answerText(row, voice)],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`])).join("\n");
}

/** Numbers and units written in one way. In other languages a comma may be a decimal sign, so thousands are parted by spaces there. */
function plainVoice(english: boolean): Voice {
  return new Voice(sfc32(0, 0, 0, 0), "symbols", english ? "," : "\u202f", "powers", "digits");
}

const listed = (items: readonly string[]): string => items.map((item) => `\n- ${item}`).join("");

const COMPARED = { lt: "less than", le: "at most", gt: "greater than", ge: "at least" } as const;
const DATED = { lt: "before", le: "in or before", gt: "after", ge: "in or after" } as const;

function conditionText(condition: Condition, card: Card, voice: Voice): string {
  const { noun, unit, manner, exact } = columnWords(card, condition.column);
  const phrase = card.columns[condition.column]!.phrase;
  switch (condition.op) {
    case "lt":
    case "le":
    case "gt":
    case "ge":
      if (manner === "year") return `${noun}: ${DATED[condition.op]} ${condition.value}`;
      return `${noun}: ${COMPARED[condition.op]} ${amount(condition.value, unit, voice)}`;
    case "between": {
      const ends =
        manner === "year"
          ? `${condition.low} and ${condition.high}`
          : amounts([condition.low, condition.high], unit, voice, "and");
      return `${noun}: between ${ends}${exact ? ", both included" : ""}`;
    }
    case "is": {
      const own = condition.value ? phrase?.true : phrase?.false;
      return (
        said(own) ??
        `those that ${condition.value ? "are or have" : "are not or have not"}: ${bareNoun(noun)}`
      );
    }
    case "known":
      return `known ${noun}: the value must be known, say so`;
    case "starts_with":
      return `${noun}: begins with ${list(condition.values.map(quoted), "or")}`;
    case "eq":
      return valuesText([condition.value], card, condition.column, voice);
    case "in":
      return valuesText(condition.values, card, condition.column, voice);
  }
}

const bareNoun = (noun: string): string => noun.replace(/^(?:has|is) /, "");

/** One of some values: those with phrases by these, the others with the column's noun. */
function valuesText(values: readonly (string | number)[], card: Card, column: string, voice: Voice): string {
  const { noun, unit, manner } = columnWords(card, column);
  const phrases = card.columns[column]!.phrase?.values ?? {};
  const own = (value: string | number) => phrases[String(value)];
  const spoken = values.flatMap((v) => said(own(v)) ?? []);
  const rest = values.filter((v) => own(v) === undefined);
  const numbers = rest.filter((v) => typeof v === "number");
  const texts = rest.filter((v) => typeof v === "string").map(quoted);
  const asNumbers = manner === "year" ? list(numbers.map(String), "or") : amounts(numbers, unit, voice, "or");
  const bare = [...(numbers.length === 0 ? [] : [asNumbers]), ...texts];
  return list([...spoken, ...(bare.length === 0 ? [] : [`${noun}: ${list(bare, "or")}`])], "or");
}

const quoted = (text: string): string => `“${text}”`;

/** Phrases of a class or a yes-or-no: any of them may be said. */
function said(phrases: readonly string[] | undefined): string | undefined {
  return phrases === undefined
    ? undefined
    : `those of which it is true to say ${list(phrases.map(quoted), "or")}`;
}

function selectionText({ program }: Sayable, card: Card): string {
  const { order, rank, column } = program.select;
  const words = columnWords(card, column);
  const place = rank === 1 ? "" : `${ordinal(rank)}-`;
  const nouns = nounSuperlatives(words, order).map((s) => `the ${place}${s} ${words.noun}`);
  const adjectives = words[order].map((s) => quoted(`${rank === 1 ? "" : `${ordinal(rank)} `}${s}`));
  const also = adjectives.length === 0 ? "" : ` (also said: ${list(adjectives, "or")})`;
  return `the one with ${list(nouns, "or")}${also}`;
}

function hopText(row: Sayable, cards: ReadonlyMap<string, Card>): string | undefined {
  const hop = hopOf(row, cards);
  if (hop === undefined) return undefined;
  const thing = cards.get(row.program.table)!.entity.singular;
  const whose = hop.mixed
    ? `the quantity belongs to this ${thing} and needs figures of both`
    : `the quantity is asked of that ${hop.noun}`;
  return `${hop.to(`this ${thing}`)}; ${whose}`;
}

/** Definitions of the columns in use, each once. */
function termsText(row: Sayable, cards: ReadonlyMap<string, Card>): string | undefined {
  const terms = usedColumns(row, cards).flatMap(({ noun, definition }) => {
    if (definition === undefined) return [];
    return [isSentence(definition) ? definition : `${noun}: ${definition}.`];
  });
  return terms.length === 0 ? undefined : [...new Set(terms)].join(" ");
}

function dateText(row: Sayable, cards: ReadonlyMap<string, Card>): string | undefined {
  const date = asOfDate(row, cards);
  return date === undefined ? undefined : `values as known ${onDate(date)}`;
}

function answerText({ answer }: Sayable, voice: Voice): string {
  const unit = askedUnit(answer.unit, voice);
  const as = unit === "" ? "a pure number" : `in ${unit}`;
  if (answer.type === "integer") return unit === "" ? "an exact integer" : `an exact integer, ${as}`;
  return `${as}, to ${answer.digits} significant figures; say both`;
}
