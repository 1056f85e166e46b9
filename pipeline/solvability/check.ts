import { documentsOf } from "../../sources/corpus/documents.js";
import { corpusFiles } from "../../sources/corpus/files.js";
import { fail } from "../base/errors.js";
import { namedCorpora } from "../environment/find-corpora.js";
import { firewallFor } from "../environment/firewall.js";
import { environmentOf, environmentSpec } from "../environment/spec.js";
import { readManifest } from "../manifest-file.js";
import type { Registry } from "../registry.js";
import { openRunDir } from "../run-dir.js";
import { tasksOf } from "../tasks.js";
import { reloadSources } from "../verify/sources.js";
import { judgeSolvability, type Solvability } from "./solvability.js";

export interface CheckOptions {
  readonly registry: Registry;
  /** Ids of bundled corpora, or paths, in place of those in the dataset's config. */
  readonly corpus?: readonly string[];
  readonly signal?: AbortSignal;
}

/** What was checked, by whom it was named, and what came out. */
export interface CheckedSolvability extends Solvability {
  readonly name: string;
  readonly corpora: readonly string[];
}

/**
 * Shows for each task of a dataset whether documents that solvers may read hold all that it takes. The dataset's own sources, config and
 * block list decide; no model is asked.
 * @throws TaskmillError (usage, verification, source) where there is no dataset, no corpus, or one that cannot be read
 */
export async function checkSolvable(dir: string, options: CheckOptions): Promise<CheckedSolvability> {
  const { registry, signal = new AbortController().signal } = options;
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  const spec = environmentOf(manifest.config.resolved) ?? environmentSpec.parse({});
  const corpora = namedCorpora(options.corpus ?? spec.corpus);
  const { reloaded, findings } = await reloadSources(path, manifest, registry.adapters);
  if (reloaded === undefined) {
    const why = findings.map(({ message }) => message).join("; ");
    const hint = "run `pipeline verify` on it";
    return fail(
      "verification",
      "sources_not_loaded",
      `the dataset's own sources cannot be loaded: ${why}`,
      hint,
    );
  }
  try {
    const { catalog } = reloaded;
    const cards = [...catalog.tables.values()].map((table) => table.card);
    const firewall = firewallFor({ spec, cards, catalog });
    const documents = documentsOf(await corpusFiles(corpora), signal);
    const judged = await judgeSolvability(tasksOf(path), catalog, documents, firewall, signal);
    return { name: manifest.name, corpora: corpora.map((c) => c.id), ...judged };
  } finally {
    reloaded.database.close();
  }
}
