import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCorpus } from "../../../sources/corpus/open.js";

it("a document's own licence comes with it wherever it is shown", async () => {
  const dir = await mkdtemp(join(tmpdir(), "taskmill-licence-"));
  const rows = [
    { url: "https://example.org/a", title: "Alpha", text: "alpha is heavy", licence: "GPL-2.0-or-later" },
    { url: "https://example.org/b", title: "Beta", text: "beta is heavy" },
  ];
  const path = join(dir, "d.jsonl");
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const corpus = await openCorpus([{ id: "d", path }], {
    cache: join(dir, "index"),
    signal: new AbortController().signal,
  });
  try {
    expect(await corpus.get("https://example.org/a")).toEqual(rows[0]);
    expect(await corpus.get("https://example.org/b")).toEqual(rows[1]);
    const hits = await corpus.search("heavy", { results: 5, skip: 0 });
    expect(hits.map(({ url, licence }) => [url, licence])).toEqual([
      ["https://example.org/a", "GPL-2.0-or-later"],
      ["https://example.org/b", undefined],
    ]);
  } finally {
    await corpus.close();
    await rm(dir, { recursive: true });
  }
});
