import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of bundled corpora: beside the source, or above `dist/` once compiled. */
function corporaFolder(): string {
  const beside = fileURLToPath(new URL("./corpora/", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../sources/corpora/", import.meta.url));
}

/** Ids of the bundled corpora, in code-unit order. */
export function bundledCorpora(): string[] {
  const folder = corporaFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => existsSync(bundledCorpus(id)))
    .sort();
}

/** Where the documents of a bundled corpus lie: JSON lines of url, title, text and licence. */
export function bundledCorpus(id: string): string {
  return join(corporaFolder(), id, "documents.jsonl");
}
