import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { events, load, plan, run } from "../../pipeline/index.js";
import { planMermaid, planText } from "../../pipeline/plan.js";
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
      const { parse } = await import("yaml");
      const { readFileSync } = await import("node:fs");
      const value = parse(readFileSync(GOOD, "utf8"));
      value.sources = ["./test/pipeline/broken-configs/cards/bodies.yaml"];
      expect(await cached(value)).toEqual(all);
      value.stages.balance = { formula: 0.5 };
      expect(await cached(value)).toEqual(all.slice(0, 8));
      value.seed = 8;
      expect(await cached(value)).toEqual([]);
    }));
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
