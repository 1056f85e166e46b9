import { describe, expect, it } from "vitest";
import { search } from "../../../../pipeline/environment/tools/search.js";
import type { Corpus, Hit } from "../../../../sources/corpus/corpus.js";
import { contextOf, failure, serve } from "./service.js";

/** A corpus that finds so many documents, or these. */
function corpusOf(hits: readonly Hit[]): Corpus {
  return {
    hash: "h",
    documents: hits.length,
    repeated: 0,
    search: async (_query, { results, skip }) => hits.slice(skip, skip + results),
    get: async () => undefined,
    async *all() {},
    close: async () => {},
  };
}
const hit = (n: number, more: Partial<Hit> = {}): Hit => {
  return {
    url: `https://a.example/${n}`,
    title: `Title ${n}`,
    snippet: `passage ${n}`,
    score: 1 / n,
    ...more,
  };
};
const run = (hits: readonly Hit[], results = 3) =>
  search.open(contextOf({ results }, { corpus: corpusOf(hits) }));

describe("the search tool", () => {
  it("lists what it finds, and says that another page follows", async () => {
    const tool = run([1, 2, 3, 4].map((n) => hit(n)));
    expect(await tool.call({ query: "x" })).toEqual({
      ok: true,
      text:
        "1. Title 1\n   https://a.example/1\n   passage 1\n\n2. Title 2\n   https://a.example/2\n   passage 2\n\n" +
        "3. Title 3\n   https://a.example/3\n   passage 3\n\nMore results: page 2.",
      urls: [1, 2, 3].map((n) => ({ url: `https://a.example/${n}`, how: "listed", blocked: null })),
    });
    expect((await tool.call({ query: "x", page: 2 })).text).toBe(
      "4. Title 4\n   https://a.example/4\n   passage 4",
    );
    expect((await tool.call({ query: "x", page: 3 })).text).toBe(
      "Nothing was found. Try other or fewer words, without quotes.",
    );
  });

  it("keeps back what the firewall blocks, by address or by what it shows, and says no more than how many", async () => {
    const tool = run([
      hit(1),
      hit(2, { url: "https://www.blocked.example/table" }),
      hit(3, { snippet: "copied rows" }),
    ]);
    const { text, urls } = await tool.call({ query: "x" });
    expect(text).toBe("1. Title 1\n   https://a.example/1\n   passage 1\n\n2 results were withheld.");
    expect(urls).toEqual([
      { url: "https://a.example/1", how: "listed", blocked: null },
      { url: "https://www.blocked.example/table", how: "listed", blocked: "publisher of planets" },
      { url: "https://a.example/3", how: "listed", blocked: "copy of planets: 20 of 40 rows" },
    ]);
    const alone = await run([hit(1, { title: "copied" })]).call({ query: "x" });
    expect([alone.text, alone.ok]).toEqual(["1 result was withheld.", true]);
  });

  it("shows each result in three lines, however long or broken it is", async () => {
    const { text } = await run([
      hit(1, { title: "a\nb".repeat(200), snippet: "c\n\nd ".repeat(500) }),
      hit(2, { title: "", snippet: "" }),
    ]).call({ query: "x" });
    const [first, second] = text.split("\n\n");
    expect(first!.split("\n").map((line) => line.length)).toEqual([203, 22, 603]);
    expect(second).toBe("2. https://a.example/2\n   https://a.example/2");
  });

  it("tells the agent of its own mistakes", async () => {
    expect(await run([]).call({ query: "  " })).toEqual({ ok: false, text: "The query is empty.", urls: [] });
    for (const args of [
      {},
      { query: 5 },
      { query: "x", page: 0 },
      { query: "x", page: 11 },
      { query: "x", other: 1 },
    ]) {
      expect(search.args.safeParse(args).success).toBe(false);
    }
    expect(search.args.safeParse({ query: "x", page: 10 }).success).toBe(true);
  });

  it("opens its backend at the first call only", async () => {
    const tool = search.open(contextOf({ backend: "brave", key_variable: "NO_SUCH_KEY" }));
    expect((await failure(tool.call({ query: "x" }))).problems[0]).toMatchObject({ code: "missing_key" });
    const local = search.open(contextOf({}));
    expect((await failure(local.call({ query: "x" }))).problems[0]).toMatchObject({ code: "no_corpus" });
  });

  it("is known by its backend and documents, not by address or key", () => {
    expect(search.identity(contextOf({}, { corpus: corpusOf([]) }))).toEqual({
      backend: "local",
      firewall: "",
      results: 8,
      corpus: "h",
    });
    const base_url = "http://10.0.0.1:8080";
    expect(search.identity(contextOf({ backend: "searxng", base_url, key_variable: "K" }))).toEqual({
      backend: "searxng",
      firewall: "",
      results: 8,
    });
  });

  it("shows a service's results behind the firewall", async () => {
    const organic = [
      { title: "Blocked", link: "https://blocked.example/a", snippet: "s" },
      { title: "Open", link: "https://a.example/", snippet: "s" },
    ];
    const { base } = await serve({
      body: { organic, answerBox: { answer: "42", link: "https://blocked.example/a" } },
    });
    const tool = search.open(contextOf({ backend: "serper", base_url: base }));
    const { text } = await tool.call({ query: "x", page: 10 });
    expect(text).toBe("73. Open\n   https://a.example/\n   s\n\n1 result was withheld.");
  });
});
