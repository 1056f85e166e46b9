import { connect } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLoopback } from "../../../pipeline/serve/guard.js";
import { type Ask, ask, post, type Started, start, TRUTH } from "./helpers.js";

let server: Started;
beforeEach(async () => {
  server = await start();
});
afterEach(() => server.close());

const RIGHT = { items: [{ ground_truth: TRUTH, solution: "Final answer: 1.27 g/cm^3" }] };

/** Whether the server still does its work. */
const stands = async (): Promise<void> => {
  expect((await post(server, "/score", RIGHT)).json).toEqual({
    results: [{ score: 1, acc: 1, progress: 0, answered: 1 }],
  });
};

/** Bytes as they are; what comes back until the other side closes. */
function raw(text: string, port = server.port): Promise<string> {
  return new Promise((resolve) => {
    let got = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(got));
  });
}

describe("who may ask", () => {
  it("is this machine under its own names, and no web page", async () => {
    for (const host of ["localhost", "localhost:80", "127.0.0.1:9", "127.1.2.3", "[::1]:8440", "LOCALHOST"])
      expect((await ask(server, "/health", { headers: { host } })).status).toBe(200);
    for (const host of [
      "evil.example",
      "evil.example:8440",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "localhost@evil",
      "[::1",
      "0.0.0.0",
      "10.0.0.1",
      "localhost:80:80",
      "2130706433",
    ])
      expect((await ask(server, "/health", { headers: { host } })).status, host).toBe(403);
    expect(await raw("GET /health HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n")).toContain("403");
    for (const origin of ["https://evil.example", "null", "http://localhost:3000"]) {
      const { status, headers } = await post(server, "/score", RIGHT, { origin });
      expect([status, headers["access-control-allow-origin"]]).toEqual([403, undefined]);
    }
    expect((await ask(server, "/score", { method: "OPTIONS" })).status).toBe(405);
  });

  it("is who has the token, where there is one", async () => {
    await server.close();
    const token = "0123456789abcdef";
    server = await start({ token, loopback: false });
    const asked = (authorization?: string) =>
      ask(server, "/tools", {
        headers: { host: "box.example", ...(authorization === undefined ? {} : { authorization }) },
      });
    expect((await asked(`Bearer ${token}`)).status).toBe(200);
    expect((await asked(`bearer ${token}`)).status).toBe(200);
    for (const given of [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
    ]) {
      const { status, json, headers } = await asked(given);
      expect([status, json.error.code, headers["www-authenticate"]]).toEqual([401, "no_token", "Bearer"]);
    }
    expect((await post(server, "/mcp", {})).status).toBe(401);
  });

  it("knows loopback in all its spellings", () => {
    for (const host of ["127.0.0.1", "127.9.9.9", "::1", "localhost", "::ffff:127.0.0.1"])
      expect(isLoopback(host), host).toBe(true);
    for (const host of ["0.0.0.0", "::", "192.168.0.1", "example.org", "", "fe80::1"])
      expect(isLoopback(host), host).toBe(false);
  });
});

describe("hostile requests", () => {
  it("find nothing beside the paths there are", async () => {
    const paths = [
      "/",
      "//score",
      "/score/",
      "/SCORE",
      "/./score",
      "/x/../score",
      "/%73core",
      "/score%00",
      "/sessions/../score",
      "/sessions/__proto__",
      "/sessions/constructor/call",
      "/etc/passwd",
      "/..%2f..%2fetc/passwd",
      "http://evil.example/score",
      "*",
      `/${"a".repeat(5000)}`,
    ];
    for (const path of paths) {
      const { status, json } = await ask(server, path);
      expect([status, json.error.code], path).toEqual([404, "not_found"]);
    }
    expect((await ask(server, "/score", { method: "GET" })).headers.allow).toBe("POST");
    expect((await ask(server, "/score", { method: "constructor" as string })).status).toBe(400);
    for (const method of ["PUT", "PATCH", "TRACE", "DELETE"])
      expect((await ask(server, "/score", { method })).status).toBe(405);
    await stands();
  });

  it("get 413 for too much, and their answer even so", async () => {
    const body = Buffer.alloc(5_000_000, 32);
    const framings: Ask["headers"][] = [
      { "content-type": "application/json" },
      { "content-type": "application/json", "transfer-encoding": "chunked" },
    ];
    for (const headers of framings) {
      const { status, json } = await ask(server, "/sessions", { method: "POST", headers, body });
      expect([status, json.error.code]).toEqual([413, "too_large"]);
    }
    const cut = ask(server, "/sessions", { method: "POST", body: Buffer.alloc(40_000_000, 32) });
    await expect(cut).rejects.toThrow();
    expect((await ask(server, "/health", { headers: { "x-long": "a".repeat(20_000) } })).status).toBe(431);
    await stands();
  });

  it("must be JSON, in UTF-8, as it is", async () => {
    const sent = (headers: Ask["headers"], body: string | Buffer = JSON.stringify(RIGHT)) =>
      ask(server, "/score", { method: "POST", headers, body });
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/jsonx",
      "",
      "application/json-seq",
    ])
      expect((await sent({ "content-type": type })).status, type).toBe(415);
    expect((await sent({ "content-type": "application/json; charset=utf-8" })).status).toBe(200);
    expect((await sent({ "content-type": "application/json", "content-encoding": "gzip" })).status).toBe(415);
    const json = { "content-type": "application/json" };
    expect((await sent(json, Buffer.from([0x22, 0xff, 0x22]))).json.error.code).toBe("not_utf8");
    for (const body of ["{", "", "nul", '{"items":[}', "\u0000", "{'items':[]}", '{"items":[NaN]}'])
      expect((await sent(json, body)).status).toBe(400);
    await stands();
  });

  it("do not go deep", async () => {
    const deep = (open: string, close: string, n: number) => `${open.repeat(n)}1${close.repeat(n)}`;
    const nested = [
      deep("[", "]", 100_000),
      deep('{"a":', "}", 100_000),
      `{"items":[{"ground_truth":${deep('{"a":', "}", 200)}}]}`,
    ];
    for (const body of nested) expect((await post(server, "/score", body)).json.error.code).toBe("too_deep");
    const lists = deep('{"type":"list","items":[', "]}", 50_000).replace(
      "1",
      '{"type":"boolean","value":true}',
    );
    const truth = JSON.stringify({ ...TRUTH, answer: 0 }).replace('"answer":0', `"answer":${lists}`);
    const { json } = await post(server, "/score", { items: [{ ground_truth: truth, solution: "x" }] });
    expect(json.results[0]!.error!.message).toBe("ground_truth: it is nested too deeply");
    await stands();
  });

  it("change no object for others", async () => {
    const bodies = [
      '{"items":[],"__proto__":{"steps":true}}',
      '{"items":[{"__proto__":{"task_id":"x"},"solution":"y"}]}',
      '{"items":[{"ground_truth":{"__proto__":{"polluted":1},"version":1},"constructor":{"prototype":{"polluted":1}},"solution":"x"}]}',
    ];
    for (const body of bodies) await post(server, "/score", body);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const { json } = await post(server, "/sessions", {});
    const call = `{"calls":[{"name":"sum","arguments":{"add":1,"__proto__":{"wait":99}}},{"name":"__proto__","arguments":"{}"}]}`;
    const { json: answered } = await post(server, `/sessions/${json.id}/call`, call);
    expect(answered.observations[1]!.fault).toBe("unknown_tool");
    await stands();
  });

  it("bring no number that is none", async () => {
    for (const number of ["1e999", "-1e999", "1e-999", "99999999999999999999999999"]) {
      const text = JSON.stringify({ ...TRUTH, answer: { ...TRUTH.answer, value: 0 } }).replace(
        '"value":0',
        `"value":${number}`,
      );
      const { json } = await post(server, "/score", {
        items: [{ ground_truth: text, solution: "Final answer: 1.27 g/cm^3" }],
      });
      const [result] = json.results;
      if (number.includes("e999")) expect(result!.error!.code).toBe("bad_ground_truth");
      else expect(result!.acc).toBe(0);
    }
    await stands();
  });

  it("are cut off when they do not end", async () => {
    await server.close();
    // One limit at a time: of two that are due together, a busy machine chooses.
    const long = 60_000;
    server = await start({ patience: { headers: 100, request: 200, idle: long } });
    const started = "POST /score HTTP/1.1\r\nHost: localhost\r\n";
    expect(await raw(started)).toContain("408");
    expect(await raw(`${started}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`)).toContain(
      "408",
    );
    await server.close();
    server = await start({ patience: { headers: long, request: long, idle: 300 } });
    expect(await raw("")).toBe("");
    expect(await raw(started)).toBe("");
    await stands();
  });

  it("of broken HTTP end alone", async () => {
    const broken = [
      "\0\0\0\0\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET /health HTTP/1.1\r\n\r\n",
      "POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ];
    for (const text of broken) expect(await raw(text)).toMatch(/^HTTP\/1\.1 4/);
    const left = connect(server.port, "127.0.0.1", () => {
      left.write(
        "POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{",
        () => left.destroy(),
      );
    });
    await new Promise((resolve) => left.on("close", resolve));
    await stands();
    expect(server.told).toEqual([]);
  });

  it("of any kind leave it standing, without a word of its insides", async () => {
    const path = fc.oneof(fc.constantFrom("/score", "/sessions", "/mcp", "/tools", "/health"), fc.webPath());
    const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD");
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc.anything().map((v) => JSON.stringify({ items: [v], calls: [v], jsonrpc: "2.0" })),
    );
    await fc.assert(
      fc.asyncProperty(path, method, body, async (p, m, text) => {
        const { status, text: answered } = await ask(server, p === "" ? "/" : p, {
          method: m,
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          ...(m === "HEAD" || m === "GET" ? {} : { body: text }),
        });
        expect(status).toBeLessThan(500);
        expect(answered).not.toMatch(/node_modules|\.ts:|at async|Error:/);
      }),
      { numRuns: 300 },
    );
    expect(server.told).toEqual([]);
    await stands();
  });
});
