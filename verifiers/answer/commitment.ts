/** Whether a text commits itself to an answer: hedges, refusals, "I don't know", placeholders, copies of the question. */
import { fold } from "../plain-text.js";

const HEDGES =
  /\b(?:maybe|perhaps|possibly|probably|presumably|either|might be|may be|could be|could also be|not (?:entirely |completely |quite |really )?(?:sure|certain)|unsure|uncertain|my (?:best )?guess|i(?:'d| would) guess|i guess|just guessing|a guess|somewhere (?:between|around)|approximately between|roughly between|around between|it depends|depending on|vielleicht|möglicherweise|wahrscheinlich|entweder|peut-être|probablement|quizás?|tal vez|probablemente|forse)\b|\?\s*$/iu;
const UNKNOWING =
  /\b(?:(?:i |we )?(?:do not|don't|dont|cannot|can't) (?:know|recall|remember|say for (?:sure|certain))|no idea|i have no (?:way|idea)|(?:ich )?weiß (?:es )?(?:ich )?nicht|je ne sais pas|no (?:lo )?sé)\b/iu;
const REFUSALS =
  /\b(?:(?:i|we) (?:cannot|can't|can not|could not|couldn't|won't|will not|must decline|decline|am unable|am not able|'m unable|'m not able)|i'm (?:sorry|unable|not able)|i am sorry|unable to (?:answer|determine|provide|find|help|compute|give|access)|as an ai|(?:cannot|can't|can not|could not) be (?:determined|answered|given|found|computed|known)|(?:not enough|insufficient) (?:information|data)|not determinable)\b/iu;
const NOTHING =
  /^(?:n\/?a|unknown|none|null|nil|undefined|not (?:available|applicable|known)|no answer|tbd|-+|\.{2,}|…|\?+|_+)[.!]?$/i;
/** "<value>", "[your answer]", "YOUR ANSWER HERE": an instruction's example, copied. */
const PLACEHOLDER =
  /^[<[({]? ?(?:the |your |final |numerical? )*(?:answer|value|result|number|name|unit|solution|value and unit|number and unit)(?: here| unit)?(?: ?[>\]})]| here)$|^<[a-z][a-z _-]{1,40}>(?: ?<[a-z][a-z _-]{1,40}>)?$/i;

/** Why a text is no answer, or undefined where it may be one. */
export function uncommitted(plain: string): "no_answer" | "refusal" | "unknown" | "hedged" | undefined {
  const text = plain.slice(0, 4000).trim();
  if (text === "" || !/[\p{L}\p{N}\p{S}]/u.test(text) || NOTHING.test(text) || PLACEHOLDER.test(text)) {
    // The empty set has no letter either.
    return /^[[({❴] ?[\])}❵]$/.test(text) ? undefined : "no_answer";
  }
  if (REFUSALS.test(text)) return "refusal";
  if (HEDGES.test(text)) return "hedged";
  return UNKNOWING.test(text) ? "unknown" : undefined;
}

/** Whether a text is the question, or a long piece of it, said again. */
export function copiesQuestion(plain: string, question: string): boolean {
  const said = words(plain);
  const asked = words(question);
  if (said.length < 8 || asked.length < 8) return said.length >= 4 && said.join(" ") === asked.join(" ");
  const [a, b] = [` ${said.join(" ")} `, ` ${asked.join(" ")} `];
  return b.includes(a) || (a.includes(b) && said.length < asked.length + 12);
}

const words = (text: string): string[] => fold(text.slice(0, 20_000)).match(/[\p{L}\p{N}]+/gu) ?? [];
