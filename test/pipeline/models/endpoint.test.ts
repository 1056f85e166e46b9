import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { BatchApi } from "../../../pipeline/models/batch-api.js";
import { linesIn } from "../../../pipeline/models/endpoint.js";
import { modelSpec } from "../../../pipeline/models/spec.js";

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close().closeAllConnections();
  servers = [];
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe("a redirect", () => {
  it("takes no prompts of a batch to another address; results may be kept at one", async () => {
    const elsewhere: string[] = [];
    const other = await serve((req, res) => {
      elsewhere.push(`${req.method} ${req.headers.authorization ?? "without a key"}`);
      res.end("a\nb\n");
    });
    const url = await serve((_req, res) => res.writeHead(307, { location: `${other}/there` }).end());
    const spec = modelSpec.parse({ base_url: url, model: "m" });
    const api = new BatchApi({ spec, key: "sk-secret-key" });
    const { signal } = new AbortController();
    await expect(api.upload(["{}"], signal)).rejects.toThrow();
    await expect(api.create("file", "mark")).rejects.toThrow();
    expect(elsewhere).toEqual([]);
    const lines: string[] = [];
    for await (const line of api.lines("file", signal)) lines.push(line);
    expect(lines).toEqual(["a", "b"]);
    expect(elsewhere).toEqual(["GET without a key"]);
  });
});

describe("lines from the network", () => {
  const linesOf = async (pieces: readonly string[]): Promise<string[]> => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    });
    const lines: string[] = [];
    for await (const line of linesIn(new Response(body))) lines.push(line);
    return lines;
  };

  it("are the same however they are cut to pieces", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "\u2028", "{}"), { maxLength: 4 })),
        async (pieces) => {
          const texts = pieces.map((piece) => piece.join("")).filter((text) => text !== "");
          const lines = texts.join("").split(/\r\n|\n|\r/);
          if (lines.at(-1) === "") lines.pop();
          const got = await linesOf(texts);
          // A CR at the very end may have been the first half of an end.
          expect(got.map((line) => line.replace(/\r$/, ""))).toEqual(lines);
        },
      ),
    ));

  it("of which one does not end are given up, in time that grows with what came", async () => {
    const piece = "x".repeat(2 ** 16);
    const pieces = Array.from({ length: 1100 }, () => piece);
    await expect(linesOf(pieces)).rejects.toMatchObject({ fault: "malformed" });
  });
});
