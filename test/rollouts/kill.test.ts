import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Random, stream } from "../../pipeline/base/random.js";
import { type AgentPlan, agent } from "../server/agents.js";
import { filesOf } from "../server/asking-run.js";
import { startServer, type TestServer } from "../server/index.js";
import { CONFIG, envOf, plansIn } from "./scene.js";

/** More are for those who change rollouts or recordings: `TASKMILL_KILLS=50`. */
const KILLS = Number(process.env.TASKMILL_KILLS ?? 6);
const BIN = resolve("pipeline/bin.js");
const built = existsSync("dist/stages/rollout.js");

describe.skipIf(!built)("a run with agents that is cut off", () => {
  let dir: string;
  let plans: AgentPlan[];
  let server: TestServer;
  /** The dataset of a run that nobody interrupted. */
  let whole: Record<string, string>;
  let turns = 0;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "taskmill-killed-"));
    plans = await plansIn(join(dir, "unasked"));
    server = await agents();
    expect(await ended(start("whole"))).toBe(0);
    turns = server.requests.length;
    whole = filesOf(join(dir, "whole"));
    await server.close();
  });
  afterEach(() => server.close());
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function agents(): Promise<TestServer> {
    const brains = { policy: agent(plans, { slips: 0.4, slowly: true }), teacher: agent(plans) };
    return startServer({ brains, latency: ({ random }) => 3 + random.int(20) });
  }

  function start(out: string): ChildProcess {
    const env = { ...process.env, ...envOf(server.url, "policy", "teacher") };
    const words = [BIN, "run", CONFIG, "--out", join(dir, out), "--threads", "2"];
    return spawn(process.execPath, words, { stdio: "ignore", env });
  }

  it(
    `by kill -9 comes to the same dataset, and asks for one turn of a rollout twice at most (${KILLS} kills)`,
    async () => {
      server = await agents();
      const random = stream(20261205, "kills");
      const asked = new Set<string>();
      for (let k = 0; k <= KILLS; k++) {
        const begun = server.requests.length;
        const child = start("killed");
        const end = ended(child);
        if (k < KILLS) await killed(child, random, begun);
        const code = await end;
        while (server.open() > 0) await setTimeout(1);
        if (k === KILLS) expect(code).toBe(0);
        const again = server.requests.slice(begun).filter(({ key }) => asked.has(key));
        const rollouts = again.map(rolloutOf);
        expect(new Set(rollouts).size).toBe(rollouts.length);
        for (const { key } of server.requests) asked.add(key);
      }
      expect(asked.size).toBe(turns);
      expect(filesOf(join(dir, "killed"))).toEqual(whole);
    },
    120_000 + KILLS * 20_000,
  );

  /** Some requests into a life, or some time: before the first request, between turns, or when pools are written. */
  async function killed(child: ChildProcess, random: Random, begun: number): Promise<void> {
    const requests = random.int(Math.ceil((1.5 * turns) / KILLS));
    const by = random.next() < 0.75 ? () => server.requests.length > begun + requests : () => true;
    const ms = random.int(by() ? 2500 : 15);
    while (child.exitCode === null && !by()) await setTimeout(1);
    await setTimeout(ms);
    child.kill("SIGKILL");
  }

  it("by one Ctrl-C ends in good order, and goes on without asking for anything twice", async () => {
    server = await agents();
    const child = start("interrupted");
    const end = ended(child);
    while (server.requests.length < turns / 2 && child.exitCode === null) await setTimeout(1);
    child.kill("SIGINT");
    expect(await end).toBe(130);
    expect(server.requests.length).toBeLessThan(turns);
    expect(server.requests.every(({ state }) => state === "answered")).toBe(true);
    expect(await ended(start("interrupted"))).toBe(0);
    expect(server.twice()).toEqual([]);
    expect(filesOf(join(dir, "interrupted"))).toEqual(whole);
  });
});

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once("close", (code) => done(code)));
}

function rolloutOf({ model, body }: TestServer["requests"][number]): string {
  return JSON.stringify([model, body.seed ?? 0, body.messages[1]!.content]);
}
