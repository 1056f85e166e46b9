import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run, verify } from "../../pipeline/index.js";
import { type AgentPlan, agent } from "../server/agents.js";
import { filesOf } from "../server/asking-run.js";
import { startServer, type TestServer } from "../server/index.js";
import { CONFIG, envOf, plansIn, poolRows, rowsOf, sftOf, trajectoriesOf } from "./scene.js";

/** Whole runs: agents that search, visit and compute with the real tools, behind a real server. */

let dir: string;
let plans: AgentPlan[];
let server: TestServer;
/** The dataset that all others must equal. */
let dataset: string;

/** Two lives of the same agents: the replies are the same, whichever server gives them. */
function agents(latency: number): Promise<TestServer> {
  const brains = {
    sloppy: agent(plans, { slips: 0.4 }),
    right: agent(plans, { thinks: true }),
  };
  return startServer({ brains, latency });
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "taskmill-rollouts-"));
  plans = await plansIn(join(dir, "unasked"));
  server = await agents(0);
  dataset = join(dir, "dataset");
  await run(CONFIG, { outDir: dataset, threads: 1, env: envOf(server.url, "sloppy", "right") });
});

afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("a run with agents", () => {
  it("fills the pools", async () => {
    expect(plans).toHaveLength(5);
    const rows = await rowsOf(dataset);
    expect(rows.map(({ rollouts }) => rollouts?.length)).toEqual([6, 6, 6, 6, 6]);
    const all = rows.flatMap(({ rollouts }) => rollouts ?? []);
    expect(new Set(all.map(({ stop }) => stop))).toEqual(new Set(["answered"]));
    expect(all.filter(({ by }) => by === "demonstrate").map(({ outcome }) => outcome)).toEqual(
      new Array(10).fill("right"),
    );
    const admitted = rows.filter(({ admission }) => new Set(admission!.accs).size === 2);
    expect(admitted.length).toBeGreaterThan(0);
    expect(poolRows(dataset)).toEqual({ tasks: 5, rl: admitted.length, sft: 5, trajectories: 30 });
  });

  it("learns from what was said alone, as it was said", async () => {
    const records = await sftOf(dataset);
    for (const { messages } of records) {
      expect(messages.map(({ role }) => role).slice(0, 3)).toEqual(["system", "user", "assistant"]);
      expect(messages.every(({ role, loss }) => loss === (role === "assistant"))).toBe(true);
      expect(messages.at(-1)!.content).toMatch(/^Final answer: /m);
    }
    const replies = new Set(server.requests.map(({ content }) => content ?? ""));
    const said = records.flatMap(({ messages }) => messages.filter(({ loss }) => loss));
    expect(said.filter(({ content }) => !replies.has(content))).toEqual([]);
  });

  it("keeps thoughts with their messages, and does not send them back", async () => {
    const thinking = (await trajectoriesOf(dataset)).filter(({ by }) => by === "demonstrate");
    const said = thinking.flatMap(({ messages }) => messages.filter(({ role }) => role === "assistant"));
    expect(said.every(({ reasoning }) => reasoning?.startsWith("Step "))).toBe(true);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain("what is missing?");
  });

  it("passes verification", async () => {
    const { findings, checks } = await verify(dataset);
    expect(findings).toEqual([]);
    expect(checks.filter(({ status }) => status !== "passed")).toEqual([]);
  });

  it("asks nobody when it is run again", async () => {
    const before = server.requests.length;
    const hashes = filesOf(dataset);
    await run(CONFIG, { outDir: dataset, env: envOf(server.url, "sloppy", "right") });
    expect(server.requests.length).toBe(before);
    expect(filesOf(dataset)).toEqual(hashes);
    expect(server.twice()).toEqual([]);
  });

  it("gives the same bytes on four threads, against a slower server", async () => {
    const other = await agents(5);
    const outDir = join(dir, "threads");
    await run(CONFIG, { outDir, threads: 4, env: envOf(other.url, "sloppy", "right") });
    await other.close();
    expect(filesOf(outDir)).toEqual(filesOf(dataset));
  });

  it("is made again from its cassette, without server, corpus index or sandbox", async () => {
    const outDir = join(dir, "replayed");
    const asked = server.requests.length;
    const { PATH } = process.env;
    process.env.PATH = join(dir, "no-such-folder");
    try {
      await run(CONFIG, { outDir, env: {}, mode: "replay", cassette: join(dataset, "cassette.ndjson") });
    } finally {
      process.env.PATH = PATH;
    }
    expect(filesOf(outDir)).toEqual(filesOf(dataset));
    expect(existsSync(join(outDir, "index"))).toBe(false);
    expect(server.requests.length).toBe(asked);
  });
});
