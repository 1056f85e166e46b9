import { z } from "zod";
import type { Service } from "./backend.js";
import { plain } from "./plain.js";

const MOST_RESULTS = 100;

/** `answerBox`, `knowledgeGraph`, `peopleAlsoAsk` and the like hold texts of any host: they are not read. */
const body = z.object({
  organic: z.array(
    z.object({ link: z.string(), title: z.string().nullish(), snippet: z.string().nullish() }),
  ),
});
const refusal = z.object({ message: z.string() });

/** Serper's Google search. It answers a wrong key with 403, and an empty account with 400. */
export const serper: Service = {
  name: "serper",
  base: "https://google.serper.dev",
  keyVariable: "SERPER_API_KEY",
  request: ({ query, page, results, key }) => ({
    path: "search",
    headers: { "x-api-key": key ?? "" },
    body: { q: query, page, num: Math.min(results, MOST_RESULTS), autocorrect: false },
  }),
  read(value, { results }) {
    const read = body.safeParse(value);
    if (!read.success) return undefined;
    const found = read.data.organic.map(({ link, title, snippet }) => {
      return { url: link, title: plain(title), snippet: plain(snippet) };
    });
    return { results: found.slice(0, results), more: found.length > 0 };
  },
  fault(_status, value) {
    const message = refusal.safeParse(value).data?.message ?? "";
    return /not enough credits/i.test(message) ? { fault: "quota" } : undefined;
  },
};
