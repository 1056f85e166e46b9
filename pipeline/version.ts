import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Version of this package: of the nearest package.json above that is ours, as this file is run as source or from dist/. */
export const VERSION: string = versionAbove(dirname(fileURLToPath(import.meta.url)));

function versionAbove(dir: string): string {
  const found = readPackage(join(dir, "package.json"));
  if (found?.name === "taskmill" && found.version !== undefined) return found.version;
  if (dirname(dir) === dir) throw new Error("package.json is missing from this installation");
  return versionAbove(dirname(dir));
}

function readPackage(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
  } catch {
    return undefined;
  }
}
