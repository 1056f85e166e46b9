import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { compareText, hashOf } from "../../pipeline/base/canonical.js";
import { excerpt, sourceError } from "../problems.js";
import { fileSha256 } from "../snapshot.js";

export type FileKind = "parquet" | "jsonl" | "html" | "markdown" | "text";

/** A set of documents: a file, or a folder of files. */
export interface CorpusPath {
  /** Stands in the addresses of documents that have none: `corpus://<id>/...` */
  readonly id: string;
  readonly path: string;
}

export interface CorpusFile {
  readonly corpus: string;
  readonly path: string;
  /** Path inside the set's folder, parted by `/`; "" where the set is this one file. */
  readonly name: string;
  readonly kind: FileKind;
}

const KINDS: Readonly<Record<string, FileKind>> = {
  ".parquet": "parquet",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "text",
};
const KNOWN = Object.keys(KINDS).join(", ");

/**
 * The files of all sets, in the order of the sets and of their paths within one. Files of other kinds, and those whose name or folder
 * begins with a dot, are no documents.
 * @throws TaskmillError (source) for a path that is missing, a link, or holds no document
 */
export async function corpusFiles(sets: readonly CorpusPath[]): Promise<CorpusFile[]> {
  const lists: CorpusFile[][] = [];
  for (const set of sets) lists.push(await filesOf(set));
  return lists.flat();
}

/** SHA-256 over the contents, kinds and names of files: all that their documents depend on. */
export async function filesHash(files: readonly CorpusFile[], signal: AbortSignal): Promise<string> {
  const listed = [];
  for (const { corpus, name, kind, path } of files) {
    signal.throwIfAborted();
    listed.push({ corpus, name, kind, sha256: await fileSha256(path) });
  }
  return hashOf(listed);
}

async function filesOf({ id, path }: CorpusPath): Promise<CorpusFile[]> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) =>
    sourceError("no_corpus", `the corpus \`${excerpt(id)}\` cannot be read: ${reasonOf(error)}`, {
      hint: "`environment.corpus` takes ids of bundled corpora, or paths relative to the config",
      location: { file: path },
    }),
  );
  if (found.isFile()) {
    const kind = kindOf(path);
    if (kind === undefined)
      sourceError("no_documents", `${excerpt(path)} is no file of documents`, { hint: known });
    return [{ corpus: id, path, name: "", kind }];
  }
  if (!found.isDirectory()) refuseLink(path);
  const files = await walk(id, path, "");
  if (files.length === 0)
    sourceError("no_documents", `there is no document in ${excerpt(path)}`, { hint: known });
  return files;
}

const known = `documents are files ending in ${KNOWN}`;

async function walk(corpus: string, folder: string, prefix: string): Promise<CorpusFile[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((e) => !e.name.startsWith("."));
  const lists: CorpusFile[][] = [];
  for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      lists.push(await walk(corpus, path, `${name}/`));
      continue;
    }
    const kind = kindOf(entry.name);
    // A link to a folder has no ending that says whether there are documents behind it.
    if (kind === undefined && !(await leadsToFolder(entry, path))) continue;
    if (kind === undefined || !entry.isFile()) refuseLink(path);
    lists.push([{ corpus, path, name, kind }]);
  }
  return lists.flat();
}

async function leadsToFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

function kindOf(name: string): FileKind | undefined {
  // Packed lines are unpacked on the way in, as snapshots are.
  const plain = name.replace(/(?<=\.(?:jsonl|ndjson))\.(?:gz|zst)$/i, "");
  return KINDS[extname(plain).toLowerCase()];
}

/** A link may lead out of what the config declares, and its target is not what was hashed. */
function refuseLink(path: string): never {
  return sourceError("corpus_link", `${excerpt(path)} is neither a file nor a folder`, {
    hint: "links, pipes and devices are not read: put the file or folder itself there",
  });
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT" ? "there is no such file or folder" : (error.code ?? error.message);
}
