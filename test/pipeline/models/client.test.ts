import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import { Budget } from "../../../pipeline/models/budget.js";
import type { CallEvent } from "../../../pipeline/models/call-events.js";
import { type FileCassette, openCassette } from "../../../pipeline/models/cassette.js";
import { type ClientOptions, ModelClient } from "../../../pipeline/models/client.js";
import type { Role } from "../../../pipeline/models/role.js";
import { type BudgetSpec, modelSpec } from "../../../pipeline/models/spec.js";
import type { ChatRequest, Models } from "../../../stages/model.js";
import { always, first, type ServerOptions, startServer, type TestServer } from "../../server/index.js";
import { inFolder } from "../helpers.js";
import { ManualClock } from "./manual-clock.js";

let server: TestServer;
afterEach(async () => server?.close());

async function serve(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const echo: ServerOptions["brains"][string] = ({ prompt }) => `re: ${prompt}`;
  server = await startServer({ brains: { m: echo, ...options.brains }, ...options });
  return server;
}

function roleOf(url: string, spec: object = {}, key?: string): Role {
  const given = modelSpec.parse({ base_url: url, model: "m", ...spec });
  const { model } = given;
  return {
    name: "solver",
    spec: given,
    identity: { endpoint: "http://models.test/v1", model, revision: null },
    key,
    off: given.base_url === "",
  };
}

interface Opened {
  readonly client: ModelClient;
  readonly models: Models;
  readonly cassette: FileCassette;
  readonly events: CallEvent[];
}

async function open(
  dir: string,
  role: Role,
  more: Partial<ClientOptions> & { caps?: BudgetSpec } = {},
): Promise<Opened> {
  const { mode = "auto", caps } = more;
  const cassette = await openCassette(dir, { mode });
  const events: CallEvent[] = [];
  const client = new ModelClient({
    roles: new Map([[role.name, role]]),
    cassette,
    budget: new Budget(caps, cassette.spent()),
    mode,
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    ...more,
  });
  return { client, models: client.forInstance("probe"), cassette, events };
}

const ask = (n: number, more: Partial<ChatRequest> = {}): ChatRequest => ({
  role: "solver",
  row: `row-${n}`,
  messages: [{ role: "user", content: `question ${n}` }],
  ...more,
});

async function errorOf(work: Promise<unknown>): Promise<TaskmillError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TaskmillError) return error;
  throw error ?? new Error("nothing was thrown");
}

const types = (events: readonly CallEvent[]): string[] => events.map((e) => e.type);

describe("a call", () => {
  it("is sent once, kept, and replayed without a network", () =>
    inFolder(async (dir) => {
      await serve();
      const role = roleOf(server.url);
      const one = await open(dir, role);
      const replies = await Promise.all([
        one.models.ask(ask(1)),
        one.models.ask(ask(1)),
        one.models.ask(ask(2)),
      ]);
      expect(replies.map((r) => r.text)).toEqual(["re: question 1", "re: question 1", "re: question 2"]);
      expect(replies[0]).toMatchObject({ ok: true, call: replies[1]!.call, usage: { input: 3 } });
      expect(server.requests).toHaveLength(2);
      expect(types(one.events).sort()).toEqual(["asked", "asked", "kept", "kept", "sent", "sent"]);
      await one.cassette.close();
      await server.close();
      const two = await open(dir, role, { mode: "replay" });
      expect(await two.models.ask(ask(1))).toEqual(replies[0]);
      expect(types(two.events)).toEqual(["replayed"]);
      const missing = await errorOf(two.models.ask(ask(3)));
      expect(missing).toMatchObject({ kind: "provider", problems: [{ code: "call_not_recorded" }] });
      expect(missing.message).toMatch(/stage `probe`, row row-3.*role `solver`/);
      await two.cassette.close();
    }));

  it("is another one for each draw, with a seed of its own; each request may bring its own limit", () =>
    inFolder(async (dir) => {
      await serve();
      const role = roleOf(server.url, { sampling: { seed: 7, temperature: 0.5, extra: { top_k: 3 } } });
      const { models, cassette } = await open(dir, role);
      const draws = [await models.ask(ask(1)), await models.ask(ask(1, { sample: 2, max_tokens: 9 }))];
      expect(draws[0]!.call).not.toBe(draws[1]!.call);
      expect(server.requests.map((r) => r.body)).toMatchObject([
        { seed: 7, temperature: 0.5, top_k: 3, max_tokens: 1024, model: "m" },
        { seed: 9, max_tokens: 9 },
      ]);
      await cassette.close();
    }));

  it("of a role that is off has no identity, and asking is a mistake of ours", () =>
    inFolder(async (dir) => {
      await serve();
      const { models, cassette } = await open(dir, roleOf(""));
      expect(models.identity("solver")).toBeUndefined();
      expect((await errorOf(models.ask(ask(1)))).kind).toBe("internal");
      await cassette.close();
    }));

  it("leaves no key in the recording, though the endpoint repeats it", () =>
    inFolder(async (dir) => {
      const key = "a-very-secret-key";
      await serve({ key, brains: { m: () => `your key is ${key}` } });
      const { models, cassette } = await open(dir, roleOf(server.url, {}, key));
      expect((await models.ask(ask(1))).text).toBe("your key is [secret]");
      await cassette.close();
      expect(await readFile(join(dir, "log.ndjson"), "utf8")).not.toContain(key);
    }));
});

describe("failures", () => {
  it("of the key are told once, with how many calls failed; the config is not blamed", () =>
    inFolder(async (dir) => {
      await serve({ faults: always("auth") });
      const role = roleOf(server.url, { key_variable: "MY_KEY" }, "sk-something-secret-1");
      const { models, cassette } = await open(dir, role);
      const [a, b] = await Promise.all([errorOf(models.ask(ask(1))), errorOf(models.ask(ask(2)))]);
      expect(a).toBe(b);
      expect(a.kind).toBe("provider");
      expect(a.problems).toHaveLength(1);
      expect(a.message).toMatch(/refused the key \(HTTP 401: .*\); 2 of 2 calls failed/);
      expect(a.message).not.toContain("secret");
      expect(a.problems[0]!.hint).toContain("MY_KEY");
      expect(server.requests).toHaveLength(2);
      // A refused call was not billed.
      await cassette.close();
      const again = await openCassette(dir, { mode: "auto" });
      expect(again.pending).toEqual([]);
      await again.close();
    }));

  it("to reach anybody end the run after few tries", () =>
    inFolder(async (dir) => {
      await serve();
      const { url } = server;
      await server.close();
      const clock = new ManualClock();
      const { models, cassette, events } = await open(dir, roleOf(url), { clock });
      const failed = errorOf(models.ask(ask(1)));
      while (events.length < 3) await clock.pass(10);
      await settle(clock, failed);
      expect((await failed).message).toMatch(/cannot be reached \(.*ECONNREFUSED.*1 of 1 calls failed/);
      expect(events.filter((e) => e.type === "sent")).toHaveLength(3);
      await cassette.close();
    }));

  it("at a wrong path are not tried twice", () =>
    inFolder(async (dir) => {
      await serve();
      const { models, cassette } = await open(dir, roleOf(`${server.url}/v2`));
      const error = await errorOf(models.ask(ask(1)));
      expect(error.message).toMatch(/cannot be reached \(HTTP 404/);
      expect(error.problems[0]!.hint).toContain("base_url");
      expect(server.paths).toHaveLength(1);
      await cassette.close();
    }));

  it("of one row stop no other", () =>
    inFolder(async (dir) => {
      await serve({ faults: ({ prompt }) => (prompt === "question 1" ? "bad_request" : undefined) });
      const { models, cassette } = await open(dir, roleOf(server.url));
      await models.ask(ask(0));
      const error = await errorOf(models.ask(ask(1)));
      expect(error.message).toMatch(/row row-1, 1 try/);
      expect((await models.ask(ask(2))).ok).toBe(true);
      await cassette.close();
    }));

  it("are recorded where the role says so, once the endpoint has shown that it works", () =>
    inFolder(async (dir) => {
      await serve({ faults: ({ prompt }) => (prompt === "question 1" ? "bad_request" : undefined) });
      const role = roleOf(server.url, { failures: "reject" });
      const { models, cassette } = await open(dir, role);
      expect((await errorOf(models.ask(ask(1)))).kind).toBe("provider");
      const [failed] = await Promise.all([models.ask(ask(1)), models.ask(ask(0))]);
      expect(failed).toMatchObject({
        ok: false,
        why: "unavailable",
        message: expect.stringMatching(/bad_request/),
      });
      expect(await models.ask(ask(1))).toEqual(failed);
      expect(server.requests).toHaveLength(3);
      await cassette.close();
    }));

  it("pass: a call is tried again with growing waits, and Retry-After is capped and told", () =>
    inFolder(async (dir) => {
      await serve({ faults: first("retry_after_600", "server_500", "empty_choices") });
      const clock = new ManualClock();
      const { models, cassette, events } = await open(dir, roleOf(server.url), { clock });
      const reply = models.ask(ask(1));
      await settle(clock, reply);
      expect((await reply).ok).toBe(true);
      expect(clock.slept).toEqual([60_000, 500, 1000]);
      const waiting = events.filter((e) => e.type === "waiting");
      expect(waiting).toMatchObject([{ endpoint: "http://models.test/v1", seconds: 60 }]);
      expect(types(events).filter((t) => t === "retried")).toHaveLength(3);
      await cassette.close();
    }));

  it("without an end are given up in time", () =>
    inFolder(async (dir) => {
      await serve({ faults: always("hang") });
      const role = roleOf(server.url, { limits: { timeout: 0.05, attempts: 1 } });
      const { models, cassette } = await open(dir, role);
      expect((await errorOf(models.ask(ask(1)))).message).toMatch(/does not answer in time/);
      // It may have been billed: that stays to be told.
      await cassette.close();
      const again = await openCassette(dir, { mode: "auto" });
      expect(again.pending).toMatchObject([{ row: "row-1", role: "solver" }]);
      await again.close();
    }));
});

/** Lets time pass until a promise has settled. */
async function settle(clock: ManualClock, work: Promise<unknown>): Promise<void> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  while (!over) {
    await clock.pass(1000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe("a reply that cannot be recorded", () => {
  it("was billed all the same, and stays known as possibly billed", () =>
    inFolder(async (dir) => {
      await serve();
      const { models, cassette, client } = await open(dir, roleOf(server.url));
      cassette.keep = () => Promise.reject(new TypeError("too large"));
      await expect(models.ask(ask(1))).rejects.toThrow("too large");
      await client.drain();
      await cassette.close();
      const again = await openCassette(dir, { mode: "auto" });
      expect(again.pending).toMatchObject([{ row: "row-1" }]);
      await again.close();
    }));
});

describe("a budget", () => {
  it("is asked before each call, and what is refused was not sent", () =>
    inFolder(async (dir) => {
      await serve();
      const caps = { calls: 2, currency: "USD", stages: {} };
      const { models, cassette } = await open(dir, roleOf(server.url), { caps });
      const replies = await Promise.allSettled([1, 2, 3].map((n) => models.ask(ask(n))));
      expect(replies.map((r) => r.status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
      const refused = replies.find((r) => r.status === "rejected") as PromiseRejectedResult;
      expect(refused.reason).toMatchObject({ kind: "budget" });
      expect(server.requests).toHaveLength(2);
      await cassette.close();
    }));

  it("waits for calls in flight whose worst case fills it", () =>
    inFolder(async (dir) => {
      await serve();
      const caps = { tokens: 1200, currency: "USD", stages: {} };
      const { models, cassette } = await open(dir, roleOf(server.url), { caps });
      const replies = await Promise.all([1, 2, 3, 4].map((n) => models.ask(ask(n))));
      expect(replies.every((r) => r.ok)).toBe(true);
      await cassette.close();
    }));
});

describe("an interrupt", () => {
  it("sends no new call, and keeps those in flight", () =>
    inFolder(async (dir) => {
      await serve({ latency: 30 });
      const abort = new AbortController();
      const role = roleOf(server.url, { limits: { concurrency: 2 } });
      const { client, models, cassette } = await open(dir, role, { signal: abort.signal });
      const replies = Promise.allSettled([1, 2, 3, 4].map((n) => models.ask(ask(n))));
      while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      abort.abort();
      await client.drain();
      const settled = await replies;
      expect(settled.map((r) => r.status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
      expect((settled[2] as PromiseRejectedResult).reason).toMatchObject({ kind: "interrupted" });
      expect(server.requests).toHaveLength(2);
      expect((await models.ask(ask(1))).ok).toBe(true);
      await cassette.close();
    }));

  it("has those who wait wait once for what is in flight, and a client that is closed no longer listens", () =>
    inFolder(async (dir) => {
      await serve({ latency: 20 });
      const abort = new AbortController();
      const role = roleOf(server.url, { limits: { concurrency: 2 } });
      const { client, models, cassette } = await open(dir, role, { signal: abort.signal });
      const drain = vi.spyOn(client, "drain");
      const replies = Promise.allSettled(Array.from({ length: 200 }, (_, n) => models.ask(ask(n))));
      while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      abort.abort();
      await replies;
      expect(drain).toHaveBeenCalledTimes(1);
      await cassette.close();
      const next = new AbortController();
      const { client: second, cassette: other } = await open(dir, role, { signal: next.signal });
      expect(getEventListeners(next.signal, "abort")).toHaveLength(1);
      await second.close();
      expect(getEventListeners(next.signal, "abort")).toEqual([]);
      await other.close();
    }));
});

describe("structured output", () => {
  const schema = { name: "size", type: z.strictObject({ size: z.number() }) };

  it("is repaired once, with the problem shown, and both calls are recorded", () =>
    inFolder(async (dir) => {
      const m: ServerOptions["brains"][string] = ({ body }) =>
        body.messages.length === 1
          ? '{"size": "big"}'
          : '<think>{"size": 1}</think>```json\n{"size": 2}\n```';
      await serve({ brains: { m } });
      const { models, cassette } = await open(dir, roleOf(server.url));
      const reply = await models.ask({ ...ask(1), schema });
      expect(reply).toMatchObject({ ok: true, value: { size: 2 }, reasoning: '{"size": 1}' });
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]!.body.messages.at(-1)!.content).toMatch(/does not fit.*size: .*number/s);
      expect(await models.ask({ ...ask(1), schema })).toEqual(reply);
      expect(server.requests).toHaveLength(2);
      await cassette.close();
    }));

  it("is given up after that", () =>
    inFolder(async (dir) => {
      await serve({ brains: { m: () => "I would rather not" } });
      const { models, cassette } = await open(dir, roleOf(server.url));
      const reply = await models.ask({ ...ask(1), schema });
      expect(reply).toMatchObject({
        ok: false,
        why: "unstructured",
        message: expect.stringMatching(/no JSON/),
      });
      await cassette.close();
    }));

  it("has the same name whatever the endpoint knows", () =>
    inFolder(async (dir) => {
      const names = new Set<string>();
      const tries: number[] = [];
      for (const structured of ["json_schema", "json_object", "refused", "ignored"] as const) {
        await serve({ structured, brains: { m: () => '{"size": 3}' } });
        const { models, cassette } = await open(join(dir, structured), roleOf(server.url));
        const reply = await models.ask({ ...ask(1), schema });
        expect(reply).toMatchObject({ ok: true, value: { size: 3 } });
        names.add(reply.call);
        await models.ask({ ...ask(2), schema });
        // What was refused is not tried again with the next call.
        tries.push(server.paths.length);
        await cassette.close();
        await server.close();
      }
      expect(names.size).toBe(1);
      expect(tries).toEqual([2, 3, 4, 2]);
    }));
});
