import { describe, expect, it } from "vitest";
import { QuotaTally } from "../../../pipeline/report/quotas.js";
import type { ReportRow } from "../../../pipeline/report/reading.js";
import { BalanceTally } from "../../../pipeline/report/turned-away.js";
import { type Judged, verdictOf } from "../../../pipeline/report/verdict.js";
import { stage } from "./facts.js";

const row = (formula: string): ReportRow =>
  ({
    program: { table: "planets", compute: { formula } },
    difficulty: { conditions: 1 },
  }) as unknown as ReportRow;

describe("shares", () => {
  const balance = (params: object) => ({ ...stage("balance", 10, 10, {}, params) });
  const quotas = (params: object, formulas: readonly string[]) => {
    const tally = new QuotaTally([balance(params)]);
    for (const formula of formulas) tally.add(row(formula));
    return tally.result();
  };

  it("are held against the config, with the few rows that are welcome anyway", () => {
    const formulas = ["a", "a", "a", "b", "c"];
    const found = {
      stage: "balance",
      property: "formula",
      allowed: 0.5,
      floor: 0,
      largest: "a",
      rows: 3,
      of: 5,
    };
    expect(quotas({ formula: 0.5 }, formulas)).toEqual([{ ...found, kept: true }]);
    expect(quotas({ formula: 0.3 }, formulas)).toEqual([{ ...found, allowed: 0.3, kept: false }]);
    expect(quotas({ formula: 0.3, floor: 3 }, formulas)[0]!.kept).toBe(true);
    expect(quotas({ formula: 1, colour: 0.1 }, formulas)).toEqual([]);
  });

  it("tell what they cost, by the value that was full", () => {
    const tally = new BalanceTally();
    const reject = (reason: string, evidence: object) =>
      tally.add({ id: "balance", stage: "balance" }, { ref: "x", reason, evidence: evidence as never });
    for (let i = 0; i < 45; i++)
      for (let k = 0; k <= i; k++)
        reject("over_share", { property: "entity", value: `e${i}`, share: 0.02, admitted: 3 });
    reject("over_target", { target: 10 });
    tally.add({ id: "lint", stage: "lint" }, { ref: "x", reason: "leak", evidence: {} });
    const [turned, ...rest] = tally.result();
    expect(rest).toEqual([]);
    expect(turned).toMatchObject({ stage: "balance", rows: 1036, without: { over_target: 1 } });
    expect(turned!.values[0]).toEqual({
      property: "entity",
      value: "e44",
      share: 0.02,
      admitted: 3,
      rows: 45,
    });
    // 1 + 2 + 3 + 4 + 5
    expect(turned!.others).toEqual({ values: 5, rows: 15 });
  });
});

describe("the verdict", () => {
  const judged: Judged = {
    accepted: 10,
    candidates: 40,
    target: { accepted: 10, limit: null },
    reached: true,
    funnel: [
      {
        id: "select",
        stage: "select",
        in: 40,
        created: 0,
        out: 10,
        rejected: [{ reason: "tie", meaning: "", rows: 30, samples: [] }],
      },
    ],
    gates: { lint: { passed: 10, failed: 0, not_run: 0 } },
    quotas: [
      {
        stage: "balance",
        property: "formula",
        allowed: 0.5,
        floor: 3,
        largest: "a",
        rows: 3,
        of: 10,
        kept: true,
      },
    ],
    agents: [{ by: "rollout", valid: 4, right: 1, firewall: { served: [] } }],
  };
  const states = (more: Partial<Judged>) =>
    Object.fromEntries(
      verdictOf({ ...judged, ...more }, undefined).lines.map(({ what, state }) => [what, state]),
    );

  it("says what holds, and never that a gate that did not run was passed", () => {
    expect(verdictOf(judged, undefined)).toMatchObject({ yield: 0.25, turned_away: 30 });
    expect(states({})).toEqual({
      target: "good",
      funnel: "good",
      gates: "good",
      shares: "good",
      leakage: "open",
      rollouts: "good",
    });
    const gates = {
      lint: { passed: 10, failed: 0, not_run: 0 },
      solve: { passed: 9, failed: 0, not_run: 1 },
    };
    expect(states({ gates, agents: [] })).toMatchObject({ gates: "open", rollouts: "open" });
  });

  it("says why a share above its bound is kept", () => {
    const text = (more: object) =>
      verdictOf({ ...judged, quotas: [{ ...judged.quotas[0]!, ...more }] }, undefined).lines.find(
        ({ what }) => what === "shares",
      )!.text;
    expect(text({})).toMatch(/formula a \(30 %, at most 50 %\)$/);
    expect(text({ allowed: 0.2 })).toMatch(/formula a \(30 %, at most 20 %; the first 3 rows always pass\)$/);
  });

  it("says what is broken", () => {
    const quotas = [{ ...judged.quotas[0]!, kept: false }];
    const funnel = [{ ...judged.funnel[0]!, out: 11 }];
    const gates = { lint: { passed: 9, failed: 1, not_run: 0 } };
    expect(states({ quotas, funnel, gates, reached: false })).toEqual({
      target: "bad",
      funnel: "bad",
      gates: "bad",
      shares: "bad",
      leakage: "open",
      rollouts: "good",
    });
    expect(states({ accepted: 0 }).target).toBe("bad");
    expect(states({ agents: [{ ...judged.agents[0]!, firewall: { served: [{}] } }] }).rollouts).toBe("bad");
  });
});
