import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run, verify } from "../../pipeline/index.js";
import { agent } from "../server/agents.js";
import { startServer } from "../server/index.js";
import { type Config, configOf, plansIn, poolRows, rowsOf } from "./scene.js";

/** The agents' configs that come with the factory, with fewer candidates and a small target, from end to end. */

const CONFIGS = [
  { name: "astro-agents", candidates: 150, accepted: 6 },
  { name: "chemistry-agents", candidates: 150, accepted: 6 },
];

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "taskmill-bundled-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function small(name: string, candidates: number, accepted: number): Config {
  const config = configOf(resolve("configs", `${name}.yaml`));
  config.target = { accepted };
  config.stages.enumerate = { ...config.stages.enumerate, candidates };
  return config;
}

describe.each(CONFIGS)("the config $name", ({ name, candidates, accepted }) => {
  it("ends with full pools, and can be verified", async () => {
    const config = small(name, candidates, accepted);
    const outDir = join(dir, name);
    // Without models first: its tables, tasks and words are what the second run starts from.
    const off = Object.fromEntries(
      Object.entries(config.models).map(([role, spec]) => [role, { ...spec, base_url: "", model: "" }]),
    );
    const plans = await plansIn(outDir, { ...config, models: off });
    expect(plans).toHaveLength(accepted);
    const server = await startServer({
      brains: { policy: agent(plans, { slips: 0.4 }), teacher: agent(plans) },
    });
    const on = Object.fromEntries(
      Object.entries(config.models).map(([role, { key_variable: _key, ...spec }]) => [
        role,
        { ...spec, base_url: server.url, model: role },
      ]),
    );
    try {
      await run({ ...config, models: on }, { outDir, env: {} });
    } finally {
      await server.close();
    }
    const rows = await rowsOf(outDir);
    const right = rows.filter(({ rollouts }) => rollouts!.some(({ outcome }) => outcome === "right"));
    const admitted = rows.filter(({ gates }) =>
      gates.some((g) => g.gate === "admission" && g.status === "passed"),
    );
    expect(right.length).toBeGreaterThanOrEqual(accepted / 2);
    expect(admitted.length).toBeGreaterThan(0);
    expect(poolRows(outDir)).toMatchObject({
      tasks: accepted,
      sft: right.length,
      trajectories: 6 * accepted,
    });
    expect(rows.flatMap(({ rollouts }) => rollouts!.flatMap(({ firewall }) => firewall.served))).toEqual([]);
    expect((await verify(outDir)).findings).toEqual([]);
  }, 300_000);
});
