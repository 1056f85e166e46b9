import type { Expected, GradingContext, Verdict } from "./answer.js";
import { copiesQuestion } from "./commitment.js";
import { finalAnswers } from "./extract.js";
import { gradeAnswer, notAnswered } from "./grade.js";
import { MAX_ANSWER, wrong } from "./verdicts.js";

/** Statements of the final answer that are graded; a reply with more of them commits to none. */
const MAX_STATEMENTS = 50;

/**
 * Extracts the final answer of a reply and judges it. Several statements of it are right only if each is.
 * @returns the verdict, and the answer as extracted (null where the reply states none)
 */
export function gradeReply(
  text: string,
  expected: Expected,
  context: GradingContext = {},
): Verdict & { readonly answer: string | null } {
  const found = finalAnswers(text, context);
  if ("none" in found) {
    if (context.question !== undefined && text.length <= MAX_ANSWER && copiesQuestion(text, context.question))
      return { ...notAnswered("copied_question", text), answer: null };
    return { ...literally(text, expected, context, found.none) };
  }
  const distinct = [...new Set(found.answers)];
  const answer = distinct.at(-1)!;
  const last = gradeAnswer(answer, expected, context);
  if (distinct.length === 1) return { ...last, answer };
  if (distinct.length > MAX_STATEMENTS) return { ...notAnswered("several_answers", answer), answer };
  const before = distinct.slice(0, -1).map((a) => gradeAnswer(a, expected, context));
  if (before.every((v) => v.verdict === last.verdict)) return { ...last, answer };
  const conflict = wrong(
    "several_answers",
    "several final answers are stated that differ",
    distinct.join(" | "),
  );
  return { ...conflict, answer };
}

/** A reply of a few words that would be no answer elsewhere may be the right text or choice: "unknown", "None". */
function literally(
  text: string,
  expected: Expected,
  context: GradingContext,
  none: Parameters<typeof notAnswered>[0],
): Verdict & { readonly answer: string | null } {
  const words = expected.type === "text" || expected.type === "choice" || expected.type === "entity";
  if (words && text.trim() !== "" && text.length <= 300) {
    const verdict = gradeAnswer(text, expected, context);
    if (verdict.verdict === "right") return { ...verdict, answer: text.trim() };
  }
  return { ...notAnswered(none, none === "no_answer" ? null : text), answer: null };
}
