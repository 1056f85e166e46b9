import { describe, expect, it } from "vitest";
import { checkCard } from "../../sources/check-card.js";
import { tableHash } from "../../sources/load.js";
import { checkProblems, problemColumns } from "../../sources/problem-card.js";
import { cardOf, number, text } from "./helper.js";

const snapshot = { file: "data", sha256: "0".repeat(64), read: { format: "csv" } };
const columns = { id: text("id"), q: text("q"), a: text("a"), t: text("t") };
const card = (more: object) => cardOf({ snapshot, columns, ...more });
const ofProblems = (problems: object, more: object = {}) => card({ kind: "problems", problems, ...more });
const faults = (...given: Parameters<typeof ofProblems>) =>
  checkProblems(ofProblems(...given)).map((p) => [p.code, p.path?.join(".")]);

describe("a card of problems", () => {
  it("maps columns, and is a card otherwise", () => {
    const good = ofProblems({ question: "q", answer: "a", type: "t", topic: "t" });
    expect(checkCard(good)).toEqual([]);
    expect(problemColumns(good)).toEqual(["q", "a", "t"]);
    expect(checkCard(ofProblems({ question: "q", answer: "a", type: "integer" }))).toEqual([]);
  });

  it("says what is missing, unknown or idle, and where", () => {
    expect(checkProblems(card({ kind: "problems" })).map((p) => p.code)).toEqual(["missing_mapping"]);
    expect(
      checkProblems(card({ problems: { question: "q", answer: "a", type: "text" } })).map((p) => p.code),
    ).toEqual(["not_problems"]);
    expect(faults({ question: "qq", answer: "a", type: "intger" })).toEqual([
      ["unknown_column", "problems.question"],
      ["unknown_column", "problems.type"],
    ]);
    expect(
      faults({ question: "q", answer: "a", type: "text" }, { columns: { ...columns, a: number("a") } }),
    ).toEqual([["not_text", "columns.a.type"]]);
    expect(
      faults({ question: "q", answer: "a", type: "text" }, { columns: { ...columns, text: text("x") } }),
    ).toEqual([["ambiguous_type", "problems.type"]]);
    expect(faults({ question: "q", answer: "a", type: "choice" })).toEqual([
      ["missing_options", "problems.type"],
    ]);
    expect(
      faults({ question: "q", answer: "a", type: "boolean", unit: { value: "kg" }, aliases: "t" }),
    ).toEqual([
      ["idle_part", "problems.unit"],
      ["idle_part", "problems.aliases"],
    ]);
    expect(
      faults({
        question: "q",
        answer: "a",
        type: "quantity",
        unit: { value: "kgg" },
        language: { value: "English" },
      }),
    ).toEqual([
      ["bad_unit", "problems.unit.value"],
      ["bad_language", "problems.language.value"],
    ]);
  });

  it("suggests the type that was meant", () => {
    const [problem] = checkProblems(ofProblems({ question: "q", answer: "a", type: "intger" }));
    expect(problem!.hint).toBe("did you mean `integer`?");
  });

  it("leaves the hashes of tables as they were", () => {
    expect(Object.keys(card({}))).not.toContain("kind");
    expect(tableHash(card({}))).toBe("94f6b4edca2a7d234062d1d6d77a2d1b0eb8f41b06036b3bdaf1a62b039286c8");
  });
});
