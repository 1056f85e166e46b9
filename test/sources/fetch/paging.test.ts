import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Block,
  csv,
  fetchCard,
  json,
  newFolder,
  type Served,
  serve,
  whyNot,
  writeCard,
} from "./helper.js";

const NDJSON = { file: "things.ndjson", read: { format: "ndjson" } };
const things = (from: number, count: number): { id: string }[] =>
  Array.from({ length: Math.max(0, count) }, (_, i) => ({ id: `t${from + i}` }));

/** A card for a server, in a folder of its own. */
function cardFor(
  served: Served,
  fetch: Block,
  snapshot: Block = NDJSON,
  more: Block = {},
): { folder: string; path: string } {
  const folder = newFolder();
  return { folder, path: writeCard(folder, snapshot, { url: `${served.url}/data`, ...fetch }, more) };
}

/** Serves `total` things, `most` a page at most, by `offset` and `limit`. */
const byOffset = (total: number, most = 1000) =>
  serve(({ url }, response) => {
    const [offset, limit] = ["offset", "limit"].map((name) => Number(url.searchParams.get(name)));
    json(response, { total, items: things(offset!, Math.min(limit!, most, total - offset!)) });
  });
const OFFSET = { by: "offset", parameter: "offset", size: 10, size_parameter: "limit" };

describe("ways from page to page", () => {
  it("offset without a total: ends behind a full or a short page, at an empty one", async () => {
    for (const [total, requests] of [
      [30, 4],
      [25, 4],
    ] as const) {
      const { path } = cardFor(await byOffset(total), { records: "items", paging: OFFSET });
      expect((await fetchCard(path)).result).toMatchObject({ records: total, requests });
    }
  });

  it("nothing at all is no snapshot", async () => {
    const { path } = cardFor(await byOffset(0), { records: "items", paging: OFFSET });
    expect(await whyNot(path)).toContain("the server gave no record");
  });

  it("offset with a total: several at a time, joined in order", async () => {
    const served = await byOffset(95);
    const fetch = {
      records: "items",
      paging: OFFSET,
      total: { path: "total" },
      rate: { per_second: 50, concurrency: 4 },
    };
    const { folder, path } = cardFor(served, fetch);
    const { result } = await fetchCard(path);
    expect(result).toMatchObject({ records: 95, pages: 10, requests: 10 });
    expect(readFileSync(join(folder, "things.ndjson"), "utf8")).toBe(
      things(0, 95)
        .map((thing) => `${JSON.stringify(thing)}\n`)
        .join(""),
    );
  });

  it("offset: a server that gives less than it is asked for would lose the rest", async () => {
    const { path } = cardFor(await byOffset(40, 7), { records: "items", paging: OFFSET });
    expect(await whyNot(path)).toMatch(/page 1 has 7 records and not 10, though more follow.*`size: 7`/);
  });

  it("page numbers, with a status that says that there are no more", async () => {
    const served = await serve(({ url }, response) => {
      const page = Number(url.searchParams.get("p"));
      if (page > 3) response.writeHead(404).end();
      else
        csv(
          response,
          `id,n\r\n${things(page * 10, 2)
            .map(({ id }) => `${id},1`)
            .join("\r\n")}`,
        );
    });
    const paging = { by: "page", parameter: "p", size: 2 };
    const snapshot = { file: "t.csv", read: { format: "csv" } };
    const { folder, path } = cardFor(served, { paging: { ...paging, past_end: 404 } }, snapshot);
    expect((await fetchCard(path)).result).toMatchObject({ records: 6, pages: 3, requests: 4 });
    expect(readFileSync(join(folder, "t.csv"), "utf8")).toBe(
      "id,n\r\nt10,1\r\nt11,1\nt20,1\r\nt21,1\nt30,1\r\nt31,1\n",
    );
    expect(await whyNot(cardFor(served, { paging }, snapshot).path)).toContain(
      "page 4: the server answers 404",
    );
  });

  it("cursors in JSON or a header", async () => {
    const served = await serve(({ url }, response) => {
      const at = Number(url.searchParams.get("after") ?? 0);
      const next = at < 4 ? String(at + 2) : "";
      json(
        response,
        { data: { rows: things(at, 2) }, meta: { next } },
        next === "" ? {} : { "x-next": next },
      );
    });
    for (const from of [{ path: "meta.next" }, { header: "X-Next" }]) {
      const { path } = cardFor(served, {
        records: "data.rows",
        paging: { by: "cursor", parameter: "after", from },
      });
      expect((await fetchCard(path)).result).toMatchObject({ records: 6, pages: 3 });
    }
  });

  it("a list in a file, by POST", async () => {
    const { writeFileSync } = await import("node:fs");
    const served = await serve(({ body, url }, response) => {
      expect(url.searchParams.get("v")).toBe("2");
      const ids = new URLSearchParams(body).get("ids")!.split(";");
      json(
        response,
        ids.map((id) => ({ id })),
      );
    });
    const paging = { by: "list", parameter: "ids", file: "ids.txt", size: 2, join: ";" };
    const fetch = { method: "POST", query: { v: 2 }, form: { kind: "x" }, paging, total: { of: "list" } };
    const { folder, path } = cardFor(served, fetch);
    expect(await whyNot(path)).toContain("the list ids.txt cannot be read");
    writeFileSync(join(folder, "ids.txt"), "# mine\na\nb\r\n\nc\n");
    expect((await fetchCard(path)).result).toMatchObject({ records: 3, pages: 2 });
    expect(served.asked[1]!.body).toBe("kind=x&ids=c");
    writeFileSync(join(folder, "ids.txt"), "a\nb\na\n");
    expect(await whyNot(path)).toContain('asks for "a" twice');
  });
});

describe("pages that do not fit", () => {
  const paged = { records: "items", paging: { by: "next_field", path: "next" } };
  const pages = (...all: { items: object[]; more?: object }[]) =>
    serve(({ url }, response) => {
      const page = Number(url.searchParams.get("page") ?? 0);
      const next = page + 1 < all.length ? `?page=${page + 1}` : null;
      json(response, { next, items: all[page]!.items, ...all[page]!.more });
    });

  it("a server that takes no heed of the page asked for", async () => {
    const served = await serve((_asked, response) => json(response, things(0, 10)));
    const { path } = cardFor(served, { paging: { by: "offset", parameter: "ofset", size: 10 } });
    expect(await whyNot(path)).toMatch(/pages 1 and 2 hold the very same records/);
  });

  it("next pages in a circle", async () => {
    const served = await serve(({ url }, response) => {
      const here = url.searchParams.get("c");
      json(response, { items: things(here === "b" ? 10 : 0, 2), next: here === "b" ? "/data" : "/data?c=b" });
    });
    expect(await whyNot(cardFor(served, paged).path)).toContain("leads in a circle");
  });

  it("records that come twice, on two pages: others are lost", async () => {
    const served = await pages({ items: things(0, 3) }, { items: things(2, 3) });
    const why = await whyNot(cardFor(served, paged).path);
    expect(why).toMatch(
      /1 records came twice on different pages, e.g. "t2" on pages 1 and 2: others are lost/,
    );
  });

  it("keys that the publisher has twice: told, where the card knows what to do with them", async () => {
    const items = [
      { id: "a", v: "1" },
      { id: "b", v: "1" },
    ];
    const served = await pages({ items }, { items: [{ id: "a", v: "2" }] });
    const columns = {
      id: { from: "id", type: "text", scale: "nominal" },
      v: { from: "v", type: "text", scale: "nominal" },
    };
    const fail = cardFor(served, paged, NDJSON, { columns });
    expect(await whyNot(fail.path)).toContain('"a" on pages 1 and 2');
    const reject = cardFor(served, paged, NDJSON, { columns, on_duplicate_key: "reject_row" });
    const { result } = await fetchCard(reject.path);
    expect(result.notes).toEqual([
      '1 records share their key with another, e.g. "a" in records 1 and 3; `on_duplicate_key: reject_row`',
    ]);
  });

  it("fewer records than told, and which pages are short", async () => {
    const more = { total: 9 };
    const served = await pages(
      { items: things(0, 3), more },
      { items: things(3, 2), more },
      { items: things(6, 3), more },
    );
    const why = await whyNot(cardFor(served, { ...paged, total: { path: "total" } }).path);
    expect(why).toMatch(/tells of 9 records, and 8 came; short pages: 2 \(2 of 3\)/);
  });

  it("a total that changes meanwhile is told; the last one counts", async () => {
    const served = await pages(
      { items: things(0, 3), more: { total: 5 } },
      { items: things(3, 3), more: { total: 6 } },
    );
    const { result, events } = await fetchCard(cardFor(served, { ...paged, total: { path: "total" } }).path);
    expect(result.notes).toEqual(["the number of records changed during the download: 5, then 6"]);
    expect(events.at(-1)).toEqual({ type: "note", message: result.notes[0] });
  });

  it("an unsound download is begun anew", async () => {
    let unstable = true;
    const served = await serve(({ url }, response) => {
      const second = url.searchParams.has("page");
      json(response, { items: things(second ? (unstable ? 2 : 3) : 0, 3), next: second ? null : "?page=1" });
    });
    const { path } = cardFor(served, paged);
    expect(await whyNot(path)).toContain("came twice");
    unstable = false;
    expect((await fetchCard(path)).result).toMatchObject({ records: 6, requests: 2, kept: 0 });
  });

  it("another release", async () => {
    const served = await pages(
      { items: things(0, 3), more: { v: 1 } },
      { items: things(3, 3), more: { v: 2 } },
    );
    const why = await whyNot(cardFor(served, { ...paged, release: { path: "v" } }).path);
    expect(why).toMatch(/page 2 is of the release 2, page 1 of 1.*--fresh/);
  });

  it.each([
    ["id,m", "page 2 has no `n`, and `m` besides, unlike page 1"],
    ["n,id", "page 2 has the same columns in another order, unlike page 1"],
  ])("another header: %s", async (header, why) => {
    const served = await serve(({ url }, response) => {
      const second = url.searchParams.get("p") === "2";
      csv(response, second ? `${header}\n3,4\n` : "id,n\n1,2\n");
    });
    const fetch = { paging: { by: "page", parameter: "p", size: 1 } };
    const { path } = cardFor(served, fetch, { file: "t.csv", read: { format: "csv" } });
    expect(await whyNot(path)).toContain(why);
  });

  it.each<[string, unknown, string | undefined]>([
    ["next_field", { url: "/data?x=2" }, "`next` in the answer is an object"],
    ["next_field", ["/data"], "`next` in the answer is a list"],
    ["next_field", 2, "`next` in the answer is a number"],
    ["next_field", false, "`next` in the answer is a boolean"],
    ["cursor", { at: 2 }, "`next` in the answer is an object"],
    ["cursor", true, "`next` in the answer is a boolean"],
    ["next_field", null, undefined],
    ["next_field", "", undefined],
    ["cursor", undefined, undefined],
    ["cursor", null, undefined],
    ["cursor", 7, undefined],
  ])("what leads on by %s and is no text: %j", async (by, next, why) => {
    const served = await serve(({ url }, response) =>
      json(response, url.search === "" ? { items: things(0, 1), next } : { items: [] }),
    );
    const way = by === "cursor" ? { by, parameter: "after", from: { path: "next" } } : { by, path: "next" };
    const { path } = cardFor(served, { records: "items", paging: way });
    if (why === undefined) expect((await fetchCard(path)).result.pages).toBe(next === 7 ? 2 : 1);
    else expect(await whyNot(path)).toContain(why);
  });

  it("records that are not where the card says", async () => {
    const served = await serve((_asked, response) => json(response, { error: "no such table" }));
    const why = await whyNot(cardFor(served, { records: "items" }).path);
    expect(why).toMatch(/`items` in the answer is no array of records; it begins with .*no such table/);
  });

  it("titles, comments and a row of units stand once", async () => {
    const served = await serve(({ url }, response) =>
      csv(response, `A title\n# made today\n"id","mass\nin kg"\n-,kg\n${url.searchParams.get("p")},1\n`),
    );
    const read = { format: "csv", skip: 1, comment: "#", skip_after_header: 1 };
    const fetch = { paging: { by: "page", parameter: "p", size: 1 }, limits: { pages: 2 } };
    const { path } = cardFor(served, fetch, { file: "t.csv", read });
    expect(await whyNot(path)).toContain("the download has 3 pages or more, and at most 2 are allowed");
    const list = { paging: { by: "list", parameter: "p", values: ["x", "y"], size: 1 } };
    const { folder, path: second } = cardFor(served, list, { file: "t.csv", read });
    await fetchCard(second);
    expect(readFileSync(join(folder, "t.csv"), "utf8")).toBe(
      'A title\n# made today\n"id","mass\nin kg"\n-,kg\nx,1\ny,1\n',
    );
  });
});
