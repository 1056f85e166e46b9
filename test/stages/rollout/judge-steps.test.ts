import { describe, expect, it } from "vitest";
import type { ChatRequest, Models, Reply } from "../../../stages/model.js";
import { judgeSteps } from "../../../stages/rollout/judge-steps.js";
import type { GroundTruth } from "../../../verifiers/reward/reward.js";
import { scoreConversation } from "../../../verifiers/reward/score.js";

/** An entity whose name reads as a number: no matcher can tell it from a value. */
const truth: GroundTruth = {
  version: 1,
  answer: { type: "quantity", value: 5.1, unit: "kg", tolerance: 0.01 },
  chain: [
    {
      id: "selected",
      kind: "entity",
      label: "selected entity",
      text: "97",
      value: null,
      unit: null,
      tolerance: null,
      depends_on: [],
    },
    {
      id: "input:m",
      kind: "attribute",
      label: "mass",
      text: "3.25 kg",
      value: 3.25,
      unit: "kg",
      tolerance: 0.01,
      depends_on: ["selected"],
    },
  ],
  question: "How heavy is the largest?",
  language: "en",
};
const said = ["Finding: largest = number 97\nFinding: mass = 3.25 kg\nFinal answer: 5.1 kg"];
const usage = { input: null, cached_input: null, output: null, reasoning: null };

class Judge implements Models {
  readonly asked: ChatRequest[] = [];
  constructor(private readonly verdict: boolean | undefined) {}
  identity() {
    return { endpoint: "e", model: "judge-1", revision: null };
  }
  async ask<T>(request: ChatRequest<T>): Promise<Reply<T>> {
    this.asked.push(request as ChatRequest);
    const value = { found: this.verdict } as T;
    const reply = { ok: true as const, call: "c1", text: "", reasoning: "", tool_calls: [], usage, value };
    return this.verdict === undefined
      ? { ok: false, call: "c2", why: "unstructured", message: "no JSON", text: "", usage }
      : reply;
  }
}
const { score: _score, ...scored } = scoreConversation([{ role: "assistant", content: said[0]! }], truth);
const reward = { ...scored, score: _score, steps: [...scored.steps] };
const judged = (models: Models) =>
  judgeSteps(said, truth, reward, { models, role: "judge", row: "r", sample: 1 });

describe("a judge of steps", () => {
  it("is asked only about what no matcher can read, and is kept apart from the reward", async () => {
    const judge = new Judge(true);
    expect(await judged(judge)).toEqual([{ id: "selected", role: "judge", call: "c1", found: true }]);
    expect(judge.asked).toHaveLength(1);
    expect(judge.asked[0]!.sample).toBe(1);
    expect(judge.asked[0]!.messages[1]!.content).toContain("Result: selected entity: 97");
    expect(reward.steps.map(({ id, verified, why }) => [id, verified, why])).toEqual([
      ["selected", false, "unreadable"],
      ["input:m", true, "verified"],
    ]);
  });

  it("may give no verdict", async () => {
    expect(await judged(new Judge(undefined))).toEqual([
      { id: "selected", role: "judge", call: "c2", found: null },
    ]);
  });

  it("is nobody where its role is off", async () => {
    const off = new Judge(true);
    off.identity = () => undefined as never;
    expect(await judged(off)).toBeUndefined();
  });
});
