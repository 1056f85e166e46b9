import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GroundTruth } from "../../../verifiers/reward/reward.js";
import { groundTruthSchema } from "../../../verifiers/reward/schema.js";
import { scoreConversation, scoreText } from "../../../verifiers/reward/score.js";
import { saidIn, textOf, type Vector } from "../../vectors/vector.js";
import { post, type Started, start, TASK, TRUTH } from "./helpers.js";

const VECTORS = "test/vectors/reward.json";
const RIGHT = "Finding: planet = Uranus\nFinding: mass = 8.681e25 kg\nFinal answer: 1.27 g/cm^3";
const WRONG = RIGHT.replace("1.27", "1.64");

let reads = 0;
async function* rows() {
  reads++;
  yield TASK;
}

let server: Started;
beforeAll(async () => {
  server = await start({ rows });
});
afterAll(() => server.close());

const score = async (items: readonly unknown[], more: object = {}) => {
  const { status, json } = await post(server, "/score", { items, ...more });
  expect(status).toBe(200);
  return json.results;
};

describe("POST /score", () => {
  it("scores conversations and decoded texts, in order", async () => {
    const truth = JSON.stringify(TRUTH);
    const messages = [
      { role: "user", content: TRUTH.question },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", function: { name: "search", arguments: "{}" } }],
      },
      { role: "tool", content: "Finding: planet = Uranus", tool_call_id: "a" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Final answer: " },
          { type: "text", text: "1.64 g/cm^3" },
        ],
      },
    ];
    expect(
      await score([
        { ground_truth: truth, solution: RIGHT },
        { ground_truth: TRUTH, solution: WRONG },
        { ground_truth: truth, messages },
        { ground_truth: truth, messages: [] },
      ]),
    ).toEqual([
      { score: 1, acc: 1, progress: 1, answered: 1 },
      { score: 0.3, acc: 0, progress: 1, answered: 1 },
      { score: 0, acc: 0, progress: 0, answered: 1 },
      { score: 0, acc: 0, progress: 0, answered: 0 },
    ]);
  });

  it("says which steps verify only where it is asked to, and never what they are about", async () => {
    const items = [{ ground_truth: TRUTH, solution: "Finding: planet = Uranus\nFinal answer: 3 kg" }];
    const [plain] = await score(items);
    expect(Object.keys(plain!)).toEqual(["score", "acc", "progress", "answered"]);
    const [stepped] = await score(items, { steps: true });
    expect(stepped!.steps).toEqual([
      { id: "selected", verified: true },
      { id: "mass", verified: false },
    ]);
  });

  it("finds tasks of the dataset by their id, and reads them once", async () => {
    const before = reads;
    const results = await score([
      { task_id: TASK.id, solution: "Final answer: 2" },
      { task_id: TASK.id, solution: "Final answer: 3" },
      { task_id: "__proto__", solution: "Final answer: 2" },
    ]);
    expect(results.map((r) => r.acc ?? r.error?.code)).toEqual([1, 0, "unknown_task"]);
    await score([{ task_id: TASK.id, solution: "Final answer: 2" }]);
    expect(reads - before).toBe(1);
  });

  it("answers a bad item with what is wrong and where, and scores the others", async () => {
    const bad = (answer: unknown) => ({ ground_truth: { ...TRUTH, answer }, solution: "x" });
    const results = await score([
      { ground_truth: TRUTH, solution: RIGHT },
      { ground_truth: "{", solution: "x" },
      { ground_truth: { ...TRUTH, version: 2 }, solution: "x" },
      bad({ type: "quantity", value: 1, unit: "furlongs per fortnight", tolerance: 0 }),
      { solution: "x" },
      { ground_truth: TRUTH, task_id: TASK.id, solution: "x" },
      { ground_truth: TRUTH },
      { ground_truth: TRUTH, solution: "x", messages: [] },
      { ground_truth: TRUTH, message: [] },
      { ground_truth: TRUTH, messages: [{ content: "x" }] },
      { ground_truth: TRUTH, messages: [{ role: "assistant", content: 7 }] },
      null,
      "x",
    ]);
    expect(results[0]!.score).toBe(1);
    const messages = results.slice(1).map((r) => r.error?.message ?? "");
    expect(messages[0]).toBe("ground_truth: it is not JSON");
    expect(messages[1]).toMatch(/^ground_truth: version: /);
    expect(messages[2]).toMatch(/^ground_truth: answer\.unit: /);
    expect(messages[3]).toBe("give `ground_truth` or `task_id`, and not both");
    expect(messages[4]).toBe("give `ground_truth` or `task_id`, and not both");
    expect(messages[5]).toBe("give `messages` or `solution`, and not both");
    expect(messages[6]).toBe("give `messages` or `solution`, and not both");
    expect(messages[7]).toContain('"message"');
    expect(messages[8]).toMatch(/^messages\.0\.role: /);
    expect(messages[9]).toMatch(/^messages\.0\.content: /);
    expect(server.told).toEqual([]);
  });

  it("takes no assistant that speaks longer than any context, whatever its tools say", async () => {
    const long = "x".repeat(4_000_001);
    const results = await score([
      { ground_truth: TRUTH, solution: long },
      { ground_truth: TRUTH, messages: [{ role: "assistant", content: long }] },
      {
        ground_truth: TRUTH,
        messages: [
          { role: "tool", content: long },
          { role: "assistant", content: RIGHT },
        ],
      },
    ]);
    expect(results.map((r) => r.acc ?? r.error?.code)).toEqual(["too_long", "too_long", 1]);
  });

  it("refuses what is no batch", async () => {
    for (const body of [[], {}, { items: 7 }, { items: [], item: [] }, "null", "7"]) {
      const { status, json } = await post(server, "/score", body);
      expect([status, json.error.code]).toEqual([400, "bad_body"]);
    }
    expect((await post(server, "/score", { items: Array(10_001).fill(null) })).status).toBe(400);
    expect(await score([])).toEqual([]);
  });

  it("shows nothing of a task's ground truth, whatever is asked", async () => {
    const item = fc.record(
      {
        task_id: fc.constantFrom(TASK.id, "x", "constructor"),
        ground_truth: fc.anything({ withNullPrototype: false, maxDepth: 2 }),
        solution: fc.constantFrom("", "Final answer: 3", "2 or 3"),
        messages: fc.anything({ maxDepth: 2 }),
        steps: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 5 }), fc.anything(), async (items, steps) => {
        const { status, text } = await post(server, "/score", { items, steps });
        expect([200, 400]).toContain(status);
        expect(text).not.toMatch(/expected"|moons|"value"|"integer"/);
      }),
      { numRuns: 100 },
    );
    expect(server.told).toEqual([]);
  });
});

describe.skipIf(!existsSync(VECTORS))("the shared vectors", () => {
  const vectors = JSON.parse(readFileSync(VECTORS, "utf8")) as Vector[];

  it("give over HTTP what the reward itself gives", async () => {
    const items = vectors.map(({ truth, messages, solution }, i) => ({
      ground_truth: i % 2 === 0 ? truth : JSON.stringify(truth),
      ...(messages === undefined ? { solution: textOf(solution!) } : { messages: saidIn(messages) }),
    }));
    const results: unknown[] = [];
    for (let i = 0; i < items.length; i += 64)
      results.push(...(await score(items.slice(i, i + 64), { steps: true })));
    const direct = vectors.map(({ truth, messages, solution }) => {
      const { steps, ...figures } =
        messages === undefined
          ? scoreText(textOf(solution!), truth)
          : scoreConversation(saidIn(messages), truth);
      return { ...figures, steps: steps.map(({ id, verified }) => ({ id, verified })) };
    });
    expect(results).toEqual(direct);
  });
});

describe("the schema of a ground truth", () => {
  it("keeps all that the reward looks at", () => {
    expect(groundTruthSchema.parse(TRUTH)).toEqual(TRUTH);
    const labelled = { ...TRUTH, chain: TRUTH.chain.map((step) => ({ ...step, label: "x" })) };
    expect(groundTruthSchema.parse(labelled)).toEqual(TRUTH);
  });

  it("refuses other versions, numbers that are none, and foreign members", () => {
    const step = TRUTH.chain[1]!;
    const wrong: unknown[] = [
      { ...TRUTH, version: 2 },
      { ...TRUTH, extra: 1 },
      { ...TRUTH, chain: [{ ...step, value: Number.POSITIVE_INFINITY }] },
      { ...TRUTH, chain: [{ ...step, kind: "guess" }] },
      { ...TRUTH, answer: { type: "quantity", value: 1, unit: "g/cm^3", tolerance: 0.9 } },
      { ...TRUTH, language: "" },
      null,
    ];
    for (const value of wrong) expect(groundTruthSchema.safeParse(value).success).toBe(false);
    const again: GroundTruth = groundTruthSchema.parse(JSON.parse(JSON.stringify(TRUTH)));
    expect(again.chain).toHaveLength(3);
  });
});
