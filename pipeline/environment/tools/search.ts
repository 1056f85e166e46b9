import { z } from "zod";
import type { UrlSeen } from "../../../stages/environment.js";
import type { Firewall } from "../../../verifiers/firewall/firewall.js";
import type { Backend, Found, FoundPage } from "../search/backend.js";
import { openBackend } from "../search/open.js";
import { defineTool, type ToolResult } from "../tool.js";

const LAST_PAGE = 10;
const LONGEST_QUERY = 1000;
/** Characters of a result; services send whole paragraphs. */
const LONGEST = { title: 200, snippet: 600 };

interface SearchArgs {
  readonly query: string;
  readonly page?: number;
}

export const search = defineTool<SearchArgs>({
  name: "search",
  version: 1,
  description:
    "Searches documents and gives a numbered list of titles, addresses and passages, best first. " +
    'Words in "double quotes" must stand side by side; site:example.org keeps to one host. Read a result with `visit`, if you have it.',
  args: z.strictObject({
    query: z.string().max(LONGEST_QUERY).describe("What to look for: a few telling words"),
    page: z.int().min(1).max(LAST_PAGE).optional().describe("Further results: 2, 3, ..."),
  }),
  stateful: false,
  identity: ({ spec, corpus, firewall }) => {
    const { backend, results } = spec.search;
    // Not the address of a service: the same one may stand behind another.
    const kept = { backend, results, firewall: firewall.hash };
    return backend === "local" ? { ...kept, corpus: corpus?.hash } : kept;
  },
  open: (context) => {
    let backend: Backend | undefined;
    return {
      async call({ query, page = 1 }) {
        if (query.trim() === "") return { text: "The query is empty.", ok: false, urls: [] };
        backend ??= openBackend(context);
        return shown(await backend.search(query, page), page, context);
      },
      async close() {},
    };
  },
});

function shown(
  found: FoundPage,
  page: number,
  { firewall, spec }: { firewall: Firewall; spec: { search: { results: number } } },
): ToolResult {
  const judged = found.results.map((result) => ({ result: cut(result), blocked: ruleOf(result, firewall) }));
  const open = judged.filter(({ blocked }) => blocked === null);
  const first = (page - 1) * spec.search.results + 1;
  const lines = [
    ...open.map(({ result }, i) => entry(result, first + i)),
    ...notes(open.length, judged.length - open.length, found.more && page < LAST_PAGE ? page + 1 : undefined),
  ];
  const urls = judged.map(({ result, blocked }): UrlSeen => {
    const own = result.licence === undefined || blocked !== null ? {} : { licence: result.licence };
    return { url: result.url, how: "listed", blocked, ...own };
  });
  return { text: lines.join("\n\n"), ok: true, urls };
}

/** Why a result is kept back: its address, or what it shows of a table. */
function ruleOf({ url, title, snippet }: Found, firewall: Firewall): string | null {
  return firewall.blocks(url) ?? firewall.copies(`${title}\n${snippet}`) ?? null;
}

function cut(found: Found): Found {
  const { url, title, snippet } = found;
  return { ...found, title: short(title || url, LONGEST.title), snippet: short(snippet, LONGEST.snippet) };
}

function short(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/\p{Surrogate}$/u, "")}…`;
}

function entry({ title, url, snippet }: Found, number: number): string {
  return [`${number}. ${title}`, url, snippet].filter((line) => line !== "").join("\n   ");
}

function notes(open: number, withheld: number, next: number | undefined): string[] {
  const said: string[] = [];
  if (open === 0 && withheld === 0) said.push("Nothing was found. Try other or fewer words, without quotes.");
  if (withheld > 0)
    said.push(withheld === 1 ? "1 result was withheld." : `${withheld} results were withheld.`);
  if (next !== undefined) said.push(`More results: page ${next}.`);
  return said;
}
