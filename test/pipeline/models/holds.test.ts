import { describe, expect, it } from "vitest";
import { Budget } from "../../../pipeline/models/budget.js";
import { Holds } from "../../../pipeline/models/holds.js";
import { budgetSpec, modelSpec } from "../../../pipeline/models/spec.js";

const spec = modelSpec.parse({ base_url: "http://models.test/v1", model: "m" });
const WORST = { input: 50, output: 50 };
const NOTHING = { input: 0, cached_input: 0, output: 0, reasoning: 0 };

/** Holds of a budget, with how often it was asked. */
function open(caps: object) {
  const budget = new Budget(budgetSpec.parse(caps));
  const stop = new AbortController();
  const seen = { asked: 0 };
  const reserve: Budget["reserve"] = (...ask) => {
    seen.asked++;
    return budget.reserve(...ask);
  };
  const holds = new Holds({ reserve }, stop.signal);
  const hold = (instance = "probe") =>
    holds.reserve({ role: "solver", instance, row: "r", sample: 0 }, spec, WORST);
  return { hold, stop, seen };
}

describe("calls that wait for room in a budget", () => {
  it("go in order, and each end asks the budget for one of them, however many wait", async () => {
    const { hold, seen } = open({ tokens: 100 });
    const all = Array.from({ length: 5000 }, () => hold());
    for (const next of all) (await next).settle(NOTHING);
    expect(seen.asked).toBeLessThanOrEqual(2 * all.length);
  });

  it("hold up no other stage", async () => {
    const { hold } = open({ stages: { probe: { tokens: 100 } } });
    const first = await hold();
    const second = hold();
    await hold("solve");
    first.release();
    await second;
  });

  it("are refused once nothing is in flight, or get the reason why all stops", async () => {
    const { hold, stop } = open({ tokens: 150 });
    const first = await hold();
    const refused = hold();
    first.settle({ ...NOTHING, input: 100 });
    await expect(refused).rejects.toMatchObject({ kind: "budget" });
    const other = open({ tokens: 100 });
    await other.hold();
    const waiting = other.hold();
    other.stop.abort("over");
    await expect(waiting).rejects.toBe("over");
    stop.abort("over");
    await expect(hold()).rejects.toBe("over");
  });
});
