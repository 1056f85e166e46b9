import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPublic, type Resolve } from "../../../../pipeline/base/addresses.js";
import { environmentSpec } from "../../../../pipeline/environment/spec.js";
import type { ToolContext } from "../../../../pipeline/environment/tool.js";
import { visit } from "../../../../pipeline/environment/tools/visit.js";
import { Pages } from "../../../../pipeline/environment/visit/pages.js";
import type { Corpus } from "../../../../sources/corpus/corpus.js";
import { firewallOf } from "../../../../verifiers/firewall/firewall-of.js";
import { pdfOf } from "./pdf-file.js";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let port = 0;
const asked: string[] = [];
const routes = new Map<string, Handler>();
const serve = (path: string, type: string, body: string | Buffer, headers = {}): void => {
  routes.set(path, (_, response) => response.writeHead(200, { "content-type": type, ...headers }).end(body));
};
const redirect = (path: string, location: string, status = 302): void => {
  routes.set(path, (_, response) => response.writeHead(status, { location }).end());
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0]!;
    asked.push(request.url ?? "");
    const handler = routes.get(path);
    if (handler === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<p>no</p>");
    else handler(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const rows = Array.from({ length: 10 }, (_, i) => ({
  name: `Body${"abcdefghij"[i]}x`,
  aliases: [],
  values: [1.234 + i * 0.731, 5.678 + i * 3.177, 912.3 + i * 17.71],
}));

/** Every name is this machine, as a hostile name server would have it. */
const loopback: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];

function context(visitSpec: object = {}, corpus?: Corpus): ToolContext {
  return {
    spec: environmentSpec.parse({
      observation: 1000,
      visit: {
        from: ["web"],
        private_hosts: [`site.example:${port}`, `127.0.0.1:${port}`],
        timeout: 30,
        ...visitSpec,
      },
    }),
    firewall: firewallOf({
      rules: [{ block: "blocked.example", why: "publisher of bodies" }],
      allow: [`127.0.0.1:${port}`],
      fingerprints: [{ table: "bodies", hash: "", rows: () => rows }],
    }),
    corpus,
    secret: () => undefined,
    signal: new AbortController().signal,
  };
}

const at = (path: string): string => `http://site.example:${port}${path}`;
const pagesWith = (spec: object = {}, resolve: Resolve = loopback): Pages =>
  new Pages(context(spec), resolve);
const get = (path: string, spec: object = {}) => pagesWith(spec).visit(at(path), false);
const textAt = async (path: string, spec: object = {}): Promise<string> => {
  const visited = await get(path, spec);
  if (!visited.ok) throw new Error(visited.why ?? "blocked");
  return visited.page.text;
};
const whyAt = async (path: string, spec: object = {}): Promise<string | null> => {
  const visited = await get(path, spec);
  if (visited.ok) throw new Error("was read");
  return visited.why;
};

describe("what is read", () => {
  it("is HTML, text, Markdown, JSON, CSV and XML", async () => {
    serve("/page", "text/html; charset=utf-8", "<title>T</title><p>5 × 10<sup>3</sup></p>");
    expect(await textAt("/page")).toBe("5 × 10^3");
    for (const type of [
      "text/plain",
      "text/markdown",
      "application/json",
      "text/csv",
      "application/xml",
      "application/ld+json",
    ]) {
      serve("/text", type, '{"a": 1}\r\n');
      expect(await textAt("/text")).toBe('{"a": 1}\n');
    }
  });

  it("is PDF, with its raised figures", async () => {
    serve("/file", "application/octet-stream", pdfOf("mass 5.97 x 10", "24", " kg"));
    expect(await textAt("/file")).toBe("mass 5.97 x 10^24 kg");
    serve("/bad", "application/pdf", "%PDF-1.4 and then nothing of the kind");
    expect(await whyAt("/bad")).toBe("the PDF cannot be read");
  });

  it("is nothing else", async () => {
    serve("/image", "image/png", Buffer.from([137, 80, 78, 71, 0, 1]));
    expect(await whyAt("/image")).toBe("content of the type image/png is not read");
    serve("/binary", "text/plain", Buffer.from([65, 0, 66, 0]));
    expect(await whyAt("/binary")).toBe("content of the type text/plain is not read");
  });

  it("is decoded as the header, the mark or the document says", async () => {
    // reports.md #35
    serve("/latin", "text/plain; charset=iso-8859-1", Buffer.from([0x35, 0x20, 0xb5, 0x6d]));
    expect(await textAt("/latin")).toBe("5 µm");
    serve(
      "/meta",
      "text/html",
      Buffer.from('<meta charset="windows-1251"><p>\xcc\xe0\xf1\xf1\xe0</p>', "latin1"),
    );
    expect(await textAt("/meta")).toBe("Масса");
    serve("/mark", "text/plain; charset=iso-8859-1", Buffer.from("\ufeffµ", "utf16le"));
    expect(await textAt("/mark")).toBe("µ");
    serve("/none", "text/plain", Buffer.from([0x35, 0x20, 0xb5, 0x6d]));
    expect(await textAt("/none")).toBe("5 µm");
    serve("/odd", "text/plain; charset=no-such-thing", "5 µm");
    expect(await textAt("/odd")).toBe("5 µm");
  });

  it("may be packed, once", async () => {
    const packings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [coding, pack] of Object.entries(packings)) {
      serve("/packed", "text/plain", pack(Buffer.from("packed words")), { "content-encoding": coding });
      expect(await textAt("/packed")).toBe("packed words");
    }
    serve("/packed", "text/plain", "x", { "content-encoding": "gzip, gzip" });
    expect(await whyAt("/packed")).toBe("the page is packed in a way that is not read");
    serve("/packed", "text/plain", gzipSync("words").subarray(0, 12), { "content-encoding": "gzip" });
    expect(await whyAt("/packed")).toBe("the page's packing is damaged");
  });
});

describe("limits", () => {
  it("hold for size, also of what a small body unpacks to", async () => {
    serve("/large", "text/plain", "x".repeat(20_000));
    expect(await whyAt("/large", { max_bytes: 10_000 })).toBe("the page is larger than 10000 bytes");
    for (const [coding, pack] of Object.entries({ gzip: gzipSync, br: brotliCompressSync })) {
      serve("/bomb", "text/html", pack(Buffer.alloc(5_000_000)), { "content-encoding": coding });
      expect(await whyAt("/bomb", { max_bytes: 1_000_000 })).toBe("the page is larger than 1000000 bytes");
    }
  });

  it("hold for time, also where bytes keep dripping", async () => {
    routes.set("/silent", () => {});
    expect(await whyAt("/silent", { timeout: 0.3 })).toMatch(
      /^the (?:page did not come within 0.3 s|server sends nothing)/,
    );
    routes.set("/drip", (_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const timer = setInterval(() => response.write("x"), 30);
      response.on("close", () => clearInterval(timer));
    });
    expect(await whyAt("/drip", { timeout: 0.4 })).toBe("the page did not come within 0.4 s");
  });

  it("hold for redirects and headers", async () => {
    redirect("/loop", "/loop");
    expect(await whyAt("/loop", { redirects: 3 })).toBe("the page redirects more than 3 times");
    routes.set("/headers", (_, response) => response.writeHead(200, { a: "x".repeat(40_000) }).end());
    expect(await whyAt("/headers")).toBe("the answer's headers are too long");
  });

  it("hold for what is kept, also of pages that are not there", async () => {
    const asked: string[] = [];
    const corpus = {
      get: async (url: string) => {
        asked.push(url);
        return undefined;
      },
    } as unknown as Corpus;
    const firewall = { ...context().firewall, blocks: () => undefined };
    const pages = new Pages({ ...context({ from: ["corpus"] }, corpus), firewall }, loopback);
    const url = (i: number): string => `https://open.example/${i}${"x".repeat(4000)}`;
    const first = { ok: false, why: null };
    expect([await pages.visit(url(0), false), await pages.visit(url(0), false)]).toMatchObject([
      first,
      first,
    ]);
    expect(asked.length).toBe(1);
    for (let i = 1; i <= 10_000; i++) await pages.visit(url(i), false);
    await pages.visit(url(0), false);
    expect(asked.length).toBe(10_002);
  });

  it("are told apart from errors of the server", async () => {
    expect(await whyAt("/missing")).toBe("the server answers 404");
    routes.set("/broken", (request) => request.socket.destroy());
    expect(await whyAt("/broken")).toBe("the connection broke");
    const closed = await pagesWith({ private_hosts: ["127.0.0.1:1", "site.example"] }).visit(
      "http://site.example:1/",
      false,
    );
    expect(closed).toMatchObject({ ok: false, why: "the server refuses connections" });
    const nowhere = await pagesWith({}, async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    }).visit("http://nowhere.example/", false);
    expect(nowhere).toMatchObject({ ok: false, why: "there is no such host" });
  });
});

describe("private addresses", () => {
  it.each([
    ..."127.0.0.1 127.9.9.9 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200 0.0.0.0 224.0.0.1".split(
      " ",
    ),
    ..."255.255.255.255 192.0.0.192 168.63.129.16 198.18.0.1 240.0.0.1 :: ::1 fe80::1 fc00::1 fd00:ec2::254 ff02::1".split(
      " ",
    ),
    ..."::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 2001::1 fe80::1%eth0 nonsense".split(
      " ",
    ),
  ])("%s is none of the open internet", (address) => expect(isPublic(address)).toBe(false));

  it.each(["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1"])("%s is", (address) =>
    expect(isPublic(address)).toBe(true),
  );

  it("are refused whatever name leads there", async () => {
    serve("/secret", "text/plain", "secret");
    for (const address of ["127.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "10.1.2.3"]) {
      const resolve: Resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
      const visited = await pagesWith({}, resolve).visit(`http://rebound.example:${port}/secret`, false);
      expect(visited).toMatchObject({ ok: false, why: "the host is in a private network" });
    }
    const mixed: Resolve = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const visited = await pagesWith({}, mixed).visit(`http://rebound.example:${port}/secret`, false);
    expect(visited).toMatchObject({ ok: false, why: "the host is in a private network" });
  });

  it("are refused where a name server changes its mind", async () => {
    serve("/secret", "text/plain", "secret");
    let turn = 0;
    const resolve: Resolve = async () => [{ address: turn++ === 0 ? "10.0.0.1" : "127.0.0.1", family: 4 }];
    const pages = pagesWith({}, resolve);
    for (let i = 0; i < 3; i++) {
      const visited = await pages.visit(`http://rebound.example:${port}/secret?${i}`, false);
      expect(visited).toMatchObject({ ok: false, why: "the host is in a private network" });
    }
    expect(asked.filter((url) => url.startsWith("/secret"))).toEqual([]);
  });

  it("are refused behind redirects, and on other ports than the one listed", async () => {
    redirect("/inside", "http://inside.example/latest/meta-data");
    expect(await whyAt("/inside")).toBe("the host is in a private network");
    redirect("/port", "http://site.example:9/");
    expect(await whyAt("/port")).toBe("the host is in a private network");
  });
});

describe("the firewall", () => {
  it("is asked before anything is sent", async () => {
    const before = asked.length;
    const visited = await pagesWith().visit(`http://blocked.example:${port}/page`, false);
    expect(visited).toEqual({
      ok: false,
      why: null,
      urls: [{ url: `http://blocked.example:${port}/page`, how: "asked", blocked: "blocked.example" }],
    });
    expect(asked.length).toBe(before);
  });

  it("judges each redirect", async () => {
    serve("/end", "text/plain", "the end");
    redirect("/hop", "/end", 308);
    const open = await get("/hop");
    expect(open.urls.map(({ url, how, blocked }) => [url, how, blocked])).toEqual([
      [at("/hop"), "asked", null],
      [at("/end"), "redirected", null],
      [at("/end"), "served", null],
    ]);
    for (const target of [
      `http://blocked.example:${port}/end`,
      `//blocked.example:${port}/end`,
      `http://BLOCKED。example:${port}/end`,
      "http://2130706433/",
      "file:///etc/passwd",
    ]) {
      routes.set("/sly", (_, response) => {
        response.writeHead(302, { location: Buffer.from(target).toString("latin1") }).end();
      });
      const visited = await get("/sly");
      expect(visited).toMatchObject({ ok: false, why: null });
      expect(visited.urls.at(-1)).toMatchObject({ how: "redirected" });
      expect(visited.urls.at(-1)?.blocked).not.toBeNull();
    }
  });

  it("keeps copies back without a word", async () => {
    const csv = rows.map(({ name, values }) => [name, ...values].join(",")).join("\n");
    serve("/copy", "text/csv", csv);
    const visited = await get("/copy");
    expect(visited).toEqual({
      ok: false,
      why: null,
      urls: [{ url: at("/copy"), how: "asked", blocked: "copy of bodies: 10 of 10 rows" }],
    });
  });
});

describe("the tool", () => {
  const run = (args: object, corpus?: Corpus, spec: object = {}) =>
    visit
      .open(context({ from: corpus === undefined ? ["web"] : ["corpus", "web"], ...spec }, corpus))
      .call(args);

  it("reads on in pages, from one fetch", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `| Body ${i} | ${i * 1.5} |`);
    serve("/long", "text/plain", ["| Name | Mass |", "| --- | --- |", ...lines].join("\n"));
    const tool = visit.open(context());
    const url = `http://127.0.0.1:${port}/long`;
    const first = await tool.call({ url });
    expect(first.text).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/long\n\[page 1 of \d\]\n\n\| Name \| Mass \|\n/);
    const count = Number(/of (\d)/.exec(first.text)?.[1]);
    const seen: string[] = [];
    for (let page = 1; page <= count; page++) {
      const { text, ok } = await tool.call({ url, page });
      expect(ok).toBe(true);
      expect(text.length).toBeLessThanOrEqual(1000);
      expect(text).toContain("| Name | Mass |\n| --- | --- |\n");
      seen.push(...text.split("\n").filter((line) => line.startsWith("| Body")));
    }
    expect(seen).toEqual(lines);
    const beyond = await tool.call({ url, page: count + 1 });
    expect(beyond).toMatchObject({
      ok: false,
      text: `There is no page ${count + 1}: the text has ${count}.`,
    });
    expect(asked.filter((path) => path === "/long")).toHaveLength(1);
  });

  it("fits the observation where markup is escaped, and cuts a long line", async () => {
    serve("/markup", "text/plain", `${"<|im_start|>".repeat(300)} ${"x".repeat(3000)}`);
    const { text } = await run({ url: `http://127.0.0.1:${port}/markup` });
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toContain("< |im_start|>");
  });

  it("gives documents of the corpus first, and says nothing of those that are blocked", async () => {
    const document = (url: string) => ({ url, title: "A title", text: "A text" });
    const known = ["https://open.example/a", "https://blocked.example/a", "corpus://notes/1"];
    const corpus: Corpus = {
      hash: "0",
      repeated: 0,
      documents: known.length,
      search: async () => [],
      get: async (url) => (known.includes(url) ? document(url) : undefined),
      async *all() {},
      close: async () => {},
    };
    const only = { from: ["corpus"] };
    expect(await run({ url: "open.example/a" }, corpus, only)).toEqual({
      text: "# A title\nhttps://open.example/a\n\nA text",
      ok: true,
      urls: [
        { url: "https://open.example/a", how: "asked", blocked: null },
        { url: "https://open.example/a", how: "served", blocked: null },
      ],
    });
    expect((await run({ url: "corpus://notes/1" }, corpus, only)).ok).toBe(true);
    const blocked = await run({ url: "https://blocked.example/a" }, corpus, only);
    const missing = await run({ url: "https://open.example/b" }, corpus, only);
    expect(blocked.text).toBe("This page is not available.");
    expect(blocked.text).toBe(missing.text);
    expect([blocked.ok, missing.ok]).toEqual([false, false]);
  });

  it("depends on firewall, documents and limits", () => {
    const of = (spec: object): string => JSON.stringify(visit.identity(context(spec)));
    expect(of({})).toBe(of({}));
    expect(of({ redirects: 1 })).not.toBe(of({}));
    expect(of({})).toContain(context().firewall.hash);
  });
});
