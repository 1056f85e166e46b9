import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Expected, GradingContext } from "../../../verifiers/answer/answer.js";
import { extractFinal } from "../../../verifiers/answer/extract.js";
import { gradeAnswer } from "../../../verifiers/answer/grade.js";
import { gradeReply } from "../../../verifiers/answer/reply.js";
import { askPython, noPython, type Question } from "./ask.js";
import { hostileTexts, someContext, someExpected } from "./junk.js";

/**
 * The Python verifier against the TypeScript one, verdict by verdict, with reason, sentence and the answer as read. Whatever the tests of
 * the TypeScript verifier ask is asked here of both: these tests run within this one, and are listened to.
 */
const heard = vi.hoisted(() => ({ asked: [] as unknown[] }));

vi.mock("../../../verifiers/answer/grade.js", async (original) => {
  const real = await original<typeof import("../../../verifiers/answer/grade.js")>();
  const graded = (answer: string, expected: Expected, context: GradingContext = {}) => {
    heard.asked.push({ answer, expected, context });
    return real.gradeAnswer(answer, expected, context);
  };
  return { ...real, gradeAnswer: graded };
});
vi.mock("../../../verifiers/answer/reply.js", async (original) => {
  const real = await original<typeof import("../../../verifiers/answer/reply.js")>();
  const graded = (reply: string, expected: Expected, context: GradingContext = {}) => {
    heard.asked.push({ reply, expected, context });
    return real.gradeReply(reply, expected, context);
  };
  return { ...real, gradeReply: graded };
});
vi.mock("../../../verifiers/answer/extract.js", async (original) => {
  const real = await original<typeof import("../../../verifiers/answer/extract.js")>();
  const extracted = (text: string, context: GradingContext = {}) => {
    heard.asked.push({ text, context });
    return real.extractFinal(text, context);
  };
  return { ...real, extractFinal: extracted };
});

await import("../../verifiers/answer/tables.test.js");
await import("../../verifiers/answer/extract.test.js");
await import("../../verifiers/answer/replies.test.js");
await import("../../verifiers/answer/forms.test.js");

/** Types of numbers and texts. Expressions have a test of their own. */
const TYPES: ReadonlySet<string> = new Set(["quantity", "integer", "text"]);
const compared = (q: Question): boolean => !("expected" in q) || TYPES.has(q.expected.type);
const ofOtherType = (q: Question): boolean =>
  "answer" in q && !TYPES.has(q.expected.type) && q.expected.type !== "expression";

function askTypeScript(q: Question): unknown {
  if ("answer" in q) return gradeAnswer(q.answer, q.expected, q.context);
  return "reply" in q ? gradeReply(q.reply, q.expected, q.context) : extractFinal(q.text, q.context);
}

/** Questions whose answers differ, with both. */
function differences(questions: readonly Question[]): unknown[] {
  const said = askPython(questions);
  expect(said).toHaveLength(questions.length);
  return questions.flatMap((question, i) => {
    const wanted = askTypeScript(question);
    // Both write the fields in one order.
    if (JSON.stringify(said[i]) === JSON.stringify(wanted)) return [];
    return [{ question, typescript: wanted, python: said[i] }];
  });
}

const reason = noPython();
if (reason !== undefined) console.log(`the Python verifier is not compared: ${reason}`);

describe.skipIf(reason !== undefined)("the Python verifier says what the TypeScript one says", () => {
  const questions: Question[] = [];

  it("of all that the tests of the TypeScript one ask", () => {
    const texts = [...new Set((heard.asked as Question[]).map((q) => JSON.stringify(q)))];
    const all = texts.map((text) => JSON.parse(text) as Question);
    questions.push(...all.filter(compared));
    // The tables come first; of the thousands of generated forms every third is enough.
    const others = all.filter(ofOtherType).filter((_, i) => i < 600 || i % 3 === 0);
    expect(questions.length).toBeGreaterThan(8000);
    expect(others.length).toBeGreaterThan(4000);
    expect(differences([...questions, ...others])).toEqual([]);
  });

  it("of junk, and of answers with faults", () => {
    const texts = questions.map((q) => ("answer" in q ? q.answer : "reply" in q ? q.reply : q.text));
    const asked = fc.tuple(hostileTexts(texts), someExpected, someContext, fc.nat(9));
    const junk = fc.sample(asked, 6000).map(([said, expected, context, how]): Question => {
      if (how === 9) return { text: said, context };
      return how < 5 ? { answer: said, expected, context } : { reply: said, expected, context };
    });
    expect(differences(junk)).toEqual([]);
  });

  it("of long texts of one piece", () => {
    const pieces = [
      "(",
      "{",
      "\\frac{",
      "9^",
      "√(",
      "-",
      " ",
      "1,",
      "\\boxed{",
      "Answer: 1\n",
      "<think>",
      "**",
      "a **b ",
      "kg ",
      "a=",
      "1 or ",
      "😀",
      "\ud800",
      "½",
      "&#1",
      "1 ± ",
    ];
    const long = pieces.flatMap((piece): Question[] => [
      { answer: piece.repeat(4000 / piece.length), expected: { type: "integer", value: "7" } },
      { reply: piece.repeat(40_000 / piece.length), expected: { type: "text", value: "a" } },
    ]);
    expect(differences(long)).toEqual([]);
  });
});
