import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveStdio } from "../../../pipeline/serve/mcp-stdio.js";
import { Sessions } from "../../../pipeline/serve/sessions.js";
import { ask, counts, environmentOf, post, type Started, start } from "./helpers.js";

let server: Started;
beforeEach(async () => {
  counts.open = 0;
  counts.calls = 0;
  server = await start({ sessions: 3 });
});
afterEach(() => server.close());

async function connected(): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`));
  await client.connect(transport);
  return { client, transport };
}

const ACCEPT = { accept: "application/json, text/event-stream" };
const initialize = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
const rpc = (value: object, headers: Readonly<Record<string, string>> = {}) =>
  post(server, "/mcp", value, { ...ACCEPT, ...headers });
const eventIn = (text: string) => JSON.parse(/^data: (.*)$/m.exec(text)![1]!);

describe("the tools over MCP", () => {
  it("serve a client of the protocol's own library", async () => {
    const { client, transport } = await connected();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["look", "sum"]);
    expect(tools[1]!.inputSchema).toMatchObject({ type: "object", required: ["add"] });
    expect(await client.callTool({ name: "sum", arguments: { add: 2 } })).toMatchObject({
      content: [{ type: "text", text: "2" }],
      isError: false,
    });
    const both = await Promise.all(
      [1, 1].map((n) => client.callTool({ name: "sum", arguments: { add: n } })),
    );
    expect(both.map((r) => (r.content as { text: string }[])[0]!.text).sort()).toEqual(["3", "4"]);
    expect(await client.callTool({ name: "sum", arguments: { addd: 2 } })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: "rm", arguments: {} })).toMatchObject({ isError: true });
    await client.ping();
    await transport.terminateSession();
    expect(counts.open).toBe(0);
    await client.close();
  });

  it("hide the insides of a failure", async () => {
    const { client } = await connected();
    await expect(client.callTool({ name: "sum", arguments: { add: 13 } })).rejects.toThrow("internal error");
    await expect(client.callTool({ name: "sum", arguments: { add: 13 } })).rejects.not.toThrow("secret");
    expect(String(server.told[0])).toContain("/secret/place");
    await client.close();
  });

  it("speak every version that clients do, each session for itself", async () => {
    for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
      const started = await rpc(initialize(version));
      expect(started.status).toBe(200);
      expect(eventIn(started.text).result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: "taskmill" },
      });
      const session = {
        "mcp-session-id": String(started.headers["mcp-session-id"]),
        "mcp-protocol-version": version,
      };
      expect((await rpc({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).status).toBe(202);
      const call = {
        jsonrpc: "2.0",
        id: 2,
        method: "tools/call",
        params: { name: "sum", arguments: { add: 1 } },
      };
      expect(eventIn((await rpc(call, session)).text)).toMatchObject({
        id: 2,
        result: { content: [{ text: "1" }] },
      });
      expect(
        eventIn((await rpc({ jsonrpc: "2.0", id: 3, method: "nope/nope" }, session)).text).error.code,
      ).toBe(-32601);
      expect((await rpc(call, { ...session, "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
      expect((await ask(server, "/mcp", { method: "DELETE", headers: session })).status).toBe(200);
      expect((await rpc(call, session)).status).toBe(404);
    }
    const other = await rpc(initialize("1999-01-01"));
    expect(eventIn(other.text).result.protocolVersion).toBe("2025-11-25");
  });

  it("refuse what is no request of theirs, and hold nothing for it", async () => {
    expect((await rpc({ jsonrpc: "2.0", id: 1, method: "tools/list" })).status).toBe(400);
    expect((await rpc({ hello: 1 })).status).toBe(400);
    expect(
      (await rpc({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-session-id": "x" })).status,
    ).toBe(404);
    expect((await ask(server, "/mcp", { headers: ACCEPT })).status).toBe(405);
    for (let i = 0; i < 5; i++)
      expect((await rpc(initialize("2025-06-18"), { accept: "application/json" })).status).toBe(406);
    const session = {
      "mcp-session-id": String((await rpc(initialize("2025-06-18"))).headers["mcp-session-id"]),
    };
    for (const body of [null, 7, [{}], { jsonrpc: "1.0" }, "{}"])
      expect((await rpc(body as object, session)).status).toBe(400);
    expect(server.told).toEqual([]);
  });

  it("share the ceiling on sessions, and its end", async () => {
    for (let i = 0; i < 3; i++) await rpc(initialize("2025-11-25"));
    expect((await rpc(initialize("2025-11-25"))).status).toBe(429);
    expect((await post(server, "/sessions", {})).status).toBe(429);
    await server.close();
    server = await start({ idle: 0.05 });
    const { headers } = await rpc(initialize("2025-11-25"));
    const ping = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "sum", arguments: { add: 1 } },
    };
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect((await rpc(ping, { "mcp-session-id": String(headers["mcp-session-id"]) })).status).toBe(404);
  });
});

describe("the tools on stdin and stdout", () => {
  it("serve one client, until it closes its end", async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const said: { id: number; result: unknown }[] = [];
    stdout.on("data", (chunk) => {
      for (const line of String(chunk).trim().split("\n")) said.push(JSON.parse(line));
    });
    const sessions = new Sessions(environmentOf(true), { sessions: 1, idle: Number.POSITIVE_INFINITY });
    const told: unknown[] = [];
    const transport = new StdioServerTransport(stdin, stdout);
    const ended = serveStdio(sessions, new AbortController().signal, (e) => told.push(e), transport);
    const send = async (value: object): Promise<unknown> => {
      const before = said.length;
      stdin.write(`${JSON.stringify(value)}\n`);
      while (said.length === before) await new Promise((resolve) => setTimeout(resolve, 2));
      return said.at(-1)!;
    };
    expect(await send(initialize("2025-06-18"))).toMatchObject({
      id: 1,
      result: { protocolVersion: "2025-06-18" },
    });
    stdin.write('not json\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const call = (add: number, id: number) =>
      send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "sum", arguments: { add } } });
    expect(await call(2, 2)).toMatchObject({ id: 2, result: { content: [{ text: "2" }], isError: false } });
    expect(await call(3, 3)).toMatchObject({ id: 3, result: { content: [{ text: "5" }] } });
    expect(counts.open).toBe(1);
    stdin.end();
    await ended;
    expect([counts.open, told]).toEqual([0, []]);
  });
});
