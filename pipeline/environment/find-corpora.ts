import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { bundledCorpora, bundledCorpus } from "../../sources/corpora.js";
import { at, type Document } from "../base/document.js";
import { fail, type Problem, suggest } from "../base/errors.js";
import type { EnvironmentSpec } from "./spec.js";

/** Documents that the config's `environment` names. */
export interface FoundCorpus {
  /** As the config spells it. */
  readonly id: string;
  readonly path: string;
}

/** The config's `environment` with what it names. */
export interface FoundEnvironment {
  readonly spec: EnvironmentSpec;
  readonly corpora: readonly FoundCorpus[];
}

/** Ids of bundled corpora, or paths relative to the config. */
export async function findCorpora(
  { corpus }: Pick<EnvironmentSpec, "corpus">,
  folder: string,
  document: Document,
): Promise<{ corpora: FoundCorpus[]; problems: Problem[] }> {
  const corpora: FoundCorpus[] = [];
  const problems: Problem[] = [];
  for (const [i, id] of corpus.entries()) {
    const path = bundledCorpora().includes(id) ? bundledCorpus(id) : resolve(folder, id);
    if ((await stat(path).catch(() => undefined)) !== undefined) corpora.push({ id, path });
    else problems.push(at(document, ["environment", "corpus", i], missing(id)));
  }
  return { corpora, problems };
}

/**
 * Corpora that a command line names, or a finished dataset: ids of bundled ones, or paths relative to the working directory.
 * @throws TaskmillError (usage) for one that is not there
 */
export function namedCorpora(references: readonly string[]): FoundCorpus[] {
  return references.map((id) => {
    if (bundledCorpora().includes(id)) return { id, path: bundledCorpus(id) };
    const path = resolve(id);
    if (existsSync(path)) return { id, path };
    const hint = `${suggest(id, bundledCorpora(), "bundled corpora")}; name files or folders with --corpus, relative to this folder`;
    return fail("usage", "missing_corpus", `there is no corpus ${JSON.stringify(id)}`, hint);
  });
}

function missing(id: string): Omit<Problem, "location"> {
  const named = !/[./\\]/.test(id);
  return {
    code: "missing_corpus",
    message: named ? `no bundled corpus is called \`${id}\`` : `there is no corpus ${id}`,
    hint: named
      ? suggest(id, bundledCorpora(), "bundled corpora")
      : "give a Parquet or JSONL file or a folder of documents, relative to the config",
  };
}
