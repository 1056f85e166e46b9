/**
 * The final answer of a reply, by declared precedence: `\boxed{}`; `<answer>` tags and `####`; "Final answer: ..."; an "Answer: ..." line;
 * "the answer is ..."; else the whole text if it is one short statement. Never a number found in a formula or sentence.
 */
import type { GradingContext } from "./answer.js";
import { boxes } from "./boxed.js";
import { uncommitted } from "./commitment.js";
import { monthOf } from "./date.js";
import { plainAnswer } from "./latex.js";
import { withoutReasoning } from "./reasoning.js";
import { textKey } from "./text.js";
import { MAX_ANSWER, MAX_REPLY } from "./verdicts.js";

/** Why a reply holds no final answer. `unfinished`: it ends in its reasoning. */
export type None = "no_answer" | "several_answers" | "hedged" | "refusal" | "unknown" | "unfinished";

/** Longest whole text that is taken as an answer. */
const MAX_WHOLE = 300;
/** Of several markers of a kind, how many from the end are looked at. */
const MAX_MARKERS = 50;

/** The final answer that a reply states, or why it states none. Looks at the last 200,000 characters. */
export function extractFinal(
  text: string,
  context: GradingContext = {},
): { answer: string } | { none: None } {
  const found = finalAnswers(text, context);
  if ("none" in found) return found;
  const keys = new Set(found.answers.map((a) => textKey(plainAnswer(a.slice(0, 2000)))));
  return keys.size === 1 ? { answer: found.answers.at(-1)! } : { none: "several_answers" };
}

/** All statements of the kind that takes precedence, in order: the last is the answer if all say the same. */
export function finalAnswers(
  text: string,
  context: GradingContext = {},
): { answers: readonly string[] } | { none: None } {
  const visible = withoutReasoning(text.slice(-MAX_REPLY));
  if (visible === undefined) return { none: "unfinished" };
  const said = tidy(withoutQuestion(visible, context.question));
  if (said.trim() === "") return { none: "no_answer" };
  const boxed = boxes(said);
  if (boxed.length > 0) {
    const later = markedBy(FINAL, said.slice(boxed.at(-1)!.end));
    return committed([...boxed.map((b) => b.content), ...later]);
  }
  for (const level of [tagged(said), markedBy(FINAL, said), markedBy(LINE, said), sentences(said)])
    if (level.length > 0) return committed(level);
  return wholeText(said);
}

function committed(found: readonly string[]): { answers: readonly string[] } | { none: None } {
  const answers = found.map(unwrapped);
  const last = uncommitted(plainAnswer(answers.at(-1)!.slice(0, 4000)));
  return last === "no_answer" || last === "refusal" ? { none: last } : { answers };
}

/** `<1.27 g/cm³>`: the brackets of the prompt's `<answer>` were kept. A name in small letters is a placeholder of its own. */
function unwrapped(answer: string): string {
  const inside = /^<([^<>\n]{1,500})>[.]?$/.exec(answer)?.[1]?.trim();
  return inside === undefined || uncommitted(answer) !== undefined ? answer : inside;
}

function withoutQuestion(text: string, question: string | undefined): string {
  const asked = question?.trim() ?? "";
  return asked.length < 20 ? text : text.replaceAll(asked, "\n");
}

/** Without marks of Markdown that change nothing: bold, code, quotes, headings. */
function tidy(text: string): string {
  return text
    .replace(/(^|[\s(:"'])(\*\*|__|`)(?=\S)([^*_`\n]{1,2000})\2(?=$|[\s).,:;!?"'])/gmu, "$1$3")
    .replace(/(^|[\s(:"'])([*_])(?=[^\s*_])([^*_`\n]{1,2000})(?<=\S)\2(?=$|[\s).,:;!?"'])/gmu, "$1$3")
    .replace(/^[ \t]{0,8}(?:#{1,3}|>)[ \t]+/gm, "")
    .replace(/[✅☑🎉🪐🎯]{1,4}\ufe0f?[ \t]{0,8}$/gmu, "")
    .replace(/\*\*(?=[^*\n]{0,60}:?\s*$)/gm, "");
}

function tagged(text: string): string[] {
  const tags = Array.from(
    text.matchAll(/<answer>([^<]{1,20000}(?:<(?!\/?answer>)[^<]{0,20000}){0,50})<\/answer>/gi),
    (m) => m[1]!.trim(),
  );
  if (tags.length > 0) return tags;
  return Array.from(text.matchAll(/^[ \t]{0,8}####[ \t]+([^\n]+)$/gm), (m) => m[1]!.trim());
}

const FINAL =
  /(?:^|[\s>*_"(])(?:(?:my |the |our )?final answer|endgültige antwort|réponse finale|respuesta final|risposta finale|resposta final|итоговый ответ|最终答案)(?:\s(?:is|ist|est|es))?\s{0,3}[*_]{0,2}\s?(?:[:：=]|[–—-](?=\s))?[*_]{0,2}[ \t]*/giu;
const LINE =
  /^[ \t*_>-]{0,8}(?:answer|ans|antwort|lösung|réponse|respuesta|risposta|resposta|antwoord|ответ|答案|答え|정답)[*_]{0,2}\s?[:：][*_]{0,2}[ \t]*/gimu;
const SENTENCE =
  /(?:^|[\s,.;:(])(?:(?:so|thus|therefore|hence),? )?(?:the|my) (?:correct |right )?answer (?:is|would be|must be|should be|equals|=)(?: therefore| thus| then)?(?: that)?:?[ \t]*/gi;

/** What each marker announces: the rest of its line, or the block of lines that follows. */
function markedBy(marker: RegExp, text: string): string[] {
  const found: string[] = [];
  for (const match of Array.from(text.matchAll(marker)).slice(-MAX_MARKERS)) {
    const rest = blockAt(text, match.index + match[0].length);
    if (rest !== "") found.push(rest);
  }
  return found;
}

/** The statement on a line, or, where it is begun there, a list or a display of several lines. */
function blockAt(text: string, at: number): string {
  const start = at + /^(?:[ \t]*\n){0,3}[ \t]*/.exec(text.slice(at, at + 400))![0].length;
  const reach = text.slice(start, start + MAX_ANSWER);
  const list = start > at && text.slice(at, start).includes("\n") ? LIST.exec(reach) : null;
  if (list !== null) return list[0].trim();
  const display = DISPLAYS.map((form) => form.exec(reach)).find((d) => d !== null);
  return display === undefined ? oneStatement(ended(reach)) : display[0].trim();
}

/** Two or more lines that are items of a list, or rows in brackets. */
const LIST =
  /^(?:[-*•] [^\n]{1,500}(?:\n[ \t]*[-*•] [^\n]{1,500}){1,60}|\d{1,3}[.)] [^\n]{1,500}(?:\n[ \t]*\d{1,3}[.)] [^\n]{1,500}){1,60})/;
/** Formulas set apart, and matrices that begin on this line and end on a later one. */
const DISPLAYS = [
  /^\$\$[^$]{1,5000}\$\$/,
  /^\\\[(?:[^\\]|\\(?!\])){1,5000}\\\]/,
  /^[^\n]{0,200}\\begin\{(\w{1,20}\*?)\}(?:[^\\]|\\(?!end\{)){1,5000}\\end\{\1\}[^\n]{0,100}/,
];

function ended(text: string): string {
  return /^[^\n]*/
    .exec(text)![0]
    .trim()
    .replace(/[*_]{1,2}$/, "")
    .trim();
}

/** "... the answer is X." up to the end of the sentence; a hedge before it in the same sentence goes along. */
function sentences(text: string): string[] {
  const found: string[] = [];
  for (const match of Array.from(text.matchAll(SENTENCE)).slice(-MAX_MARKERS)) {
    const before = /[^.!?\n]{0,120}$/.exec(text.slice(Math.max(0, match.index - 120), match.index + 1))![0];
    const rest = blockAt(text, match.index + match[0].length);
    if (rest === "") continue;
    const doubt = uncommitted(plainAnswer(before));
    found.push(doubt === "hedged" || doubt === "unknown" ? `maybe ${rest}` : rest);
  }
  return found;
}

/** The first sentence of a line. "Mt. St. Helens" and "1.27 g. " end no sentence early: a stop needs a word of four letters or a digit before. */
function oneStatement(line: string): string {
  const stop = /(?<=\d|\p{L}{4}|[)\]}$%°³²])[.!](?=\s+([\p{Lu}"“(]\p{L}*))/gu;
  for (const end of line.matchAll(stop)) {
    // "23. September 1846" is one date.
    if (/\d/.test(line[end.index - 1]!) && monthOf(end[1]!) !== undefined) continue;
    return line.slice(0, end.index + 1).trim();
  }
  return line.trim();
}

/** A short text that is one statement. */
function wholeText(said: string): { answers: readonly string[] } | { none: None } {
  const text = said.trim();
  const lines = text.split("\n").filter((l) => l.trim() !== "");
  const list =
    lines.length > 1 &&
    lines.length <= 60 &&
    text.length <= 5000 &&
    lines.every((l) => /^\s*(?:[-*•]|\d{1,3}[.)]) /.test(l));
  if (!list && (text.length > MAX_WHOLE || lines.length > 1)) {
    const doubt = uncommitted(plainAnswer(text.slice(0, MAX_WHOLE)));
    const display = /^(?:\$\$|\\\[|```|\\begin\{)/.test(text) && text.length <= 2000;
    if (!display) return { none: doubt === "refusal" || doubt === "unknown" ? doubt : "no_answer" };
  }
  const bare = text.replace(/^```\w{0,10}\n?|\n?```$/g, "");
  const doubt = uncommitted(plainAnswer(bare));
  if (doubt !== undefined) return { none: doubt };
  if (!list && oneStatement(bare) !== bare) return { none: "no_answer" };
  return { answers: [bare] };
}
