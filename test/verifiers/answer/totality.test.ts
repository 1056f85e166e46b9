import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { extractFinal } from "../../../verifiers/answer/extract.js";
import { gradeAnswer } from "../../../verifiers/answer/grade.js";
import { readJudgement } from "../../../verifiers/answer/judgement.js";
import { gradeReply } from "../../../verifiers/answer/reply.js";
import { expectedSchema } from "../../../verifiers/answer/schema.js";
import {
  choice,
  date,
  entity,
  integer,
  integers,
  interval,
  list,
  matrix,
  quantity,
  set,
  text,
} from "./answers.js";

const TYPES: readonly Expected[] = [
  quantity(1.2745, "g/cm^3", 0.005),
  integer(7),
  entity("Uranus (7)", ["Neptune"], ["Uran"]),
  { type: "boolean", value: true },
  choice("B"),
  date("1846-09-23"),
  list(...integers(1, 2, 3)),
  set(...integers(1, 2, 3)),
  matrix([1, 2], [3, 4]),
  interval(1, 2, "[)"),
  text("abc"),
];
const PIECES =
  "\\frac{ } { \\boxed{ \\begin{pmatrix} \\end{pmatrix} & \\\\ ^ _ ( ) [ ] 7 1.27 1,270 e5 × 10^ / ± √ π kg m³ and or = < ≤ ∞ Answer: <think> </think> Uranus -  \ud800 ½ \n $ ** yes B 23 September the is".split(
    " ",
  );
const soup = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((p) => p.join("")),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((p) => p.join(" ")),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((c) => String.fromCharCode(...c)),
);

describe("any text gets a verdict", () => {
  it("from the grader and from the extraction, the same each time", () => {
    fc.assert(
      fc.property(
        soup,
        fc.constantFrom(...TYPES),
        fc.constantFrom("en", "de", "fr", "x"),
        (said, expected, language) => {
          const graded = gradeAnswer(said, expected, { language, question: said });
          expect(["right", "wrong", "undecided"]).toContain(graded.verdict);
          expect(gradeAnswer(said, expected, { language, question: said })).toEqual(graded);
          expect(gradeReply(said, expected, { language }).why).not.toBe("");
          extractFinal(said);
          readJudgement(said);
        },
      ),
      { numRuns: 1000 },
    );
  });

  const N = 20_000;
  const LONG: readonly (readonly [string, string])[] = [
    ["brackets", "("],
    ["braces", "{"],
    ["fractions", "\\frac{"],
    ["half fractions", "\\frac{1}{"],
    ["bare fractions", "\\frac"],
    ["powers", "9^"],
    ["braced powers", "9^{"],
    ["roots", "√("],
    ["bare roots", "√"],
    ["signs", "-"],
    ["spaces", " "],
    ["commas", "1,"],
    ["digits", "1"],
    ["boxes", "\\boxed{"],
    ["full boxes", "\\boxed{1}"],
    ["answer lines", "Answer: 1\n"],
    ["markers", "Final answer "],
    ["sentences", "the answer is "],
    ["thoughts", "<think>"],
    ["tags", "<answer>"],
    ["stars", "**"],
    ["bold words", "a **b "],
    ["names", "Uranus "],
    ["two names", "Neptune Uranus "],
    ["matrices", "\\begin{pmatrix}"],
    ["units", "kg "],
    ["equations", "a="],
    ["alternatives", "1 or "],
    ["ranges", "1 to "],
    ["surrogates", "\ud800"],
    ["Greek letters", "π"],
    ["letters", "a"],
    ["checks", "✅"],
    ["stops", "a. "],
    ["parts", "17 h "],
    ["owners", "Uranus of "],
    ["entities", "&#1"],
    ["judgements", "not correct "],
    ["lines", "\n"],
    ["bullets", "- a\n"],
    ["number words", "seven hundred "],
    ["vulgar fractions", "½"],
    ["lists", "[[1],"],
    ["verdicts", "verdict is "],
  ];
  it.each(LONG)("long runs of %s", (_, piece) => {
    const long = piece.repeat(N / piece.length);
    for (const expected of TYPES) expect(gradeAnswer(long, expected).why).not.toBe("");
    const longer = piece.repeat((10 * N) / piece.length);
    expect(gradeReply(longer, TYPES[0]!).why).not.toBe("");
    readJudgement(longer);
  });

  it("megabytes too: only the end is looked at", () => {
    const reply = `${"word ".repeat(400_000)}\nFinal answer: 7`;
    expect(gradeReply(reply, integer(7)).verdict).toBe("right");
    expect(gradeAnswer(reply, integer(7)).reason).toBe("too_long");
  });

  it("an integer of many digits is read to the last", () => {
    const digits = "7".repeat(19_000);
    expect(gradeAnswer(digits, integer(digits)).verdict).toBe("right");
    expect(gradeAnswer(`${digits.slice(1)}8`, integer(digits)).verdict).toBe("wrong");
  });

  it.each([
    "1e999999",
    "1e9999999",
    "10^9999999",
    "(10^9999999)^9",
    "2^(2^(2^(2^(2^2))))",
    "9^9^9^9",
    "1/(9^9^9^9)",
  ])("%s is bounded", (power) => {
    expect(gradeAnswer(power, integer(7)).verdict).not.toBe("right");
    expect(gradeAnswer(power, quantity("0.5", "1", 0.01)).verdict).not.toBe("right");
  });
});

describe("the schema of right answers", () => {
  it("admits every type", () => {
    for (const expected of TYPES) expect(expectedSchema.parse(expected)).toEqual(expected);
    const nested = list(set(quantity("1e-400")), interval(null, 3, "(]"), {
      type: "expression",
      text: "x^2",
      domain: { x: [0, 1] },
    });
    expect(expectedSchema.parse(nested)).toEqual(nested);
  });

  it.each([
    [{ type: "quantity", value: 1, unit: "furlong", tolerance: 0 }],
    [{ type: "quantity", value: "a lot", unit: "1", tolerance: 0 }],
    [{ type: "quantity", value: 1, unit: "1", tolerance: -1 }],
    [{ type: "quantity", value: Number.NaN, unit: "1", tolerance: 0 }],
    [{ type: "integer", value: "1.5" }],
    [{ type: "choice", value: "D", options: { A: "Mars" } }],
    [{ type: "date", value: "23.9.1846" }],
    [{ type: "date", value: "1846-13" }],
    [{ type: "matrix", rows: [[{ type: "integer", value: "1" }], []] }],
    [{ type: "entity", name: "", aliases: [] }],
    [{ type: "boolean", value: "yes" }],
    [{ type: "poem", value: "x" }],
    [{ type: "boolean", value: true, extra: 1 }],
  ])("refuses %j", (expected) => {
    expect(expectedSchema.safeParse(expected).success).toBe(false);
  });
});
