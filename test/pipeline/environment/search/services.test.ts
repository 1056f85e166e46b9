import { describe, expect, it } from "vitest";
import { openBackend } from "../../../../pipeline/environment/search/open.js";
import { type Answer, contextOf, failure, KEY, quickClock, serve } from "./service.js";

/** Each service's own form of an answer with two results, the answer of its own making that comes beside it, and of an answer without. */
const FORMS = {
  searxng: {
    full: {
      query: "uranus",
      number_of_results: 0,
      results: [
        {
          url: "https://a.example/1",
          title: "One &amp; only",
          content: "first <b>passage</b>",
          engine: "x",
          score: 1,
        },
        { url: null, title: "no address", template: "key-value.html" },
        { url: "https://a.example/2", title: null, content: null },
      ],
      answers: [{ answer: "SYNTHESISED", url: "https://blocked.example/" }],
      infoboxes: [{ infobox: "SYNTHESISED", content: "SYNTHESISED" }],
      suggestions: ["SYNTHESISED"],
      unresponsive_engines: [["brave", "timeout"]],
    },
    none: { query: "x", results: [], answers: [], unresponsive_engines: [] },
  },
  brave: {
    full: {
      type: "search",
      query: { original: "uranus", more_results_available: true },
      infobox: { type: "graph", results: [{ long_desc: "SYNTHESISED" }] },
      summarizer: { key: "SYNTHESISED" },
      faq: { results: [{ answer: "SYNTHESISED" }] },
      web: {
        type: "search",
        results: [
          {
            url: "https://a.example/1",
            title: "One &amp; only",
            description: "first <strong>passage</strong>",
          },
          { url: "https://a.example/2", title: "" },
        ],
      },
    },
    none: { type: "search", query: { original: "x", more_results_available: false } },
  },
  serper: {
    full: {
      searchParameters: { q: "uranus", type: "search", engine: "google" },
      answerBox: { answer: "SYNTHESISED", link: "https://blocked.example/" },
      knowledgeGraph: { title: "SYNTHESISED", attributes: { Mass: "SYNTHESISED" } },
      organic: [
        {
          title: "One & only",
          link: "https://a.example/1",
          snippet: "first passage",
          position: 1,
          sitelinks: [],
        },
        { title: "", link: "https://a.example/2", position: 2 },
      ],
      peopleAlsoAsk: [{ question: "?", snippet: "SYNTHESISED", link: "https://blocked.example/" }],
      relatedSearches: [{ query: "SYNTHESISED" }],
      credits: 1,
    },
    none: { searchParameters: { q: "x" }, organic: [], credits: 1 },
  },
  tavily: {
    full: {
      query: "uranus",
      answer: "SYNTHESISED",
      follow_up_questions: ["SYNTHESISED"],
      images: [],
      results: [
        {
          url: "https://a.example/1",
          title: "One & only",
          content: "first passage",
          score: 0.9,
          raw_content: "SYNTHESISED",
        },
        { url: "https://a.example/2", title: "", content: "", score: 0.5, raw_content: null },
      ],
      response_time: 0.4,
    },
    none: { query: "x", answer: null, results: [] },
  },
} as const;
type Name = keyof typeof FORMS;
const NAMES = Object.keys(FORMS) as Name[];

async function backendOf(name: Name, answers: Answer[], search: Record<string, unknown> = {}) {
  const service = await serve(...answers);
  const clock = quickClock();
  const backend = openBackend(
    contextOf({ backend: name, base_url: `${service.base}/base/`, ...search }),
    clock,
  );
  return { backend, service, clock };
}

describe.each(NAMES)("%s", (name) => {
  it("gives the results, and nothing that the service made up itself", async () => {
    const { backend } = await backendOf(name, [{ body: FORMS[name].full }]);
    const { results } = await backend.search("uranus", 1);
    expect(results).toEqual([
      { url: "https://a.example/1", title: "One & only", snippet: "first passage" },
      { url: "https://a.example/2", title: "", snippet: "" },
    ]);
    expect(JSON.stringify(results)).not.toContain("SYNTHESISED");
  });

  it("gives an empty list where nothing is found", async () => {
    const { backend } = await backendOf(name, [{ body: FORMS[name].none }]);
    expect(await backend.search("x", 1)).toEqual({ results: [], more: false });
  });

  it("tries again what may pass, with waits that grow and have a ceiling", async () => {
    const passing: Answer[] = [
      { status: 429, headers: { "retry-after": "600" }, body: { error: "slow down" } },
      { status: 503, body: "<html>busy</html>" },
      "break",
      { body: "" },
      { body: FORMS[name].full },
    ];
    const { backend, service, clock } = await backendOf(name, passing);
    expect((await backend.search("uranus", 1)).results.length).toBe(2);
    expect(service.asked.length).toBe(5);
    expect(clock.waits).toEqual([30, 0.75, 1.5, 3]);
  });

  it.each([
    ["rate", { status: 429, body: { detail: "too many requests" } }],
    ["server", { status: 502, body: "<html>bad gateway</html>" }],
    ["malformed", { body: "" }],
    ["malformed", { body: "<html>200 but no JSON</html>" }],
    ["malformed", { body: '{"results":' }],
    ["malformed", { body: { error: "an error with status 200" } }],
    ["malformed", { body: [] }],
    ["malformed", { body: "null" }],
  ] as [string, Answer][])("gives up in the end: %s, %j", async (code, answer) => {
    const { backend, service } = await backendOf(name, [answer]);
    const error = await failure(backend.search("uranus", 1));
    expect([error.kind, error.problems[0]!.code]).toEqual(["provider", code]);
    expect(error.message).toContain(`the search backend \`${name}\` failed`);
    expect(service.asked.length).toBe(6);
  });

  it("names the key's variable and never the key", async () => {
    const wrong = { status: 401, body: { detail: { error: `Unauthorized: invalid key ${KEY}` } } };
    const { backend, service } = await backendOf(name, [wrong], { key_variable: "MY_KEY" });
    const { kind, problems, message } = await failure(backend.search("uranus", 1));
    expect([kind, problems[0]!.code]).toEqual(["provider", "auth"]);
    expect(problems[0]!.hint).toContain("MY_KEY");
    expect(JSON.stringify([problems, message])).not.toContain(KEY);
    expect(service.asked.length).toBe(1);
    expect(service.asked[0]!.path + JSON.stringify(service.asked[0]!.query)).not.toContain(KEY);
    const missing = await failure(() =>
      openBackend(contextOf({ backend: name, base_url: service.base, key_variable: "NO_SUCH_KEY" })),
    );
    expect(missing.problems[0]).toMatchObject({
      code: "missing_key",
      message: expect.stringContaining("NO_SUCH_KEY"),
    });
  });

  it("stops waiting for a service that says nothing", async () => {
    const { backend } = await backendOf(name, ["hang"], { timeout: 0.05 });
    expect((await failure(backend.search("uranus", 1))).problems[0]).toMatchObject({ code: "timeout" });
  });

  it("ends at once when the run does", async () => {
    const service = await serve("hang");
    const stop = new AbortController();
    const context = contextOf({ backend: name, base_url: service.base }, { signal: stop.signal });
    const searching = openBackend(context, quickClock()).search("uranus", 1);
    setTimeout(() => stop.abort(new Error("stopped")), 20);
    await expect(searching).rejects.toThrow("stopped");
  });

  it("follows no redirect with the key", async () => {
    const elsewhere = await serve({ body: FORMS[name].full });
    const { backend } = await backendOf(name, [{ status: 302, headers: { location: elsewhere.base } }]);
    expect((await failure(backend.search("uranus", 1))).problems[0]).toMatchObject({ code: "connection" });
    expect(elsewhere.asked).toEqual([]);
  });
});

describe("requests", () => {
  const asked = async (name: Name, query: string, page: number, search = {}) => {
    const { backend, service } = await backendOf(name, [{ body: FORMS[name].full }], {
      results: 8,
      ...search,
    });
    await backend.search(query, page);
    return service.asked[0]!;
  };

  it("of SearXNG", async () => {
    expect(await asked("searxng", "mass of β-carotene?", 2)).toMatchObject({
      method: "GET",
      path: "/base/search",
      query: { q: "mass of β-carotene?", format: "json", pageno: "2" },
    });
    expect((await asked("searxng", "x", 1)).headers.authorization).toBeUndefined();
  });

  it("of Brave, within its limits", async () => {
    const { headers, query, path } = await asked("brave", `${"word ".repeat(60)}`, 3, { results: 30 });
    expect([path, headers["x-subscription-token"]]).toEqual(["/base/web/search", KEY]);
    expect(query).toMatchObject({
      count: "20",
      offset: "2",
      result_filter: "web",
      summary: "false",
      text_decorations: "false",
    });
    expect(query.q!.split(" ").length).toBe(50);
    expect((await asked("brave", "x".repeat(900), 1)).query.q!.length).toBe(400);
  });

  it("of Serper", async () => {
    const { method, path, headers, body } = await asked("serper", "uranus", 2);
    expect([method, path, headers["x-api-key"]]).toEqual(["POST", "/base/search", KEY]);
    expect(body).toEqual({ q: "uranus", page: 2, num: 8, autocorrect: false });
  });

  it("of Tavily, whose later pages are the end of a longer list", async () => {
    const { method, path, headers, body } = await asked("tavily", "uranus", 2);
    expect([method, path, headers.authorization]).toEqual(["POST", "/base/search", `Bearer ${KEY}`]);
    expect(body).toMatchObject({
      query: "uranus",
      max_results: 16,
      include_answer: false,
      include_raw_content: false,
    });
    const results = Array.from({ length: 20 }, (_, i) => ({
      url: `https://a.example/${i}`,
      title: `${i}`,
      content: "",
    }));
    const { backend } = await backendOf("tavily", [{ body: { results } }], { results: 8 });
    const pages = [
      await backend.search("x", 1),
      await backend.search("x", 2),
      await backend.search("x", 3),
      await backend.search("x", 4),
    ];
    expect(pages.map((page) => [page.results[0]?.title, page.results.length, page.more])).toEqual([
      ["0", 8, true],
      ["8", 8, true],
      ["16", 4, false],
      [undefined, 0, false],
    ]);
  });
});

describe("what services say in their own way", () => {
  const said = async (name: Name, status: number, body: unknown) => {
    const { backend, service } = await backendOf(name, [{ status, body }]);
    const { problems } = await failure(backend.search("x", 1));
    return [problems[0]!.code, service.asked.length, problems[0]!.hint];
  };

  it.each([
    [
      "brave",
      422,
      {
        type: "ErrorResponse",
        error: {
          code: "SUBSCRIPTION_TOKEN_INVALID",
          detail: "The provided subscription token is invalid.",
          status: 422,
        },
      },
      "auth",
    ],
    [
      "brave",
      422,
      {
        type: "ErrorResponse",
        error: { code: "VALIDATION", detail: "Unable to validate request parameter(s)", status: 422 },
      },
      "bad_request",
    ],
    ["serper", 403, { message: "Unauthorized.", statusCode: 403 }, "auth"],
    ["serper", 400, { message: "Not enough credits", statusCode: 400 }, "quota"],
    ["tavily", 401, { detail: { error: "Unauthorized: missing or invalid API key." } }, "auth"],
    ["tavily", 432, { detail: { error: "This request exceeds your plan's set usage limit." } }, "quota"],
    ["tavily", 400, { detail: { error: "Query is too long." } }, "bad_request"],
    ["searxng", 404, "<html>not found</html>", "connection"],
  ] as [Name, number, unknown, string][])(
    "%s %i %j is %s, and is not tried again",
    async (name, status, body, code) => {
      expect((await said(name, status, body)).slice(0, 2)).toEqual([code, 1]);
    },
  );

  it("knows why an instance of SearXNG refuses JSON", async () => {
    const [code, , hint] = await said("searxng", 403, "<!doctype html><title>403 Forbidden</title>");
    expect([code, hint]).toEqual(["bad_request", expect.stringContaining("search.formats")]);
  });

  it("does not take silent engines of SearXNG for nothing found", async () => {
    const silent = { query: "x", results: [], unresponsive_engines: [["google", "CAPTCHA"]] };
    const { backend } = await backendOf("searxng", [{ body: silent }, { body: FORMS.searxng.full }]);
    expect((await backend.search("x", 1)).results.length).toBe(2);
  });

  it("waits as long as Brave's shortest limit says", async () => {
    const limited = {
      status: 429,
      headers: { "x-ratelimit-reset": "1, 1419704" },
      body: { error: { code: "RATE_LIMITED" } },
    };
    const { backend, clock } = await backendOf("brave", [limited, { body: FORMS.brave.full }]);
    await backend.search("x", 1);
    expect(clock.waits).toEqual([1.25]);
  });
});

describe("addresses of services", () => {
  it.each(["ftp://a.example", "nonsense", "https://user:word@a.example", "https://a.example/?key=1"])(
    "%s is refused",
    async (base_url) => {
      const error = await failure(() => openBackend(contextOf({ backend: "searxng", base_url })));
      expect([error.kind, error.problems[0]!.code]).toEqual(["config", "bad_base_url"]);
      expect(error.message).not.toContain("word");
    },
  );

  it("are needed where there is no common one", async () => {
    const error = await failure(() => openBackend(contextOf({ backend: "searxng" })));
    expect([error.kind, error.problems[0]!.code]).toEqual(["config", "no_base_url"]);
  });

  it("that nobody answers at are an error of the service", async () => {
    const backend = openBackend(
      contextOf({ backend: "searxng", base_url: "http://127.0.0.1:1" }),
      quickClock(),
    );
    expect((await failure(backend.search("x", 1))).problems[0]).toMatchObject({ code: "connection" });
  });
});
