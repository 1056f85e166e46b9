import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FetchProgress, progressText } from "../../../pipeline/fetch-progress.js";
import type { Io } from "../../../pipeline/terminal.js";
import { cardSchema } from "../../../sources/card.js";
import { checkCard } from "../../../sources/check-card.js";
import { retryAfterOf, throttleOf } from "../../../sources/fetch/answers.js";
import { readCsvPage } from "../../../sources/fetch/csv-page.js";
import { Gate } from "../../../sources/fetch/gate.js";
import { readJsonPage } from "../../../sources/fetch/json-page.js";
import { nextLink } from "../../../sources/fetch/link-header.js";
import { fetchSpec } from "../../../sources/fetch/spec.js";
import { snapshotFormat } from "../../../sources/format.js";
import { tableHash } from "../../../sources/load.js";
import { cardOf, text } from "../helper.js";
import { FakeClock } from "./helper.js";

/** A text in pieces, cut at these places. */
async function* pieces(whole: string, cuts: readonly number[]): AsyncGenerator<string> {
  const places = [0, ...cuts.map((c) => Math.min(c, whole.length)).sort((a, b) => a - b), whole.length];
  for (let i = 1; i < places.length; i++) yield whole.slice(places[i - 1], places[i]);
}

const csvFormat = (more: object = {}) => {
  const format = snapshotFormat.parse({ format: "csv", ...more });
  if (format.format !== "csv") throw new Error("no csv");
  return format;
};

async function readCsv(whole: string, cuts: readonly number[] = [], more: object = {}) {
  let rest = "";
  const page = await readCsvPage(pieces(whole, cuts), csvFormat(more), async (t) => {
    rest += t;
  });
  return { ...page, rest };
}

describe("a page of CSV", () => {
  it("is cut behind its header, wherever its pieces end", async () => {
    const whole = '# made, "today\r\n\r\n"id","a ""b""\r\nc"\r\n1,"x\r\ny"\r\n2,\r\n';
    const expected = await readCsv(whole, [], { comment: "#" });
    expect(expected).toEqual({
      count: 2,
      head: '# made, "today\r\n\r\n"id","a ""b""\r\nc"\r\n',
      columns: ["id", 'a "b"\r\nc'],
      rest: '1,"x\r\ny"\r\n2,\r\n',
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 12 }), async (cuts) => {
        expect(await readCsv(whole, cuts, { comment: "#" })).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["", { count: 0, head: "", rest: "" }],
    ["id,n", { count: 0, head: "id,n", rest: "", columns: ["id", "n"] }],
    ["id\r1\r2", { count: 2, head: "id\r", rest: "1\r2\n", columns: ["id"] }],
    ["id\n\n1\n\n", { count: 1, head: "id\n", rest: "\n1\n\n", columns: ["id"] }],
  ])("may be small or odd: %j", async (whole, expected) => {
    expect(await readCsv(whole)).toEqual(expected);
  });

  it("without a header is records alone", async () => {
    expect(await readCsv("1,2\n3,4\n", [3], { header: false, names: ["a", "b"] })).toEqual({
      count: 2,
      head: "",
      rest: "1,2\n3,4\n",
    });
  });

  it("that is none is refused", async () => {
    await expect(readCsv("  <!DOCTYPE html><p>Sorry")).rejects.toThrow("a page of markup");
    await expect(readCsv('id,n\n1,"never closed\n2,3\n')).rejects.toThrow("cannot be read as CSV");
  });
});

describe("a page of JSON", () => {
  const places = { records: "a.rows", values: { total: "a.total", next: "next", gone: "nowhere" } };
  const read = async (whole: string, cuts: readonly number[] = []) => {
    const lines: string[] = [];
    const page = await readJsonPage(pieces(whole, cuts), places, async (line) => void lines.push(line));
    return { ...page, lines };
  };

  it("gives its records as lines, digits and all, and single values", async () => {
    const whole =
      '{"next": "x,]}\\"", "a": {"rows": [ {"m": 0.330,\n "i": 9007199254740993}, ["x", null] ], "total": "12"}}';
    const expected = await read(whole);
    expect(expected).toMatchObject({
      count: 2,
      values: { total: "12", next: 'x,]}"', gone: undefined },
      lines: ['{"m":0.330,"i":9007199254740993}\n', '["x",null]\n'],
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 12 }), async (cuts) => {
        expect(await read(whole, cuts)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it("that breaks off anywhere is refused", async () => {
    const whole = '{"a": {"rows": [{"m": 1}], "total": 1}}';
    for (let end = 0; end < whole.length; end++)
      await expect(read(whole.slice(0, end))).rejects.toThrow(/not JSON/);
  });

  it("with records that are none is refused", async () => {
    await expect(read('{"a": {"rows": [1]}}')).rejects.toThrow("neither an object nor an array");
    await expect(read('{"a": {"rows": {}}}')).rejects.toThrow("no array of records");
  });
});

describe("headers", () => {
  it.each([
    ['<https://x/a?b=1,2;c>; rel="next"', "https://x/a?b=1,2;c"],
    ['<a>; rel=prev, <b>; title="x, <c>; rel=next"; rel="last next"', "b"],
    ["<a>;rel=NEXT", "a"],
    ['<a>; rel="prev"', undefined],
    ["<a", undefined],
    [undefined, undefined],
  ])("Link: %s", (header, next) => {
    expect(nextLink(header)).toBe(next);
  });

  it("Link: any text is read in its own time", () => {
    fc.assert(fc.property(fc.string(), (header) => typeof nextLink(header) !== "number"));
    expect(nextLink(`${"<a>,".repeat(20_000)}<b>; rel=next`)).toBe("b");
  });

  it("Retry-After and X-Throttling-Control", () => {
    const date = "Wed, 04 Mar 2026 05:00:00 GMT";
    expect(retryAfterOf({ "retry-after": "12" })).toBe(12);
    expect(retryAfterOf({ "retry-after": "Wed, 04 Mar 2026 05:00:30 GMT", date })).toBe(30);
    expect(retryAfterOf({ "retry-after": "Wed, 04 Mar 2026 04:00:00 GMT", date })).toBe(0);
    expect(retryAfterOf({ "retry-after": "soon" })).toBeUndefined();
    expect(retryAfterOf({})).toBeUndefined();
    expect(throttleOf({ "x-throttling-control": "Request Count status: Yellow (60%)" })).toBeUndefined();
    expect(
      throttleOf({
        "x-throttling-control": "Request Count status: Green (0%), Service status: Black (100%)",
      }),
    ).toBe(60);
  });
});

describe("the gate", () => {
  it("spaces requests evenly, and shuts for a while when told", async () => {
    const clock = new FakeClock();
    const start = clock.now();
    const spec = fetchSpec.parse({ url: "https://x/", rate: { per_second: 4 } });
    const gate = new Gate(spec, clock, new AbortController().signal, () => {});
    const times: number[] = [];
    for (let i = 0; i < 6; i++) {
      if (i === 4) gate.pause(10, "told");
      await gate.enter();
      times.push(clock.now() - start);
    }
    expect(times).toEqual([0, 250, 500, 750, 10_750, 11_000]);
  });
});

describe("the card", () => {
  const card = (fetch: object | undefined, read: object = { format: "csv" }) =>
    cardOf({
      snapshot: { file: "t", read, ...(fetch === undefined ? {} : { sha256: "ab".repeat(32) }) },
      ...(fetch === undefined ? {} : { fetch: { url: "https://data.example/x", ...fetch } }),
      columns: { id: text("id") },
    });

  it("may fetch its snapshot, and then leave its hash to `lock`; its table is named as without", () => {
    expect(checkCard(card({}))).toEqual([]);
    expect(checkCard(card(undefined))).toMatchObject([{ code: "missing_key", path: ["snapshot"] }]);
    const bare = cardSchema.parse({ ...card({}), fetch: undefined });
    expect(tableHash(card({}))).toBe(tableHash(bare));
  });

  it.each([
    [{ url: "https://me:pw@data.example/" }, "secret_in_card", ["fetch", "url"]],
    [{ query: { api_key: "x" } }, "secret_in_card", ["fetch", "query", "api_key"]],
    [{ url: "https://data.example/?token=x" }, "secret_in_card", ["fetch", "url"]],
    [{ url: "https://data.example/#x" }, "bad_address", ["fetch", "url"]],
    [{ form: { a: 1 } }, "form_without_post", ["fetch", "form"]],
    [{ headers: { Host: "X" } }, "own_header", ["fetch", "headers", "Host"]],
    [{ records: "a" }, "not_json", ["fetch", "records"]],
    [{ answer: "json", keep: "records" }, "answer_format", ["fetch", "answer"]],
    [{ keep: "answer", paging: { by: "link_header" } }, "keep_pages", ["fetch", "keep"]],
    [{ paging: { by: "next_field", path: "a" } }, "not_json", ["fetch", "paging", "path"]],
    [{ total: { path: "a" } }, "not_json", ["fetch", "total"]],
    [{ total: { of: "list" } }, "no_list", ["fetch", "total"]],
    [
      { query: { p: 1 }, paging: { by: "page", parameter: "p", size: 1 } },
      "paged_twice",
      ["fetch", "query", "p"],
    ],
    [{ paging: { by: "list", parameter: "p", size: 1 } }, "list_values", ["fetch", "paging"]],
    [
      { paging: { by: "list", parameter: "p", size: 1, file: "../x" } },
      "list_outside",
      ["fetch", "paging", "file"],
    ],
    [
      { paging: { by: "list", parameter: "p", size: 1, range: { from: 2, to: 1 } } },
      "range_order",
      ["fetch", "paging", "range"],
    ],
  ])("is told what does not fit: %j", (fetch, code, path) => {
    expect(checkCard(card(fetch))).toMatchObject([{ code, path }]);
  });

  it.each([
    [{ url: "ftp://x/" }],
    [{ url: "data.example" }],
    [{ headers: { "x-key": "abc123" } }],
    [{ headers: { "x y": "A" } }],
    [{ rate: { per_second: 0 } }],
    [{ pages: 3 }],
    [{ paging: { by: "offset", parameter: "o" } }],
  ])("is refused by its schema: %j", (fetch) => {
    expect(fetchSpec.safeParse({ url: "https://data.example/x", ...fetch }).success).toBe(false);
  });

  it("joins only what can be joined", () => {
    const paging = { by: "page", parameter: "p", size: 1 };
    const codes = (read: object, more: object = {}) =>
      checkCard(card({ paging, ...more }, read)).map(({ code }) => code);
    expect(codes({ format: "ndjson" })).toEqual([]);
    expect(codes({ format: "ndjson" }, { answer: "ndjson" })).toEqual([]);
    expect(codes({ format: "json", path: "a" })).toEqual([]);
    expect(codes({ format: "json" }, { answer: "ndjson" })).toEqual(["answer_format"]);
    expect(codes({ format: "xml", record: "r" })).toEqual(["answer_format"]);
    expect(codes({ format: "parquet" })).toEqual(["answer_format"]);
  });
});

describe("progress", () => {
  const page = {
    type: "page",
    done: 12,
    pages: 40,
    records: 5800,
    total: 20_000,
    bytes: 1,
    how: "new",
  } as const;

  it("says how far, how fast and how long", () => {
    expect(progressText(page, { pages: 2, records: 1000 }, 10)).toBe(
      "12 of 40 pages  5,800 of 20,000 records  480 records/s  28 s left",
    );
    const open = { ...page, pages: undefined, total: undefined };
    expect(progressText(open, { pages: 0, records: 0 }, 10)).toBe("12 pages  5,800 records  580 records/s");
  });

  it("is redrawn on a terminal; elsewhere only what is out of the ordinary is told", () => {
    const said = (live: boolean, quiet = false): string => {
      let err = "";
      const io = {
        err: (t: string) => {
          err += t;
        },
        live,
        quiet,
        columns: 60,
        now: () => 0,
      } as unknown as Io;
      const progress = new FetchProgress(io);
      progress.listen({ ...page, how: "kept" });
      progress.listen(page);
      progress.listen({ type: "wait", seconds: 2, why: "short" });
      progress.listen({ type: "wait", seconds: 90, why: "a\u001b[31m" });
      progress.listen({ type: "retry", page: 3, attempt: 1, seconds: 2, why: "503" });
      progress.end();
      return err;
    };
    expect(said(false)).toBe(
      "goes on with 12 pages that an earlier download left\nwaiting 1 min 30 s: a\\u001b[31m\npage 3 again in 2 s: 503\n",
    );
    expect(said(true)).toContain("\r\u001b[2K12 of 40 pages");
    expect(said(true)).toContain("waiting 2 s: short");
    expect(said(true, true)).toBe("");
  });
});
