import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "duckdb";
import { describe, expect, it } from "vitest";
import type { Document } from "../../../sources/corpus/corpus.js";
import { documentsOf } from "../../../sources/corpus/documents.js";
import { corpusFiles, filesHash } from "../../../sources/corpus/files.js";
import { failure, signal, writeFiles } from "./helper.js";

async function read(path: string, id = "c"): Promise<Document[]> {
  const found: Document[] = [];
  for await (const document of documentsOf(await corpusFiles([{ id, path }]), signal)) found.push(document);
  return found;
}

const readFile = (name: string, content: string | Uint8Array) =>
  read(join(writeFiles({ [name]: content }), name));

/** Writes a Parquet file from a constant query. */
async function parquetOf(query: string): Promise<string> {
  const root = writeFiles({ "keep.bin": "" });
  const path = join(root, "rows.parquet");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  instance.closeSync();
  return path;
}

describe("JSON Lines", () => {
  it("reads text or HTML, with or without address and title, and passes over the rest", async () => {
    const rows = [
      { url: "https://e.org/1", title: " One ", text: "first\u2028line", extra: { deep: [1] } },
      { text: "\n# Second title\nmore" },
      {
        html: "<html><head><title>Third</title></head><body><p>5.2 × 10<sup>3</sup> kg</p></body></html>",
        title: null,
      },
      { url: "", text: "" },
    ];
    expect(await readFile("a.jsonl", `\ufeff${rows.map((r) => JSON.stringify(r)).join("\r\n\r\n")}`)).toEqual(
      [
        { url: "https://e.org/1", title: "One", text: "first\u2028line" },
        { url: "corpus://c/2", title: "Second title", text: "\n# Second title\nmore" },
        { url: "corpus://c/3", title: "Third", text: expect.stringContaining("5.2 × 10^3 kg") },
        { url: "corpus://c/4", title: "4", text: "" },
      ],
    );
  });

  it("reads packed lines", async () => {
    expect(await readFile("a.jsonl.gz", gzipSync('{"text":"packed"}\n'))).toMatchObject([{ text: "packed" }]);
  });

  it.each([
    ['{"text":"a"}\n{"text":5}', "bad_field", "a.jsonl, line 2: `text` is not a text but 5"],
    ['{"url":["x"],"text":"a"}', "bad_field", 'a.jsonl, line 1: `url` is not a text but ["x"]'],
    ['{"title":"a"}', "no_text", "a.jsonl, line 1: a document without `text` or `html`"],
    ['\n\n{"text":', "bad_json", 'a.jsonl, line 3 is no JSON: {"text":'],
    ["[1]", "bad_json", "a.jsonl, line 1 holds no object: [1]"],
  ])("says what is wrong with %j", async (content, code, message) => {
    expect((await failure(readFile("a.jsonl", content))).problems).toMatchObject([{ code, message }]);
  });

  it("refuses what is no UTF-8", async () => {
    const error = await failure(readFile("a.jsonl", Buffer.from('{"text":"5 \xb5m"}', "latin1")));
    expect(error.problems[0]).toMatchObject({ code: "bad_encoding" });
  });
});

describe("Parquet", () => {
  it("reads the columns that documents have", async () => {
    const path = await parquetOf(
      "SELECT 'T' AS title, i AS other, 'text ' || i AS text, NULL::VARCHAR AS url FROM range(3) t(i)",
    );
    expect(await read(path)).toEqual([
      { url: "corpus://c/1", title: "T", text: "text 0" },
      { url: "corpus://c/2", title: "T", text: "text 1" },
      { url: "corpus://c/3", title: "T", text: "text 2" },
    ]);
  });

  it("keeps the order of many rows", async () => {
    const path = await parquetOf("SELECT 'n' || i AS text FROM range(200000) t(i)");
    const found = await read(path);
    expect(found.length).toBe(200_000);
    expect(found.every(({ text }, i) => text === `n${i}`)).toBe(true);
  });

  it("says which columns there are, and which row is wrong", async () => {
    const none = await failure(read(await parquetOf("SELECT 1 AS body, 2 AS name")));
    expect(none.problems).toMatchObject([{ code: "no_text", hint: "its columns: body, name" }]);
    const wrong = await failure(read(await parquetOf("SELECT 5 AS text")));
    expect(wrong.problems).toMatchObject([
      { code: "bad_field", message: "rows.parquet, row 1: `text` is not a text but 5" },
    ]);
    const damaged = await failure(readFile("a.parquet", "no parquet"));
    expect(damaged.problems[0]).toMatchObject({ code: "bad_parquet" });
  });
});

describe("folders", () => {
  it("reads pages in order of path, with the addresses they give themselves", async () => {
    const root = writeFiles({
      "b/page.html":
        '<head><title>P</title><link href="https://e.org/p?a=1&amp;b=2" rel=canonical></head><body><p>Text of the page.</p></body>',
      "b/latin.htm": Buffer.from('<meta charset="iso-8859-1"><title>L</title><p>5 \xb5m wide</p>', "latin1"),
      "a.md": "---\nurl: https://e.org/a\ntitle: From the front\n---\n# Heading\nbody\n",
      "c d.txt": "\ufeffFirst line\r\nsecond",
      "no-front.md": "---\nno end",
      "rows.jsonl": '{"text":"x"}',
      ".hidden.md": "x",
      ".git/x.md": "x",
      "picture.png": "x",
    });
    expect(await read(root, "set")).toEqual([
      { url: "https://e.org/a", title: "From the front", text: "# Heading\nbody\n" },
      { url: "corpus://set/b/latin.htm", title: "L", text: expect.stringContaining("5 µm wide") },
      { url: "https://e.org/p?a=1&b=2", title: "P", text: expect.stringContaining("Text of the page.") },
      { url: "corpus://set/c%20d.txt", title: "First line", text: "First line\nsecond" },
      { url: "corpus://set/no-front.md", title: "---", text: "---\nno end" },
      { url: "corpus://set/rows.jsonl/1", title: "x", text: "x" },
    ]);
  });

  it("refuses links, wherever they lead", async () => {
    const root = writeFiles({ "a.md": "x" });
    symlinkSync("/etc/hostname", join(root, "b.txt"));
    expect((await failure(read(root))).problems[0]).toMatchObject({ code: "corpus_link" });
    const other = writeFiles({ "x.bin": "" });
    symlinkSync(root, join(other, "linked"));
    expect((await failure(read(join(other, "linked")))).problems[0]).toMatchObject({ code: "corpus_link" });
  });

  it("says what is not there or is no document", async () => {
    const root = writeFiles({
      "a.png": "x",
      "bad.md": "---\na: [\n---\n",
      "bad.txt": Buffer.from([0xff, 0xfe, 0x41]),
    });
    mkdirSync(join(root, "empty"));
    const codes = [];
    for (const name of ["absent", "empty", "a.png", "bad.md", "bad.txt"]) {
      codes.push((await failure(read(join(root, name)))).problems[0]!.code);
    }
    expect(codes).toEqual(["no_corpus", "no_documents", "no_documents", "bad_front_matter", "bad_encoding"]);
  });
});

describe("the hash of files", () => {
  const hash = async (path: string, id = "c") => filesHash(await corpusFiles([{ id, path }]), signal);

  it("depends on contents, names inside a folder and the set's id, and on nothing else", async () => {
    const one = writeFiles({ "a.md": "x", "b/c.txt": "y" });
    const same = writeFiles({ "b/c.txt": "y", "a.md": "x", "ignored.png": "z" });
    expect(await hash(one)).toBe(await hash(same));
    expect(await hash(one)).not.toBe(await hash(one, "d"));
    expect(await hash(one)).not.toBe(await hash(writeFiles({ "a.md": "x", "b/d.txt": "y" })));
    writeFileSync(join(same, "a.md"), "changed");
    expect(await hash(one)).not.toBe(await hash(same));
  });

  it("is the same for one file under another name", async () => {
    const root = writeFiles({ "a.jsonl": "{}", "z.ndjson": "{}" });
    expect(await hash(join(root, "a.jsonl"))).toBe(await hash(join(root, "z.ndjson")));
  });
});
