import { readFileSync } from "node:fs";

/** Version of this package, from its package.json: two levels up when compiled into dist/, one when run as source. */
export const VERSION: string = readVersion();

function readVersion(): string {
  for (const up of ["../package.json", "../../package.json"]) {
    try {
      const found = JSON.parse(readFileSync(new URL(up, import.meta.url), "utf8")) as {
        name?: string;
        version?: string;
      };
      if (found.name === "taskmill" && found.version !== undefined) return found.version;
    } catch {
      // Not here: the other place.
    }
  }
  throw new Error("package.json is missing from this installation");
}
