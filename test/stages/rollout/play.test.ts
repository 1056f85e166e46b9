import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REMOVED } from "../../../stages/rollout/conversation.js";
import { contextSchema, limitsSchema } from "../../../stages/rollout/limits.js";
import { play } from "../../../stages/rollout/play.js";
import { Actor, call, type Line, options } from "./agents.js";

const script = (...lines: Line[]) => new Actor((_, turn) => lines[Math.min(turn, lines.length - 1)]!);
const search = call("search", { query: "mass" });

describe("a rollout", () => {
  it("goes on while its agent calls tools, and ends with the message that calls none", async () => {
    const actor = script({ text: "Looking.", calls: [search] }, { text: "Final answer: 5 kg" });
    const played = await play(options(actor));
    expect(played.stop).toBe("answered");
    expect(played.turns.map((t) => t.tools.map(({ name }) => name))).toEqual([["search"], []]);
    expect(actor.asked.at(-1)!.messages).toEqual([
      { role: "system", content: "Use tools." },
      { role: "user", content: "How heavy?" },
      { role: "assistant", content: "Looking.", tool_calls: [search] },
      { role: "tool", content: 'search says {"query":"mass"}', tool_call_id: "c1" },
    ]);
  });

  it("answers every call of a turn, in order", async () => {
    const calls = [
      call("search", { q: 1 }, "a"),
      call("python", { q: 2 }, "b"),
      call("search", { q: 3 }, "c"),
    ];
    const actor = script({ calls }, { text: "done" });
    const { observations } = await play(options(actor));
    expect(observations.map(({ text }) => text)).toEqual([
      'search says {"q":1}',
      'python says {"q":2}',
      'search says {"q":3}',
    ]);
    const answers = actor.asked.at(-1)!.messages.filter((m) => m.role === "tool");
    expect(answers.map((m) => m.role === "tool" && m.tool_call_id)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["turns", { turns: 3 }, 3],
    ["tokens", { output_tokens: 40 }, 4],
    ["cost", { cost: { most: 0.0005, input: 1, output: 1 } }, 5],
  ] as const)("stops at its limit of %s", async (stop, limits, turns) => {
    const played = await play(options(script({ calls: [search] }), { limits: limitsSchema.parse(limits) }));
    expect([played.stop, played.turns.length]).toEqual([stop, turns]);
  });

  it("counts tokens by length where the endpoint does not", async () => {
    const silent = script({ text: "x".repeat(80), calls: [search], input: null, output: null });
    const played = await play(options(silent, { limits: limitsSchema.parse({ output_tokens: 60 }) }));
    expect([played.stop, played.turns.length]).toEqual(["tokens", 3]);
    expect(played.turns[0]!.output).toBeNull();
  });

  it.each(["truncated", "filter", "refusal", "context_length", "unavailable"] as const)(
    "ends when a reply is %s",
    async (why) => {
      const played = await play(options(script({ calls: [search] }, { why })));
      expect([played.stop, played.turns.length, played.replies.length]).toEqual([why, 2, 1]);
    },
  );

  it("sends a model its own thoughts only where it wants them", async () => {
    const lines = [{ reasoning: "Hm.", calls: [search] }, { text: "done" }];
    const [kept, dropped] = [script(...lines), script(...lines)];
    await play(options(kept, { thoughts: "send" }));
    await play(options(dropped));
    expect(kept.asked[1]!.messages[2]).toMatchObject({ reasoning_content: "Hm." });
    expect(dropped.asked[1]!.messages[2]).not.toHaveProperty("reasoning_content");
  });
});

describe("a context that is full", () => {
  const context = (more: object) => contextSchema.parse({ tokens: 1000, ...more });

  it("ends the rollout under the policy `stop`", async () => {
    const played = await play(options(script({ calls: [search], input: 995 }), { context: context({}) }));
    expect([played.stop, played.turns.length]).toEqual(["context", 1]);
  });

  it("loses its oldest observations under `truncate`, and starts a segment", async () => {
    const actor = new Actor((_, turn) =>
      turn < 4 ? { calls: [call("search", { turn })], input: turn === 2 ? 1000 : 10 } : { text: "done" },
    );
    const { turns } = await play(options(actor, { context: context({ policy: "truncate", keep: 1 }) }));
    expect(turns.map((t) => t.segment)).toEqual([0, 0, 0, 1, 1]);
    const seen = actor.asked.at(-1)!.messages.flatMap((m) => (m.role === "tool" ? [m.content] : []));
    expect(seen).toEqual([REMOVED, REMOVED, 'search says {"turn":2}', 'search says {"turn":3}']);
  });

  it("ends when there is nothing left to take out", async () => {
    const actor = script({ calls: [search], input: 2000 });
    const played = await play(options(actor, { context: context({ policy: "truncate", keep: 4 }) }));
    expect(played.stop).toBe("context");
  });
});

describe("a rollout that is played again", () => {
  it("goes the same way, whatever its replies", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            text: fc.string(),
            many: fc.nat(3),
            input: fc.integer({ min: 1, max: 1500 }),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        fc.nat(3),
        async (lines, keep) => {
          const actor = () =>
            new Actor((_, turn) => {
              const { text, many, input } = lines[Math.min(turn, lines.length - 1)]!;
              const calls = Array.from({ length: many }, (_, i) => call("search", { turn, i }, `c${i}`));
              return { text, calls, input };
            });
          const context = contextSchema.parse({ tokens: 1000, policy: "truncate", keep });
          const [one, two] = [actor(), actor()];
          expect(await play(options(one, { context }))).toEqual(await play(options(two, { context })));
          expect(one.asked).toEqual(two.asked);
        },
      ),
      { numRuns: 200 },
    ));
});
