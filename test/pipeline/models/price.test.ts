import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  amountOf,
  amountText,
  atto,
  costOf,
  missingPrices,
  ratesOf,
  tokensOf,
  worstCost,
} from "../../../pipeline/models/price.js";
import { budgetSpec, modelSpec } from "../../../pipeline/models/spec.js";

const role = (rest: object = {}) => modelSpec.parse({ base_url: "http://localhost/v1", model: "m", ...rest });

describe("prices", () => {
  it("are exact a token, whatever their decimals", () => {
    const rates = ratesOf(role({ price: { input: 0.15, cached_input: 0.075, output: 0.6 } }))!;
    expect(rates).toEqual({ input: 150_000_000_000n, cached: 75_000_000_000n, output: 600_000_000_000n });
    expect(amountOf(costOf({ input: 1_000_000, cached_input: 400_000, output: 1_000_000 }, rates))).toBe(
      "0.72",
    );
    // 0.1 + 0.2 of a currency, a classic of floating point.
    const tenth = ratesOf(role({ price: { input: 0.1, output: 0.2 } }))!;
    expect(amountOf(costOf({ input: 1_000_000, cached_input: 0, output: 1_000_000 }, tenth))).toBe("0.3");
  });

  it("take the batch discount off only where a role sends batches", () => {
    const price = { input: 2, output: 8, batch_discount: 0.5 };
    expect(ratesOf(role({ price }))).toEqual(ratesOf(role({ price: { input: 2, output: 8 } })));
    expect(ratesOf(role({ price, batch: {} }))).toEqual(ratesOf(role({ price: { input: 1, output: 4 } })));
    expect(ratesOf(role())).toBeUndefined();
  });

  it("bound a call by the dearer input price, without the prompt cache", () => {
    const rates = ratesOf(role({ price: { input: 1, cached_input: 0.1, output: 10 } }))!;
    expect(amountOf(worstCost({ input: 1000, output: 100 }, rates))).toBe("0.002");
    const odd = ratesOf(role({ price: { input: 1, cached_input: 2, output: 0 } }))!;
    expect(amountOf(worstCost({ input: 1000, output: 0 }, odd))).toBe("0.002");
  });

  it("never let a settled call within its bounds cost more than the worst case", () => {
    const price = fc.record({
      input: fc.double({ min: 0, max: 100, noNaN: true }),
      cached_input: fc.double({ min: 0, max: 100, noNaN: true }),
      output: fc.double({ min: 0, max: 1000, noNaN: true }),
      batch_discount: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const bound = fc.record({ input: fc.nat(100_000), output: fc.nat(100_000) });
    const usage = fc.record({
      input: fc.option(fc.nat(100_000)),
      cached_input: fc.option(fc.oneof(fc.nat(200_000), fc.constant(-5), fc.constant(Number.NaN))),
      output: fc.option(fc.nat(100_000)),
      reasoning: fc.constant(null),
    });
    fc.assert(
      fc.property(price, bound, usage, (p, worst, said) => {
        const rates = ratesOf(role({ price: p, batch: {} }))!;
        const counted = tokensOf(said, worst);
        fc.pre(counted.input <= worst.input && counted.output <= worst.output);
        expect(costOf(counted, rates) <= worstCost(worst, rates)).toBe(true);
      }),
    );
  });
});

describe("tokens that count", () => {
  const worst = { input: 50, output: 20 };
  it("stand at the worst case where the endpoint did not say, or said what is no count", () => {
    const none = { input: null, cached_input: null, output: null, reasoning: null };
    expect(tokensOf(none, worst)).toEqual({ input: 50, cached_input: 0, output: 20 });
    const odd = { input: -1, cached_input: 7, output: 2.5, reasoning: null };
    expect(tokensOf(odd, worst)).toEqual({ input: 50, cached_input: 7, output: 20 });
  });

  it("believe no more of the prompt cache than the input holds", () => {
    const said = { input: 10, cached_input: 90, output: 3, reasoning: 2 };
    expect(tokensOf(said, worst)).toEqual({ input: 10, cached_input: 10, output: 3 });
  });
});

describe("amounts", () => {
  it("show two decimals, or two significant digits of less than a cent", () => {
    const shown = [0, 0.84, 5, 1250, 0.004217, 0.000001, 1234567.891].map((n) => amountText(atto(n)));
    expect(shown).toEqual(["0.00", "0.84", "5.00", "1,250.00", "0.0042", "0.000001", "1,234,567.89"]);
  });
});

describe("missing prices", () => {
  const roles = new Map([
    ["solver", { spec: role(), off: false }],
    ["judge", { spec: role({ price: { input: 0, output: 0 } }), off: false }],
    ["reader", { spec: role(), off: true }],
  ]);

  it("are told for a cap on cost of the run, of roles that are on", () => {
    const found = missingPrices(budgetSpec.parse({ cost: 5 }), roles);
    expect(found).toMatchObject([{ role: "solver", code: "price_missing" }]);
    expect(found[0]!.message).toBe(
      "`budget.cost` caps what calls may cost, and the role `solver` has no price",
    );
    expect(missingPrices(budgetSpec.parse({ calls: 5, tokens: 10 }), roles)).toEqual([]);
  });

  it("are told for a stage's cap, of roles that the stage asks", () => {
    const budget = budgetSpec.parse({ stages: { probe: { cost: 1 }, solve: { calls: 3 } } });
    expect(missingPrices(budget, roles, new Map([["probe", ["judge"]]]))).toEqual([]);
    const asks = new Map([["probe", ["judge", "solver"]]]);
    expect(missingPrices(budget, roles, asks)[0]!.message).toContain("`budget.stages.probe.cost`");
  });
});
