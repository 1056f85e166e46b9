import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { type AskingRun, askingRun, errorOf, filesOf } from "../../server/asking-run.js";
import {
  always,
  type FaultName,
  first,
  PASSING,
  type ServerOptions,
  scripted,
  seededFaults,
  solver,
  startServer,
  type TestServer,
} from "../../server/index.js";
import { inFolder } from "../helpers.js";

/** Whole runs against a real server that goes wrong in all the ways that servers do. */

let servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Knows of each body how heavy it is; the reader's figure is drawn, so that it differs by request. */
const brains: ServerOptions["brains"] = {
  solver: solver(new Map(Array.from({ length: 2000 }, (_, i) => [`How heavy is body ${i}?`, `${i} kg`]))),
  reader: scripted(({ prompt, random }) => ({ about: prompt, size: random.int(1e6) })),
};

async function serve(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = await startServer({ brains, ...options });
  servers.push(server);
  return server;
}

const run = (dir: string, server: TestServer, more: Partial<AskingRun> = {}) =>
  askingRun({ dir, url: server.url, rows: 20, ...more });

describe("30 % faults over 2,000 rows", () => {
  it("lose nothing: the dataset is the fault-free one, byte for byte", () =>
    inFolder(async (dir) => {
      const good = await serve();
      await run(join(dir, "good"), good, { rows: 2000, readings: 5 });
      const bad = await serve({ faults: seededFaults("20261129", 0.3) });
      const { manifest } = await run(join(dir, "bad"), bad, { rows: 2000, readings: 5 });
      expect(manifest.accepted).toBe(2000);
      const files = filesOf(join(dir, "good/out"));
      expect(Object.keys(files)).toContain("cassette.ndjson");
      expect(filesOf(join(dir, "bad/out"))).toEqual(files);
      // Every kind of fault was met, and what was answered whole was not asked again.
      expect(new Set(bad.requests.map((r) => r.fault).filter(Boolean))).toEqual(new Set(PASSING));
      expect(bad.requests.filter((r) => r.state === "fault").length).toBeGreaterThan(700);
      expect(bad.twice()).toEqual([]);
      expect(good.requests).toHaveLength(2400);
    }));
});

describe.each(PASSING)("the fault %s", (fault) => {
  it("passes, and is in no record", () =>
    inFolder(async (dir) => {
      const server = await serve({ faults: first(fault, fault) });
      const { manifest } = await run(dir, server, { rows: 3 });
      expect(manifest.accepted).toBe(3);
      expect(server.twice()).toEqual([]);
      expect(server.requests).toHaveLength(fault === "slow" ? 6 : 18);
    }));
});

describe("a fault that stays", () => {
  const lasting: [FaultName, RegExp][] = [
    ["auth", /key|401/i],
    ["forbidden", /key|403/i],
    ["quota", /quota|credit|billing/i],
    ["payment", /quota|credit|402/i],
    ["model", /model/i],
  ];

  it.each(lasting)("%s ends the run with one clear error after few requests", (fault, says) =>
    inFolder(async (dir) => {
      const server = await serve({ faults: always(fault) });
      const error = await errorOf(run(dir, server, { rows: 500, key: "sk-very-secret-0123456789" }));
      expect(error.kind).toBe("provider");
      expect(error.problems).toHaveLength(1);
      expect(error.message).toMatch(says);
      expect(error.message).not.toContain("very-secret");
      expect(server.requests.length).toBeLessThan(50);
    }),
  );

  it.each(["bad_request", "server_500", "empty_choices", "reset"] as const)(
    "%s for all ends the run after few of 500 rows",
    (fault) =>
      inFolder(async (dir) => {
        const server = await serve({ faults: always(fault) });
        const error = await errorOf(run(dir, server, { rows: 500, limits: { attempts: 3 } }));
        expect(error.kind).toBe("provider");
        expect(error.problems).toHaveLength(1);
        expect(new Set(server.requests.map((r) => r.key)).size).toBeLessThan(100);
      }),
  );

  it("names a port at which nothing listens", () =>
    inFolder(async (dir) => {
      const server = await serve();
      await server.close();
      const error = await errorOf(run(dir, server, { rows: 500, limits: { attempts: 3 } }));
      expect(error.kind).toBe("provider");
      expect(error.problems).toHaveLength(1);
      expect(error.message).toMatch(/ECONNREFUSED|connect/i);
    }));

  it("names a wrong path", () =>
    inFolder(async (dir) => {
      const server = await serve();
      const url = server.url.replace("/v1", "/api");
      const error = await errorOf(askingRun({ dir, url, rows: 500, limits: { attempts: 3 } }));
      expect(error.kind).toBe("provider");
      expect(error.problems).toHaveLength(1);
      expect(error.message).toMatch(/404/);
      expect(server.paths.length).toBeLessThan(100);
    }));

  it("says nothing of a wrong key but that it is wrong", () =>
    inFolder(async (dir) => {
      const server = await serve({ key: "right" });
      const error = await errorOf(run(dir, server, { rows: 50, key: "wrong-0123456789" }));
      expect(error.problems).toHaveLength(1);
      expect(JSON.stringify(error.problems)).not.toContain("wrong-0123456789");
    }));

  it("of one row stops no other, and the same command asks for that one only", () =>
    inFolder(async (dir) => {
      let broken = true;
      const isFive = (text: string) => text.includes("body 5?");
      const server = await serve({
        faults: ({ prompt }) => (broken && isFive(prompt) ? "server_500" : undefined),
      });
      const limits = { attempts: 2 };
      const error = await errorOf(run(dir, server, { rows: 40, limits }));
      expect(error.kind).toBe("provider");
      expect(error.message).toMatch(/\b1 of 40 rows/);
      const before = server.requests.length;
      broken = false;
      const { manifest } = await run(dir, server, { rows: 40, limits });
      expect(manifest.accepted).toBe(40);
      const after = server.requests.slice(before);
      expect(after.every((r) => isFive(JSON.stringify(r.body)))).toBe(true);
      expect(after.length).toBeLessThanOrEqual(2);
      expect(server.twice()).toEqual([]);
    }));

  it("does not let a Retry-After of ten minutes stop the run", () =>
    inFolder(async (dir) => {
      const server = await serve({ faults: first("retry_after_600") });
      const { manifest } = await run(dir, server, { rows: 3 });
      expect(manifest.accepted).toBe(3);
    }));

  it("gives a call without an end up", () =>
    inFolder(async (dir) => {
      const server = await serve({ faults: first("hang") });
      const { manifest } = await run(dir, server, { rows: 2, limits: { timeout: 0.2 } });
      expect(manifest.accepted).toBe(2);
      expect(server.requests).toHaveLength(8);
    }));
});

describe("a whole reply of an odd form", () => {
  async function draws(dir: string, fault: FaultName) {
    const server = await serve({ faults: ({ model }) => (model === "solver" ? fault : undefined) });
    const { manifest } = await run(dir, server, { rows: 4 });
    expect(manifest.accepted).toBe(4);
    expect(server.requests).toHaveLength(8);
    const cassette = await openCassette(join(dir, "out/calls"), { mode: "replay" });
    const { readFileSync } = await import("node:fs");
    const rows = readFileSync(join(dir, "out/pools/tasks.ndjson"), "utf8").trim().split("\n");
    const found = rows.map((line) => {
      const row = JSON.parse(line) as { draws: { call: string; text: string; why: string | null }[] };
      const draw = row.draws[0]!;
      return { ...draw, record: cassette.find(draw.call)! };
    });
    await cassette.close();
    return found;
  }

  it.each([
    ["context_length", "context_length"],
    ["filter", "filter"],
    ["filter_400", "filter"],
    ["refusal", "refusal"],
    ["truncated", "truncated"],
    ["cut_arguments", "truncated"],
  ] as const)("%s is recorded as %s and asked once", (fault, why) =>
    inFolder(async (dir) => {
      for (const draw of await draws(dir, fault)) expect(draw.why).toBe(why);
    }),
  );

  it.each(["duplicate_tool_ids", "empty_tool_ids"] as const)("%s are made distinct", (fault) =>
    inFolder(async (dir) => {
      for (const { record } of await draws(dir, fault)) {
        expect(new Set(record.tool_calls.map((c) => c.id)).size).toBe(2);
        expect(record.tool_calls.map((c) => c.arguments)).toEqual(['{"q":"a"}', '{"q":"b"}']);
      }
    }),
  );

  it("arguments as an object become text", () =>
    inFolder(async (dir) => {
      for (const { record } of await draws(dir, "object_arguments"))
        expect(record.tool_calls.map((c) => c.arguments)).toEqual(['{"q":"x"}']);
    }));

  it("usage that is not told is unknown, not zero", () =>
    inFolder(async (dir) => {
      const unknown = { input: null, cached_input: null, output: null, reasoning: null };
      for (const { record } of await draws(dir, "no_usage")) expect(record.usage).toEqual(unknown);
    }));

  it("reasoning is kept apart", () =>
    inFolder(async (dir) => {
      for (const fault of ["reasoning", "inline_reasoning"] as const)
        for (const { record, text } of await draws(join(dir, fault), fault)) {
          expect(record.reasoning).toContain("17");
          expect(text).not.toContain("17?");
        }
    }));

  it("letters of any script, two megabytes and unknown members arrive as they are", () =>
    inFolder(async (dir) => {
      for (const { text } of await draws(join(dir, "u"), "unicode"))
        expect(text).toMatch(/^𝒎 = 5 𝗸𝗴 — שלום [\s\S]*\u2066iso\u2069 line\u2028end [\s\S]*\nWorking/);
      for (const { text } of await draws(join(dir, "h"), "huge"))
        expect(text.length).toBeGreaterThan(2_000_000);
      for (const { text } of await draws(join(dir, "s"), "strange_members"))
        expect(text).toContain("Final answer");
    }));
});

describe("structured output", () => {
  it.each(["json_schema", "json_object", "refused", "ignored"] as const)(
    "from an endpoint with %s",
    (structured) =>
      inFolder(async (dir) => {
        const server = await serve({ structured });
        const { manifest } = await run(dir, server, { rows: 20 });
        expect(manifest.accepted).toBe(20);
        // What the endpoint has is found out once, not for each row.
        expect(server.paths.length).toBeLessThan(40 + 2 * 20);
      }),
  );

  it("that does not fit is repaired once, then given up", () =>
    inFolder(async (dir) => {
      const isFirst = ({ body }: { body: { messages: unknown[] } }) => body.messages.length <= 2;
      const reader = {
        reader: (r: Parameters<typeof isFirst>[0] & { prompt: string }) =>
          isFirst(r) ? '{"about": 3}' : '{"about":"x","size":1}',
      };
      const server = await serve({ brains: { ...brains, ...reader } });
      const { manifest } = await run(join(dir, "a"), server, { rows: 5 });
      expect(manifest.accepted).toBe(5);
      expect(server.requests).toHaveLength(15);
      const hopeless = await serve({ brains: { ...brains, reader: () => "no JSON here" } });
      const second = await run(join(dir, "b"), hopeless, { rows: 5 }).catch((error: unknown) => error);
      expect(hopeless.requests).toHaveLength(15);
      expect(second).toMatchObject({ manifest: { accepted: 0 } });
    }));
});

describe("a replay", () => {
  it("needs no network: 1 and 2 threads give the recorded dataset", () =>
    inFolder(async (dir) => {
      const server = await serve({ differ: true, faults: seededFaults("x", 0.3) });
      await run(join(dir, "live"), server, { rows: 60, draws: 3 });
      const files = filesOf(join(dir, "live/out"));
      const cassette = join(dir, "live/out/cassette.ndjson");
      await server.close();
      for (const threads of [1, 2]) {
        const again = join(dir, `replay-${threads}`);
        await run(again, server, { rows: 60, draws: 3, threads, mode: "replay", cassette });
        expect(filesOf(join(again, "out"))).toEqual(files);
      }
      expect(server.twice()).toEqual([]);
    }));

  it("says what is missing, by stage, row and role, and sends nothing", () =>
    inFolder(async (dir) => {
      const server = await serve();
      await run(join(dir, "live"), server, { rows: 5 });
      const before = server.paths.length;
      const cassette = join(dir, "live/out/cassette.ndjson");
      const error = await errorOf(run(join(dir, "more"), server, { rows: 6, mode: "replay", cassette }));
      const text = JSON.stringify(error.problems);
      for (const word of ["ask", "row-5", "solver"]) expect(text).toContain(word);
      expect(server.paths).toHaveLength(before);
    }));

  it("is what a second run does: nothing is asked again", () =>
    inFolder(async (dir) => {
      const server = await serve({ differ: true });
      await run(dir, server, { rows: 30 });
      const files = filesOf(join(dir, "out"));
      const second = await run(dir, server, { rows: 30 });
      expect(second.unchanged).toBe(true);
      expect(server.requests).toHaveLength(60);
      expect(filesOf(join(dir, "out"))).toEqual(files);
    }));
});
