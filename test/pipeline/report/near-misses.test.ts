import { describe, expect, it } from "vitest";
import { canBeNear, closenessOf } from "../../../pipeline/report/closeness.js";
import { NearMissPool } from "../../../pipeline/report/near-misses.js";
import type { Rejudge } from "../../../pipeline/report/rejudge.js";
import { cards } from "../../datasets/rows.js";
import { stage } from "./facts.js";

const LIMITS = { max_tolerance: 0.05, max_influence: 0.5 };

describe("closeness", () => {
  it("is the share of the distance that is needed", () => {
    const says = (reason: string, evidence: object) => closenessOf(reason, evidence, LIMITS);
    expect(says("margin", { gap: 17, required: 22.76, unit: "K" })).toEqual({
      closeness: 0.7469,
      says: "a gap of 17 K, where 22.76 is needed",
    });
    expect(
      says("rival_answer_close", { how: "next in rank", value: 100, other: 98, tolerance: 0.01 }),
    ).toEqual({
      closeness: 0.6667,
      says: "next in rank gives 98 for 100: 2 tolerances away, where 3 are needed",
    });
    expect(says("tolerance_too_wide", { tolerance: 0.0625 })?.closeness).toBe(0.8);
    expect(says("dominated_by_one", { influence: 0.8 })?.closeness).toBe(0.625);
    const condition = { column: "mass", op: "between", low: 1, high: 20 };
    expect(says("near_threshold", { value: 18, u: 0.5, unit: "1", condition })).toEqual({
      closeness: 0.8,
      says: "18 ± 0.5 stands at 20: 4 u away, where 5 are needed",
    });
  });

  it("is not told where the evidence says nothing of it", () => {
    expect(canBeNear("constructor")).toBe(false);
    expect(closenessOf("tie", { gap: 0, required: 1 }, LIMITS)).toBeUndefined();
    for (const evidence of [
      null,
      {},
      { gap: "1", required: 2 },
      { gap: 1, required: 0 },
      { value: 0, other: 1, tolerance: 1 },
    ])
      for (const reason of ["margin", "rival_answer_close", "near_threshold", "tolerance_too_wide"])
        expect(closenessOf(reason, evidence, LIMITS)?.closeness ?? "none").toBe(
          reason === "tolerance_too_wide" && evidence !== null && "tolerance" in evidence ? 0.05 : "none",
        );
  });
});

describe("near-misses", () => {
  const facts = { reasons: new Map([["select", { margin: "too close" }]]), cards };
  const counted = stage("select", 100, 0, { margin: 100 });

  it("shows the closest of a sample, and how many that was", async () => {
    const pool = new NearMissPool("5");
    for (let i = 0; i < 100; i++)
      pool.add(counted, { ref: `r${i}`, reason: "margin", evidence: { gap: i, required: 100 } });
    const [near, ...rest] = await pool.result(facts, undefined);
    expect(rest).toEqual([]);
    expect(near).toMatchObject({
      stage: "select",
      reason: "margin",
      meaning: "too close",
      rows: 100,
      measured: 40,
    });
    const found = near!.closest.map(({ closeness }) => closeness);
    expect(found).toHaveLength(4);
    expect(found).toEqual([...found].sort((a, b) => b - a));
    expect(found[0]).toBeGreaterThan(0.8);
    expect(near!.closeness.reduce((sum, { rows }) => sum + rows, 0)).toBe(40);
  });

  it("asks again where a sample tells its program alone, and believes the same reason only", async () => {
    const program = {
      table: "planets",
      where: [],
      select: { column: "mass", order: "max", rank: 2 },
      compute: { formula: "bulk_density" },
    };
    const pool = new NearMissPool("5");
    for (const ref of ["space#1", "space#2", "space#3"])
      pool.add(counted, { ref, reason: "margin", evidence: { program } });
    const rejudge: Rejudge = async (_, { ref }) =>
      ref === "space#1"
        ? { reason: "margin", evidence: { entity: "Venus", gap: 9, required: 10 } }
        : ref === "space#2"
          ? { reason: "tie", evidence: { gap: 9, required: 10 } }
          : undefined;
    const [near] = await pool.result(facts, rejudge);
    expect(near).toMatchObject({
      measured: 1,
      closest: [{ ref: "space#1", closeness: 0.9, entity: "Venus" }],
    });
    expect(near!.closest[0]!.program).toMatch(/^planets: all; largest .*mass, rank 2; bulk density$/);
  });

  it("leaves out reasons that know no distance", async () => {
    const pool = new NearMissPool("5");
    pool.add(counted, { ref: "a", reason: "tie", evidence: { gap: 0, required: 1 } });
    pool.add(counted, { ref: "b", reason: "margin", evidence: null });
    expect(await pool.result(facts, undefined)).toEqual([]);
  });
});
