import { beforeAll, describe, expect, it } from "vitest";
import type { SolveEvidence } from "../../stages/evidence.js";
import type { ProblemRow } from "../../stages/problem.js";
import { type QuestionRow, questionRow } from "../../stages/question.js";
import { openBook } from "../../stages/screen/open-book.js";
import { solve } from "../../stages/solve.js";
import type { CheckContext, Outcome, RowStage } from "../../stages/stage.js";
import type { WordedRow } from "../../stages/task.js";
import type { Expected } from "../../verifiers/answer/answer.js";
import { answerText } from "./screen/answers.js";
import { contextOf, type Line, line } from "./screen/line.js";
import { Scripted, systemOf, userOf } from "./screen/models.js";
import { solveFromText } from "./screen/table-solver.js";

const stage = solve as unknown as RowStage<unknown, QuestionRow, QuestionRow>;

let tasks: Line;
beforeAll(async () => {
  tasks = await line();
});

async function screen(models: Scripted, row: WordedRow | ProblemRow, params: object = {}) {
  const given = stage.params.parse({ roles: ["a"], max_rows: 1000, ...params });
  return stage.run(questionRow.parse(row), contextOf(given, { catalog: tasks.catalog, models }));
}

function gateOf(outcome: Outcome<QuestionRow>) {
  if ("reject" in outcome) return { status: outcome.reject.reason, why: "" };
  const { gate: _, ...rest } = outcome.out.gates.find((g) => g.gate === "solve")!;
  return rest;
}

function evidenceOf(outcome: Outcome<QuestionRow>): SolveEvidence {
  const from = "out" in outcome ? outcome.out : (outcome.reject.evidence as { solve: unknown });
  return (from as { solve: SolveEvidence }).solve;
}

describe("the open book", () => {
  it("holds all that the answer needs, for every task", async () => {
    let hops = 0;
    for (const row of tasks.rows) {
      if (row.program.follow !== undefined) hops++;
      const models = new Scripted({
        a: (r) => `Final answer: ${solveFromText(row, tasks.catalog, userOf(r))}`,
      });
      const outcome = await screen(models, row, { n: 1 });
      expect(gateOf(outcome).status, `${row.question}\n${userOf(models.asked[0]!)}`).toBe("passed");
    }
    expect(tasks.rows.length).toBeGreaterThan(50);
    expect(hops).toBeGreaterThan(3);
  });

  it("holds who would win were a condition overlooked, and other rows that fail", () => {
    const conditioned = tasks.rows.filter(
      (r) => r.selection !== undefined && r.program.where.length > 0 && r.program.table === "moons",
    );
    for (const row of conditioned) {
      const book = openBook(
        row,
        tasks.catalog,
        { max_rows: 1000, decoys: 5 },
        contextOf({}, tasks).random("x"),
      );
      const { text, rows } = book as { text: string; rows: number };
      const shown = text.split("\n").map((l) => l.split(" | ")[0]);
      for (const name of row.selection!.without) if (name !== null) expect(shown).toContain(name);
      expect(shown).toContain(row.selection!.entity.name);
      expect(rows).toBeGreaterThan(row.filter.candidates);
    }
    expect(conditioned.length).toBeGreaterThan(10);
  });

  it("shows the winner anywhere, in the same place each time", () => {
    const selecting = tasks.rows.filter((r) => r.selection !== undefined);
    const places = selecting.map((row) => {
      const book = () =>
        openBook(row, tasks.catalog, { max_rows: 1000, decoys: 20 }, contextOf({}, tasks).random(row.id)) as {
          text: string;
          rows: number;
        };
      const { text, rows } = book();
      expect(book().text).toBe(text);
      const lines = text.split("\n").slice(2);
      return lines.findIndex((l) => l.startsWith(`${row.selection!.entity.name} | `)) / rows;
    });
    const mean = places.reduce((a, b) => a + b, 0) / places.length;
    expect(mean).toBeGreaterThan(0.35);
    expect(mean).toBeLessThan(0.6);
  });

  it("is left to solvers with tools where it would be too long", async () => {
    const row = tasks.rows.find((r) => r.filter.candidates > 5)!;
    const models = new Scripted({ a: () => "Final answer: 1" });
    const outcome = await screen(models, row, { max_rows: 5 });
    expect(gateOf(outcome)).toMatchObject({
      status: "not_run",
      why: expect.stringMatching(/^needs tools: \d+ rows/),
    });
    expect(models.asked).toEqual([]);
  });
});

describe("solves of a table task", () => {
  const say = (row: WordedRow, answers: readonly (string | null | undefined)[]) =>
    new Scripted({
      a: (r) => {
        const answer = answers[r.sample!];
        if (answer === null) return { why: "truncated" };
        return `Final answer: ${answer ?? answerText(row)}`;
      },
    });

  it("pass when all agree with the reference", async () => {
    const row = tasks.rows[0]!;
    const outcome = await screen(say(row, []), row);
    expect(gateOf(outcome)).toEqual({
      status: "passed",
      why: "3 of 3 solves given the candidate rows agree with the reference",
    });
    const votes = [{ answer: expect.any(String), votes: 3, right: true }];
    expect(evidenceOf(outcome)).toMatchObject({ mode: "open_book", n: 3, clusters: votes, checks: [] });
  });

  it("reject on one that differs, with votes and clusters", async () => {
    const row = tasks.rows.find((r) => r.answer.type === "quantity" && r.answer.unit !== "1")!;
    const outcome = await screen(say(row, [undefined, `5e77 ${row.answer.unit}`]), row);
    expect(gateOf(outcome).status).toBe("solve_disagrees");
    expect(evidenceOf(outcome).clusters.map((c) => [c.votes, c.right])).toEqual([
      [2, true],
      [1, false],
    ]);
    const all = await screen(
      say(
        row,
        ["5e77", "5e77", "5e77"].map((v) => `${v} ${row.answer.unit}`),
      ),
      row,
    );
    expect(gateOf(all).status).toBe("solve_disagrees");
  });

  it("take a missing vote for neither", async () => {
    const row = tasks.rows[0]!;
    const outcome = await screen(say(row, [null]), row);
    expect(gateOf(outcome)).toEqual({
      status: "not_run",
      why: "only 2 of 3 solves gave an answer that can be judged",
    });
  });

  it("are shared out among the roles", async () => {
    const row = tasks.rows[0]!;
    const right = () => `Final answer: ${answerText(row)}`;
    const models = new Scripted({ a: right, b: right });
    const outcome = await screen(models, row, { roles: ["a", "b"] });
    expect(evidenceOf(outcome).samples.map((s) => [s.role, s.sample])).toEqual([
      ["a", 0],
      ["b", 0],
      ["a", 1],
    ]);
  });

  it("do not run without a model, and never from the question alone", async () => {
    const row = tasks.rows[0]!;
    expect(gateOf(await screen(new Scripted({}), row))).toEqual({
      status: "not_run",
      why: "no model is configured for a",
    });
    const closed = await screen(say(row, []), row, { mode: "self_contained" });
    expect(gateOf(closed)).toMatchObject({ status: "not_run", why: expect.stringContaining("needs tools") });
  });
});

describe("solves of a problem", () => {
  const problem = (expected: Expected): ProblemRow => ({
    id: "p1",
    question: "A block slides 3 m in 2 s at constant speed. What is its speed in m/s?",
    gates: [],
    problem: { source: "mine", domain: "mechanics", language: "en" },
    expected,
    origin: { stage: "problems", kind: "problem", name: "mine", index: 0 },
    snapshots: {},
  });
  const speed = problem({ type: "quantity", value: 1.5, unit: "m/s", tolerance: 0.01 });
  const saying =
    (...answers: string[]) =>
    (r: { sample?: number }) =>
      `v = 3/2\nFinal answer: ${answers[r.sample! % answers.length]}`;

  it("pass when all agree, however they write it", async () => {
    const models = new Scripted({ a: saying("1.5 m/s", "150 cm/s", "5.4 km/h") });
    const outcome = await screen(models, speed);
    expect(gateOf(outcome).status).toBe("passed");
    expect(evidenceOf(outcome)).toMatchObject({
      mode: "self_contained",
      clusters: [{ votes: 3, right: true }],
    });
    expect(userOf(models.asked[0]!)).toBe(speed.question);
  });

  it("reject the reference when they agree on another answer, in whatever unit", async () => {
    const outcome = await screen(new Scripted({ a: saying("2 m/s", "200 cm/s", "7.2 km/h") }), speed);
    expect(gateOf(outcome).status).toBe("reference_disagrees");
    expect(evidenceOf(outcome).clusters).toMatchObject([{ votes: 3, right: false }]);
  });

  it.each([
    [{ type: "integer", value: "12" }, ["13", "13.0", "13"]],
    [{ type: "text", value: "cyclic" }, ["abelian", "Abelian", "abelian."]],
    [{ type: "boolean", value: true }, ["no", "No", "false"]],
    [{ type: "expression", text: "x^2 - 1" }, ["x^2 + 1", "1 + x^2", "x*x + 1"]],
  ] as [Expected, string[]][])("see equal answers of type %o as one", async (expected, answers) => {
    const outcome = await screen(new Scripted({ a: saying(...answers) }), problem(expected));
    expect(gateOf(outcome).status).toBe("reference_disagrees");
  });

  it("reject when they do not agree with each other", async () => {
    const outcome = await screen(new Scripted({ a: saying("1.5 m/s", "2 m/s", "3 m/s") }), speed);
    expect(gateOf(outcome).status).toBe("solve_disagrees");
    expect(evidenceOf(outcome).clusters.map((c) => c.votes)).toEqual([1, 1, 1]);
  });

  it.each([
    ["Every step follows.\nCORRECT", "passed", true],
    ["Step 2 is wrong.\nINCORRECT", "derivation_unsound", false],
    ["I am not sure what to say.", "not_run", null],
    ["", "not_run", null],
  ])("have their derivations checked: %j", async (verdict, status, sound) => {
    const models = new Scripted({ a: saying("1.5 m/s"), c: () => verdict });
    const outcome = await screen(models, speed, { check_role: "c" });
    expect(gateOf(outcome).status).toBe(status);
    expect(evidenceOf(outcome).checks.map((c) => [c.role, c.sample, c.sound])).toEqual([
      ["c", 0, sound],
      ["c", 1, sound],
      ["c", 2, sound],
    ]);
    const checking = models.asked.find((r) => r.role === "c")!;
    expect(userOf(checking)).toContain("v = 3/2");
    expect(systemOf(checking)).toContain("INCORRECT");
  });

  it("one wrong step is enough, and nothing is checked that was not agreed on", async () => {
    let i = 0;
    const picky = new Scripted({ a: saying("1.5 m/s"), c: () => (i++ === 1 ? "INCORRECT" : "CORRECT") });
    expect(gateOf(await screen(picky, speed, { check_role: "c" })).status).toBe("derivation_unsound");
    const split = new Scripted({ a: saying("1.5 m/s", "2 m/s", "1.5 m/s"), c: () => "CORRECT" });
    await screen(split, speed, { check_role: "c" });
    expect(split.asked.filter((r) => r.role === "c")).toEqual([]);
  });

  it("do not run with a book that is not there, or a checker that is not", async () => {
    const models = new Scripted({ a: saying("1.5 m/s") });
    expect(gateOf(await screen(models, speed, { mode: "open_book" })).why).toContain("no table");
    expect(gateOf(await screen(models, speed, { check_role: "c" })).why).toBe("no model is configured for c");
  });
});

describe("params", () => {
  const check = (params: object, ...kinds: string[]) =>
    stage.check!(stage.params.parse({ roles: ["a"], ...params }), {
      cards: new Map(),
      kinds: new Set(kinds),
    } as CheckContext).map((p) => p.code);

  it("refuse a closed-book solve beside a probe", () => {
    const refused = ["probe_and_closed_book_solve"];
    expect(check({ mode: "self_contained" }, "probe", "enumerate")).toEqual(refused);
    expect(check({}, "probe", "problems")).toEqual(refused);
    expect(check({}, "probe", "enumerate")).toEqual([]);
    expect(check({ mode: "open_book" }, "probe", "problems")).toEqual([]);
    expect(check({ mode: "self_contained" }, "problems")).toEqual([]);
  });

  it("want a solve for each role, and plan the calls of each", () => {
    expect(check({ roles: ["a", "b"], n: 1 })).toEqual(["too_few_solves"]);
    const calls = stage.calls!(stage.params.parse({ roles: ["a", "b"], n: 3, check_role: "c" }));
    expect(calls.map(({ role, calls }) => [role, calls])).toEqual([
      ["a", 2],
      ["b", 1],
      ["c", 3],
    ]);
  });
});
