import { z } from "zod";
import type { Service } from "./backend.js";
import { cutWords } from "./cut-words.js";
import { plain } from "./plain.js";

const MOST = { results: 20, characters: 400 };
/** Beyond the plan, and beyond what may be paid for above it. */
const QUOTA = new Set([432, 433]);

/** `answer` is made from pages of any host, as are follow-up questions: they are not read. */
const body = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() })),
});

/** Tavily's search. It has no pages: a later one is the end of a longer list, of 20 at most. */
export const tavily: Service = {
  name: "tavily",
  base: "https://api.tavily.com",
  keyVariable: "TAVILY_API_KEY",
  request: ({ query, page, results, key }) => ({
    path: "search",
    headers: { authorization: `Bearer ${key ?? ""}` },
    body: {
      query: cutWords(query, Number.POSITIVE_INFINITY, MOST.characters),
      max_results: Math.min(page * results, MOST.results),
      search_depth: "basic",
      include_answer: false,
      include_raw_content: false,
      include_images: false,
      auto_parameters: false,
    },
  }),
  read(value, { page, results }) {
    const read = body.safeParse(value);
    if (!read.success) return undefined;
    const found = read.data.results.map(({ url, title, content }) => {
      return { url, title: plain(title), snippet: plain(content) };
    });
    const end = page * results;
    return { results: found.slice(end - results, end), more: found.length >= end && end < MOST.results };
  },
  fault: (status) => (QUOTA.has(status) ? { fault: "quota" } : undefined),
};
