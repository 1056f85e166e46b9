import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemRecord, problemTaskRow } from "../../datasets/problem-record.js";
import { readPool } from "../../datasets/read.js";
import { problemRlRecord } from "../../datasets/rl-record.js";
import { problemsPool, rlPool, tasksPool } from "../../datasets/schema/index.js";
import type { SourceFacts } from "../../datasets/source-facts.js";
import { writePool } from "../../datasets/write.js";
import { emit } from "../../stages/emit.js";
import type { SplitProblemRow } from "../../stages/split.js";
import type { Batch, SetStage, StageContext } from "../../stages/stage.js";
import type { Expected } from "../../verifiers/answer/answer.js";
import { catalog, gather, inFolder, splitRows } from "./rows.js";

const source = [...catalog.tables.keys()][0]!;
const facts: SourceFacts = {
  id: source,
  domain: "quiz",
  licence: "CC0-1.0",
  snapshot_sha256: "0".repeat(64),
  links: {},
};
const sources = new Map([[source, facts]]);

function rowOf(expected: Expected, more: object = {}): SplitProblemRow {
  return {
    id: "0123456789abcdef",
    question: "How much?",
    gates: [{ gate: "solve", status: "passed", why: "3 of 3" }],
    problem: { source, domain: "quiz", language: "en" },
    expected,
    origin: { stage: "problems", kind: "problem", name: source, index: 3 },
    snapshots: { [source]: "ab".repeat(32) },
    split: "train",
    group: "problem=quiz/1",
    ...more,
  };
}

const EXPECTED: readonly Expected[] = [
  { type: "quantity", value: 1.27, unit: "g/cm^3", tolerance: 0.01, digits: 3 },
  { type: "quantity", value: "1e400", unit: "m", tolerance: 0 },
  { type: "integer", value: "265252859812191058636308480000000" },
  { type: "entity", name: "tungsten", aliases: ["wolfram"] },
  { type: "boolean", value: true },
  { type: "choice", value: "B", options: { A: "x", B: "y" } },
  { type: "date", value: "1846-09" },
  { type: "set", items: [{ type: "entity", name: "Io", aliases: [] }] },
  {
    type: "interval",
    low: null,
    high: { type: "quantity", value: 3, unit: "1", tolerance: 0 },
    closed: [false, true],
  },
  { type: "expression", text: "x^2", domain: { x: [1, 2] } },
  { type: "text", value: "so it is" },
];

describe("the problems pool", () => {
  it("keeps rows whole, through a file", () =>
    inFolder(async (dir) => {
      const rows = EXPECTED.map((expected, i) =>
        rowOf(expected, i % 2 === 0 ? { problem: { source, domain: "q", language: "de", topic: "t" } } : {}),
      );
      const extra = { ...rowOf(EXPECTED[0]!), solve: { mode: "self_contained", n: 3, samples: [] } };
      const all = [...rows, extra];
      await writePool(
        dir,
        problemsPool,
        all.map((row) => problemRecord(row, sources)),
      );
      const back = await gather(readPool(join(dir, "pools/problems.parquet"), problemsPool));
      expect(back.map((record) => problemTaskRow(record))).toEqual(all);
      expect(back[0]!.gates.map((g) => g.gate)).toEqual([
        "solve",
        "contamination",
        "closed_book",
        "admission",
      ]);
    }));

  it("gives the RL pool typed columns that hold no number where there is none", () => {
    const rewards = EXPECTED.map((expected) => {
      const { reward } = problemRlRecord(rowOf(expected), { agent_name: "tool_agent", index: 0 });
      return [reward.type, reward.value, reward.unit, reward.digits, reward.text, reward.tolerance];
    });
    expect(rewards).toEqual([
      ["quantity", 1.27, "g/cm^3", 3, "1.27", 0.01],
      ["quantity", 0, "", 0, "1e400 m", 0],
      ["integer", 2.6525285981219107e32, "1", 0, "265252859812191058636308480000000", 0],
      ["entity", 0, "", 0, "tungsten", 0],
      ["boolean", 0, "", 0, "true", 0],
      ["choice", 0, "", 0, "B", 0],
      ["date", 0, "", 0, "1846-09", 0],
      ["set", 0, "", 0, '{"items":[{"aliases":[],"name":"Io","type":"entity"}],"type":"set"}', 0],
      [
        "interval",
        0,
        "",
        0,
        '{"closed":[false,true],"high":{"tolerance":0,"type":"quantity","unit":"1","value":3},"low":null,"type":"interval"}',
        0,
      ],
      ["expression", 0, "", 0, "x^2", 0],
      ["text", 0, "", 0, "so it is", 0],
    ]);
  });
});

describe("emit", () => {
  const stage = emit as SetStage;
  const GATES = ["contamination", "closed_book", "round_trip", "solve", "admission"];
  const emitted = async (rows: readonly object[], outDir: string, given: object = {}) => {
    const params = stage.params.parse({ admit_unscreened: GATES, ...given });
    const context = { params, catalog, outDir, signal: new AbortController().signal };
    const batch = stage.run(rows as never, context as unknown as StageContext<unknown>);
    return (await batch) as unknown as Batch<Record<string, unknown> & { id: string }>;
  };
  const problems = EXPECTED.map((expected, i) => rowOf(expected, { id: `problem-${i}` }));

  it("writes problems into a pool of their own, and into the RL pool behind tasks", () =>
    inFolder(async (dir) => {
      const tasks = splitRows(4);
      const mixed = [...problems.slice(0, 5), ...tasks, ...problems.slice(5)];
      const { out, rejected } = await emitted(mixed, join(dir, "mixed"));
      expect(rejected).toEqual([]);
      expect(out).toHaveLength(20);
      const rl = await gather(readPool(join(dir, "mixed/pools/rl.parquet"), rlPool));
      expect(rl.map((r) => r.task_id)).toEqual([...tasks, ...problems].map((r) => r.id));
      expect(await gather(readPool(join(dir, "mixed/pools/tasks.parquet"), tasksPool))).toHaveLength(4);
      // Tasks and files of a dataset without problems are as they were.
      const alone = await emitted(tasks, join(dir, "alone"));
      expect(alone.out.map((f) => f.pool)).not.toContain("problems");
      const hash = (files: readonly Record<string, unknown>[]) =>
        files.find((f) => f.file === "pools/tasks.parquet")!.sha256;
      expect(hash(alone.out)).toBe(hash(out));
    }));

  it("lets none through whose prompt, topic or gates show the answer", () =>
    inFolder(async (dir) => {
      const long = { type: "text", value: "the answer in full" } as const;
      const why = "the model said: the answer, in full";
      const rows = [
        rowOf(long, { id: "a", question: "Is it the answer in full?" }),
        rowOf(long, { id: "b", gates: [{ gate: "solve", status: "passed", why }] }),
        rowOf(long, {
          id: "c",
          problem: { source, domain: "q", language: "en", topic: "The Answer in Full" },
        }),
        rowOf(long, { id: "d" }),
      ];
      const { rejected } = await emitted(rows, join(dir, "one"));
      const fields = rejected.map(({ ref, reason, evidence }) => [
        ref,
        reason,
        (evidence as { findings: { field: string }[] }).findings[0]!.field,
      ]);
      expect(fields).toEqual([
        ["a", "hidden_target_shown", "prompt[0].content"],
        ["b", "hidden_target_shown", "gates[0].why"],
        ["c", "hidden_target_shown", "topic"],
      ]);
      const system = "Say the answer in full.";
      expect((await emitted(rows.slice(3), join(dir, "two"), { system })).rejected).toHaveLength(1);
    }));

  it("has a row of the RL pool for any text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        const row = rowOf({ type: "text", value });
        const { reward_model } = problemRlRecord(row, { agent_name: "tool_agent", index: 0 });
        expect(JSON.parse(reward_model.ground_truth)).toEqual({
          version: 1,
          answer: { type: "text", value },
          chain: [],
          question: row.question,
          language: "en",
        });
      }),
    );
  });
});
