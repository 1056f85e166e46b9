import { z } from "zod";
import { escapeMarkup } from "../../../verifiers/reward/markup.js";
import { systemResolve } from "../../base/addresses.js";
import { defineTool, type ToolResult } from "../tool.js";
import { Pages, type Visit } from "../visit/pages.js";
import { pagesOf } from "../visit/paging.js";

const LONGEST_URL = 4096;
/** Characters of an observation that stand for title, address and the note on paging. */
const HEAD = { title: 150, url: 300, note: 60 };

interface VisitArgs {
  readonly url: string;
  readonly page?: number;
  readonly links?: boolean;
}

export const visit = defineTool<VisitArgs>({
  name: "visit",
  version: 1,
  description:
    "Reads a web page or PDF as text: its main text, with tables kept as tables and powers written as 10^3. " +
    "Long ones are cut into pages; `page` reads on.",
  args: z.strictObject({
    url: z.string().min(1).max(LONGEST_URL).describe("The whole address, with https://"),
    page: z.int().min(1).max(100_000).optional().describe("Which page of a long text, from 1"),
    links: z.boolean().optional().describe("Whether to show where links lead"),
  }),
  stateful: false,
  identity: ({ spec, corpus, firewall }) => {
    const { from, timeout, max_bytes, redirects } = spec.visit;
    const documents = from.includes("corpus") ? corpus?.hash : undefined;
    return { from, timeout, max_bytes, redirects, documents, firewall: firewall.hash };
  },
  open: (context) => {
    const pages = new Pages(context, systemResolve);
    return {
      async call({ url, page = 1, links = false }) {
        const visited = await pages.visit(addressOf(url), links);
        return shown(visited, page, context.spec.observation);
      },
      async close() {},
    };
  },
});

/** An address without its scheme is meant as one of the web; `localhost:80` and `example.org:80` have a port, no scheme. */
function addressOf(text: string): string {
  const url = text.trim();
  return /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i.test(url) ? url : `https://${url.replace(/^\/\//, "")}`;
}

function shown(visit: Visit, page: number, observation: number): ToolResult {
  const { urls } = visit;
  if (!visit.ok) {
    const text =
      visit.why === null ? "This page is not available." : `This page could not be read: ${visit.why}.`;
    return { text, ok: false, urls };
  }
  // Escaped before it is cut, since that makes it longer.
  const head = headOf(visit.page.title, visit.page.url);
  const cut = pagesOf(escapeMarkup(visit.page.text), Math.max(100, observation - head.length - HEAD.note));
  const body = cut[page - 1];
  if (body !== undefined) {
    const note = cut.length === 1 ? "" : `[page ${page} of ${cut.length}]`;
    return {
      text: [head, note, "", body].filter((part, i) => part !== "" || i === 2).join("\n"),
      ok: true,
      urls,
    };
  }
  // Nothing of it is shown, but that it is there.
  const text =
    cut.length === 0
      ? `${head}\nThe page holds no text.`
      : `There is no page ${page}: the text has ${cut.length}.`;
  return { text, ok: cut.length === 0, urls };
}

function headOf(title: string, url: string): string {
  const line = escapeMarkup(title.replace(/\s+/g, " ").trim()).slice(0, HEAD.title);
  const address = url.length <= HEAD.url ? url : `${url.slice(0, HEAD.url)}…`;
  return line === "" ? address : `# ${line}\n${address}`;
}
