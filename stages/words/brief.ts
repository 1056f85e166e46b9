import { sfc32 } from "../../pipeline/base/random.js";
import type { Card, Condition } from "../../sources/card.js";
import { isGeneric } from "../formulas/generic.js";
import { cardsAlong } from "../program/path.js";
import type { InputRef, Select } from "../program/program.js";
import { amount, amounts, askedUnit } from "./amounts.js";
import { onDates, statedConstant } from "./asking.js";
import { columnWords, isSentence, nounSuperlatives } from "./columns.js";
import { comparisonOf } from "./comparison.js";
import { list, ordinal } from "./english.js";
import { sameWords, saysPath } from "./path-words.js";
import { asOfDates, constantsOf, definitionOf, inputsOf, type Sayable, usedColumns } from "./reads.js";
import { scopeOf } from "./scope.js";
import { Voice } from "./voice.js";

/**
 * What a writer is told of a program: all that the question must say, item by item. It takes what the grammar takes, which holds
 * neither the entity nor any value on the way to the answer.
 */
export function briefOf(row: Sayable, cards: ReadonlyMap<string, Card>, english = true): string {
  const card = cards.get(row.program.table)!;
  const voice = plainVoice(english);
  const { entity } = card;
  const lines: (readonly [string, string | undefined])[] = [
    [
      "Candidates",
      `${entity.plural} (one: ${entity.singular}); scope, to be said: ${scopeOf(card, row.program).scope || "none"}`,
    ],
    ...choiceLines(row, card, voice),
    ["From there go on to", pathText(row, cards, card)],
    ["Quantity asked for", quantityText(row, cards)],
    ["How it is defined", definitionOf(row, cards) || undefined],
    ["What the terms mean, to be said", termsText(row, cards)],
    ["Constants to be stated", constantsOf(row).map(statedConstant).join("; ") || undefined],
    ["Date to be stated", dateText(row, cards)],
    ["Form of the answer", answerText(row, voice)],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`])).join("\n");
}

/** Who is chosen: one entity, two of them, or nobody where all candidates are taken together. */
function choiceLines({ program }: Sayable, card: Card, voice: Voice): [string, string | undefined][] {
  const conditions = (where: readonly Condition[]) =>
    where.length === 0
      ? "none: all of them are candidates"
      : listed(where.map((c) => conditionText(c, card, voice)));
  const { where, select, other } = program;
  if (select === undefined)
    return [
      ["Conditions", conditions(where)],
      ["Which ones", "all candidates taken together, no single one"],
    ];
  if (other === undefined)
    return [
      ["Conditions", conditions(where)],
      ["Which one", selectionText(select, card)],
    ];
  return [
    ["Conditions on the first entity", conditions(where)],
    ["Which one is the first", selectionText(select, card)],
    [
      "Conditions on the second entity (chosen anew from all of the table, not from the first one's candidates)",
      conditions(other.where),
    ],
    ["Which one is the second", selectionText(other.select, card)],
  ];
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

function selectionText({ order, rank, column }: Select, card: Card): string {
  const words = columnWords(card, column);
  const place = rank === 1 ? "" : `${ordinal(rank)}-`;
  const nouns = nounSuperlatives(words, order).map((s) => `the ${place}${s} ${words.noun}`);
  const adjectives = words[order].map((s) => quoted(`${rank === 1 ? "" : `${ordinal(rank)} `}${s}`));
  const also = adjectives.length === 0 ? "" : ` (also said: ${list(adjectives, "or")})`;
  return `the one with ${list(nouns, "or")}${also}`;
}

/** The steps of a path, and whose figure is wanted at its end. */
function pathText(row: Sayable, cards: ReadonlyMap<string, Card>, card: Card): string | undefined {
  if (!saysPath(row, cards)) return undefined;
  const { program } = row;
  const along = cardsAlong(program, cards);
  const thing = card.entity.singular;
  const steps = program.follow!.map((step, i) => {
    const here = i === 0 ? card : along[i - 1]!;
    const it = i === 0 ? `this ${thing}` : "that one";
    if (typeof step === "string") return here.links[step]!.phrase.replaceAll("{it}", it);
    const { plural, scope } = here.entity;
    const others = [plural, scope, sameWords(columnWords(here, step.peers).noun), `as ${it}`];
    return `among the ${others.filter((w) => w !== "").join(" ")}, ${selectionText(step.select, here)}`;
  });
  const mixed = Object.values(program.compute.inputs).some((r) => r.of === "selected");
  const whose =
    comparisonOf(row, cards) !== undefined
      ? "the quantity is about the two, this one and that one"
      : mixed
        ? `the quantity belongs to this ${thing} and needs figures of both`
        : `the quantity is asked of that ${along.at(-1)!.entity.singular}`;
  return `${steps.join("; from there to ")}; ${whose}`;
}

/** What is asked for; where figures of two entities or of all candidates go into it, how. */
function quantityText(row: Sayable, cards: ReadonlyMap<string, Card>): string {
  const { formula, program } = row;
  if (!isGeneric(formula.id)) {
    return program.other === undefined
      ? formula.noun
      : `${formula.noun} (of the two entities, or between them)`;
  }
  const inputs = inputsOf(row, cards);
  const [a, b] = inputs.map(({ card, ref }) => ({ noun: columnWords(card, ref.column).noun, of: ref.of }));
  const who = (of: InputRef["of"]) =>
    program.other === undefined
      ? of === "selected"
        ? "the former entity"
        : "the latter one, which is reached from it"
      : of === "selected"
        ? "the first entity"
        : "the second entity";
  switch (formula.id) {
    case "ratio":
      return `the ratio of the ${a!.noun} of ${who(a!.of)} to the ${b!.noun} of ${who(b!.of)} (use the word “ratio” and say which is divided by which, such as “the ratio of the former’s ... to the latter’s”)`;
    case "difference":
      return `the absolute difference between the ${a!.noun} of ${who(a!.of)} and the ${b!.noun} of ${who(b!.of)}`;
    case "total":
    case "mean":
    case "median":
      return `the ${formula.noun} of all candidates`;
    case "share":
      return `the share that its ${a!.noun} has in the total ${a!.noun} of all candidates, itself included`;
    case "times_mean":
      return `the ratio of its ${a!.noun} to the ${formula.inputs.mean!.noun} of all candidates, itself included`;
  }
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
  const dates = asOfDates(row, cards);
  return dates.size === 0 ? undefined : `values as known ${onDates(dates)}`;
}

function answerText({ answer }: Sayable, voice: Voice): string {
  const unit = askedUnit(answer.unit, voice);
  const as = unit === "" ? "a pure number" : `in ${unit}`;
  if (answer.type === "integer") return unit === "" ? "an exact integer" : `an exact integer, ${as}`;
  return `${as}, to ${answer.digits} significant figures; say both`;
}
