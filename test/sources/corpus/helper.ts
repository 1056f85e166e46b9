import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import type { Corpus } from "../../../sources/corpus/corpus.js";
import { openCorpus } from "../../../sources/corpus/open.js";

/** Everything that a test file writes. */
export const folder = mkdtempSync(join(tmpdir(), "taskmill-corpus-"));
const open: Corpus[] = [];
afterAll(async () => {
  for (const corpus of open) await corpus.close();
  rmSync(folder, { recursive: true, force: true });
});

let sets = 0;

/** Writes files into a folder of their own; gives its path. */
export function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = join(folder, `set-${sets++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

export const cache = join(folder, "cache");
export const signal = new AbortController().signal;

export async function opened(path: string, id = "c", where = cache): Promise<Corpus> {
  const corpus = await openCorpus([{ id, path }], { cache: where, signal });
  open.push(corpus);
  return corpus;
}

/** A corpus of rows, as JSON Lines. */
export function corpusOf(rows: readonly object[]): Promise<Corpus> {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return opened(join(writeFiles({ "rows.jsonl": lines }), "rows.jsonl"));
}

/** The addresses that a query finds, best first. */
export async function find(corpus: Corpus, query: string, results = 10, skip = 0): Promise<string[]> {
  return (await corpus.search(query, { results, skip })).map(({ url }) => url);
}

/** The one error that something must end in. */
export async function failure(work: Promise<unknown>): Promise<TaskmillError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TaskmillError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
