import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../pipeline/base/canonical.js";
import { batchTransport } from "../../../pipeline/models/batch.js";
import type { CallEvent } from "../../../pipeline/models/call-events.js";
import { modelSpec } from "../../../pipeline/models/spec.js";
import type { ProviderError, WireCall } from "../../../pipeline/models/transport.js";
import { answer, BatchServer } from "./batch-server.js";
import { quickClock } from "./manual-clock.js";

let server: BatchServer;
let calls: string;
beforeEach(async () => {
  server = await new BatchServer().start();
  const dir = mkdtempSync(join(tmpdir(), "batch-"));
  calls = join(dir, "calls");
  mkdirSync(calls);
});
afterEach(async () => {
  await server.close();
  rmSync(join(calls, ".."), { recursive: true });
});

function transport(rest: { fresh?: boolean; most?: number; attempts?: number } = {}) {
  const { fresh = false, most = 100, attempts = 3 } = rest;
  const spec = modelSpec.parse({
    base_url: server.url,
    model: "m",
    batch: { poll: 1, most },
    limits: { attempts },
  });
  const identity = { endpoint: "test", model: "m", revision: null };
  const seen: CallEvent[] = [];
  const sender = batchTransport({
    role: { spec, key: "sk-secret-key", identity },
    calls,
    fresh,
    clock: quickClock,
    onEvent: (event) => seen.push(event),
  });
  const halt = new AbortController();
  return { send: (n: number | string) => sender.send(callOf(n), halt.signal), halt, seen };
}

const keyOf = (n: number | string): string => sha256(`call ${n}`);

function callOf(n: number | string): WireCall {
  const messages = [{ role: "user", content: `number ${n}\u2028 of them` }];
  const identity = {
    endpoint: "test",
    model: "m",
    revision: null,
    messages,
    tools: [],
    sampling: {},
    response_format: null,
    sample: 0,
  };
  const body = { model: "m", messages, stream: true, stream_options: { include_usage: true } };
  return { key: keyOf(n), identity, body };
}

const faultOf = (promise: Promise<unknown>): Promise<ProviderError> =>
  promise.then(
    () => Promise.reject(new Error("it succeeded")),
    (error) => error,
  );

describe("a batch", () => {
  it("holds the calls that came together, and answers each", async () => {
    const { send, seen } = transport();
    const replies = await Promise.all([1, 2, 3].map(send));
    expect(replies.map((r) => r.text)).toEqual([1, 2, 3].map((n) => `about ${keyOf(n).slice(0, 4)}`));
    expect(replies[0]).toMatchObject({
      finish: "stop",
      model: "m-served",
      usage: { input: 5, cached_input: 1 },
    });
    expect(server.jobs.map((job) => job.requests.map((r) => r.custom_id))).toEqual([[1, 2, 3].map(keyOf)]);
    expect(server.jobs[0]!.requests[0]!.body).toEqual({
      model: "m",
      messages: [{ role: "user", content: "number 1\u2028 of them" }],
    });
    expect([...server.authorizations]).toEqual(["Bearer sk-secret-key"]);
    expect(seen).toEqual([]);
  });

  it("is cut at the most that the role allows", async () => {
    const { send } = transport({ most: 2 });
    await Promise.all([1, 2, 3, 4, 5].map(send));
    expect(server.jobs.map((job) => job.requests.length).sort()).toEqual([1, 2, 2]);
  });

  it("tells how it is getting on while it is waited for", async () => {
    server.polls = 3;
    const { send, seen } = transport();
    await send(1);
    expect(seen).toMatchObject([
      {
        type: "waiting",
        endpoint: "test",
        seconds: 1,
        why: "batch batch_0 is in progress, 0 of 1 requests done",
      },
      { type: "waiting" },
    ]);
  });

  it("reads what others would stumble over: ids twice, unknown and garbled lines, separators inside of a line", async () => {
    server.end = ({ requests }) => ({
      output: [
        answer("nobody"),
        "{ no json",
        { custom_id: 5 },
        ...requests.map((r) => answer(r.custom_id, `first\u2028${r.custom_id.slice(0, 4)}`)),
        ...requests.map((r) => answer(r.custom_id, "second")),
      ],
    });
    const replies = await Promise.all([1, 2].map(transport().send));
    expect(replies.map((r) => r.text)).toEqual([1, 2].map((n) => `first\u2028${keyOf(n).slice(0, 4)}`));
  });
});

describe("requests without a good answer", () => {
  it("are handed in again alone when they failed, expired or are missing", async () => {
    server.end = ({ id, requests }) => {
      if (id !== "batch_0") return { output: requests.map((r) => answer(r.custom_id, "at last")) };
      const [good, failed, expired] = requests.map((r) => r.custom_id);
      const server500 = { status_code: 500, body: { error: { message: "overloaded" } } };
      return {
        output: [answer(good!)],
        errors: [
          { custom_id: failed, response: server500, error: null },
          { custom_id: expired, response: null, error: { code: "batch_expired", message: "too late" } },
        ],
      };
    };
    const { send } = transport();
    const replies = await Promise.all([1, 2, 3, 4].map(send));
    expect(replies.map((r) => r.text)).toEqual([
      `about ${keyOf(1).slice(0, 4)}`,
      "at last",
      "at last",
      "at last",
    ]);
    expect(server.jobs.map((job) => job.requests.map((r) => r.custom_id))).toEqual([
      [1, 2, 3, 4].map(keyOf),
      [2, 3, 4].map(keyOf),
    ]);
  });

  it("fail for good after so many tries, and at once when another try would end the same way", async () => {
    server.end = ({ requests }) => ({
      status: "expired",
      errors: requests
        .filter((r) => r.custom_id === keyOf("bad"))
        .map(({ custom_id }) => ({
          custom_id,
          response: { status_code: 400, body: { error: { message: "no such parameter" } } },
        })),
    });
    const { send } = transport({ attempts: 2 });
    const [bad, late] = await Promise.all([faultOf(send("bad")), faultOf(send("late"))]);
    expect(bad).toMatchObject({ name: "ProviderError", fault: "bad_request" });
    expect(bad.message).toContain("no such parameter");
    expect(late).toMatchObject({
      fault: "timeout",
      message: "the batch batch_1 expired before it came to this request",
    });
    expect(server.jobs).toHaveLength(2);
  });

  it.each([
    ["model_not_found", "model"],
    ["billing_hard_limit_reached", "quota"],
    ["invalid_json_line", "bad_request"],
  ])("have the cause of a job that failed with %s", async (code, fault) => {
    server.end = () => ({ status: "failed", failure: { code, message: "as it says" } });
    const error = await faultOf(transport().send(1));
    expect(error).toMatchObject({ fault, message: `the batch batch_0 failed: ${code}: as it says` });
    expect(server.jobs).toHaveLength(1);
  });

  it("are refused in the words of servers that leave the body out", async () => {
    server.end = ({ requests }) => ({
      output: requests.map(({ custom_id }) => ({
        custom_id,
        response: { status_code: 400, body: null },
        error: { message: "this model has no `top_q`" },
      })),
    });
    const error = await faultOf(transport().send(1));
    expect(error).toMatchObject({ fault: "bad_request", message: "HTTP 400: this model has no `top_q`" });
  });

  it("are handed in again when the endpoint has too much in its queue, once there is room", async () => {
    server.polls = 3;
    server.end = ({ id, requests }) =>
      id === "batch_1"
        ? { status: "failed", failure: { code: "token_limit_exceeded", message: "later" } }
        : { output: requests.map((r) => answer(r.custom_id)) };
    const { send } = transport({ most: 2 });
    const replies = await Promise.all([1, 2, 3].map(send));
    expect(replies.map((r) => r.finish)).toEqual(["stop", "stop", "stop"]);
    expect(server.jobs).toHaveLength(3);
  });

  it("are handed in again after a pause when nothing of ours is in the endpoint's queue", async () => {
    server.end = ({ id, requests }) =>
      id === "batch_0"
        ? { status: "failed", failure: { code: "token_limit_exceeded", message: "later" } }
        : { output: requests.map((r) => answer(r.custom_id)) };
    await transport().send(1);
    expect(server.jobs).toHaveLength(2);
  });

  it("of a cancelled job fail, and what it had done counts", async () => {
    server.end = ({ requests }) => ({ status: "cancelled", output: [answer(requests[0]!.custom_id)] });
    const { send } = transport();
    const [one, two] = [send(1), faultOf(send(2))];
    expect((await one).text).toBe(`about ${keyOf(1).slice(0, 4)}`);
    expect((await two).message).toBe("the batch batch_0 was cancelled before it came to this request");
  });
});

describe("an endpoint with troubles", () => {
  it("is asked again for files, jobs and states", async () => {
    const failed = new Set<string>();
    server.odd = (method, path) => {
      const what = `${method} ${path}`;
      if (failed.has(what) || path === "/v1/batches") return undefined;
      failed.add(what);
      return 503;
    };
    expect((await transport().send(1)).finish).toBe("stop");
    expect(server.jobs).toHaveLength(1);
    expect(failed).toContain("GET /v1/files/batch_0-output/content");
  });

  it("that made a job and lost its answer is not made to do it twice", async () => {
    let hung = false;
    server.odd = (method, path) => {
      if (hung || method !== "POST" || path !== "/v1/batches") return undefined;
      hung = true;
      return "hang up";
    };
    expect((await transport().send(1)).finish).toBe("stop");
    expect(server.jobs).toHaveLength(1);
  });

  it("that has no batches is asked once, and the role's `batch` is blamed", async () => {
    server.odd = () => 404;
    const error = await faultOf(transport().send(1));
    expect(error.message).toContain("leave `batch` out of the role");
    expect(server.paths).toEqual(["POST /v1/files"]);
  });

  it("that refuses the key is asked once, and the key is not shown", async () => {
    server.odd = () => 401;
    const error = await faultOf(transport().send(1));
    expect(error).toMatchObject({ fault: "auth" });
    expect(error.message).not.toContain("sk-secret-key");
    expect(server.paths).toEqual(["POST /v1/files"]);
  });
});

describe("jobs of an earlier process", () => {
  const STOP = new Error("stop");

  /** Hands calls in and gives up waiting for them. */
  async function leave(numbers: readonly number[]): Promise<void> {
    server.polls = Number.POSITIVE_INFINITY;
    const { send, halt } = transport();
    const all = numbers.map((n) => faultOf(send(n)));
    while (!server.paths.some((p) => p.startsWith("GET /v1/batches/"))) await sleep(2);
    halt.abort(STOP);
    for (const error of await Promise.all(all)) expect(error).toBe(STOP);
    await expect(send(99)).rejects.toBe(STOP);
    server.polls = 1;
  }

  it("are waited for, not handed in again; new calls go in a job of their own", async () => {
    await leave([1, 2]);
    const replies = await Promise.all([1, 2, 3].map(transport().send));
    expect(replies.map((r) => r.finish)).toEqual(["stop", "stop", "stop"]);
    expect(server.jobs.map((job) => job.requests.map((r) => r.custom_id))).toEqual([
      [1, 2].map(keyOf),
      [keyOf(3)],
    ]);
    expect(server.count("GET /v1/files/batch_0-output/content")).toBe(1);
  });

  it("are found by their mark where a crash came before their id was written down", async () => {
    await leave([1]);
    const file = join(calls, "batches.ndjson");
    const [submit] = readFileSync(file, "utf8").split("\n");
    rmSync(file);
    appendFileSync(file, `${submit}\n0123456789abcdef {"event":"jo`);
    expect((await transport().send(1)).finish).toBe("stop");
    expect(server.jobs).toHaveLength(1);
    const events = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(events).toHaveLength(3);
    expect(events[2]).toMatch(/"event":"job".*"id":"batch_0"/);
  });

  it("that the endpoint does not have any more, or that failed, are handed in again", async () => {
    await leave([1]);
    server.jobs[0] = { ...server.jobs[0]!, id: "gone" };
    expect((await transport().send(1)).finish).toBe("stop");
    expect(server.jobs).toHaveLength(2);
    server.end = ({ id, requests }) =>
      id === "batch_1"
        ? { status: "failed", failure: { code: "model_not_found", message: "no such model" } }
        : { output: requests.map((r) => answer(r.custom_id)) };
    expect((await transport().send(1)).finish).toBe("stop");
    expect(server.jobs).toHaveLength(3);
  });

  it("are left alone when everything is to be asked anew", async () => {
    await leave([1]);
    await transport({ fresh: true }).send(1);
    expect(server.jobs).toHaveLength(2);
  });

  it("stay known after a line that was cut off", async () => {
    await leave([1]);
    appendFileSync(join(calls, "batches.ndjson"), "feedfeedfeedfeed {");
    await Promise.all([1, 2].map(transport().send));
    await Promise.all([1, 2].map(transport().send));
    expect(server.jobs).toHaveLength(2);
  });
});
