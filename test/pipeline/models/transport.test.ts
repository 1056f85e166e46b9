import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { callKey, type RecordedReply } from "../../../pipeline/models/call.js";
import { httpTransport } from "../../../pipeline/models/http-transport.js";
import { modelSpec } from "../../../pipeline/models/spec.js";
import { ProviderError } from "../../../pipeline/models/transport.js";
import { identityOf } from "./cassette-fixture.js";

/** Over a real connection, byte for byte as the server means it. */

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function send(base_url: string, spec: object = {}, key?: string): Promise<RecordedReply> {
  const role = { spec: modelSpec.parse({ base_url, model: "m", ...spec }), key };
  const identity = identityOf(1);
  const body = { model: "m", messages: identity.messages };
  return httpTransport(role).send({ key: callKey(identity), identity, body }, new AbortController().signal);
}

async function faultOf(work: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProviderError) return error;
  throw error ?? new Error("no fault");
}

const reply = JSON.stringify({
  choices: [{ message: { content: "hi" }, finish_reason: "stop" }],
  error: null,
});

describe("a request", () => {
  it("bears the key in its header and nowhere else, and no header without one", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const url = await serve((req, res) => {
      seen.push(req.headers);
      res.setHeader("content-type", "application/json").end(reply);
    });
    expect((await send(url, {}, "the-key")).text).toBe("hi");
    await send(url);
    expect(seen.map((h) => h.authorization)).toEqual(["Bearer the-key", undefined]);
    expect(seen.some((h) => "openai-organization" in h || "openai-project" in h)).toBe(false);
  });

  it("with a key that is no header shows it to nobody", async () => {
    const url = await serve((_req, res) => res.end(reply));
    const error = await faultOf(send(url, {}, "line-one\nline-two"));
    expect(error.message).not.toMatch(/line-(one|two)/);
  });

  it("asks for usage when it streams", async () => {
    let asked: unknown;
    const url = await serve(async (req, res) => {
      asked = JSON.parse(await text(req));
      res.setHeader("content-type", "text/event-stream");
      const events = [
        { choices: [{ delta: { content: "h" } }] },
        { choices: [{ delta: { content: "i" }, finish_reason: "stop" }] },
        { choices: [], usage: { prompt_tokens: 4, completion_tokens: 2 } },
      ];
      for (const event of events) res.write(`: keep-alive\r\n\r\ndata: ${JSON.stringify(event)}\r\n\r\n`);
      res.end("data: [DONE]\r\n\r\n");
    });
    expect(await send(url, { stream: true })).toMatchObject({ text: "hi", usage: { input: 4, output: 2 } });
    expect(asked).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("that streams takes a plain answer too", async () => {
    const url = await serve((_req, res) => res.setHeader("content-type", "application/json").end(reply));
    expect((await send(url, { stream: true })).text).toBe("hi");
  });
});

describe("a fault", () => {
  it.each([
    ["7", 7],
    ["0.5", 0.5],
    ["Tue, 14 Nov 2023 22:13:20 GMT", 0],
    ["soon", undefined],
  ])("has the Retry-After of its answer (%s)", async (header, seconds) => {
    const url = await serve((_req, res) => res.writeHead(429, { "retry-after": header }).end("slow down"));
    const error = await faultOf(send(url));
    expect(error).toMatchObject({ fault: "rate", status: 429, retryAfter: seconds });
    expect(error.message).toBe("HTTP 429: slow down");
  });

  it("is a timeout before and behind the headers", async () => {
    const before = await serve(() => {});
    expect((await faultOf(send(before, { limits: { timeout: 0.05 } }))).fault).toBe("timeout");
    server!.closeAllConnections();
    server!.close();
    const behind = await serve((_req, res) => void res.writeHead(200).write('{"choices"'));
    for (const stream of [false, true])
      expect((await faultOf(send(behind, { stream, limits: { timeout: 0.05 } }))).fault).toBe("timeout");
  });

  it("is malformed once the answer has begun, else of the connection", async () => {
    const begun = await serve((_req, res) => {
      res.writeHead(200, { "content-length": "1000" });
      res.write('{"choices"', () => res.destroy());
    });
    for (const stream of [false, true])
      expect((await faultOf(send(begun, { stream }))).fault).toBe("malformed");
    server!.close();
    const reset = await serve((req) => req.socket.resetAndDestroy());
    // Somebody took the call: that is no wrong address.
    expect(await faultOf(send(reset))).toMatchObject({ fault: "connection", reached: true });
    server!.close();
    expect(await faultOf(send(reset))).toMatchObject({ fault: "connection", reached: false });
  });

  it("is no reply, whatever a body of 200 says", async () => {
    let body = "";
    const url = await serve((_req, res) => res.end(body));
    for (body of ["", "{", "<html>", "null", '{"error": "x"}', '{"choices": []}'])
      for (const stream of [false, true])
        expect((await faultOf(send(url, { stream }))).fault).toBe("malformed");
  });

  it("is the endpoint's when its name cannot be found or its address holds a password", async () => {
    expect((await faultOf(send("http://nowhere.invalid/v1"))).fault).toBe("connection");
    const { message } = await faultOf(send("http://user:pass-word@127.0.0.1:1/v1"));
    expect(message).not.toContain("pass-word");
  });
});
