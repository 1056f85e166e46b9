import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { askingRun, errorOf, filesOf } from "../../server/asking-run.js";
import { guesser, scripted, startServer, type TestServer } from "../../server/index.js";
import { inFolder } from "../helpers.js";

const BIN = resolve("pipeline/bin.js");

let server: TestServer;
afterEach(() => server.close());

const brains = {
  solver: guesser(),
  reader: scripted(({ prompt, random }) => ({ about: prompt, size: random.int(1e9) })),
};

async function recorded(dir: string): Promise<number> {
  const cassette = await openCassette(join(dir, "out/calls"), { mode: "replay" });
  const calls = cassette.spent().reduce((sum, s) => sum + s.calls, 0);
  const { pending } = cassette;
  await cassette.close();
  expect(pending).toEqual([]);
  return calls;
}

describe("an interrupt", () => {
  it("lets calls in flight end and keeps them; the same command goes on without asking again", () =>
    inFolder(async (dir) => {
      server = await startServer({ brains, latency: 40, differ: true });
      const abort = new AbortController();
      const run = errorOf(askingRun({ dir, url: server.url, rows: 100, signal: abort.signal }));
      while (server.requests.length < 30) await setTimeout(1);
      const open = server.open();
      const sent = server.requests.length;
      abort.abort();
      const error = await run;
      expect(error.kind).toBe("interrupted");
      expect(open).toBeGreaterThan(0);
      // No call begins once the run is to stop, but for those that were on their way.
      expect(server.requests.length - sent).toBeLessThanOrEqual(16);
      expect(server.requests.every((r) => r.state === "answered")).toBe(true);
      expect(await recorded(dir)).toBe(server.requests.length);

      const { manifest } = await askingRun({ dir, url: server.url, rows: 100 });
      expect(manifest.accepted).toBe(100);
      expect(server.requests).toHaveLength(200);
      expect(server.twice()).toEqual([]);
      const replay = { dir: join(dir, "again"), url: server.url, rows: 100, mode: "replay" as const };
      await askingRun({ ...replay, cassette: join(dir, "out/cassette.ndjson") });
      expect(filesOf(join(dir, "again/out"))).toEqual(filesOf(join(dir, "out")));
    }));

  it("does not wait for a call that is only waiting for its next try", () =>
    inFolder(async (dir) => {
      server = await startServer({ brains, faults: () => "retry_after_600" });
      const abort = new AbortController();
      const limits = { max_wait: 600 };
      const run = errorOf(askingRun({ dir, url: server.url, rows: 100, limits, signal: abort.signal }));
      while (server.requests.length < 1) await setTimeout(1);
      await setTimeout(20);
      abort.abort();
      expect((await run).kind).toBe("interrupted");
    }));
});

describe("Ctrl-C on the command line", () => {
  const built = existsSync("dist/stages/probe.js");

  function config(dir: string): string {
    const file = join(dir, "config.yaml");
    const prober = { base_url: server.url, model: "solver", limits: { concurrency: 4 } };
    const stages = {
      enumerate: { spaces: [{ id: "moons", table: "moons" }] },
      probe: { roles: ["prober"], k: 2, plant: false },
      emit: { admit_unscreened: ["contamination", "closed_book", "round_trip", "solve", "admission"] },
    };
    const target = { accepted: 12 };
    // YAML takes JSON.
    const text = {
      name: "small",
      seed: 5,
      sources: ["planets", "moons"],
      target,
      models: { prober },
      stages,
    };
    writeFileSync(file, JSON.stringify(text));
    return file;
  }

  function start(dir: string) {
    const words = [BIN, "run", config(dir), "--out", join(dir, "out")];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const ended = new Promise<{ code: number | null; err: string }>((done) =>
      child.once("close", (code) => done({ code, err })),
    );
    const until = async (holds: () => boolean) => {
      while (!holds() && child.exitCode === null) await setTimeout(2);
      if (!holds()) throw new Error(`it ended too early: ${err}`);
    };
    return { ended, until, interrupt: () => child.kill("SIGINT"), said: () => err };
  }

  it.skipIf(!built)("once: keeps what is on its way, and the same command goes on", () =>
    inFolder(async (dir) => {
      server = await startServer({ brains, latency: 150, differ: true });
      const { ended, until, interrupt } = start(dir);
      await until(() => server.requests.length >= 6 && server.open() > 0);
      interrupt();
      const { code, err } = await ended;
      expect(code).toBe(130);
      expect(err).toContain("to go on: npx pipeline run");
      expect(server.requests.every((r) => r.state === "answered")).toBe(true);
      expect(await recorded(dir)).toBe(server.requests.length);
      const again = await start(dir).ended;
      expect(again.err).not.toContain("may have been billed");
      expect(again.code).toBe(0);
      expect(server.twice()).toEqual([]);
    }),
  );

  it.skipIf(!built)("twice: stops at once, and the calls that were on their way are known", () =>
    inFolder(async (dir) => {
      server = await startServer({ brains, faults: () => "hang" });
      const { ended, until, interrupt, said } = start(dir);
      await until(() => server.open() > 0);
      interrupt();
      await until(() => said().includes("once more stops at once"));
      interrupt();
      expect((await ended).code).toBe(130);
      const cassette = await openCassette(join(dir, "out/calls"), { mode: "replay" });
      expect(cassette.pending.length).toBe(server.requests.length);
      await cassette.close();
    }),
  );
});
