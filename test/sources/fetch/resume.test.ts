import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FetchResult } from "../../../sources/fetch/fetch.js";
import { type Bundle, bundleOf } from "../../server/bundle.js";
import { type Block, fetchCard, json, newFolder, type Served, serve, writeCard } from "./helper.js";

const SNAPSHOT = { file: "things.ndjson", read: { format: "ndjson" } };
const page = (served: Served): string[] => served.asked.map(({ url }) => url.searchParams.get("page") ?? "1");

/** Five pages of three records, each naming the next; ETags where asked for. */
function fivePages(etags = false, from = () => "") {
  return serve(({ url, headers }, response) => {
    const number = Number(url.searchParams.get("page") ?? 1);
    const etag = `"${number}${from()}"`;
    if (etags && headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
    const items = [0, 1, 2].map((i) => ({ id: `${number}-${i}`, v: number === 2 ? from() : "" }));
    json(response, { items, next: number < 5 ? `/data?page=${number + 1}` : null }, etags ? { etag } : {});
  });
}

function cardFor(served: Served, more: Block = {}): { folder: string; path: string } {
  const folder = newFolder();
  const paging = { by: "next_field", path: "next" };
  const fetch = { url: `${served.url}/data`, records: "items", paging, rate: { per_second: 50 }, ...more };
  const columns = Object.fromEntries(
    ["id", "v"].map((from) => [from, { from, type: "text", scale: "nominal" }]),
  );
  return { folder, path: writeCard(folder, SNAPSHOT, fetch, { columns }) };
}

/** Stops after so many pages, as a kill would. */
async function cutShort(path: string, pages: number): Promise<void> {
  const stop = new AbortController();
  let seen = 0;
  const onEvent = (event: { type: string }): void => {
    if (event.type === "page" && ++seen === pages) stop.abort();
  };
  await expect(fetchCard(path, { signal: stop.signal, onEvent })).rejects.toThrow("interrupted");
}

describe("a download that was cut short", () => {
  it("goes on with the pages that are here", async () => {
    const served = await fivePages();
    const { folder, path } = cardFor(served);
    await cutShort(path, 3);
    expect(existsSync(join(folder, "things.ndjson"))).toBe(false);
    const { result } = await fetchCard(path);
    expect(result).toMatchObject({ records: 15, pages: 5, kept: 3, requests: 2 });
    expect(page(served)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("asks for a torn page again, and for nothing else", async () => {
    const served = await fivePages();
    const { folder, path } = cardFor(served);
    await cutShort(path, 4);
    truncateSync(join(folder, ".fetch/things/page-0000002.part"), 20);
    rmSync(join(folder, ".fetch/things/page-0000003.json"));
    expect((await fetchCard(path)).result).toMatchObject({ records: 15, kept: 2, requests: 3 });
    expect(page(served)).toEqual(["1", "2", "3", "4", "2", "3", "5"]);
  });

  it("begins anew for another question, or when told to, but not for another pace", async () => {
    const served = await fivePages();
    const { folder, path } = cardFor(served);
    await cutShort(path, 2);
    const slower = readFileSync(path, "utf8").replace("per_second: 50", "per_second: 40");
    writeFileSync(path, slower);
    await cutShort(path, 3);
    expect(page(served)).toEqual(["1", "2", "3"]);
    writeFileSync(path, slower.replace("paging:", "query: { q: x }\n  paging:"));
    await cutShort(path, 1);
    expect(page(served)).toEqual(["1", "2", "3", "1"]);
    expect((await fetchCard(path, { fresh: true })).result).toMatchObject({ kept: 0, requests: 5 });
    writeFileSync(join(folder, ".fetch/things/state.json"), "{ torn");
    expect((await fetchCard(path)).result).toMatchObject({ kept: 0, requests: 5 });
  });

  it("that was complete is a new one: pages that the server says are the same stay", async () => {
    let version = "";
    const served = await fivePages(true, () => version);
    const { folder, path } = cardFor(served);
    await fetchCard(path);
    const again = (await fetchCard(path)).result;
    expect(again).toMatchObject({ state: "unchanged", requests: 5, unchanged: 5, kept: 0 });
    version = "b";
    const changed = (await fetchCard(path)).result;
    expect(changed).toMatchObject({ state: "replaced", unchanged: 0 });
    expect(changed.changes).toMatchObject({ gained: 0, lost: 0, changed: 3, same: 12 });
    rmSync(join(folder, ".fetch"), { recursive: true });
    expect((await fetchCard(path)).result).toMatchObject({ state: "unchanged", unchanged: 0 });
  });
});

describe("kill -9", () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundleOf("../sources/fetch/fetch-child.ts");
  });
  afterAll(() => bundle.remove());

  /** One life of a download; killed as soon as the server has been asked `after` times in it. */
  async function life(path: string, served: Served, after: number): Promise<FetchResult | undefined> {
    const start = served.asked.length;
    const child = spawn(process.execPath, [bundle.file, path], { stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    let over = false;
    const closed = new Promise<void>((done) =>
      child.once("close", () => {
        over = true;
        done();
      }),
    );
    while (!over && served.asked.length < start + after) await new Promise((wake) => setTimeout(wake, 2));
    child.kill("SIGKILL");
    await closed;
    return out === "" ? undefined : (JSON.parse(out) as FetchResult);
  }

  it("loses at most the page that was on its way; the snapshot is the same as without", async () => {
    const served = await fivePages();
    const { folder, path } = cardFor(served);
    expect(await life(path, served, 2)).toBeUndefined();
    expect(await life(path, served, 2)).toBeUndefined();
    const done = await life(path, served, Number.POSITIVE_INFINITY);
    expect(done).toMatchObject({ records: 15, pages: 5 });
    // Each life asked for what was not durable, in order, and never again for what was.
    const asked = page(served).map(Number);
    expect(asked).toEqual([...asked].sort((a, b) => a - b));
    expect(asked.length).toBeLessThanOrEqual(5 + 2);
    const undisturbed = cardFor(await fivePages());
    await fetchCard(undisturbed.path);
    const bytes = readFileSync(join(folder, "things.ndjson"), "utf8");
    expect(bytes).toBe(readFileSync(join(undisturbed.folder, "things.ndjson"), "utf8"));
  });
});
