import { fail } from "../../base/errors.js";
import type { ToolContext } from "../tool.js";
import type { Backend } from "./backend.js";

/** The config's own documents. @throws TaskmillError (config) where there are none */
export function localBackend({ corpus, spec }: Pick<ToolContext, "corpus" | "spec">): Backend {
  if (corpus === undefined) {
    return fail(
      "config",
      "no_corpus",
      "the tool `search` has no documents to search",
      "name some under `environment.corpus`, or another `environment.search.backend`",
    );
  }
  const { results } = spec.search;
  return {
    async search(query, page) {
      // One more than is shown says whether a page follows.
      const hits = await corpus.search(query, { results: results + 1, skip: (page - 1) * results });
      return { results: hits.slice(0, results), more: hits.length > results };
    },
  };
}
