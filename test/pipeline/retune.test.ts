import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtins } from "../../pipeline/builtins.js";
import { decideProbe } from "../../pipeline/retune/probe.js";
import { retuneText } from "../../pipeline/retune/text.js";
import { type Changes, type Retuning, retune } from "../../pipeline/retune.js";
import { knownBy } from "../../verifiers/drop-rule.js";
import { filesOf } from "../server/asking-run.js";
import { gatedDataset, ledgerIn, TARGET, tasksIn } from "./audit/dataset.js";

const root = mkdtempSync(join(tmpdir(), "taskmill-retune-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let gated = "";
let plain = "";
beforeAll(async () => {
  ({ gated, plain } = await gatedDataset(root));
});

const tuned = (changes: Changes, dir = gated): Promise<Retuning> =>
  retune(dir, changes, { registry: builtins() });
const turnedAway = async (gate: string) =>
  (await ledgerIn(gated)).filter((r) => r.gate === gate && r.status === "rejected").map((r) => r.task_id);

describe("retune", () => {
  it("changes nothing where nothing is changed, and writes nothing", async () => {
    const before = filesOf(gated);
    const same = await tuned({});
    expect(same).toMatchObject({ moved: [], findings: [], before: { in_dataset: TARGET } });
    expect(same.after).toEqual({ in: same.before.passed, out: same.rows - same.before.passed, open: 0 });
    expect(filesOf(gated)).toEqual(before);
    const parts = same.composition.filter(({ property }) => property === "formula");
    expect(parts.reduce((sum, p) => sum + p.after, 0)).toBe(same.after.in);
    expect(parts.every((p) => p.before === p.after && p.open === 0)).toBe(true);
  });

  it("takes out what is closer to its rival than a wider margin, and no more", async () => {
    const wide = await tuned({ margin: 10 });
    const lost = wide.moved.map(({ id }) => id);
    expect(lost.length).toBeGreaterThan(0);
    expect(wide.after.open).toBe(0);
    for (const task of await tasksIn(gated)) {
      const { margin } = JSON.parse(task.hidden_selection) as {
        margin: { gap: number; required: number } | null;
      };
      const ratio =
        margin === null || margin.required === 0 ? Number.POSITIVE_INFINITY : margin.gap / margin.required;
      expect([task.task_id, lost.includes(task.task_id)]).toEqual([task.task_id, ratio < 10]);
    }
  });

  it("does not guess what draws that nobody took would say", async () => {
    const more = await tuned({ k: 8 });
    expect(more.after).toMatchObject({ in: 0, open: more.before.passed });
    expect(more.why[0]).toEqual({
      fate: "open",
      why: "3 of 8 draws of memory are recorded",
      rows: more.before.passed,
    });
    expect(more.limits[0]).toBe(
      "3 draws of each role were taken; 8 need a run with more. No call is made here.",
    );
  });

  it("leaves open what an early stop cut short, and what later gates never saw", async () => {
    const known = await turnedAway("closed_book");
    const majority = await tuned({ drop: "majority" });
    const moved = majority.moved.map(({ id }) => id).sort();
    expect(moved).toEqual([...known].sort());
    expect(majority.moved.every(({ from, to }) => from === "out" && to === "open")).toBe(true);
    expect(majority.why).toContainEqual({
      fate: "open",
      why: "1 of 3 draws of memory are recorded",
      rows: known.length,
    });
    // Of one draw a majority is one right.
    expect((await tuned({ k: 1, drop: "majority" })).moved).toEqual([]);
    await expect(tuned({ k: 1, drop: { at_least: 2 } })).rejects.toMatchObject({ kind: "usage" });
  });

  it("grades recorded answers at another tolerance", async () => {
    // Rounded to the digits asked for, no answer is within a ten-thousandth of a percent of the exact one.
    const strict = await tuned({ tolerance: 1e-6 });
    const solved = strict.why.find(({ why }) => why === "a solve differs from the reference");
    expect(solved!.rows).toBeGreaterThan(0);
    expect(strict.after.in).toBeLessThan(strict.before.passed);
    const wide = await tuned({ tolerance: 0.5 });
    expect(wide.why).toContainEqual(
      expect.objectContaining({ fate: "out", why: "a wrong answer lies within three tolerances" }),
    );
  });

  it("says so where there is no gate to change", async () => {
    const none = await tuned({ k: 2 }, plain);
    expect(none.moved).toEqual([]);
    expect(none.limits).toContain("No row was probed, so k and the drop rule change nothing here.");
    expect(none.limits).toContain("No gate kept evidence: only the tasks themselves are looked at.");
  });

  it("works on a dataset that was moved away from its calls and its store", async () => {
    const moved = join(root, "moved");
    cpSync(gated, moved, { recursive: true });
    for (const name of ["calls", "run.duckdb"]) rmSync(join(moved, name), { recursive: true, force: true });
    expect(await tuned({ margin: 10 }, moved)).toEqual(await tuned({ margin: 10 }));
    expect(readFileSync(join(moved, "manifest.json"))).toEqual(readFileSync(join(gated, "manifest.json")));
  });

  it("reads well", async () => {
    await expect(retuneText(await tuned({ margin: 10, drop: "majority" }))).toMatchFileSnapshot(
      "golden/retune.txt",
    );
  });
});

describe("decideProbe", () => {
  const outcome = fc.constantFrom("right", "wrong", "undecided", "no_reply") as fc.Arbitrary<
    "right" | "wrong" | "undecided" | "no_reply"
  >;
  const samples = fc.array(fc.record({ role: fc.constantFrom("a", "b"), outcome }), { maxLength: 30 });
  const rule = fc.record({ k: fc.integer({ min: 1, max: 6 }), need: fc.integer({ min: 1, max: 6 }) });

  it("agrees with the probe's own rule wherever all draws are there", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), rule, (rights, { k, need }) => {
        fc.pre(need <= k);
        const drawn = rights.map((right) => ({
          role: "a",
          outcome: right ? ("right" as const) : ("wrong" as const),
        }));
        const drop = { at_least: need };
        const known = knownBy(drawn.slice(0, k), drop, k) !== undefined;
        expect(decideProbe(drawn, { k, drop, roles: ["a"] }).fate).toBe(known ? "out" : "in");
      }),
    );
  });

  it("never changes its mind when further draws are recorded", () => {
    fc.assert(
      fc.property(samples, samples, rule, (first, further, { k, need }) => {
        fc.pre(need <= k);
        const given = { k, drop: { at_least: need }, roles: ["a", "b"] };
        const { fate } = decideProbe(first, given);
        fc.pre(fate !== "open");
        expect(decideProbe([...first, ...further], given).fate).toBe(fate);
      }),
    );
  });
});
