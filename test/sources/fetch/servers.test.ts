import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { TaskmillError } from "../../../pipeline/base/errors.js";
import { failure } from "../helper.js";
import {
  type Block,
  command,
  csv,
  fetchCard,
  type Handler,
  json,
  newFolder,
  serve,
  whyNot,
  writeCard,
} from "./helper.js";

const CSV = { file: "things.csv", read: { format: "csv" } };

/** A card whose one page comes from a handler. */
async function cardOf(handler: Handler, fetch: Block = {}, snapshot: Block = CSV) {
  const served = await serve(handler);
  const folder = newFolder();
  return { served, folder, path: writeCard(folder, snapshot, { url: `${served.url}/data`, ...fetch }) };
}

/** Gives these in turn, the last one for ever. */
function inTurn(...handlers: Handler[]): Handler {
  let n = 0;
  return (asked, response) => handlers[Math.min(n++, handlers.length - 1)]!(asked, response);
}

const good: Handler = (_asked, response) => csv(response, "id,n\na,1\nb,2\n");
const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Handler =>
  (_asked, response) =>
    void response.writeHead(code, headers).end(body);

it("says that a server changes to another protocol, and asks it once", async () => {
  const headers = { upgrade: "websocket", connection: "Upgrade" };
  const { path, served } = await cardOf((_asked, response) => {
    response.socket?.end(
      `HTTP/1.1 101 Switching Protocols\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
    );
  });
  expect(await whyNot(path)).toContain("the server answers 101");
  expect(served.asked).toHaveLength(1);
});

describe("a busy server", () => {
  it("is asked again, at growing distances that are the same each time", async () => {
    const handler = () =>
      inTurn(status(503), status(500), (_asked, response) => void response.destroy(), status(429), good);
    const runs = [await cardOf(handler()), await cardOf(handler())];
    const [first, second] = [await fetchCard(runs[0]!.path), await fetchCard(runs[1]!.path)];
    expect(first.result).toMatchObject({ records: 2, requests: 5 });
    const waits = first.events.filter((event) => event.type === "retry");
    expect(waits.map(({ why }) => why.replace(/:\d+/, ""))).toEqual([
      "the server answers 503",
      "the server answers 500",
      "127.0.0.1: the connection broke",
      "the server answers 429",
    ]);
    waits.forEach(({ seconds }, i) => {
      expect(seconds).toBeGreaterThanOrEqual(2 ** i / 2);
      expect(seconds).toBeLessThan(2 ** i);
    });
    expect(second.clock.slept).toEqual(first.clock.slept);
  });

  it("gives up in the end, and the same command goes on", async () => {
    const { path, served } = await cardOf(status(503, {}, "<html><h1>Down</h1> for a while</html>"), {
      limits: { tries: 3 },
    });
    expect(await whyNot(path)).toBe(
      "things: the server answers 503: Down for a while (3 tries) (the same command goes on where it stopped)",
    );
    expect(served.asked).toHaveLength(3);
  });

  it("is left alone for as long as it says, in seconds or until a date", async () => {
    const date = { date: "Wed, 04 Mar 2026 05:00:00 GMT", "retry-after": "Wed, 04 Mar 2026 05:02:00 GMT" };
    const { path } = await cardOf(inTurn(status(429, { "retry-after": "90" }), status(503, date), good));
    const { events } = await fetchCard(path);
    const waits = events.filter((event) => event.type === "wait").map(({ seconds }) => Math.floor(seconds));
    expect(waits).toEqual([90, 120]);
  });

  it("may not ask for more than the card allows", async () => {
    const { path, served } = await cardOf(status(429, { "retry-after": "86400" }), {
      limits: { wait: 3600 },
    });
    expect(await whyNot(path)).toMatch(
      /left alone for 86400 s, and at most 3600 s are waited \(the same command, later/,
    );
    expect(served.asked).toHaveLength(1);
    const long = await cardOf(status(429, { "retry-after": "12345678901" }));
    expect(await whyNot(long.path)).toContain("left alone for 12345678901 s");
    expect(long.served.asked).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 410])("is not asked again after %i", async (code) => {
    const { path, served } = await cardOf(status(code, {}, '{"message": "no"}'));
    expect(await whyNot(path)).toContain(`the server answers ${code}: {"message": "no"}`);
    expect(served.asked).toHaveLength(1);
  });

  it("has its answers whole, or again", async () => {
    const short: Handler = (_asked, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("id,n\na,1\n");
      setTimeout(() => response.destroy(), 5);
    };
    const markup = status(200, { "content-type": "text/html" }, "<!DOCTYPE html><p>Please wait");
    const { path } = await cardOf(inTurn(short, markup, good));
    const { result, events } = await fetchCard(path);
    expect(result.requests).toBe(3);
    expect(events.filter((e) => e.type === "retry").map(({ why }) => why)).toEqual([
      expect.stringContaining("the connection broke"),
      expect.stringContaining("a page of markup"),
    ]);
  });
});

describe("bounds", () => {
  it("hold for bytes, packed ones too", async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, "a,b\n"));
    const { path, served } = await cardOf(
      (_asked, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
      { limits: { bytes: 1_000_000 } },
    );
    expect(await whyNot(path)).toContain("the page is larger than 1000000 bytes");
    expect(served.asked).toHaveLength(1);
  });

  it("hold for the time of the whole", async () => {
    const { path } = await cardOf(status(503), { limits: { seconds: 10, tries: 20 } });
    expect(await whyNot(path)).toContain("longer than `limits.seconds` allows");
  });

  it("hold for one answer", async () => {
    const never: Handler = (_asked, response) => void response.writeHead(200).write("id,n\n");
    const { path } = await cardOf(never, { limits: { request: 0.05, tries: 2 } });
    expect(await whyNot(path)).toContain("no end of the answer within 0.05 s (2 tries)");
  });

  it("cut no answer short that passes for a whole one, though it tells no length", async () => {
    const raw =
      (then: (socket: Socket) => void, pack = (text: string): Buffer => Buffer.from(text)): Handler =>
      (_asked, { socket }) => {
        const coding = pack("x").length > 1 ? "content-encoding: gzip\r\n" : "";
        socket!.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${coding}content-type: text/csv\r\n\r\n`);
        socket!.write(pack("id,n\na,1\n"));
        then(socket!);
      };
    const whole = await cardOf(raw((socket) => socket.end()));
    expect((await fetchCard(whole.path)).result.records).toBe(1);
    const limits = { request: 0.2, tries: 1 };
    for (const pack of [undefined, (text: string) => gzipSync(text)]) {
      const late = await cardOf(
        raw(() => {}, pack),
        { limits },
      );
      expect(await whyNot(late.path)).toMatch(/no end of the answer within 0.2 s|sends nothing any more/);
      expect(existsSync(join(late.folder, "things.csv"))).toBe(false);
    }
    const whole2 = await cardOf(
      raw(() => {}),
      { limits: { seconds: 0.2, tries: 1 } },
    );
    expect(await whyNot(whole2.path)).toContain("longer than `limits.seconds` allows");
    const reset = await cardOf(
      raw((socket) => setTimeout(() => socket.resetAndDestroy(), 50)),
      { limits },
    );
    expect(await whyNot(reset.path)).toContain("the connection broke");
  });

  it("hold for packed files, unpacked", async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from("id,n\n"), Buffer.alloc(5_000_000, "a,b\n")]));
    const { path } = await cardOf((_asked, response) => void response.writeHead(200).end(bomb), {
      limits: { bytes: 1_000_000 },
    });
    expect(await whyNot(path)).toContain("the download unpacks to more than `fetch.limits.bytes` allows");
  });

  it("end with the one who asks", async () => {
    const stop = new AbortController();
    const { path } = await cardOf((_asked, response) => {
      response.writeHead(200).write("id,n\n");
      stop.abort();
    });
    const error: TaskmillError = await failure(fetchCard(path, { signal: stop.signal }));
    expect(error.kind).toBe("interrupted");
  });
});

describe("addresses", () => {
  it("in private networks are refused, named or looked up", async () => {
    const { path, served } = await cardOf(good);
    expect(await whyNot(path, { allowHosts: [] })).toMatch(
      /the host is in a private network \(if that is meant: --allow-host/,
    );
    expect(await whyNot(path, { allowHosts: ["127.0.0.1:1"] })).toContain("private network");
    for (const address of ["10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1"]) {
      const named = writeCard(newFolder(), CSV, { url: "http://data.example/" });
      const resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
      expect(await whyNot(named, { allowHosts: [], resolve })).toContain(
        "data.example: the host is in a private network",
      );
    }
    expect(served.asked).toHaveLength(0);
    expect((await fetchCard(path, { allowHosts: [], allowPrivate: true })).result.records).toBe(2);
  });

  it("to which the server leads are judged too", async () => {
    const to = (location: string) => status(302, { location });
    const { path } = await cardOf(inTurn(to("/moved"), good));
    expect((await fetchCard(path)).result.records).toBe(2);
    const other = await serve(good);
    const leads = await cardOf(to(`${other.url}/x`));
    expect(await whyNot(leads.path)).toMatch(
      /the server leads to another host, 127.0.0.1:\d+ .*hosts: \[127.0.0.1\]/,
    );
    const listed = await cardOf(to(`${other.url}/x`), { hosts: [other.host] });
    expect((await fetchCard(listed.path)).result.records).toBe(2);
    expect(await whyNot(listed.path, { allowHosts: [listed.served.host] })).toContain("private network");
    expect(await whyNot((await cardOf(to("file:///etc/passwd"))).path)).toContain("leads to file://");
    expect(await whyNot((await cardOf(to("/data"))).path)).toContain("redirects more than 5 times");
    expect(await whyNot((await cardOf(to("/new"), { method: "POST" })).path)).toContain(
      "the server moves a POST (302)",
    );
  });

  it("of next pages are judged too", async () => {
    const { path } = await cardOf(
      (_asked, response) => json(response, { items: [{ id: "a" }], next: "http://elsewhere.example/x" }),
      { records: "items", paging: { by: "next_field", path: "next" } },
      { file: "t.ndjson", read: { format: "ndjson" } },
    );
    expect(await whyNot(path)).toContain("page 2: the server leads to another host, elsewhere.example");
  });
});

describe("values of headers", () => {
  const env = { THE_TOKEN: "s3cret-value" };
  const headers = { "x-token": "THE_TOKEN" };

  it("come from the environment and go to the card's host alone", async () => {
    const other = await serve(good);
    const { path, served } = await cardOf(status(307, { location: `${other.url}/x` }), {
      headers,
      hosts: [other.host],
    });
    await fetchCard(path, { env });
    expect(served.asked[0]!.headers["x-token"]).toBe("s3cret-value");
    expect(other.asked[0]!.headers["x-token"]).toBeUndefined();
  });

  it("do not go over the open net in clear", async () => {
    const path = writeCard(newFolder(), CSV, { url: "http://data.example/", headers });
    expect(await whyNot(path, { env })).toContain("`x-token` would go over the net in clear");
  });

  it("must be there", async () => {
    const { path, served } = await cardOf(good, { headers });
    expect(await whyNot(path)).toContain("the environment variable THE_TOKEN is not set");
    expect(await whyNot(path, { env: { THE_TOKEN: "a\nb" } })).toContain(
      "THE_TOKEN holds what no header may hold",
    );
    expect(served.asked).toHaveLength(0);
  });

  it("that stand in a card by mistake are not shown", async () => {
    for (const wrong of [{ headers: { "x-key": "abc-s3cret" } }, { query: { api_key: "abc-s3cret" } }]) {
      const { path } = await cardOf(good, wrong);
      const { code, out, err } = await command("sources", "fetch", path, "--json");
      expect([code, (out + err).includes("s3cret")]).toEqual([2, false]);
      expect(err).toContain("environment variable");
    }
  });

  it("stand in no error, event or file, though the server says them back", async () => {
    const echo: Handler = ({ headers: given }, response) =>
      void response.writeHead(503).end(`bad token ${String(given["x-token"])}`);
    const { path, folder } = await cardOf(inTurn(echo, good), { headers });
    const { result, events } = await fetchCard(path, { env });
    expect(JSON.stringify(events)).toContain("bad token [secret]");
    expect(JSON.stringify([events, result])).not.toContain("s3cret");
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (name.isFile())
        expect(readFileSync(join(name.parentPath, name.name), "utf8")).not.toContain("s3cret");
    }
    const failing = await cardOf(echo, { headers, limits: { tries: 1 } });
    expect(await whyNot(failing.path, { env })).toContain("bad token [secret]");
  });
});

describe("a key that the server sends back", () => {
  const env = { THE_TOKEN: "Bearer s3cret/value" };
  const headers = { authorization: "THE_TOKEN" };
  const filesOf = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
      .join("\n");

  it.each<[string, Record<string, string>]>([
    ["ETag", { etag: '"s3cret/value"' }],
    ["Last-Modified", { "last-modified": "s3cret/value" }],
    ["release", { "x-release": "r-s3cret%2Fvalue" }],
  ])("in its %s is refused", async (what, more) => {
    const { path, folder } = await cardOf((_asked, response) => csv(response, "id\na\n", more), {
      headers,
      release: { header: "x-release" },
    });
    expect(await whyNot(path, { env })).toContain(`the server sends the key back in its ${what}`);
    expect(filesOf(folder)).not.toContain("s3cret");
  });

  it("in its data is refused, packed or not", async () => {
    for (const pack of [(text: string) => text, gzipSync]) {
      const body = pack("id,n\na,s3cret/value\n");
      const { path, folder } = await cardOf((_asked, response) => void response.writeHead(200).end(body), {
        headers,
      });
      expect(await whyNot(path, { env })).toContain("sends the key back in its answer");
      expect(existsSync(join(folder, "things.csv"))).toBe(false);
    }
  });

  it("beside the records is left behind, in a record and the next address it is refused", async () => {
    const ndjson = { file: "t.ndjson", read: { format: "ndjson" } };
    const paged = { headers, records: "items", paging: { by: "next_field", path: "next" } };
    const get = async (answer: object) =>
      cardOf((_asked, response) => json(response, { you: "s3cret/value", ...answer }), paged, ndjson);
    const beside = await get({ items: [{ id: "a" }] });
    expect((await fetchCard(beside.path, { env })).result.records).toBe(1);
    expect(filesOf(beside.folder)).not.toContain("s3cret");
    const inside = await get({ items: [{ id: "a", by: "s3cret/value" }] });
    expect(await whyNot(inside.path, { env })).toContain("sends the key back in its records");
    const next = await get({ items: [{ id: "a" }], next: "/data?key=s3cret%2Fvalue" });
    expect(await whyNot(next.path, { env })).toContain("back in its address of the next page");
    for (const { folder } of [inside, next]) expect(filesOf(folder)).not.toContain("s3cret/value");
    const none = await get({ results: [] });
    expect(await whyNot(none.path, { env })).toContain("nothing of it is shown");
  });

  it("is hidden in hints", async () => {
    const { path } = await cardOf(status(302, { location: `/${"x".repeat(190)}/s3cret/value` }), {
      headers,
      method: "POST",
    });
    expect(await whyNot(path, { env })).not.toContain("s3c");
  });
});

describe("text", () => {
  const latin1 =
    (type: string): Handler =>
    (_asked, response) =>
      void response.writeHead(200, { "content-type": type }).end(Buffer.from("id,n\nGaleão,1\n", "latin1"));

  it("comes in the charset of the header, and is written in the card's", async () => {
    const { path, folder } = await cardOf(latin1("text/csv; charset=ISO-8859-1"));
    await fetchCard(path);
    expect(readFileSync(join(folder, "things.csv"), "utf8")).toBe("id,n\nGaleão,1\n");
    const read = { format: "csv", encoding: "latin1" };
    const same = await cardOf(latin1("text/csv"), {}, { file: "things.csv", read });
    await fetchCard(same.path);
    expect(readFileSync(join(same.folder, "things.csv"), "latin1")).toBe("id,n\nGaleão,1\n");
  });

  it("that is not of its charset, or of none that is known, is refused", async () => {
    expect(await whyNot((await cardOf(latin1("text/csv"))).path)).toContain("the answer is not utf-8");
    expect(await whyNot((await cardOf(latin1("text/csv; charset=klingon"))).path)).toContain(
      "`klingon`, which is not known",
    );
  });

  it("may come packed", async () => {
    const { path, folder } = await cardOf(
      (_asked, response) =>
        void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("id,n\na,1\n")),
    );
    await fetchCard(path);
    expect(readFileSync(join(folder, "things.csv"), "utf8")).toBe("id,n\na,1\n");
  });

  it("in packed files is kept as it is", async () => {
    const file = gzipSync("id,n\na,1\nb,2\n");
    const { path, folder } = await cardOf((_asked, response) => void response.writeHead(200).end(file));
    expect((await fetchCard(path)).result.records).toBe(2);
    expect(readFileSync(join(folder, "things.csv"))).toEqual(file);
  });

  it("of other formats is one file as it comes", async () => {
    const xml = '<?xml version="1.0"?>\n<list><thing id="a"/><thing id="b"/></list>';
    const columns = { id: { from: "@id", type: "text", scale: "nominal" } };
    const served = await serve((_asked, response) => void response.writeHead(200).end(xml));
    const snapshot = { file: "deep/things.xml", read: { format: "xml", record: "thing" } };
    const folder = newFolder();
    const path = writeCard(folder, snapshot, { url: served.url }, { columns });
    expect((await fetchCard(path)).result).toMatchObject({ records: 2, state: "written" });
    expect(readFileSync(join(folder, "deep/things.xml"), "utf8")).toBe(xml);
  });

  it("that the card cannot read leaves no snapshot, and is not asked for again", async () => {
    const { path, folder, served } = await cardOf((_asked, response) => csv(response, "identifier,n\na,1\n"));
    expect(await whyNot(path)).toContain("things.csv has no field `id`");
    expect(existsSync(join(folder, "things.csv"))).toBe(false);
    expect(await whyNot(path)).toContain("no field `id`");
    expect(served.asked).toHaveLength(1);
  });
});
