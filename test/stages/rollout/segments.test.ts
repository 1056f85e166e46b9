import { describe, expect, it } from "vitest";
import type { RolloutEvidence } from "../../../stages/evidence.js";
import { REMOVED } from "../../../stages/rollout/conversation.js";
import { contextSchema } from "../../../stages/rollout/limits.js";
import { type PlayOptions, play } from "../../../stages/rollout/play.js";
import { segmentsOf } from "../../../stages/rollout/segments.js";
import { drift } from "../../../stages/rollout/tokens.js";
import { Actor, call, type Line, options } from "./agents.js";

async function rolled(lines: readonly Line[], more: Partial<PlayOptions> = {}) {
  const actor = new Actor((_, turn) => lines[Math.min(turn, lines.length - 1)]!);
  const played = await play(options(actor, more));
  const rollout = { turns: [...played.turns] } as RolloutEvidence;
  return { actor, played, segments: segmentsOf(rollout, actor) };
}
const search = (turn: number, id = "c1") => call("search", { turn }, id);
const tokensOf = (prompt: number[], completion: number[], logprobs: number[] | null = null) => ({
  prompt,
  completion,
  logprobs,
  experts: null,
});

describe("a segment", () => {
  it("is what the model saw and said, with its thoughts, and loss on what it wrote", async () => {
    const { segments } = await rolled([
      { text: "Looking.", reasoning: "Where?", calls: [search(0), call("python", { x: 1 }, "c2")] },
      { text: "Final answer: 5 kg" },
    ]);
    expect(segments).toHaveLength(1);
    const { messages } = segments[0]!;
    expect(messages.map((m) => [m.role, m.name, m.loss])).toEqual([
      ["system", null, false],
      ["user", null, false],
      ["assistant", null, true],
      ["tool", "search", false],
      ["tool", "python", false],
      ["assistant", null, true],
    ]);
    expect(messages[2]!.reasoning).toBe("Where?");
    expect(messages[2]!.tool_calls).toBe(
      JSON.stringify([
        { arguments: '{"turn":0}', id: "c1", name: "search" },
        { arguments: '{"x":1}', id: "c2", name: "python" },
      ]),
    );
  });

  it("keeps the provider's arguments byte for byte, and pairs ids that come again", async () => {
    const odd = { id: "call_1", name: "search", arguments: '{ "turn" : 1.0 }' };
    const again = { id: "call_1", name: "python", arguments: "{}" };
    const { segments } = await rolled([{ calls: [odd] }, { calls: [again] }, { text: "done" }]);
    const { messages } = segments[0]!;
    expect(messages[2]!.tool_calls).toContain('"{ \\"turn\\" : 1.0 }"');
    expect(messages.filter((m) => m.role === "tool").map((m) => m.name)).toEqual(["search", "python"]);
  });

  it("begins where observations were taken out; each turn is learnt from once", async () => {
    const context = contextSchema.parse({ tokens: 1000, policy: "truncate", keep: 0 });
    const { segments } = await rolled(
      [{ calls: [search(0)] }, { calls: [search(1)], input: 1000 }, { text: "done" }],
      { context },
    );
    expect(
      segments.map(({ messages }) => messages.filter((m) => m.role === "assistant").map((m) => m.loss)),
    ).toEqual([
      [true, true],
      [false, false, true],
    ]);
    // What the model has not read yet stays, whatever `keep` says.
    const results = segments[1]!.messages.filter((m) => m.role === "tool").map((m) => m.content);
    expect(results).toEqual([REMOVED, 'search says {"turn":1}']);
    expect(segments[0]!.messages.filter((m) => m.role === "tool")).toHaveLength(1);
  });

  it("shows a reply that broke off, and nobody learns from it", async () => {
    const { segments } = await rolled([{ calls: [search(0)] }, { text: "It is", why: "truncated" }]);
    expect(segments[0]!.messages.at(-1)).toMatchObject({ role: "assistant", content: "It is", loss: false });
  });
});

describe("token ids", () => {
  const lines: Line[] = [
    { calls: [search(0)], tokens: tokensOf([1, 2, 3], [4, 5], [-0.5, -0.25]) },
    { text: "done", tokens: tokensOf([1, 2, 3, 4, 5, 6, 7], [8], [-1]) },
  ];

  it("make a mask of what the model drew, with its log probabilities", async () => {
    const { segments, played } = await rolled(lines);
    expect(segments[0]!.tokens).toEqual({
      ids: [1, 2, 3, 4, 5, 6, 7, 8],
      loss: [false, false, false, true, true, false, false, true],
      logprobs: [null, null, null, -0.5, -0.25, null, null, -1],
      experts: null,
    });
    expect(drift(played.replies, [0, 0])).toBe(0);
  });

  it("drift where a prompt does not extend what went before, and then there is no mask", async () => {
    const drifted = [lines[0]!, { text: "done", tokens: tokensOf([1, 2, 3, 9, 6, 7], [8]) }];
    const { segments, played } = await rolled(drifted);
    expect(segments[0]!.tokens).toBeNull();
    expect(drift(played.replies, [0, 0])).toBe(1);
    // A new segment starts with another prompt by intention.
    expect(drift(played.replies, [0, 1])).toBe(0);
  });

  it("are unknown where one reply has none", async () => {
    const { played } = await rolled([lines[0]!, { text: "done" }]);
    expect(drift(played.replies, [0, 0])).toBeNull();
  });
});
