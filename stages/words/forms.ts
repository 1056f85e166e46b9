import { canonicalJson } from "../../pipeline/base/canonical.js";
import type { Card } from "../../sources/card.js";
import { formOf, type Program, type Select, type SelectingProgram } from "../program/program.js";
import { clausesOf, type Speech } from "./clauses.js";
import { columnWords } from "./columns.js";
import { comparisonOf } from "./comparison.js";
import { plural } from "./english.js";
import { modified } from "./modified.js";
import type { Asked } from "./moods.js";
import { pathWords } from "./path-words.js";
import { aggregate } from "./plan-aggregate.js";
import { compare, type Two } from "./plan-compare.js";
import { comparedOverPath, overPath } from "./plan-hop.js";
import { type AgainstAll, againstAll } from "./plan-whole.js";
import { direct, type Plan, suitable } from "./plans.js";
import { quantityOf } from "./quantity.js";
import { type InputWords, inputsOf, type Sayable } from "./reads.js";
import { selectionOf, setOf } from "./selection.js";

/** What asks, by the form of the program. */
export function formQuestion(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  speech: Speech,
  plans: readonly Plan[],
): Asked {
  const program = row.program as SelectingProgram;
  switch (formOf(program)) {
    case "aggregate":
      return ofAll(row, cards, speech, plans);
    case "compare":
      return ofTwo(row, cards, speech, plans);
    case "select":
    case "hop":
      return ofOne(row, cards, speech, plans);
  }
}

function ofOne(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  speech: Speech,
  plans: readonly Plan[],
): Asked {
  const { voice, card } = speech;
  const program = row.program as SelectingProgram;
  const rival = peerBy(program);
  const by = rival === undefined ? undefined : onlyWay(card, program.select, rival);
  const selection = selectionOf(program, { ...speech, by });
  const whole = wholeOf(row, cards, speech);
  if (whole !== undefined) return againstAll(voice.named("plan", plans), selection, whole, voice);
  const path = pathWords(row, cards, rival === undefined ? speech : { ...speech, by: selection.by });
  const plan = voice.named("plan", suitable(plans, selection));
  if (path === undefined) return direct(plan, selection, quantityOf(row, cards), voice);
  const comparison = comparisonOf(row, cards);
  if (comparison !== undefined) return comparedOverPath(plan, selection, comparison, path, voice);
  return overPath(plan, selection, quantityOf(row, cards), path, voice);
}

function ofAll(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  speech: Speech,
  plans: readonly Plan[],
): Asked {
  const plan = speech.voice.named("plan", plans);
  const set = setOf(clausesOf(row.program.where, speech), speech);
  const [input] = inputsOf(row, cards);
  const noun = input === undefined ? row.formula.noun : definedFigure(row.formula.noun, input, speech);
  return aggregate(plan, { noun, set }, speech.voice);
}

/**
 * "Mean surface elevation (above sea level)": the column's definition where the figure is named, unless it has been said. "Mean order of
 * the derived subgroups": each has its own.
 */
function definedFigure(noun: string, { card, ref }: InputWords, { definitions }: Speech): string {
  const column = columnWords(card, ref.column);
  if (!noun.includes(column.noun)) return noun;
  const said = definitions.noun(column);
  const many = said.replace(/ of the ([\w -]+)$/, (_, part: string) => ` of the ${plural(part)}`);
  return noun.replace(column.noun, () => many);
}

function ofTwo(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  speech: Speech,
  plans: readonly Plan[],
): Asked {
  const { card, voice } = speech;
  const program = row.program as SelectingProgram;
  const other = program.other!;
  const alike = program.select.column === other.select.column;
  const a = selectionOf(
    program,
    alike ? { ...speech, by: onlyWay(card, program.select, other.select) } : speech,
  );
  const by = alike || (a.by === "noun" && saysNoColumn(card, other.select)) ? a.by : undefined;
  const b = voice.within("other", () => selectionOf(other, { ...speech, by }));
  const two: Two = {
    a,
    b,
    shared: sameConditions(program.where, other.where),
    ranked: program.select.rank > 1 || other.select.rank > 1,
    all: modified(card.entity.plural, card.entity.scope, [], true),
    scoped: card.entity.scope !== "",
  };
  const plan = voice.named("plan", plans);
  return compare(plan, two, comparisonOf(row, cards)!, voice);
}

/** "The one with the longest period and the smallest one" may be read of the period; "and the most massive one" may not. */
function saysNoColumn(card: Card, { column, order }: Select): boolean {
  return columnWords(card, column)[order].some((word) =>
    /^(?:large|small|great|high|low|long|short|big)\w*est$/.test(word),
  );
}

/** The choice among the selected entity's own peers, where it goes by the same column. */
function peerBy({ select, follow }: SelectingProgram): Select | undefined {
  const step = follow?.[0];
  return typeof step === "object" && step.select.column === select.column ? step.select : undefined;
}

/** "The shallowest and the one with the largest depth" is two ways for one column: without adjectives for both, neither has one. */
function onlyWay(card: Card, a: Select, b: Select): "noun" | undefined {
  const words = columnWords(card, a.column);
  return words[a.order].length === 0 || words[b.order].length === 0 ? "noun" : undefined;
}

/** The same candidates, whatever the order in which their conditions stand. */
function sameConditions(a: Program["where"], b: Program["where"]): boolean {
  const text = (where: Program["where"]) => canonicalJson(where.map((c) => canonicalJson(c)).sort());
  return text(a) === text(b);
}

/** One entity against all candidates, where the formula reads figures of both. */
function wholeOf(row: Sayable, cards: ReadonlyMap<string, Card>, speech: Speech): AgainstAll | undefined {
  const { formula } = row;
  if (formula.id !== "share" && formula.id !== "times_mean") return undefined;
  const inputs = inputsOf(row, cards);
  const part = inputs.find((i) => i.ref.of === "selected");
  const whole = inputs.find((i) => i.ref.of === "candidates");
  if (part === undefined || whole === undefined) return undefined;
  return {
    kind: formula.id,
    noun: columnWords(part.card, part.ref.column).noun,
    whole: definedFigure(formula.inputs[whole.name]!.noun, whole, speech),
    percent: row.answer.unit === "percent" || row.answer.unit === "%",
    plural: part.card.entity.plural,
  };
}
