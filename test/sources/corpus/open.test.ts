import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCorpus } from "../../../sources/corpus/open.js";
import { cache, corpusOf, failure, find, folder, opened, signal, writeFiles } from "./helper.js";

const planets = [
  {
    url: "https://a.example.org/uranus",
    title: "Uranus",
    text: "Uranus is the seventh planet. Its mass is 8.68 × 10^25 kg.",
  },
  {
    url: "https://a.example.org/neptune",
    title: "Neptune",
    text: "Neptune is the eighth planet, with a mass of 1.02e26 kg.",
  },
  {
    url: "https://b.example.net/titania",
    title: "Titania (moon)",
    text: "Titania is the largest of the moons of Uranus.",
  },
  {
    url: "https://b.example.net/list",
    title: "List of moons",
    text: "Moons: Titania, Oberon, Ariel, Umbriel, Miranda. Triton.",
  },
];

let shared: ReturnType<typeof corpusOf> | undefined;
/** One index serves all tests that only read it. */
const bodies = (): ReturnType<typeof corpusOf> => {
  shared ??= corpusOf(planets);
  return shared;
};

describe("search", () => {
  it("finds words in any form, best first", async () => {
    const corpus = await bodies();
    expect(corpus.documents).toBe(4);
    expect(await find(corpus, "Uranus mass")).toEqual([
      "https://a.example.org/uranus",
      "https://b.example.net/titania",
      "https://a.example.org/neptune",
    ]);
    expect(await find(corpus, "8.68e25")).toEqual(["https://a.example.org/uranus"]);
    expect(await find(corpus, "URANUS' MOON")).toEqual([
      "https://b.example.net/titania",
      "https://b.example.net/list",
      "https://a.example.org/uranus",
    ]);
    expect(await find(corpus, "pluto")).toEqual([]);
  });

  it("keeps to phrases and sites", async () => {
    const corpus = await bodies();
    expect(await find(corpus, '"moons of Uranus"')).toEqual(["https://b.example.net/titania"]);
    expect(await find(corpus, '"Uranus moons"')).toEqual([]);
    expect(await find(corpus, '"largest of the" "of Uranus" titania')).toEqual([
      "https://b.example.net/titania",
    ]);
    expect(await find(corpus, "site:example.net uranus")).toEqual(["https://b.example.net/titania"]);
    expect(await find(corpus, "site:a.example.org")).toEqual([
      "https://a.example.org/neptune",
      "https://a.example.org/uranus",
    ]);
    expect(await find(corpus, "site:le.org uranus")).toEqual([]);
    // No phrase reaches from the title into the text.
    expect(await find(corpus, '"titania moon titania"')).toEqual([]);
    expect(await find(corpus, '"list of moons"')).toEqual(["https://b.example.net/list"]);
  });

  it("gives passages, scores and pages", async () => {
    const corpus = await bodies();
    const hits = await corpus.search("planet mass", { results: 2, skip: 0 });
    expect(hits.map(({ title, snippet }) => [title, snippet])).toEqual([
      ["Uranus", "Uranus is the seventh planet. Its mass is 8.68 × 10^25 kg."],
      ["Neptune", "Neptune is the eighth planet, with a mass of 1.02e26 kg."],
    ]);
    expect(hits[0]!.score).toBeGreaterThan(0);
    expect(await find(corpus, "planet mass", 1, 1)).toEqual(["https://a.example.org/neptune"]);
    expect(await find(corpus, "planet mass", 1, 2)).toEqual([]);
  });

  it("scores as BM25 says", async () => {
    const corpus = await corpusOf([
      { url: "https://e.org/1", title: "-", text: "mass mass of it" },
      { url: "https://e.org/2", title: "-", text: "nothing here" },
    ]);
    const [hit] = await corpus.search("mass", { results: 1, skip: 0 });
    // idf = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)); the document has 4 words where the mean is 3.
    const expected = (Math.log(2) * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 4) / 3));
    expect(hit!.score).toBeCloseTo(expected, 12);
  });

  it("breaks ties by address, in whatever order documents came", async () => {
    const rows = ["b", "c", "a"].map((name) => ({ url: `https://e.org/${name}`, text: "the same words" }));
    const urls = ["https://e.org/a", "https://e.org/b", "https://e.org/c"];
    expect(await find(await corpusOf(rows), "words")).toEqual(urls);
    expect(await find(await corpusOf([...rows].reverse()), "words")).toEqual(urls);
  });

  it("is never at a loss", async () => {
    const corpus = await bodies();
    const odd = [
      "",
      " ",
      '"',
      '"" ""',
      "site:",
      "'; DROP TABLE terms; --",
      "%",
      "\\",
      "\u0000",
      "\ud800",
      "()[]{}*?",
      "NOT AND OR",
    ];
    for (const query of odd) expect(await corpus.search(query, { results: 3, skip: 0 })).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 30 }), async (query) => {
        expect((await corpus.search(query, { results: 3, skip: 0 })).length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 30 },
    );
  });

  it("agrees with looking through all documents", async () => {
    const word = fc.constantFrom("red", "green", "blue", "kilo", "5");
    const text = fc.array(word, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        async (texts, phrase) => {
          const rows = texts.map((words, i) => ({
            url: `https://e.org/${String(i).padStart(2, "0")}`,
            title: "-",
            text: words.join(" "),
          }));
          const corpus = await openCorpus(
            [
              {
                id: "c",
                path: join(
                  writeFiles({ "r.jsonl": rows.map((r) => JSON.stringify(r)).join("\n") }),
                  "r.jsonl",
                ),
              },
            ],
            { cache, signal },
          );
          const holds = (all: string) => ` ${all} `.includes(` ${phrase.join(" ")} `);
          const found = await find(corpus, `"${phrase.join(" ")}"`, 20);
          expect([...found].sort()).toEqual(rows.filter((r) => holds(r.text)).map((r) => r.url));
          const any = await find(corpus, phrase.join(" "), 20);
          expect([...any].sort()).toEqual(
            rows
              .filter((r) => r.text.split(" ").some((w) => (phrase as string[]).includes(w)))
              .map((r) => r.url),
          );
          await corpus.close();
        },
      ),
      { numRuns: 5 },
    );
  });
});

describe("documents by address", () => {
  it("are found however the address is written", async () => {
    const corpus = await corpusOf([
      { url: "https://Example.org/wiki/Uranus_(planet)#mass", title: "U", text: "x\ud83dy" },
      { text: "own" },
    ]);
    const document = { url: "https://Example.org/wiki/Uranus_(planet)#mass", title: "U", text: "x\ufffdy" };
    expect(await corpus.get("http://example.org:80/wiki/Uranus_%28planet%29/")).toEqual(document);
    expect(await corpus.get("corpus://c/2")).toMatchObject({ text: "own" });
    expect(await corpus.get("https://example.org/other")).toBeUndefined();
    expect(await corpus.get("nonsense")).toBeUndefined();
  });

  it("keep the first of those that share one, and count the others", async () => {
    const corpus = await corpusOf([
      { url: "https://e.org/a/", text: "first" },
      { url: "http://E.org/a", text: "second" },
      { url: "https://e.org/b", text: "third" },
    ]);
    expect([corpus.documents, corpus.repeated]).toEqual([2, 1]);
    expect(await corpus.get("https://e.org/a")).toMatchObject({ text: "first" });
    expect(await find(corpus, "second")).toEqual([]);
  });

  it("come all, in order of address", async () => {
    const corpus = await corpusOf(
      Array.from({ length: 5000 }, (_, i) => ({ url: `https://e.org/${9999 - i}`, text: `n${i}` })),
    );
    const all = [];
    for await (const { url, text } of corpus.all()) {
      all.push([url, text]);
      // Another query in between does no harm.
      if (all.length === 2500) await find(corpus, "n77");
    }
    expect(all.length).toBe(5000);
    expect(all[0]).toEqual(["https://e.org/5000", "n4999"]);
    expect(all.at(-1)).toEqual(["https://e.org/9999", "n0"]);
  });
});

describe("several sets", () => {
  it("are one corpus", async () => {
    const one = writeFiles({ "a.md": "# Alpha\nshared" });
    const two = writeFiles({ "a.md": "# Beta\nshared" });
    const corpus = await openCorpus(
      [
        { id: "one", path: one },
        { id: "two", path: two },
      ],
      { cache, signal },
    );
    expect(await find(corpus, "shared")).toEqual(["corpus://one/a.md", "corpus://two/a.md"]);
    await corpus.close();
  });
});

describe("the index on disk", () => {
  const indexes = (where: string) => readdirSync(where).sort();

  it("is built once and used again, also by two that start together", async () => {
    const where = join(folder, "together");
    const path = writeFiles({ "a.md": "alpha beta" });
    const [a, b] = await Promise.all([opened(path, "c", where), opened(path, "c", where)]);
    const written = statSync(join(where, `${a.hash}.duckdb`)).mtimeMs;
    const c = await opened(path, "c", where);
    expect([a.hash, b.hash]).toEqual([c.hash, c.hash]);
    for (const corpus of [a, b, c]) expect(await find(corpus, "beta")).toEqual(["corpus://c/a.md"]);
    expect(statSync(join(where, `${a.hash}.duckdb`)).mtimeMs).toBe(written);
    expect(indexes(where)).toEqual([`${a.hash}.duckdb`]);
  });

  it.each([
    ["emptied", (file: string) => truncateSync(file, 0)],
    ["cut short", (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["overwritten", (file: string) => writeFileSync(file, "not an index")],
  ])("is built again when it is %s", async (how, damage) => {
    const where = join(folder, `damaged-${how.replace(" ", "-")}`);
    const path = writeFiles({ "a.md": "alpha beta" });
    const first = await openCorpus([{ id: "c", path }], { cache: where, signal });
    await first.close();
    damage(join(where, `${first.hash}.duckdb`));
    const corpus = await opened(path, "c", where);
    expect(await find(corpus, "beta")).toEqual(["corpus://c/a.md"]);
    expect(indexes(where)).toEqual([`${corpus.hash}.duckdb`]);
  });

  it("leaves nothing behind where documents are wrong or the work is stopped, and sweeps up after the killed", async () => {
    const where = join(folder, "swept");
    const path = writeFiles({ "a.jsonl": '{"text":"a"}\n{}' });
    expect((await failure(openCorpus([{ id: "c", path }], { cache: where, signal }))).problems[0]!.code).toBe(
      "no_text",
    );
    expect(indexes(where)).toEqual([]);
    // No process has this number: it is beyond the largest that Linux gives.
    writeFileSync(join(where, `${"0".repeat(64)}.duckdb.999999999-00000000.building`), "");
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    const good = writeFiles({ "a.md": "x" });
    await expect(
      openCorpus([{ id: "c", path: good }], { cache: where, signal: stop.signal }),
    ).rejects.toThrow("stopped");
    await opened(good, "c", where);
    expect(indexes(where).length).toBe(1);
  });

  it("says what is wrong where it cannot be written", async () => {
    const path = writeFiles({ "a.md": "x", file: "no folder" });
    const error = await failure(openCorpus([{ id: "c", path }], { cache: join(path, "file"), signal }));
    expect(error.problems[0]).toMatchObject({ code: "no_index" });
  });
});
