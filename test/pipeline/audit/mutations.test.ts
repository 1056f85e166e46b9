import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mutationsOf, referenceText } from "../../../pipeline/audit/mutations.js";
import type { Question } from "../../../pipeline/audit/rows.js";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { gradeReply } from "../../../verifiers/answer/reply.js";

const QUESTION =
  "How far is it from here to there, in the unit that was asked for? Give three significant figures.";

const asking = (expected: Expected, language = "en"): Question => ({
  id: "x",
  question: QUESTION,
  language,
  expected,
  entity: "t/x",
  table: null,
  formula: null,
  domain: "d",
  split: null,
  gates: [],
  by: null,
  task: undefined,
  row: { id: "x" },
});

const verdict = (text: string, { expected, language }: Question) =>
  gradeReply(`Final answer: ${text}`, expected, { language, question: QUESTION }).verdict;

const quantity = fc.record({
  type: fc.constant("quantity" as const),
  value: fc
    .tuple(
      fc.double({ min: 1, max: 10, maxExcluded: true, noNaN: true }),
      fc.integer({ min: -12, max: 30 }),
      fc.boolean(),
    )
    .map(([mantissa, exponent, negative]) =>
      Number(`${negative ? "-" : ""}${mantissa.toPrecision(12)}e${exponent}`),
    ),
  unit: fc.constantFrom("1", "km", "m", "g/cm^3", "kg", "d", "km/s", "K", "m^3"),
  tolerance: fc.constantFrom(0.0005, 0.005, 0.02, 0.05),
});
const others: fc.Arbitrary<Expected> = fc.oneof(
  fc
    .bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
    .map((n) => ({ type: "integer" as const, value: String(n) })),
  fc.boolean().map((value) => ({ type: "boolean" as const, value })),
  fc
    .constantFrom("A", "B", "C")
    .map((value) => ({ type: "choice" as const, value, options: { A: "iron", B: "nickel", C: "cobalt" } })),
  fc.integer({ min: 1000, max: 2100 }).map((year) => ({ type: "date" as const, value: `${year}-09-23` })),
  fc.constantFrom("x^2 + 1", "\\frac{x}{2}", "sin(x)").map((text) => ({ type: "expression" as const, text })),
);

describe("mutations of a reference", () => {
  it("are wrong answers, all of them, while the reference itself is right", () => {
    fc.assert(
      fc.property(
        fc.oneof(quantity, others),
        fc.constantFrom("en", "de", "fr", "ru"),
        (expected, language) => {
          const question = asking(expected, language);
          expect(verdict(referenceText(question)!, question)).toBe("right");
          const accepted = mutationsOf(question).filter(({ text }) => verdict(text, question) === "right");
          expect(accepted).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("change sign, power of ten, unit and last digits of a quantity", () => {
    const expected: Expected = { type: "quantity", value: 5.51, unit: "g/cm^3", tolerance: 0.01 };
    const kinds = new Set(mutationsOf(asking(expected)).map(({ kind }) => kind));
    expect(kinds).toEqual(
      new Set(["sign", "power of ten", "rounded too far", "unit", "hedged", "no answer", "question copied"]),
    );
    const texts = mutationsOf(asking(expected)).map(({ text }) => text);
    expect(texts).toEqual(
      expect.arrayContaining(["-5.51 g/cm^3", "55.099999999999994 g/cm^3", "5.51 kg/m^3", "5.51 m"]),
    );
  });
});
