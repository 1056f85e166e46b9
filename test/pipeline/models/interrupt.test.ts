import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { askingRun, errorOf, filesOf } from "../../server/asking-run.js";
import { guesser, scripted, startServer, type TestServer } from "../../server/index.js";
import { inFolder } from "../helpers.js";

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
