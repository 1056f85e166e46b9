import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { BatchApi } from "../../../pipeline/models/batch-api.js";
import { faultIn } from "../../../pipeline/models/endpoint.js";
import { readAnswer } from "../../../pipeline/models/read-reply.js";
import { StreamedBody } from "../../../pipeline/models/read-stream.js";
import { modelSpec } from "../../../pipeline/models/spec.js";
import { ProviderError } from "../../../pipeline/models/transport.js";

const KEY = "local-0123456789abcdef";
const deep = (n: number): string => "[".repeat(n) + "]".repeat(n);

function faultOf(status: number, body: string): ProviderError {
  try {
    readAnswer(status, JSON.parse(body), KEY);
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error("no fault");
}

const toolCall = (fn: string): string =>
  `{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[{"id":"${KEY}\\ud800","function":${fn}}]}}]}`;

describe("an answer made to break its reader", () => {
  it.each([
    [400, `{"error":${deep(20_000)}}`, "bad_request"],
    [422, `{"detail":${deep(20_000)}}`, "bad_request"],
    [200, `{"error":{"message":${deep(20_000)}}}`, "malformed"],
    [400, `{"error":{"message":"no","code":${deep(20_000)}}}`, "bad_request"],
    [400, `{"error":{"message":"no","code":{"toString":1,"valueOf":2}}}`, "bad_request"],
    [200, toolCall(`{"name":"f","arguments":${deep(20_000)}}`), "malformed"],
  ])("under %i is a fault like any other", (status, body, fault) => {
    expect(faultOf(status, body).fault).toBe(fault);
  });

  it("shows the key nowhere: as a finish reason, a tool's name or id, or cut at the end of what is kept", () => {
    const finish = `{"choices":[{"finish_reason":"${KEY}","message":{"content":"a"}}]}`;
    expect(faultOf(200, finish).message).toBe("the reply is not whole: it ended by `[secret]`");
    const reply = readAnswer(200, JSON.parse(toolCall(`{"name":"${KEY}","arguments":"{}"}`)), KEY);
    expect(reply.tool_calls).toEqual([{ id: "[secret]\ufffd", name: "[secret]", arguments: "{}" }]);
    for (let at = 570; at <= 600; at++) {
      const { message } = faultOf(400, JSON.stringify({ error: { message: "x".repeat(at) + KEY } }));
      expect(message).not.toMatch(/local/);
    }
  });

  it("is not read beyond the one choice that was asked for", () => {
    const one = { finish_reason: "stop", message: { content: "42" } };
    expect(readAnswer(200, { choices: [one, 1, null] }, KEY).text).toBe("42");
  });

  it("counts in a stream whatever it makes us hold", () => {
    const held = (delta: object): number => {
      const body = new StreamedBody();
      body.add({ choices: [{ delta }] });
      return body.length;
    };
    const long = "x".repeat(5000);
    expect(held({ refusal: long })).toBe(5000);
    expect(held({ tool_calls: [{ id: long, function: { name: long } }] })).toBeGreaterThanOrEqual(10_000);
    expect(held({ tool_calls: [{ function: { name: "" } }] })).toBeGreaterThanOrEqual(100);
  });
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function api(listener: RequestListener): Promise<BatchApi> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", () => resolve()));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return new BatchApi({ spec: modelSpec.parse({ base_url, model: "m" }), key: KEY });
}

const { signal } = new AbortController();

describe("batches at a hostile endpoint", () => {
  it("are handed in nowhere else", async () => {
    const asked: (string | undefined)[] = [];
    const batches = await api((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await expect(batches.upload(["{}"], signal)).rejects.toThrow();
    await expect(batches.create("file-1", "mark")).rejects.toThrow();
    expect(asked).toEqual(["/v1/files", "/v1/batches"]);
  });

  it("have states that are held against what they should be", async () => {
    let body = "";
    const batches = await api((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    for (body of ["{}", "[]", `{"status":{"a":1}}`, `{"id":5}`, `{"status":"x","output_file_id":[1]}`]) {
      await expect(batches.state("job", signal)).rejects.toMatchObject({ fault: "malformed" });
    }
    for (body of ["{}", `{"id":""}`, `{"id":["a"]}`])
      await expect(batches.create("file", "mark")).rejects.toMatchObject({ fault: "malformed" });
    body = `{"status":"failed","errors":{"data":[{"code":{"a":1},"message":["b"]}]},"request_counts":{"total":"x"}}`;
    expect(await batches.state("job", signal)).toMatchObject({ over: true, code: "", message: "", total: 0 });
  });

  it("fail with the beginning of an error answer, however long it is", async () => {
    const batches = await api((_request, response) => {
      response.writeHead(400, { "content-type": "text/plain" });
      const more = (): void => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", more);
      };
      more();
    });
    const error: unknown = await batches.state("job", signal).catch((thrown: unknown) => thrown);
    expect(faultIn(error, KEY)).toMatchObject({ fault: "bad_request", status: 400 });
  });
});
