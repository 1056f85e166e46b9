import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { batchTransport } from "../../../pipeline/models/batch.js";
import { Budget } from "../../../pipeline/models/budget.js";
import type { Mode } from "../../../pipeline/models/call.js";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { ModelClient } from "../../../pipeline/models/client.js";
import { budgetSpec, modelSpec } from "../../../pipeline/models/spec.js";
import { guesser, type ServerOptions, startServer, type TestServer } from "../../server/index.js";
import { quickClock } from "./manual-clock.js";

let calls: string;
let server: TestServer;
beforeEach(() => {
  calls = join(mkdtempSync(join(tmpdir(), "batches-")), "calls");
});
afterEach(async () => {
  await server.close();
  rmSync(join(calls, ".."), { recursive: true });
});

const serve = async (options: Partial<ServerOptions> = {}): Promise<void> => {
  server = await startServer({ brains: { m: guesser() }, differ: true, ...options });
};

/** One process: opens what is recorded, asks for these rows, and closes. */
async function asked(rows: number, { mode = "auto" as Mode, stop = new AbortController(), caps = {} } = {}) {
  const spec = modelSpec.parse({
    base_url: server.url,
    endpoint: "test",
    model: "m",
    batch: { poll: 1 },
    price: { input: 1, output: 2, batch_discount: 0.5 },
    sampling: { max_tokens: 100 },
  });
  const identity = { endpoint: "test", model: "m", revision: null };
  const roles = new Map([["solver", { name: "solver", spec, identity, key: undefined, off: false }]]);
  const cassette = await openCassette(calls, { mode });
  const budget = new Budget(budgetSpec.parse(caps), cassette.spent(), roles);
  const options = { calls, fresh: mode === "refresh", clock: quickClock, onEvent: () => {} };
  const client = new ModelClient({
    roles,
    cassette,
    budget,
    mode,
    signal: stop.signal,
    onEvent: () => {},
    clock: quickClock,
    transport: (role) => batchTransport({ ...options, role }),
  });
  const models = client.forInstance("probe");
  const replies = await Promise.allSettled(
    Array.from({ length: rows }, (_, i) =>
      models.ask({ role: "solver", row: `r${i}`, messages: [{ role: "user", content: `question ${i}` }] }),
    ),
  );
  await client.drain();
  const pending = cassette.pending.length;
  await cassette.close();
  const texts = replies.map((r) => (r.status === "fulfilled" ? r.value.text : String(r.reason)));
  return { texts, pending, spent: budget.spent() };
}

describe("a role with batches", () => {
  it("records what its jobs bring, and replays it", async () => {
    await serve();
    const first = await asked(30);
    expect(server.batches).toMatchObject({ jobs: 1, lines: 30 });
    expect(first.texts.every((text) => text.includes("Final answer"))).toBe(true);
    expect(first.spent).toMatchObject({ calls: 30, unpriced: 0, held: { calls: 0 } });
    const second = await asked(30);
    expect(second.texts).toEqual(first.texts);
    expect(second.spent).toEqual(first.spent);
    expect((await asked(30, { mode: "replay" })).texts).toEqual(first.texts);
    expect(server.batches.jobs).toBe(1);
  });

  it("asks again alone for what expired or failed, and answers every row", async () => {
    await serve({
      batches: (nth) => (nth === 0 ? "expired" : "completed"),
      faults: (request, attempt) => (attempt < 2 && request.random.next() < 0.4 ? "server_500" : undefined),
    });
    const { texts } = await asked(20);
    expect(texts.every((text) => text.includes("Final answer"))).toBe(true);
    expect(server.batches.jobs).toBeGreaterThan(1);
    expect(server.batches.lines).toBeLessThan(60);
    expect(server.twice()).toEqual([]);
  });

  it("left in the middle, is found again by the next process and paid once", async () => {
    await serve();
    const stop = new AbortController();
    const left = asked(10, { stop });
    while (server.batches.jobs === 0) await sleep(1);
    stop.abort();
    expect((await left).texts.every((text) => text.includes("interrupted"))).toBe(true);
    const next = await asked(12);
    expect(next.pending).toBe(10);
    expect(next.texts.every((text) => text.includes("Final answer"))).toBe(true);
    expect(server.batches.lines).toBe(12);
    expect(server.twice()).toEqual([]);
  });

  it("keeps to a budget over all its processes", async () => {
    await serve();
    const caps = { calls: 4 };
    expect((await asked(4, { caps })).spent).toMatchObject({ calls: 4, held: { calls: 0 } });
    const { texts, spent } = await asked(6, { caps });
    expect(texts.filter((text) => text.includes("Final answer"))).toHaveLength(4);
    expect(texts[4]).toContain("the run has spent 4 calls, with nothing in flight");
    expect(spent.calls).toBe(4);
    expect(server.batches.lines).toBe(4);
  });
});
