import OpenAI, { APIConnectionError, APIError, toFile } from "openai";
import { afterEach, describe, expect, it } from "vitest";
import {
  always,
  confident,
  copier,
  type FaultName,
  first,
  guesser,
  type ServerOptions,
  scripted,
  seededFaults,
  solver,
  startServer,
  type TestServer,
} from "./index.js";

/** The server seen by the SDK itself, without retries: what the client has to put up with is really sent. */

let server: TestServer;
afterEach(() => server.close());

const QUESTION = "How heavy is it?";
const brains = {
  solver: solver(new Map([[QUESTION, "5 kg"]])),
  guesser: guesser(),
  copier,
  confident: confident(),
  reader: scripted(({ prompt }) => ({ prompt })),
};

async function open(options: Partial<ServerOptions> = {}): Promise<OpenAI> {
  server = await startServer({ brains, ...options });
  return new OpenAI({ baseURL: server.url, apiKey: "k", maxRetries: 0, timeout: 10_000 });
}

function ask(client: OpenAI, model: string, more: Record<string, unknown> = {}) {
  return client.chat.completions.create({ model, messages: [{ role: "user", content: QUESTION }], ...more });
}

async function said(
  client: OpenAI,
  model: string,
  more: Record<string, unknown> = {},
): Promise<string | null> {
  return (await ask(client, model, more)).choices[0]!.message.content;
}

async function streamed(client: OpenAI, model: string) {
  const chunks = await client.chat.completions.create({
    model,
    messages: [{ role: "user", content: QUESTION }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  let finish: string | null = null;
  let usage: unknown;
  for await (const chunk of chunks) {
    text += chunk.choices[0]?.delta.content ?? "";
    finish = chunk.choices[0]?.finish_reason ?? finish;
    usage = chunk.usage ?? usage;
  }
  return { text, finish, usage };
}

describe("brains", () => {
  it("say what their role says", async () => {
    const client = await open();
    expect(await said(client, "solver")).toMatch(/\nFinal answer: 5 kg$/);
    expect(await said(client, "copier")).toBe(QUESTION);
    expect(await said(client, "confident")).toContain("\\boxed{42.4242 kg}");
    expect(JSON.parse((await said(client, "reader"))!)).toEqual({ prompt: QUESTION });
  });

  it("repeat themselves for the same body and draw anew for another seed", async () => {
    const client = await open();
    const draws = await Promise.all([1, 1, 2].map((seed) => said(client, "solver", { seed })));
    expect(draws[0]).toBe(draws[1]);
    expect(draws[0]).not.toBe(draws[2]);
    expect(server.twice()).toHaveLength(1);
    expect(server.asked(server.requests[0]!.key)).toBe(2);
  });

  it("never repeat themselves where the server is to differ", async () => {
    const client = await open({ differ: true });
    const draws = await Promise.all([1, 1, 1].map((seed) => said(client, "solver", { seed })));
    expect(new Set(draws).size).toBe(3);
  });
});

describe("streams", () => {
  it("give the text of the whole reply, with usage", async () => {
    const client = await open({ faults: always("unicode") });
    const whole = await ask(client, "solver");
    const pieces = await streamed(client, "solver");
    expect(pieces.text).toBe(whole.choices[0]!.message.content);
    expect(pieces.finish).toBe("stop");
    expect(pieces.usage).toEqual(whole.usage);
  });
});

describe("requests", () => {
  it("are refused as endpoints refuse them", async () => {
    const client = await open({ key: "k", context: 100, structured: "refused" });
    const status = (more: Record<string, unknown>, model = "solver") =>
      ask(client, model, more).then(
        () => 200,
        (error: unknown) => (error instanceof APIError ? error.status : error),
      );
    expect(await status({})).toBe(200);
    expect(await status({}, "nobody")).toBe(404);
    expect(await status({ messages: [] })).toBe(400);
    expect(await status({ messages: [{ role: "user", content: "x".repeat(500) }] })).toBe(400);
    expect(await status({ response_format: { type: "json_object" } })).toBe(400);
    expect(await status({ messages: [{ role: "tool", content: "x", tool_call_id: "c" }] })).toBe(400);
    expect(await client.models.list().then((page) => page.data.map((m) => m.id))).toEqual(
      Object.keys(brains),
    );
    const stranger = new OpenAI({ baseURL: server.url, apiKey: "other", maxRetries: 0 });
    await expect(ask(stranger, "solver")).rejects.toMatchObject({ status: 401 });
  });

  it("are cut at max_tokens and at a stop word", async () => {
    const client = await open();
    const cut = await ask(client, "solver", { max_tokens: 2 });
    expect(cut.choices[0]!.message.content).toHaveLength(8);
    expect(cut.choices[0]!.finish_reason).toBe("length");
    expect(await said(client, "solver", { stop: ["Final"] })).not.toContain("Final");
  });
});

describe("faults", () => {
  const refused: [FaultName, number][] = [
    ["rate", 429],
    ["rate_retry_after", 429],
    ["server_500", 500],
    ["server_502_html", 502],
    ["server_503", 503],
    ["auth", 401],
    ["forbidden", 403],
    ["quota", 429],
    ["payment", 402],
    ["model", 404],
    ["bad_request", 400],
    ["context_length", 400],
    ["filter_400", 400],
  ];
  it.each(refused)("%s is a %i", async (fault, status) => {
    const client = await open({ faults: always(fault) });
    await expect(ask(client, "solver")).rejects.toMatchObject({ status });
    await expect(streamed(client, "solver")).rejects.toMatchObject({ status });
    // What is refused for what it says is answered for good.
    expect(server.twice()).toHaveLength(["context_length", "filter_400"].includes(fault) ? 1 : 0);
  });

  it.each(["reset", "reset_after_headers", "cut"] as const)("%s breaks the connection", async (fault) => {
    const client = await open({ faults: always(fault) });
    await expect(ask(client, "solver")).rejects.toThrow();
    await expect(streamed(client, "solver")).rejects.toThrow();
    expect(server.requests.map((r) => r.state)).toEqual(["fault", "fault"]);
  });

  it.each(["cut_quietly", "empty_choices", "null_content", "no_finish", "empty_body", "error_body"] as const)(
    "%s is a 200 that must not be believed",
    async (fault) => {
      const client = await open({ faults: always(fault) });
      const stream = await streamed(client, "solver").catch((error: unknown) => error);
      if (fault === "error_body") expect(stream).toBeInstanceOf(APIError);
      // A null content is only seen by its emptiness.
      else if (fault === "null_content") expect(stream).toMatchObject({ text: "", finish: "stop" });
      else expect(stream).toMatchObject({ finish: null });
      expect(server.requests[0]!.state).toBe("fault");
    },
  );

  it("come in the order given, then the reply", async () => {
    const client = await open({ faults: first("server_500", "reset") });
    await expect(ask(client, "solver")).rejects.toMatchObject({ status: 500 });
    await expect(ask(client, "solver")).rejects.toBeInstanceOf(APIConnectionError);
    expect(await said(client, "solver")).toContain("5 kg");
  });

  it("are drawn at their share, alike each time, and end", () => {
    const plan = seededFaults("a", 0.3, { most: 3 });
    const tries = Array.from({ length: 4000 }, (_, i) => plan(request(String(i)), i % 3));
    expect(tries.filter((fault) => fault !== undefined).length / 4000).toBeCloseTo(0.3, 1);
    expect(tries).toEqual(Array.from({ length: 4000 }, (_, i) => plan(request(String(i)), i % 3)));
    expect(Array.from({ length: 500 }, (_, i) => plan(request(String(i)), 3))).not.toContain("rate");
    server = { close: async () => {} } as TestServer;
  });
});

/** A plan looks at the key alone. */
function request(key: string) {
  return { key } as Parameters<ReturnType<typeof seededFaults>>[0];
}

describe("batches", () => {
  const lines = [1, 2, 3].map((seed) =>
    JSON.stringify({
      custom_id: `c${seed}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: "solver", seed, messages: [{ role: "user", content: QUESTION }] },
    }),
  );

  async function send(client: OpenAI, text: string) {
    const file = await client.files.create({
      purpose: "batch",
      file: await toFile(Buffer.from(text), "in.jsonl"),
    });
    expect(file.bytes).toBe(Buffer.byteLength(text));
    return client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    });
  }

  async function results(client: OpenAI, id: string | null | undefined): Promise<{ custom_id: string }[]> {
    if (id == null) return [];
    const text = await (await client.files.content(id)).text();
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { custom_id: string });
  }

  it("walk on with each look, and end with every line", async () => {
    const client = await open();
    const { id, status } = await send(client, `${lines.join("\n")}\n`);
    const walk = [status];
    for (let i = 0; i < 3; i++) walk.push((await client.batches.retrieve(id)).status);
    expect(walk).toEqual(["validating", "in_progress", "finalizing", "completed"]);
    const done = await client.batches.retrieve(id);
    const found = await results(client, done.output_file_id);
    expect(found.map((line) => line.custom_id).sort()).toEqual(["c1", "c2", "c3"]);
    expect(server.batches).toMatchObject({ jobs: 1, lines: 3 });
  });

  it("expire with a part of their lines, fail, and refuse an id that comes twice", async () => {
    const client = await open({
      batches: (nth) => (nth === 0 ? "expired" : nth === 1 ? "failed" : "completed"),
    });
    const end = async (text: string) => {
      const { id } = await send(client, text);
      for (let i = 0; i < 3; i++) await client.batches.retrieve(id);
      return client.batches.retrieve(id);
    };
    const expired = await end(lines.join("\n"));
    expect(expired.status).toBe("expired");
    expect(await results(client, expired.output_file_id)).toHaveLength(2);
    expect(await results(client, expired.error_file_id)).toMatchObject([
      { custom_id: "c2", error: { code: "batch_expired" } },
    ]);
    expect((await end(lines.join("\n"))).status).toBe("failed");
    expect((await end([lines[0], lines[0]].join("\n"))).status).toBe("failed");
  });
});
