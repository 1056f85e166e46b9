import { describe, expect, it } from "vitest";
import type { Catalog, Table } from "../../sources/table.js";
import type { ProblemRow } from "../../stages/problem.js";
import { problems } from "../../stages/problems.js";
import type { Batch, CheckContext, SourceStage, StageContext } from "../../stages/stage.js";
import { cardOf, load, text } from "../sources/helper.js";

const stage = problems as unknown as SourceStage<unknown, ProblemRow>;

/** Rows of a CSV file with the columns id, q, a, type, unit, tol, digits, alias, opt, lang, topic. */
async function tableOf(lines: readonly string[], more: object = {}, mapping: object = {}): Promise<Table> {
  const columns = ["id", "q", "a", "type", "unit", "tol", "digits", "alias", "opt", "lang", "topic"];
  const { table } = await load(`${columns.join("\t")}\n${lines.join("\n")}\n`, {
    read: { format: "csv", delimiter: "\t", quote: null, ragged: "pad" },
    id: "quiz",
    kind: "problems",
    on_unreadable: "reject_row",
    problems: {
      question: "q",
      answer: "a",
      type: "type",
      unit: "unit",
      tolerance: "tol",
      digits: "digits",
      aliases: "alias",
      options: "opt",
      language: "lang",
      topic: "topic",
      ...mapping,
    },
    columns: Object.fromEntries(columns.map((name) => [name, text(name)])),
    ...more,
  });
  return table;
}

function contextOf(tables: readonly Table[], params: object = {}): StageContext<unknown> {
  const catalog: Catalog = { tables: new Map(tables.map((t) => [t.id, t])) };
  return {
    params: stage.params.parse(params),
    instance: "own",
    catalog,
  } as unknown as StageContext<unknown>;
}

const run = (context: StageContext<unknown>, block = 0) =>
  stage.run(block, context) as Batch<ProblemRow> & { more: boolean };
const cells = (...values: string[]) => values.join("\t");

describe("the stage problems", () => {
  it("makes a row of each record, and the same one again from its origin", async () => {
    const table = await tableOf([
      cells("1", "How fast?", "75", "quantity", "km/h", "", "2", "", "", "", "motion"),
      cells("2", "Wie lang?", "1,275", "quantity", "m", "0.001", "", "", "", "de"),
      cells("3", "Which metal?", "tungsten", "entity", "", "", "", "wolfram|W"),
      cells("4", "Which?", "B", "choice", "", "", "", "", '["Mars", "Venus"]'),
    ]);
    const context = contextOf([table]);
    const { out, rejected, created, more } = run(context);
    expect([rejected, created, more]).toEqual([[], 4, false]);
    expect(out.map((r) => r.expected)).toEqual([
      { type: "quantity", value: 75, unit: "km/h", tolerance: 0.05, digits: 2 },
      { type: "quantity", value: 1.275, unit: "m", tolerance: 0.001 },
      { type: "entity", name: "tungsten", aliases: ["wolfram", "W"] },
      { type: "choice", value: "B", options: { A: "Mars", B: "Venus" } },
    ]);
    expect(out[0]).toMatchObject({
      question: "How fast?",
      gates: [],
      problem: { source: "quiz", domain: "test", language: "en", topic: "motion" },
      origin: { stage: "own", kind: "problem", name: "quiz", index: 1 },
      snapshots: { quiz: table.hash },
    });
    expect(out[1]!.problem).toEqual({ source: "quiz", domain: "test", language: "de" });
    expect(out.map((row) => stage.again!(row, context))).toEqual(out);
    for (const row of out) expect(stage.output.parse(row)).toEqual(row);
    const other = { ...out[0]!, origin: { ...out[0]!.origin, index: 9 } };
    expect(stage.again!(other, context)).toBeUndefined();
  });

  it("gives ids that depend on source, question and answer alone", async () => {
    const one = cells("1", "How many?", "7", "integer");
    const two = cells("2", "How many more?", "8", "integer");
    const ids = async (...lines: string[]) =>
      run(contextOf([await tableOf(lines)])).out.map((r): [string, string] => [r.question, r.id]);
    const both = await ids(one, two);
    expect(new Map(await ids(two.replace("2", "0"), one))).toEqual(new Map(both));
    expect(both[0]![1]).toMatch(/^[0-9a-f]{16}$/);
    expect((await ids(one.replace("7", "9")))[0]![1]).not.toBe(both[0]![1]);
  });

  it("rejects what it cannot use, with the cell and what would be right", async () => {
    const table = await tableOf([
      cells("1", "", "7", "integer"),
      cells("2", "How many?", " ", "integer"),
      cells("3", "How much?", "some", "quantity"),
      cells("4", "How odd?", "7", "number"),
      cells("5", "How long?", "7", "quantity", "furlongs per"),
      cells("6", "How near?", "7", "quantity", "m", "70"),
      cells("7", "In what?", "7", "integer", "", "", "", "", "", "English!"),
      cells("8", "Which?", "A", "choice", "", "", "", "", "Mars or Venus"),
      cells("9", "Which one?", "A", "choice"),
      cells("91", "Is 299792458 it?", "299792458", "integer"),
    ]);
    const { out, rejected } = run(contextOf([table]));
    expect(out).toEqual([]);
    expect(rejected.map(({ ref, reason }) => [ref, reason])).toEqual([
      ["quiz#1", "missing_question"],
      ["quiz#2", "missing_answer"],
      ...[3, 4, 5, 6, 7, 8, 9].map((n) => [`quiz#${n}`, "unreadable_answer"]),
      ["quiz#10", "hidden_target_shown"],
    ]);
    const evidence = rejected.map((r) => r.evidence as { column: string; why: string; right: string });
    expect(evidence.map((e) => e.column)).toEqual([
      "q",
      "a",
      "a",
      "type",
      "unit",
      "tol",
      "lang",
      "opt",
      "a",
      "q",
    ]);
    expect(evidence[2]).toMatchObject({
      record: 3,
      text: "some",
      why: "it cannot be read as quantity: it is not one number",
      right: expect.stringContaining("write one number"),
    });
    expect(evidence[3]!.right).toContain("quantity, integer, entity");
  });

  it("ends the run at such a cell where the card says so", async () => {
    const table = await tableOf([cells("1", "How much?", "some", "quantity")], { on_unreadable: "fail" });
    expect(() => run(contextOf([table]))).toThrow(
      'data, record 1, column a: "some" does not fit: it cannot be read as quantity: it is not one number',
    );
  });

  it("keeps one of equal problems, and none of a question with two answers", async () => {
    const table = await tableOf([
      cells("1", "How many?", "7", "integer"),
      cells("2", "How many?", "7", "integer"),
      cells("3", "Who?", "Ada", "entity"),
      cells("4", "Who?", "Bob", "entity"),
      cells("5", "Who?", "Ada", "entity"),
    ]);
    const { out, rejected } = run(contextOf([table]));
    expect(out.map((r) => r.origin.index)).toEqual([1]);
    expect(rejected.map(({ ref, reason }) => [ref, reason])).toEqual([
      ["quiz#2", "repeated_problem"],
      ...[3, 4, 5].map((n) => [`quiz#${n}`, "conflicting_answers"]),
    ]);
    expect(rejected[2]!.evidence).toMatchObject({ others: [{ record: "quiz#3" }] });
  });

  it("gives blocks that do not depend on how many there are", async () => {
    const lines = Array.from({ length: 450 }, (_, i) =>
      cells(String(i).padStart(4, "0"), `How many are ${i}?`, String(i), "integer"),
    );
    const context = contextOf([await tableOf(lines)]);
    const blocks = [0, 1, 2].map((k) => run(context, k));
    expect(blocks.map((b) => [b.created, b.more])).toEqual([
      [200, true],
      [200, true],
      [50, false],
    ]);
    expect(blocks.flatMap((b) => b.out).map((r) => r.origin.index)).toEqual(lines.map((_, i) => i + 1));
  });

  it("takes fixed values and a column for each option", async () => {
    const table = await tableOf(
      [cells("1", "Which?", "y", "", "", "", "", "Mars", "Venus")],
      {},
      {
        type: "choice",
        options: { columns: { x: "alias", y: "opt" } },
        language: { value: "fr" },
        topic: { value: "planets" },
        unit: undefined,
        tolerance: undefined,
        digits: undefined,
        aliases: undefined,
      },
    );
    const [row] = run(contextOf([table])).out;
    expect(row!.expected).toEqual({ type: "choice", value: "y", options: { x: "Mars", y: "Venus" } });
    expect(row!.problem).toMatchObject({ language: "fr", topic: "planets" });
  });

  it("says before a run which sources are no problems", () => {
    const table = cardOf({ id: "planets", columns: { id: text("id") }, snapshot: SNAPSHOT });
    const quiz = { ...table, id: "quiz", kind: "problems" as const };
    const codes = (params: object, ...cards: (typeof table)[]) =>
      stage.check!(stage.params.parse(params), {
        cards: new Map(cards.map((card) => [card.id, card])),
        kinds: new Set(),
      } satisfies CheckContext).map((p) => p.code);
    expect(codes({}, table)).toEqual(["missing_source"]);
    expect(codes({}, table, quiz)).toEqual([]);
    expect(codes({ sources: ["quiz", "planets", "quizz"] }, table, quiz)).toEqual([
      "not_problems",
      "unknown_table",
    ]);
  });
});

const SNAPSHOT = { file: "data", sha256: "0".repeat(64), read: { format: "csv" } };
