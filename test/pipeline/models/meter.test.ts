import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../pipeline/events.js";
import { Budget } from "../../../pipeline/models/budget.js";
import { CallMeter, pendingNote } from "../../../pipeline/models/meter.js";
import { budgetSpec, modelSpec } from "../../../pipeline/models/spec.js";

const spec = modelSpec.parse({ base_url: "http://h/v1", model: "m", price: { input: 1, output: 4 } });
const asker = { role: "solver", instance: "probe", row: "r", sample: 0 };
const usage = { input: 1000, cached_input: null, output: 500, reasoning: null };

function meter(given: ConstructorParameters<typeof Budget>) {
  const budget = new Budget(...given);
  const seen: RunEvent[] = [];
  return { budget, seen, meter: new CallMeter(budget, (event) => seen.push(event)) };
}

describe("a meter of calls", () => {
  it("adds up what a stage did in this run, beside what all runs spent", () => {
    const before = [
      {
        instance: "probe",
        role: "solver",
        calls: 1,
        unknown: 0,
        usage: { input: 1000, cached_input: 0, output: 0 },
      },
    ];
    const roles = new Map([["solver", { spec }]]);
    const { budget, meter: m, seen } = meter([budgetSpec.parse({ cost: 5 }), before, roles]);
    const call = () => budget.reserve(asker, spec, { input: 2000, output: 1000 });
    m.listen({ type: "replayed", ...asker });
    m.listen({ type: "asked", ...asker });
    const first = call();
    m.listen({ type: "sent", ...asker });
    m.listen({ type: "retried", fault: "rate", ...asker });
    m.listen({ type: "sent", ...asker });
    expect(seen.at(-1)).toMatchObject({ in_flight: 1, retried: 1, kept: 0, tokens: 0, cost: "0" });
    first.settle(usage);
    m.listen({ type: "kept", usage, ...asker });
    m.listen({ type: "failed", fault: "server", sent: false, ...asker });
    expect(seen.at(-1)).toEqual({
      type: "calls",
      instance: "probe",
      replayed: 1,
      kept: 1,
      failed: 1,
      retried: 1,
      in_flight: 0,
      tokens: 1500,
      cost: "0.003",
      total_cost: "0.004",
      cap: "5",
      currency: "USD",
    });
  });

  it("tells of every hundredth replay, and the rest when it is asked to", () => {
    const { meter: m, seen } = meter([undefined]);
    for (let i = 0; i < 250; i++) m.listen({ type: "replayed", ...asker });
    expect(seen.map((e) => e.type === "calls" && e.replayed)).toEqual([100, 200]);
    m.flush("probe");
    m.flush("solve");
    expect(seen.map((e) => e.type === "calls" && e.replayed)).toEqual([100, 200, 250]);
  });

  it("knows no cost where a role has no price", () => {
    const { budget, meter: m, seen } = meter([undefined]);
    const free = modelSpec.parse({ base_url: "http://h/v1", model: "m" });
    m.listen({ type: "asked", ...asker });
    budget.reserve(asker, free, { input: 1, output: 1 }).settle(usage);
    m.listen({ type: "kept", usage, ...asker });
    expect(seen.at(-1)).toMatchObject({ tokens: 1500, cost: null, total_cost: null, cap: null });
  });

  it("passes waits on", () => {
    const { meter: m, seen } = meter([undefined]);
    m.listen({ type: "waiting", endpoint: "e", until: 5, seconds: 2, why: "429" });
    expect(seen).toEqual([{ type: "waiting", endpoint: "e", seconds: 2, why: "429" }]);
  });
});

describe("calls that a crash cut off", () => {
  it("are told by who asked", () => {
    const intent = { ...asker, key: "k", model: "m" };
    expect(pendingNote([])).toBeUndefined();
    expect(pendingNote([intent, { ...intent, row: "s" }, { ...intent, instance: "solve" }])).toBe(
      "3 calls of an earlier run ended without a recorded reply, and may have been billed: 2 calls of probe as solver (m), 1 call of solve as solver (m)",
    );
  });
});
