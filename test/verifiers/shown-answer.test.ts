import { describe, expect, it } from "vitest";
import type { Expected } from "../../verifiers/answer/answer.js";
import { shownAnswer } from "../../verifiers/shown-answer.js";

const entity = (name: string, ...aliases: string[]): Expected => ({ type: "entity", name, aliases });
const integer = (value: string): Expected => ({ type: "integer", value });
const quantity = (value: number): Expected => ({ type: "quantity", value, unit: "1", tolerance: 0 });

describe("an answer in the question", () => {
  it.each([
    ["The answer is 299792458.", integer("299792458")],
    ["Hint: 299,792,458 m/s", integer("299792458")],
    ["It is -1.60218e-19 C.", quantity(-1.60218e-19)],
    ["Was it the Treaty of Westphalia?", entity("treaty of Westphalia")],
    ["Also called Ōumuamua-like body", entity("1I", "Oumuamua-like")],
    ["Name Constantinople.", entity("Constantinople")],
    ["Say: to be, or not to be!", { type: "text", value: "To be or not to be" }],
    ["Is it $3x^2 - 5x + 1$?", { type: "expression", text: "3x^2-5x+1" }],
    ["It was on 1846-09-23.", { type: "date", value: "1846-09-23" }],
    ["Sort 12, 15, 19.", { type: "list", items: [quantity(12), quantity(15), quantity(19)] }],
  ] satisfies [string, Expected][])("shows in %j", (text, expected) => {
    expect(shownAnswer(text, expected)).toBeTypeOf("string");
  });

  it.each([
    ["What is 7^100 modulo 13?", integer("7")],
    ["A cube of 1000 kg: half of it?", integer("1000")],
    ["Is Mars or Venus larger?", entity("Venus")],
    ["Is 2^31 - 1 prime, yes or no?", { type: "boolean", value: true }],
    [
      "Mars or the planet Venus?",
      { type: "choice", value: "B", options: { A: "Mars", B: "the planet Venus" } },
    ],
    ["What is 1299792458 minus 10^9?", integer("299792458")],
    ["Expand 13x^2-5x+12.", { type: "expression", text: "3x^2-5x+1" }],
    ["Sort 19, 12, 15.", { type: "list", items: [quantity(12), quantity(15), quantity(19)] }],
    ["In which year, 1846?", { type: "date", value: "1846" }],
  ] satisfies [string, Expected][])("does not in %j", (text, expected) => {
    expect(shownAnswer(text, expected)).toBeUndefined();
  });
});
