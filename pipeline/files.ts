import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileSha256 } from "../sources/snapshot.js";
import type { ManifestFile } from "./manifest.js";

/** The path of a file under `dir` that is named with `/`. */
export function pathIn(dir: string, file: string): string {
  return join(dir, ...file.split("/"));
}

/** Why what stands at a path is no plain file; undefined where it is one. */
export async function oddity(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return "is not there";
  if (found.isFile()) return undefined;
  if (found.isSymbolicLink()) return "is a symbolic link";
  return found.isDirectory() ? "is a folder" : "is no regular file";
}

/** Hash and size of a file under `dir`, or undefined when no plain file stands there. */
export async function describeFile(dir: string, file: string): Promise<ManifestFile | undefined> {
  const path = pathIn(dir, file);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  return { file, sha256: await fileSha256(path), bytes: found.size };
}

/** All plain files under `dir`, paths with `/`, in code-unit order. */
export async function describeTree(dir: string): Promise<ManifestFile[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  const files: ManifestFile[] = [];
  for (const path of paths) files.push((await describeFile(dir, path))!);
  return files;
}
