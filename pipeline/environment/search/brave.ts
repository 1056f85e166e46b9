import { z } from "zod";
import type { Service } from "./backend.js";
import { cutWords } from "./cut-words.js";
import { plain } from "./plain.js";

/** Limits of the service's own. */
const MOST = { results: 20, characters: 400, words: 50, pages: 10 };

/** `infobox`, `summarizer`, `faq` and the like are made from pages of any host: they are not read. */
const body = z.object({
  type: z.literal("search"),
  query: z.object({ more_results_available: z.boolean().nullish() }).nullish(),
  web: z
    .object({
      results: z.array(
        z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() }),
      ),
    })
    .nullish(),
});
const refusal = z.object({ error: z.object({ code: z.string() }) });

/** Brave's Web Search API. It answers a wrong key with 422, as it does a bad parameter: the code tells them apart. */
export const brave: Service = {
  name: "brave",
  base: "https://api.search.brave.com/res/v1",
  keyVariable: "BRAVE_API_KEY",
  request: ({ query, page, results, key }) => ({
    path: "web/search",
    query: {
      q: cutWords(query, MOST.words, MOST.characters),
      count: String(Math.min(results, MOST.results)),
      offset: String(Math.min(page, MOST.pages) - 1),
      result_filter: "web",
      text_decorations: "false",
      extra_snippets: "false",
      summary: "false",
    },
    headers: { "x-subscription-token": key ?? "" },
  }),
  read(value, { results }) {
    const read = body.safeParse(value);
    if (!read.success) return undefined;
    const found = (read.data.web?.results ?? []).map(({ url, title, description }) => {
      return { url, title: plain(title), snippet: plain(description) };
    });
    return { results: found.slice(0, results), more: read.data.query?.more_results_available ?? false };
  },
  fault(status, value) {
    const code = refusal.safeParse(value).data?.error.code;
    if (code === "SUBSCRIPTION_TOKEN_INVALID") return { fault: "auth" };
    return status === 402 || code === "QUOTA_LIMITED" ? { fault: "quota" } : undefined;
  },
};
