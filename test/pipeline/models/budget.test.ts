import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskmillError } from "../../../pipeline/base/errors.js";
import { Budget } from "../../../pipeline/models/budget.js";
import { amountOf, atto } from "../../../pipeline/models/price.js";
import { budgetSpec, modelSpec } from "../../../pipeline/models/spec.js";

const spec = modelSpec.parse({
  base_url: "http://localhost/v1",
  model: "m",
  price: { input: 1, cached_input: 0.25, output: 4 },
});
const roles = new Map([["solver", { spec }]]);
const asker = (instance = "probe") => ({ role: "solver", instance, row: "r1", sample: 0 });
const used = (input: number, output: number, cached_input = 0) => ({
  input,
  cached_input,
  output,
  reasoning: null,
});

function refusal(act: () => unknown): TaskmillError {
  try {
    act();
  } catch (error) {
    return error as TaskmillError;
  }
  throw new Error("nothing was refused");
}

describe("a budget", () => {
  it("counts what calls took, the prompt cache at its own price", () => {
    const budget = new Budget(budgetSpec.parse({ cost: 1 }));
    const call = budget.reserve(asker(), spec, { input: 1000, output: 1000 });
    expect(amountOf(budget.spent().held.cost)).toBe("0.005");
    call.settle(used(1000, 500, 400));
    const { calls, tokens, cost, held, unpriced } = budget.spent();
    expect({ calls, tokens, cost: amountOf(cost), unpriced }).toEqual({
      calls: 1,
      tokens: 1500,
      cost: "0.0027",
      unpriced: 0,
    });
    expect(held).toEqual({ calls: 0, tokens: 0, cost: 0n });
    expect(budget.spent("probe").calls).toBe(1);
    expect(budget.spent("solve").calls).toBe(0);
  });

  it("refuses a call that could break a cap, and says which, what was spent and what to do", () => {
    const budget = new Budget(budgetSpec.parse({ cost: 0.01 }));
    budget.reserve(asker(), spec, { input: 1000, output: 1000 }).settle(used(1000, 1000));
    budget.reserve(asker(), spec, { input: 1000, output: 500 });
    const { kind, problems } = refusal(() => budget.reserve(asker(), spec, { input: 1000, output: 1000 }));
    expect(kind).toBe("budget");
    expect(problems).toEqual([
      {
        code: "budget_cost",
        message:
          "probe was refused a call of solver: the run has spent 0.005 USD, with up to 0.003 USD in flight, and the call could take up to 0.005 USD, past the cap of 0.01 USD (budget.cost)",
        hint: "raise budget.cost and run the same command: every call so far is kept, and none of them is paid again",
      },
    ]);
    // What was refused is not counted.
    expect(budget.spent()).toMatchObject({ calls: 1, held: { calls: 1 } });
  });

  it("keeps caps of a stage apart from those of others", () => {
    const budget = new Budget(
      budgetSpec.parse({ calls: 3, stages: { probe: { calls: 1 }, solve: { tokens: 10 } } }),
    );
    const worst = { input: 6, output: 4 };
    budget.reserve(asker("probe"), spec, worst);
    expect(refusal(() => budget.reserve(asker("probe"), spec, worst)).problems[0]).toMatchObject({
      code: "budget_calls",
      hint: expect.stringContaining("budget.stages.probe.calls"),
    });
    budget.reserve(asker("solve"), spec, worst).settle(used(6, 3));
    expect(
      refusal(() => budget.reserve(asker("solve"), spec, { input: 1, output: 1 })).problems[0],
    ).toMatchObject({
      code: "budget_tokens",
      message: expect.stringContaining("stage solve has spent 9 tokens, with nothing in flight"),
    });
    budget.reserve(asker("words"), spec, worst);
    expect(refusal(() => budget.reserve(asker("words"), spec, worst)).message).toContain(
      "cap of 3 (budget.calls)",
    );
  });

  it("goes on from what earlier runs spent, at the prices of today", () => {
    const before = [
      {
        instance: "probe",
        role: "solver",
        calls: 2,
        unknown: 0,
        usage: { input: 1000, cached_input: 0, output: 1000 },
      },
      {
        instance: "probe",
        role: "gone",
        calls: 1,
        unknown: 0,
        usage: { input: 5, cached_input: 0, output: 5 },
      },
    ];
    const budget = new Budget(budgetSpec.parse({ calls: 4, cost: 0.01 }), before, roles);
    expect(budget.spent()).toMatchObject({ calls: 3, tokens: 2010, cost: atto(0.005), unpriced: 1 });
    budget.reserve(asker(), spec, { input: 1000, output: 1000 }).release();
    expect(() => budget.reserve(asker(), spec, { input: 1001, output: 1000 })).toThrow("budget.cost");
    budget.reserve(asker(), spec, { input: 1, output: 1 });
    expect(() => budget.reserve(asker(), spec, { input: 1, output: 1 })).toThrow("budget.calls");
  });

  it("counts earlier calls without counts at the most that their role gives out", () => {
    const usage = { input: 100, cached_input: 0, output: 10 };
    const before = [{ instance: "probe", role: "solver", calls: 3, unknown: 2, usage }];
    expect(new Budget(undefined, before, roles).spent().tokens).toBe(110 + 2 * 1024);
  });

  it("takes nothing for free where a cap on cost meets a role without a price", () => {
    const free = modelSpec.parse({ base_url: "http://localhost/v1", model: "m" });
    const budget = new Budget(budgetSpec.parse({ cost: 1 }));
    const { problems } = refusal(() => budget.reserve(asker(), free, { input: 1, output: 1 }));
    expect(problems[0]).toMatchObject({ code: "budget_cost", hint: "give models.solver.price" });
    const uncapped = new Budget(undefined);
    uncapped.reserve(asker(), free, { input: 1, output: 1 }).settle(used(1, 1));
    expect(uncapped.spent()).toMatchObject({ calls: 1, cost: 0n, unpriced: 1 });
  });

  it("counts honestly what an endpoint took beyond its bounds, and refuses from then on", () => {
    const budget = new Budget(budgetSpec.parse({ tokens: 100 }));
    budget.reserve(asker(), spec, { input: 10, output: 10 }).settle(used(10, 95));
    expect(budget.spent().tokens).toBe(105);
    expect(() => budget.reserve(asker(), spec, { input: 0, output: 0 })).toThrow("budget.tokens");
  });
});

type Step =
  | { readonly do: "reserve"; readonly instance: string; readonly input: number; readonly output: number }
  | {
      readonly do: "settle" | "release";
      readonly which: number;
      readonly share: number;
      readonly known: boolean;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("reserve" as const),
    instance: fc.constantFrom("probe", "solve"),
    input: fc.nat(400),
    output: fc.nat(400),
  }),
  fc.record({
    do: fc.constantFrom("settle" as const, "release" as const),
    which: fc.nat(30),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    known: fc.boolean(),
  }),
);
const caps = fc.record({
  calls: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  tokens: fc.option(fc.integer({ min: 1, max: 4000 }), { nil: undefined }),
  cost: fc.option(fc.double({ min: 1e-6, max: 0.01, noNaN: true }), { nil: undefined }),
});

describe("any interleaving of calls", () => {
  it("stays within every cap, and a refused call leaves no trace", () => {
    fc.assert(
      fc.property(caps, caps, fc.array(step, { maxLength: 80 }), (run, probe, steps) => {
        const budget = new Budget(budgetSpec.parse({ ...run, stages: { probe } }));
        const open: { input: number; output: number; call: ReturnType<Budget["reserve"]> }[] = [];
        for (const now of steps) {
          const before = [budget.spent(), budget.spent("probe")];
          if (now.do === "reserve") {
            const { input, output } = now;
            try {
              open.push({ input, output, call: budget.reserve(asker(now.instance), spec, now) });
            } catch {
              expect([budget.spent(), budget.spent("probe")]).toEqual(before);
            }
          } else if (open.length > 0) {
            const { call, input, output } = open[now.which % open.length]!;
            const part = (n: number) => (now.known ? Math.floor(n * now.share) : null);
            if (now.do === "release") call.release();
            else
              call.settle({
                ...used(0, 0),
                input: part(input),
                output: part(output),
                cached_input: part(input),
              });
          }
          for (const [account, cap] of [
            [budget.spent(), run],
            [budget.spent("probe"), probe],
          ] as const) {
            expect(account.calls + account.held.calls).toBeLessThanOrEqual(
              cap.calls ?? Number.POSITIVE_INFINITY,
            );
            expect(account.tokens + account.held.tokens).toBeLessThanOrEqual(
              cap.tokens ?? Number.POSITIVE_INFINITY,
            );
            if (cap.cost !== undefined) expect(account.cost + account.held.cost <= atto(cap.cost)).toBe(true);
            expect(account.held.calls).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });

  it("comes to the same sums in any order", () => {
    const calls = fc.array(fc.record({ input: fc.nat(1000), output: fc.nat(1000) }), {
      minLength: 1,
      maxLength: 30,
    });
    const odd = modelSpec.parse({ ...spec, price: { input: 0.1, output: 0.7, batch_discount: 0 } });
    fc.assert(
      fc.property(calls, (list) => {
        const total = (order: typeof list) => {
          const budget = new Budget(undefined);
          for (const worst of order)
            budget.reserve(asker(), odd, worst).settle(used(worst.input, worst.output));
          return budget.spent();
        };
        expect(total([...list].reverse())).toEqual(total(list));
      }),
    );
  });
});
