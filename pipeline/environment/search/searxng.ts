import { z } from "zod";
import type { Service } from "./backend.js";
import { plain } from "./plain.js";

/** `answers` and `infoboxes` are made from pages of any host: they are not read. */
const body = z.object({
  results: z.array(
    z.object({ url: z.string().nullish(), title: z.string().nullish(), content: z.string().nullish() }),
  ),
});
const silent = z.object({ results: z.tuple([]), unresponsive_engines: z.array(z.unknown()).min(1) });

/** SearXNG's JSON API. The size of a page is up to its engines. */
export const searxng: Service = {
  name: "searxng",
  base: undefined,
  keyVariable: undefined,
  request: ({ query, page, key }) => ({
    path: "search",
    query: { q: query, format: "json", pageno: String(page), categories: "general" },
    // For instances behind a proxy that wants a token.
    ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
  }),
  read(value, { results }) {
    const read = body.safeParse(value);
    // Nothing found, by engines that did not search: an instance that is down for all practical purposes.
    if (!read.success || silent.safeParse(value).success) return undefined;
    const found = read.data.results.flatMap(({ url, title, content }) =>
      url ? [{ url, title: plain(title), snippet: plain(content) }] : [],
    );
    return { results: found.slice(0, results), more: found.length > 0 };
  },
  fault: (status) =>
    status === 403
      ? {
          fault: "bad_request",
          hint: "the instance refuses JSON: add `json` to `search.formats` in its settings.yml",
        }
      : undefined,
};
