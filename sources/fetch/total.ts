import { readFile, rm } from "node:fs/promises";
import { atPath, JsonError, parseRawJson } from "../adapters/raw-json.js";
import { lasting, passing } from "./fault.js";
import { countIn } from "./json-page.js";
import { withQuery } from "./paging.js";
import type { Tools } from "./tools.js";

/** Asks for the number of records; undefined where the card has no address for it. @param counts told of each request. @throws FetchFault */
export async function askTotal(
  { fetch, server, store, attempts, gate }: Tools,
  counts: () => void,
): Promise<number | undefined> {
  const { total } = fetch;
  if (total === undefined || !("url" in total)) return undefined;
  const url = withQuery(new URL(total.url, fetch.url), total.query ?? {}).href;
  const into = store.draft(0);
  return attempts.make(0, async () => {
    counts();
    try {
      await server.ask({ number: 0, url }, { into, most: 1 << 20, left: gate.left() });
      return countOf(await readFile(into, "utf8"), total.path);
    } finally {
      await rm(into, { force: true });
    }
  });
}

function countOf(text: string, path: string | undefined): number {
  const count = countIn(path === undefined ? text : valueIn(text, path));
  if (count !== undefined) return count;
  const where = path === undefined ? "is no number" : `has no number at \`${path}\``;
  throw lasting(`the answer to \`total\` ${where}`, "see `fetch.total`");
}

function valueIn(text: string, path: string): ReturnType<typeof atPath> {
  try {
    return atPath(parseRawJson(text), path.split("."));
  } catch (error) {
    if (error instanceof JsonError) throw passing(`the answer to \`total\` is not JSON: ${error.message}`);
    throw error;
  }
}
