import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Expected, GradingContext } from "../../../verifiers/answer/answer.js";
import { gradeExpression } from "../../../verifiers/answer/expression/index.js";
import { gradeAnswer } from "../../../verifiers/answer/grade.js";
import { askPython, noPython } from "../python/ask.js";
import { pair, soup } from "./pairs.js";

/**
 * Expressions: the sampling evaluator in Python against the one in TypeScript. Verdict, reason and what was read are the same; the
 * sentences are shorter in Python.
 */
type Expression = Extract<Expected, { type: "expression" }>;
interface Asked {
  readonly answer: string;
  readonly expected: Expression;
}
const heard = vi.hoisted(() => ({ asked: [] as unknown[] }));

vi.mock("../../../verifiers/answer/expression/index.js", async (original) => {
  const real = await original<typeof import("../../../verifiers/answer/expression/index.js")>();
  const graded = (answer: string, expected: Expression, context: GradingContext = {}) => {
    // Numbers are read as English writes them wherever expressions are graded.
    if (context.language === undefined) heard.asked.push({ answer, expected });
    return real.gradeExpression(answer, expected, context);
  };
  return { ...real, gradeExpression: graded };
});

await import("../../verifiers/answer/expression.test.js");

const bare = ({ verdict, reason, read }: Record<string, unknown>) =>
  JSON.stringify({ verdict, reason, read });

function differences(asked: readonly Asked[]): unknown[] {
  const said = askPython(asked) as Record<string, unknown>[];
  return asked.flatMap((question, i) => {
    const wanted = { ...gradeAnswer(question.answer, question.expected) };
    return bare(said[i]!) === bare(wanted) ? [] : [{ question, wanted, said: said[i] }];
  });
}

const reason = noPython();
if (reason !== undefined) console.log(`the Python verifier is not compared: ${reason}`);

describe.skipIf(reason !== undefined)("expressions have the same verdict in Python and TypeScript", () => {
  it("in all cases of the tests of the latter", () => {
    const asked = heard.asked as Asked[];
    expect(asked.length).toBeGreaterThan(140);
    expect(differences(asked)).toEqual([]);
  });

  it("where they are equal, nearly equal or equal in part", () => {
    const pairs = fc.sample(pair, 800);
    expect(differences(pairs)).toEqual([]);
    const verdicts = new Set(pairs.map((p) => gradeExpression(p.answer, p.expected).reason));
    expect([...verdicts]).toEqual(expect.arrayContaining(["equal", "wrong_value", "different_domain"]));
  });

  it("where few are expressions at all", () => {
    const texts = fc.sample(fc.tuple(soup, fc.oneof(soup, fc.constant("x+1"))), 700);
    const asked = texts.flatMap(([answer, text]): Asked[] => [
      { answer, expected: { type: "expression", text } },
      { answer: text, expected: { type: "expression", text: answer } },
    ]);
    expect(differences(asked)).toEqual([]);
  });

  it("at the bounds of depth, size and effort", () => {
    const asked = HARD.map(([answer, text]): Asked => ({ answer, expected: { type: "expression", text } }));
    expect(differences(asked)).toEqual([]);
  });
});

/** What recursion, exponents and budgets have to bear. */
const HARD: readonly (readonly [answer: string, expected: string])[] = [
  ...[79, 80, 81].map((n) => [`${"(".repeat(n)}x${")".repeat(n)}`, "x"] as const),
  ...[100, 158, 160].map((n) => [`${"x^".repeat(n)}x`, "x"] as const),
  ["\\frac".repeat(1500), "x"],
  [`${"\\binom".repeat(900)}${"1".repeat(901)}`, "x"],
  [`${"\\binom 1".repeat(900)}1`, "1"],
  [`x${"/x".repeat(600)}`, "x^{-599}"],
  [`x${"/x".repeat(1600)}`, "x"],
  [`x${"°".repeat(300)}`, "x"],
  [`${"sin ".repeat(150)}x`, "x"],
  [`${"\\sum_{k=1}^{2}".repeat(60)}k`, "x"],
  [`${"\\sum_{k=1}^{999}".repeat(3)}k`, "x"],
  ["\\sum_{k=10^{300}}^{10^{300}} 1", "1"],
  [Array.from({ length: 1400 }, () => "x").join("+"), "1400x"],
  [`1e${"9".repeat(5000)}`, "1"],
  [`1e-${"9".repeat(5000)}`, "1e-3"],
  ["7".repeat(9000), "7".repeat(9000)],
  ["2.5e−3", "0.0025"],
  ["10^{900000}", "10^{900000}"],
  ["10^{900001}", "10^{900000}*10"],
  ["10^{-900000}*3/3", "10^{-900000}"],
  ["10^{-900001}", "10^{-900002}*10"],
  ["e^{10^5}/e^{10^5}", "1"],
  ["\\sin(10^{6})", "\\sin(10^6)+10^{-20}"],
  ["\\sin(10^{7})", "\\sin(10^7)+0"],
  ["\\cos(\\pi/2)", "0"],
  ["\\tan(\\pi/2)", "1"],
  ["\\ln(1+10^{-30})", "10^{-30}"],
  ["\\ln(1+10^{-30})", "10^{-30}-10^{-60}/2"],
  ["arcosh(1+10^{-25})", "\\sqrt{2\\cdot 10^{-25}}"],
  ["artanh(10^{-20})-10^{-20}", "10^{-60}/3"],
  ["0^0", "1"],
  ["0^{-1}", "1"],
  ["(-8)^{1/3}", "-2"],
  ["(-8)^{2/3}", "4"],
  ["(-2)^{10^{17}}", "1"],
  ["170!", "170\\cdot 169!"],
  ["171!", "171\\cdot 170!"],
  ["\\binom{1000}{500}", "\\frac{1000!}{500!500!}"],
  ["i^i", "e^{-\\pi/2}"],
  ["\\arcsin(2)", "\\arcsin(2)+10^{-9}"],
];
