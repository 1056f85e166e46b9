import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileSha256 } from "../sources/snapshot.js";
import type { ManifestFile } from "./manifest.js";

/** Hash and size of a file under `dir`, or undefined when no plain file stands there. */
export async function describeFile(dir: string, file: string): Promise<ManifestFile | undefined> {
  const path = join(dir, ...file.split("/"));
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
