import { describe, expect, it } from "vitest";
import { sameAnswer } from "../../../stages/screen/same-answer.js";
import type { Expected } from "../../../verifiers/answer/answer.js";

const length: Expected = { type: "quantity", value: 7, unit: "m", tolerance: 0.01 };
const integer: Expected = { type: "integer", value: "7" };
const entity: Expected = { type: "entity", name: "Titan", aliases: [] };
const choice: Expected = { type: "choice", value: "A", options: { A: "iron", B: "gold" } };
const date: Expected = { type: "date", value: "1999-01-01" };
const expression: Expected = { type: "expression", text: "x" };
const set: Expected = { type: "set", items: [integer, integer] };

describe("two answers are equal, neither being the reference", () => {
  it.each([
    ["en", length, "3 m", "300 cm"],
    ["en", length, "3 m", "3.01 m"],
    ["en", length, "1/3 m", "0.333 m"],
    ["en", length, "3 m/s", "10.8 km/h"],
    ["en", length, "5", "5.0"],
    ["de", length, "1,27 m", "127 cm"],
    ["en", integer, "1,000", "10^3"],
    ["en", integer, "-4", "−4"],
    ["en", entity, "Rhea", "rhea"],
    ["en", choice, "B", "gold"],
    ["en", date, "1846-09-23", "1846-09-23"],
    ["en", expression, "(x + 1)^2", "x^2 + 2x + 1"],
    ["en", set, "{1, 2}", "{ 1, 2 }"],
    ["en", { type: "boolean", value: true }, "no", "false"],
    ["en", { type: "text", value: "a" }, "Simple group", "simple group"],
  ] as [string, Expected, string, string][])("in %s, for %o: %s and %s", (language, expected, a, b) => {
    expect(sameAnswer(a, b, { expected, language })).toBe(true);
    expect(sameAnswer(b, a, { expected, language })).toBe(true);
  });

  it.each([
    ["en", length, "3 m", "3 cm"],
    ["en", length, "3 m", "-3 m"],
    ["en", length, "3 m", "3.1 m"],
    ["en", length, "5", "5 m"],
    ["de", length, "1.270 m", "1,27 m"],
    ["en", integer, "1,000", "1"],
    ["en", integer, "12", "13"],
    ["en", entity, "Rhea", "Dione"],
    ["en", choice, "A", "gold"],
    ["en", date, "1846-09-23", "1846-09-24"],
    ["en", expression, "x + 1", "x - 1"],
    ["en", set, "{1, 2}", "{1, 3}"],
    ["en", { type: "boolean", value: true }, "no", "yes"],
    ["en", { type: "text", value: "a" }, "abelian", "cyclic"],
  ] as [string, Expected, string, string][])("not in %s, for %o: %s and %s", (language, expected, a, b) => {
    expect(sameAnswer(a, b, { expected, language })).toBe(false);
    expect(sameAnswer(b, a, { expected, language })).toBe(false);
  });
});
