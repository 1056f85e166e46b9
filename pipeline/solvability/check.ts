import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { bundledCorpora, bundledCorpus } from "../../sources/corpora.js";
import { documentsOf } from "../../sources/corpus/documents.js";
import { type CorpusPath, corpusFiles } from "../../sources/corpus/files.js";
import { fail, suggest } from "../base/errors.js";
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
  const corpora = corporaOf(options.corpus ?? spec.corpus);
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

/** Bundled ids, else paths relative to the working directory: a dataset does not know where its config lay. */
function corporaOf(references: readonly string[]): CorpusPath[] {
  return references.map((id) => {
    if (bundledCorpora().includes(id)) return { id, path: bundledCorpus(id) };
    const path = resolve(id);
    if (existsSync(path)) return { id, path };
    const hint = `${suggest(id, bundledCorpora(), "bundled corpora")}; name files or folders with --corpus, relative to this folder`;
    return fail("usage", "missing_corpus", `there is no corpus ${JSON.stringify(id)}`, hint);
  });
}
