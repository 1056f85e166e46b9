import { beforeAll, describe, expect, it } from "vitest";
import { type ProblemRow, problemRow } from "../../stages/problem.js";
import { askedOf, expectedOf, gradable, questionRow } from "../../stages/question.js";
import { subjectOf, type WordedRow } from "../../stages/task.js";
import { type Line, line } from "./screen/line.js";

let tasks: Line;
beforeAll(async () => {
  tasks = await line(200);
});

const problem: ProblemRow = {
  id: "p7",
  question: "Wie groß ist 2 + 2?",
  gates: [],
  problem: { source: "mine", domain: "arithmetic", language: "de", topic: "sums" },
  expected: { type: "integer", value: "4" },
  origin: { stage: "problems", kind: "problem", name: "mine", index: 7 },
  snapshots: { mine: "0".repeat(64) },
};

describe("what tasks and problems have in common", () => {
  it("keeps every other field", () => {
    for (const row of [...tasks.rows, problem]) expect(questionRow.parse(row)).toEqual(row);
    expect(problemRow.parse(problem)).toEqual(problem);
  });

  it("is told apart by what the row has", () => {
    expect(askedOf(problem)).toEqual({ kind: "problem", row: problem });
    expect(askedOf(tasks.rows[0]!)).toEqual({ kind: "table", row: tasks.rows[0] });
  });

  it("is gradable: answer, language and groups", () => {
    const row = tasks.rows[0]!;
    expect(gradable(askedOf(row), tasks.catalog)).toEqual({
      expected: expectedOf(row),
      language: "en",
      domain: "astronomy",
      table: row.program.table,
      formula: row.program.compute.formula,
      entity: subjectOf(row),
    });
    expect(gradable(askedOf(problem), tasks.catalog)).toEqual({
      expected: problem.expected,
      language: "de",
      domain: "arithmetic",
      table: null,
      formula: null,
      entity: "problem/mine/p7",
    });
  });
});

describe("the reference answer of a table task", () => {
  const answer = (type: "integer" | "quantity", value: number, unit: string, tolerance = 0.005) =>
    ({ answer: { type, value, unit, tolerance, digits: 3 } }) as Pick<WordedRow, "answer">;

  it.each([
    [
      answer("quantity", 1.27, "g/cm^3"),
      { type: "quantity", value: 1.27, unit: "g/cm^3", tolerance: 0.005, digits: 3 },
    ],
    [answer("integer", 24, "1"), { type: "integer", value: "24" }],
    [
      answer("integer", 3e22, "1", 0),
      { type: "quantity", value: 3e22, unit: "1", tolerance: 5e-12, digits: 3 },
    ],
    [answer("integer", -7, "1"), { type: "integer", value: "-7" }],
    [answer("integer", 12, "d"), { type: "quantity", value: 12, unit: "d", tolerance: 0.005, digits: 3 }],
  ])("%o is expected as %o", (row, expected) => {
    expect(expectedOf(row)).toEqual(expected);
  });
});
