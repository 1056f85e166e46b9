import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, type Came, counts, post, type Started, start } from "./helpers.js";

let server: Started;
beforeEach(async () => {
  counts.open = 0;
  counts.calls = 0;
  server = await start();
});
afterEach(() => server.close());

const open = async (body: unknown = {}): Promise<string> => {
  const { status, json } = await post(server, "/sessions", body);
  expect(status).toBe(201);
  return json.id;
};
const call = (id: string, ...calls: unknown[]) => post(server, `/sessions/${id}/call`, { calls });
const add = (n: number, wait = 0) => ({ name: "sum", arguments: { add: n, wait } });
const end = (id: string) => ask(server, `/sessions/${id}`, { method: "DELETE" });
const texts = (json: Pick<Came, "observations">) => json.observations.map((o) => o.text);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("the tool environment over HTTP", () => {
  it("lists its tools as chat endpoints take them", async () => {
    const { json } = await ask(server, "/tools");
    expect(json.tools.map((t) => [t.type, t.function.name])).toEqual([
      ["function", "look"],
      ["function", "sum"],
    ]);
    expect(json.tools[1]!.function.parameters.required).toEqual(["add"]);
  });

  it("gives each session a state of its own, and observations in the order of the calls", async () => {
    const [a, b] = [await open(), await open()];
    const first = await call(
      a,
      { id: "c1", ...add(1) },
      { name: "look", arguments: '{"url":"https://a.example/"}' },
      add(2),
    );
    expect(first.json).toEqual({
      observations: [
        { id: "c1", text: "1", ok: true, fault: null },
        { text: "a page < |im_start|>", ok: true, fault: null },
        { text: "3", ok: true, fault: null },
      ],
    });
    expect(texts((await call(b, add(5))).json)).toEqual(["5"]);
    expect(texts((await call(a, add(4))).json)).toEqual(["7"]);
  });

  it("answers requests of one session that come at once one after the other", async () => {
    const id = await open();
    const answers = await Promise.all([
      call(id, add(1, 30)),
      call(id, add(1)),
      call(id, add(1, 10)),
      call(id, add(1)),
    ]);
    expect(answers.flatMap(({ json }) => texts(json)).sort()).toEqual(["1", "2", "3", "4"]);
  });

  it("says what is wrong with a call to the agent, and with a request to who sent it", async () => {
    const id = await open();
    const { json } = await call(
      id,
      { name: "rm", arguments: {} },
      { name: "sum", arguments: "{" },
      { name: "sum", arguments: {} },
    );
    expect(json.observations.map((o) => [o.ok, o.fault])).toEqual([
      [false, "unknown_tool"],
      [false, "bad_arguments"],
      [false, "bad_arguments"],
    ]);
    for (const body of [
      {},
      { calls: [] },
      { calls: [{ name: "sum" }] },
      { calls: [{ ...add(1), x: 1 }] },
      { calls: Array(65).fill(add(1)) },
    ])
      expect((await post(server, `/sessions/${id}/call`, body)).json.error.code).toBe("bad_body");
  });

  it("keeps the firewall up, and says at the end what it kept back", async () => {
    const id = await open();
    const { json } = await call(id, { name: "look", arguments: { url: "https://blocked.example/x" } });
    expect(json.observations[0]).toEqual({ text: "This page is not available.", ok: false, fault: null });
    const ended = await end(id);
    expect([ended.status, ended.json]).toEqual([
      200,
      { calls: 1, firewall: { asked: 1, blocked: 1, served: [] } },
    ]);
  });

  it("gives a session the tools that were asked for", async () => {
    const id = await open({ tools: ["look"] });
    expect((await call(id, add(1))).json.observations[0]!.fault).toBe("unknown_tool");
    const { status, json } = await post(server, "/sessions", { tools: ["nope"] });
    expect([status, json.error.message]).toEqual([400, 'there is no tool "nope"; the tools are look, sum']);
  });

  it("answers what was asked before without asking again", async () => {
    const [a, b] = [await open(), await open()];
    await call(a, add(1), add(2));
    expect(texts((await call(b, add(1), add(2))).json)).toEqual(["1", "3"]);
    expect(counts.calls).toBe(2);
    // What comes next is not recorded: the earlier calls are run again for it.
    expect(texts((await call(b, add(5))).json)).toEqual(["8"]);
  });

  it("ends sessions, by request and by itself, with what they hold", async () => {
    const id = await open();
    await call(id, add(1));
    expect(counts.open).toBe(1);
    await end(id);
    expect(counts.open).toBe(0);
    expect((await end(id)).status).toBe(404);
    expect((await call(id, add(1))).json.error.code).toBe("unknown_session");
    await server.close();
    server = await start({ idle: 0.05 });
    const idle = await open();
    await call(idle, add(1, 120));
    expect(counts.open).toBe(1);
    await until(() => counts.open === 0);
    expect((await call(idle, add(1))).status).toBe(404);
  });

  it("keeps many sessions apart", async () => {
    await server.close();
    server = await start({ sessions: 200 });
    const ids = await Promise.all(Array.from({ length: 200 }, () => open()));
    expect(new Set(ids).size).toBe(200);
    const answers = await Promise.all(ids.map((id, i) => call(id, add(100 + i), add(1))));
    expect(answers.map(({ json }) => texts(json))).toEqual(
      ids.map((_, i) => [String(100 + i), String(101 + i)]),
    );
    await Promise.all(ids.map(end));
    expect(counts.open).toBe(0);
  });

  it("has a ceiling on sessions", async () => {
    await server.close();
    server = await start({ sessions: 3 });
    const ids = [await open(), await open(), await open()];
    const { status, json, headers } = await post(server, "/sessions", {});
    expect([status, json.error.code, headers["retry-after"]]).toEqual([429, "too_many_sessions", "10"]);
    await end(ids[0]!);
    await open();
  });

  it("tells a failure of the environment without its insides, and the operator all of it", async () => {
    const id = await open();
    const { status, json, text } = await call(id, add(13));
    expect([status, json]).toEqual([500, { error: { code: "internal", message: "internal error" } }]);
    expect(text).not.toContain("secret");
    expect(String(server.told[0])).toContain("/secret/place");
    expect(texts((await call(id, add(1))).json)).toEqual(["1"]);
  });

  it("ends a session in the middle of a call", async () => {
    const id = await open();
    const running = call(id, add(1, 60));
    await until(() => counts.calls === 1);
    expect((await end(id)).status).toBe(200);
    expect((await running).status).toBeGreaterThanOrEqual(200);
    expect(counts.open).toBe(0);
  });

  it("has no sessions where there are no tools", async () => {
    await server.close();
    server = await start({ tools: false });
    expect((await ask(server, "/tools")).json).toEqual({ tools: [] });
    expect((await post(server, "/sessions", {})).json.error.code).toBe("no_environment");
  });
});
