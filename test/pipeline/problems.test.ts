import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readPool } from "../../datasets/read.js";
import { type ProblemRecord, problemsPool, rlPool, tasksPool } from "../../datasets/schema/index.js";
import { writePool } from "../../datasets/write.js";
import { sha256 } from "../../pipeline/base/canonical.js";
import { explanationText } from "../../pipeline/explain-text.js";
import { explain, load, run, TaskmillError, verify } from "../../pipeline/index.js";
import { tasksOf } from "../../pipeline/tasks.js";
import { gather } from "../datasets/rows.js";
import { confident, judge, solver, startServer } from "../server/index.js";
import "./helpers.js";

const dir = mkdtempSync(join(tmpdir(), "taskmill-problems-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const BUNDLED = "configs/problems.yaml";
const NO_MODELS = { TASKMILL_BASE_URL: "", TASKMILL_MODEL: "" };

/** Question, answer, type; the third answer is wrong, and the last stands in its question. */
const QUIZ = [
  ["How many moons has Mars?", "2", "integer"],
  ["What is 17 times 19?", "323", "integer"],
  ["What is 12 times 12?", "142", "integer"],
  ["Differentiate x^3 with respect to x.", "3x^2", "expression"],
  ["Who painted it, if Leonardo da Vinci did?", "Leonardo da Vinci", "entity"],
] as const;
const right: Record<string, string> = {
  "How many moons has Mars?": "2",
  "What is 17 times 19?": "323",
  "What is 12 times 12?": "144",
  "Differentiate x^3 with respect to x.": "3 x^2",
};

const csv = `q,a,t\n${QUIZ.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n")}\n`;
writeFileSync(join(dir, "quiz.csv"), csv);
writeFileSync(
  join(dir, "quiz.yaml"),
  `card: 1
kind: problems
id: quiz
title: Quiz
domain: quiz
entity: { singular: question, plural: questions, public: false }
key: id
name: id
licence: { id: CC0-1.0 }
citation: made for a test
publisher: { name: Nobody, hosts: [example.org] }
provenance: made for a test
as_of: "2026"
snapshot: { file: quiz.csv, sha256: ${sha256(csv)}, read: { format: csv } }
problems: { question: q, answer: a, type: t }
columns:
  id: { from: "#record", type: text, scale: nominal }
  q: { from: q, type: text, scale: nominal }
  a: { from: a, type: text, scale: nominal }
  t: { from: t, type: text, scale: nominal }
`,
);

const GATES = ["contamination", "closed_book", "solve", "admission"];
const config = (stages: object, models: object = {}) => ({
  name: "quiz",
  seed: 3,
  sources: [join(dir, "quiz.yaml")],
  models,
  stages: { problems: {}, emit: { admit_unscreened: GATES }, ...stages },
});
const role = (url: string, model: string) => ({ base_url: url, endpoint: "http://models.test/v1", model });

const questionsIn = async (out: string) =>
  (await gather(tasksOf(out))).map((row) => (row as unknown as { question: string }).question);
const funnelOf = (manifest: { stages: readonly { id: string; rejected: object }[] }, id: string) =>
  manifest.stages.find((s) => s.id === id)!.rejected;

describe("a dataset of problems", () => {
  it("is made from the bundled config without a model, and follows from its sources alone", async () => {
    const out = join(dir, "bundled");
    process.env = { ...process.env, ...NO_MODELS };
    const { manifest } = await run(BUNDLED, { outDir: out });
    expect(manifest.accepted).toBe(18);
    expect(manifest.stages.map((s) => s.id)).toEqual(["ingest", "problems", "solve", "split", "emit"]);
    expect(manifest.gates).toEqual(
      Object.fromEntries(GATES.map((gate) => [gate, { passed: 0, failed: 0, not_run: 18 }])),
    );
    const pool = await gather(readPool(join(out, "pools/problems.parquet"), problemsPool));
    expect(new Set(pool.map((p) => p.answer_type)).size).toBe(11);
    expect(await gather(readPool(join(out, "pools/tasks.parquet"), tasksPool))).toEqual([]);
    const rl = await gather(readPool(join(out, "pools/rl.arrow"), rlPool));
    expect(rl.map((r) => r.task_id)).toEqual(pool.map((p) => p.task_id));
    for (const [i, { reward_model, reward, data_source, ability }] of rl.entries()) {
      const truth = JSON.parse(reward_model.ground_truth) as object;
      expect(truth).toEqual({
        version: 1,
        answer: JSON.parse(pool[i]!.hidden_answer),
        chain: [],
        question: pool[i]!.question,
        language: pool[i]!.language,
      });
      expect([data_source, ability, reward.chain]).toEqual([
        "taskmill/mixed",
        "self_contained_problem",
        "[]",
      ]);
    }
    const rewards = new Map(rl.map((r) => [r.reward.type, r.reward]));
    expect(rewards.get("boolean")).toMatchObject({ value: 0, unit: "", text: "true" });
    expect(rewards.get("integer")).toMatchObject({ value: 2.6525285981219107e32, unit: "1", tolerance: 0 });
    expect((await verify(out)).findings).toEqual([]);
    expect(explanationText(await explain(out, pool[0]!.task_id))).toContain('answer = "75"');
    const card = readFileSync(join(out, "README.md"), "utf8");
    expect(card).toContain("Questions and answers as their source states them");
    expect(card).not.toContain("two evaluators that share no formula code");
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain('<h2 id="problems">Problems</h2>');
  });

  it("does not verify when an answer was changed", async () => {
    const out = join(dir, "bundled");
    const pool = await gather(readPool(join(out, "pools/problems.parquet"), problemsPool));
    const changed = pool.map(
      (p): ProblemRecord =>
        p.answer_type === "boolean" ? { ...p, hidden_answer: '{"type":"boolean","value":false}' } : p,
    );
    await writePool(out, problemsPool, changed);
    const codes = new Set((await verify(out)).findings.map((f) => f.code));
    expect(codes).toContain("expected_differs");
  });

  it("keeps out what shows its answer, and what a model knows by heart", async () => {
    const server = await startServer({
      brains: { m: solver(new Map([["How many moons has Mars?", "2"]])) },
    });
    try {
      const stages = { probe: { roles: ["memory"], k: 2, plant: false } };
      const models = { memory: role(server.url, "m") };
      const out = join(dir, "probed");
      const { manifest } = await run(config(stages, models), { outDir: out });
      expect(funnelOf(manifest, "probe")).toEqual({ known_by_heart: 1 });
      expect(funnelOf(manifest, "problems")).toEqual({ hidden_target_shown: 1 });
      expect(await questionsIn(out)).toEqual(QUIZ.slice(1, 4).map(([q]) => q));
      expect((await verify(out)).findings).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it("keeps what three solves and a checker agree with, and no wrong reference; and is the same again offline", async () => {
    const server = await startServer({
      brains: {
        s: solver(new Map(Object.entries(right))),
        c: judge((request) => `Verdict: ${request.prompt.includes("17 times 19") ? "incorrect" : "correct"}`),
        w: confident("7"),
      },
    });
    const models = { solver: role(server.url, "s"), checker: role(server.url, "c") };
    const stages = { solve: { roles: ["solver"], n: 3, check_role: "checker" } };
    const out = join(dir, "solved");
    try {
      const { manifest } = await run(config(stages, models), { outDir: out });
      expect(funnelOf(manifest, "solve")).toMatchObject({ reference_disagrees: 1, derivation_unsound: 1 });
      expect(await questionsIn(out)).toEqual([QUIZ[0][0], QUIZ[3][0]]);
      const [first] = await gather(readPool(join(out, "pools/problems.parquet"), problemsPool));
      expect(first!.gates.find((g) => g.gate === "solve")!.status).toBe("passed");
      expect(JSON.parse(first!.hidden_rest)).toMatchObject({
        solve: { mode: "self_contained", n: 3, clusters: [{ votes: 3, right: true }] },
      });
      expect((await verify(out)).findings).toEqual([]);
    } finally {
      await server.close();
    }
    const replayed = join(dir, "replayed");
    const cassette = join(out, "cassette.ndjson");
    await run(config(stages, models), { outDir: replayed, mode: "replay", cassette });
    const file = "pools/problems.parquet";
    expect(readFileSync(join(replayed, file))).toEqual(readFileSync(join(out, file)));
  });

  it("may stand beside tasks from tables, in one graph", async () => {
    const out = join(dir, "both");
    const recipe = {
      id: "heaviest",
      table: "planets",
      select: { column: "mass", order: "max" },
      compute: { formula: "surface_area", inputs: { radius: "mean_radius" } },
    };
    const graph = [
      { id: "in", stage: "ingest" },
      { id: "quiz", stage: "problems", from: ["in"] },
      { id: "made", stage: "recipes", from: ["in"], params: { recipes: [recipe] } },
      ...["filter", "select", "compute", "verbalize", "lint", "dedup"].map((stage, i, all) => ({
        id: stage,
        stage,
        from: [i === 0 ? "made" : all[i - 1]],
      })),
      { id: "split", stage: "split", from: ["dedup", "quiz"] },
      {
        id: "emit",
        stage: "emit",
        from: ["split"],
        params: { admit_unscreened: [...GATES, "round_trip"] },
      },
    ];
    const { sources, stages: _, ...rest } = config({});
    const { manifest } = await run({ ...rest, sources: ["planets", ...sources], graph }, { outDir: out });
    const rows = (pool: string) => manifest.pools.find((p) => p.file === `pools/${pool}.parquet`)!.rows;
    expect([rows("tasks"), rows("problems"), rows("rl")]).toEqual([1, 4, 5]);
    expect(manifest.gates.lint).toEqual({ passed: 1, failed: 0, not_run: 0 });
    expect((await verify(out)).findings).toEqual([]);
  });
});

describe("a config of problems", () => {
  const problemsOf = async (value: object) => {
    const error = await load(value).catch((e: unknown) => e);
    return error instanceof TaskmillError ? error.problems : [];
  };

  it("refuses stages that problems do not pass, and models that would cancel each other out", async () => {
    const codes = async (stages: object) =>
      (await problemsOf(config(stages, { m: { base_url: "", model: "" } }))).map((p) => p.code);
    expect(await codes({})).toEqual([]);
    expect(await codes({ lint: {} })).toEqual(["not_of_problems"]);
    expect(await codes({ probe: { roles: ["m"] }, solve: { roles: ["m"] } })).toEqual([
      "probe_and_closed_book_solve",
    ]);
  });

  it("does not make tasks from a source of problems", async () => {
    const recipe = {
      id: "x",
      table: "quiz",
      select: { column: "q", order: "max" },
      compute: { formula: "surface_area", inputs: {} },
    };
    const { stages: _, ...rest } = config({});
    const spaces = [{ id: "all", table: "quiz" }];
    const found = await problemsOf({
      ...rest,
      stages: { recipes: { recipes: [recipe] }, enumerate: { spaces } },
    });
    expect(found.map((p) => [p.code, p.message])).toEqual([
      ["not_a_table", "`quiz` is a source of problems"],
      ["not_a_table", "`quiz` is a source of problems"],
    ]);
  });
});
