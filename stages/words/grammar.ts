import type { Random } from "../../pipeline/base/random.js";
import type { Card } from "../../sources/card.js";
import { askFor, given } from "./asking.js";
import type { Speech } from "./clauses.js";
import { Definitions } from "./columns.js";
import { formQuestion } from "./forms.js";
import { PLANS, type Plan } from "./plans.js";
import { headOf } from "./quantity.js";
import { asOfDates, constantsOf, type Sayable, sentences, undefinedInputs } from "./reads.js";
import { scopeOf } from "./scope.js";
import { openVoice } from "./voice.js";

/** A question and how it came to be worded as it is. */
export interface Worded {
  readonly question: string;
  readonly style: Record<string, string>;
}

/**
 * Words a program as one or a few English sentences. The same stream gives the same words.
 * @param cards with the program's derived columns, see `cardsFor`
 * @param plans sentence plans to draw from
 */
export function wordQuestion(
  row: Sayable,
  cards: ReadonlyMap<string, Card>,
  random: Random,
  plans: readonly Plan[] = PLANS,
): Worded {
  const voice = openVoice(random);
  const definitions = new Definitions();
  const own = cards.get(row.program.table)!;
  const { scope, bound } = scopeOf(own, row.program);
  const card = { ...own, entity: { ...own.entity, scope } };
  const speech: Speech = { card, voice, definitions, bound };
  const asked = formQuestion(row, cards, speech, plans);
  const inputs = undefinedInputs(row, cards, definitions);
  const facts = given(constantsOf(row), inputs, asOfDates(row, cards), voice);
  const question = [
    asked.text,
    ...sentences(row, cards),
    facts,
    askFor(row.answer, headOf(row.formula.noun), asked.twoQuestions, voice),
  ]
    .filter((s) => s !== undefined)
    .join(" ");
  return { question, style: voice.style };
}
