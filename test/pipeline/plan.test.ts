import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { defineStage, events, load, plan, run } from "../../pipeline/index.js";
import { planMermaid, planText } from "../../pipeline/plan.js";
import { modelsText } from "../../pipeline/plan-models.js";
import { inFolder } from "./helpers.js";

const GOOD = "test/pipeline/broken-configs/good.yaml";
const GRAPH = "test/pipeline/broken-configs/good-graph.yaml";

describe("a plan", () => {
  it("shows the graph, expected counts and cost, and makes nothing", () =>
    inFolder(async (dir) => {
      const planned = await plan(GRAPH, { outDir: join(dir, "out"), limit: 5 });
      expect(planText({ ...planned, outDir: "runs/good" })).toMatchSnapshot();
      expect(planMermaid(planned)).toMatchSnapshot();
      expect(readdirSync(dir)).toEqual([]);
    }));

  it("counts at most the target and the candidates' budget", () =>
    inFolder(async (dir) => {
      const loaded = await load(GOOD);
      const config = {
        ...loaded.config,
        sources: [`./test/pipeline/broken-configs/cards/bodies.yaml`],
        target: { accepted: 3, candidates: 50 },
      };
      const space = { id: "s", table: "bodies" };
      const stages = { enumerate: { spaces: [space], candidates: 1000 } };
      const { name, seed, sources, target } = config;
      const planned = await plan({ name, seed, sources, target, stages }, { outDir: dir });
      const rows = Object.fromEntries(planned.instances.map((i) => [i.id, i.rows]));
      expect(rows).toMatchObject({ ingest: 10, enumerate: 50, filter: 50, emit: 3 });
      expect(planned).toMatchObject({ target: 3, candidates: 50 });
      expect(planned.models).toMatchObject({
        roles: [],
        total: { calls: 0, tokens: 0, cost: "0" },
        budget: null,
      });
    }));

  it("knows what a run has left, and what a changed param makes it do again", () =>
    inFolder(async (dir) => {
      const outDir = join(dir, "out");
      const cached = async (config: string | object) => {
        const planned = await plan(config, { outDir });
        return planned.instances.filter((i) => i.cached === "yes").map((i) => i.id);
      };
      expect(await cached(GOOD)).toEqual([]);
      await run(GOOD, { outDir, threads: 1 });
      const all = [
        "ingest",
        "recipes",
        "filter",
        "select",
        "compute",
        "verbalize",
        "lint",
        "dedup",
        "balance",
        "split",
        "emit",
      ];
      expect(await cached(GOOD)).toEqual(all);
      const value = parse(readFileSync(GOOD, "utf8"));
      value.sources = ["./test/pipeline/broken-configs/cards/bodies.yaml"];
      expect(await cached(value)).toEqual(all);
      value.stages.balance = { formula: 0.5 };
      expect(await cached(value)).toEqual(all.slice(0, 8));
      value.seed = 8;
      expect(await cached(value)).toEqual([]);
    }));
});

describe("a plan's model calls", () => {
  const GATE = defineStage({
    kind: "ask_twice",
    version: 1,
    mode: "row",
    summary: "asks each of its roles twice",
    params: z.strictObject({ roles: z.array(z.string()) }),
    takes: "worded",
    gives: "worded",
    gate: "closed_book",
    roles: ({ roles }) => roles,
    calls: ({ roles }) => roles.map((role) => ({ role, calls: 2, input: 100, output: 50 })),
    input: z.looseObject({ id: z.string() }),
    output: z.looseObject({ id: z.string() }),
    reasons: {},
    run: (row) => ({ out: row }),
  });
  const on = { base_url: "http://127.0.0.1:9/v1", model: "m-1" };
  const price = { input: 1, cached_input: 0.1, output: 10 };

  async function planned(models: object, roles: string[], rest: object = {}) {
    const config = parse(readFileSync(GRAPH, "utf8"));
    const gate = { id: "probe", stage: "ask_twice", from: ["words"], params: { roles } };
    const graph = config.graph.flatMap((i: { id: string }) =>
      i.id === "split" ? [gate, { ...i, from: ["probe"] }] : [i],
    );
    const sources = ["./test/pipeline/broken-configs/cards/bodies.yaml"];
    return plan({ ...config, ...rest, sources, graph, models }, { stages: [GATE], limit: 5 });
  }

  it("are estimated by instance and role, at the worst case, with tokens and cost", async () => {
    const { models } = await planned({ solver: { ...on, price } }, ["solver"], {
      budget: { cost: 5, calls: 9 },
    });
    const figures = { calls: 2, tokens: 300, cost: "0.0012" };
    expect(models).toMatchObject({
      roles: [{ instance: "probe", role: "solver", model: "m-1", row: 2, ...figures }],
      total: figures,
      target: figures,
      currency: "USD",
    });
    expect(models.gates.find((g) => g.gate === "closed_book")).toEqual({
      gate: "closed_book",
      status: "runs",
      by: ["probe"],
      why: "",
    });
    expect(modelsText(models).slice(0, 4)).toEqual([
      "model calls: for the tasks of the target at most 2 calls, 300 tokens, 0.0012 USD; rows that gates reject come on top, recorded calls are replayed and cost nothing",
      "  if every candidate came through: at most 2 calls, 300 tokens, 0.0012 USD",
      "  probe  solver  m-1  2 calls a row  at most 2 calls, 300 tokens, 0.0012 USD",
      "budget: 9 calls, 5.00 USD",
    ]);
  });

  it("are held against the caps of the budget", async () => {
    const budget = { cost: 0.001, calls: 1, tokens: 1000 };
    const { models } = await planned({ solver: { ...on, price } }, ["solver"], { budget });
    expect(modelsText(models)[3]).toBe(
      "budget: 1 call, 1,000 tokens, 0.001 USD (may not be enough: calls, cost; the run would stop there and could go on later)",
    );
  });

  it("are none for a role that is off, and its gate is not run", async () => {
    const { models } = await planned({ solver: { base_url: "", model: "" } }, ["solver"]);
    expect(models.roles).toMatchObject([{ role: "solver", model: null, calls: 0, cost: "0" }]);
    const text = modelsText(models);
    expect(text.slice(0, 2)).toEqual([
      "model calls: none: all roles are off",
      "  probe  solver  off  0 calls",
    ]);
    expect(text.find((line) => line.includes("closed_book"))).toBe(
      "  closed_book     not run: the role solver is off: it has no base_url or no model",
    );
  });

  it("cost an unknown amount where a role has no price, and say which roles of a gate are off", async () => {
    const { models } = await planned({ solver: on, other: { ...on, model: "" } }, ["solver", "other"]);
    expect(models.total).toEqual({ calls: 2, tokens: 300, cost: null });
    expect(modelsText(models)[0]).toContain("at most 2 calls, 300 tokens, cost unknown (no price)");
    expect(models.gates.find((g) => g.gate === "closed_book")).toMatchObject({
      status: "runs",
      why: "the role other is off: it has no base_url or no model",
    });
  });
});

describe("the library", () => {
  it("gives a run's progress as events, in order", () =>
    inFolder(async (dir) => {
      const seen: string[] = [];
      const stream = events(GOOD, { outDir: join(dir, "out"), threads: 1 });
      for (;;) {
        const next = await stream.next();
        if (next.done) {
          expect(next.value.manifest.accepted).toBe(1);
          break;
        }
        seen.push(next.value.type);
      }
      expect(seen[0]).toBe("run");
      expect(seen.at(-1)).toBe("end");
      expect(seen).toContain("stage_end");
    }));

  it("stops a run whose events nobody wants any more, or whose signal says so", () =>
    inFolder(async (dir) => {
      for await (const event of events(GOOD, { outDir: join(dir, "out"), threads: 1 })) {
        if (event.type === "ingest") break;
      }
      expect(existsSync(join(dir, "out", "manifest.json"))).toBe(false);
      const aborted = AbortSignal.abort();
      await expect(run(GOOD, { outDir: join(dir, "out2"), signal: aborted })).rejects.toMatchObject({
        kind: "interrupted",
      });
    }));

  it("takes stages of the caller's own, and refuses what is none", () =>
    inFolder(async (dir) => {
      const { default: stages } = await import("./cli-project/slow.mjs" as string);
      const config = await load({ name: "x", seed: 1, sources: [], graph: [] }, { stages }).catch((e) =>
        e.problems.map((p: { code: string }) => p.code),
      );
      expect(config).not.toContain("bad_stage");
      await expect(load(GOOD, { stages: [...stages, ...stages] })).rejects.toMatchObject({
        problems: [{ code: "duplicate_stage" }],
      });
      await expect(load(GOOD, { stages: [{ ...stages[0], mode: "sideways" }] })).rejects.toMatchObject({
        problems: [{ message: "not a stage: `mode` is row, set or source" }],
      });
      const plugin = join(dir, "none.mjs");
      writeFileSync(plugin, "export default 5");
      await expect(load(GOOD, { plugins: [plugin] })).rejects.toMatchObject({
        kind: "usage",
        problems: [{ code: "bad_plugin" }],
      });
      await expect(load(GOOD, { plugins: ["https://example.org/x.mjs"] })).rejects.toMatchObject({
        kind: "usage",
      });
    }));
});
