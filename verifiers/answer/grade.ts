import type { Expected, GradingContext, Verdict } from "./answer.js";
import { gradeBoolean } from "./boolean.js";
import { boxes } from "./boxed.js";
import { gradeChoice } from "./choice.js";
import { copiesQuestion, uncommitted } from "./commitment.js";
import { gradeDate } from "./date.js";
import { gradeEntity } from "./entity.js";
import { gradeExpression } from "./expression/index.js";
import { gradeInteger } from "./integer.js";
import { gradeInterval } from "./interval.js";
import { type Notation, notationOf } from "./language.js";
import { plainAnswer } from "./latex.js";
import { gradeMatrix } from "./matrix.js";
import { complement } from "./phrases.js";
import { gradeQuantity } from "./quantity.js";
import { gradeSequence } from "./sequence.js";
import { gradeText } from "./text.js";
import { MAX_ANSWER, undecided, wrong } from "./verdicts.js";

/** Lists within lists that are looked at. */
const MAX_DEPTH = 8;

/**
 * Judges a final answer, alone: what a reply says before it is {@link extractFinal}'s part. Total and pure: any string gets a verdict, in
 * time about linear in its length; more than 20,000 characters are `undecided`. `docs/answers.md` says what each type accepts.
 * @param expected as `expectedSchema` admits it
 */
export function gradeAnswer(answer: string, expected: Expected, context: GradingContext = {}): Verdict {
  if (answer.length > MAX_ANSWER)
    return undecided("too_long", "the answer is longer than 20,000 characters", answer);
  const raw = boxes(answer).at(-1)?.content ?? answer;
  const notation = notationOf(context.language);
  const plain = plainAnswer(raw);
  const literal = isLiteral(expected);
  if (literal) {
    const verdict = gradeOne(raw, plain, expected, notation, 0);
    if (verdict.verdict === "right" && uncommitted(plain) === undefined) return verdict;
    if (verdict.verdict === "right" && saysJust(plain, expected)) return verdict;
  }
  return refused(plain, expected, context) ?? gradeOne(raw, plain, expected, notation, 0);
}

/** Answers in words may be words that hedge or refuse elsewhere: "unknown", "cannot be determined". */
const isLiteral = (expected: Expected): boolean =>
  expected.type === "text" || expected.type === "choice" || expected.type === "entity";

/** Whether the answer is word for word what is expected. */
function saysJust(plain: string, expected: Expected): boolean {
  const wanted =
    expected.type === "text"
      ? [expected.value]
      : expected.type === "entity"
        ? [expected.name, ...expected.aliases]
        : expected.type === "choice"
          ? [expected.value, ...Object.keys(expected.options), ...Object.values(expected.options)]
          : [];
  return wanted.some((w) => {
    const same = gradeText(plain, plainAnswer(w)).verdict === "right";
    // A question mark is a hedge, unless it is part of the right words.
    return same && (w.trim().endsWith("?") || !plain.endsWith("?"));
  });
}

/** The verdict on what is no answer at all, whatever is expected. */
function refused(plain: string, expected: Expected, { question }: GradingContext): Verdict | undefined {
  const why = uncommitted(plain);
  if (why !== undefined) return notAnswered(why, plain);
  if (question !== undefined && expected.type !== "choice" && copiesQuestion(plain, question))
    return notAnswered("copied_question", plain);
  return undefined;
}

const WHY = {
  no_answer: "no answer is stated",
  refusal: "the reply declines to answer",
  unknown: "the reply says that it does not know",
  hedged: "the answer does not commit itself to one value",
  copied_question: "the question is said again",
  several_answers: "several final answers are stated that differ",
  unfinished: "the reply ends within its reasoning",
} as const;

/**
 * The verdict where nothing was committed to. A reply that states nothing (empty, declined, cut off) tells nothing about what its writer
 * knows and is `undecided`; one that does not know, or will not settle, is `wrong`.
 */
export function notAnswered(why: keyof typeof WHY, plain: string | null): Verdict {
  const silent = why === "no_answer" || why === "refusal" || why === "unfinished";
  return (silent ? undecided : wrong)(why, WHY[why], plain);
}

function gradeOne(
  raw: string,
  plain: string,
  expected: Expected,
  notation: Notation,
  depth: number,
): Verdict {
  if (depth > MAX_DEPTH) return undecided("too_deep", "the answer is nested too deeply", plain);
  const item = (text: string, of: Expected): Verdict => gradeItem(text, of, notation, depth + 1);
  switch (expected.type) {
    case "quantity":
      return gradeQuantity(complement(plain, "any"), expected, notation);
    case "integer":
      return gradeInteger(complement(plain, "any"), expected, notation);
    case "entity":
      return gradeEntity(complement(plain), expected);
    case "boolean":
      return gradeBoolean(plain, expected.value);
    case "choice":
      return gradeChoice(plain, expected);
    case "date":
      return gradeDate(complement(plain), expected.value, notation);
    case "list":
    case "set":
    case "tuple":
    case "vector":
      return gradeSequence(raw, complement(plain), expected, notation, item);
    case "matrix":
      return gradeMatrix(complement(plain), expected, notation, item);
    case "interval":
      return gradeInterval(complement(plain), expected, notation, item);
    case "expression":
      return gradeExpression(raw, expected);
    case "text":
      return gradeText(plain, plainAnswer(expected.value));
  }
}

/** An item of a list: its text was made plain with the whole. */
function gradeItem(text: string, expected: Expected, notation: Notation, depth: number): Verdict {
  const why = isLiteral(expected) ? undefined : uncommitted(text);
  return why === undefined ? gradeOne(text, text, expected, notation, depth) : notAnswered(why, text);
}
