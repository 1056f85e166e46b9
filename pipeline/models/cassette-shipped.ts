import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { ModelIdentity } from "../../stages/model.js";
import { canonicalJson, type Json } from "../base/canonical.js";
import { diskProblem } from "../fs.js";
import type { CassetteRecord } from "./call.js";
import type { ShippedHeader } from "./cassette-events.js";

/** Texts gather to so many characters before they are written. */
const PAGE = 2 ** 20;

/**
 * Writes a shipped cassette: a header, then the records of `keys` in that order, as canonical JSON. No time, no intent, no row.
 * @returns SHA-256 of the file. @throws TaskmillError (source)
 */
export async function writeShippedFile(
  path: string,
  {
    models,
    environment = null,
  }: { readonly models: Readonly<Record<string, ModelIdentity>>; readonly environment?: Json | undefined },
  keys: readonly string[],
  record: (key: string) => CassetteRecord,
): Promise<string> {
  const hash = createHash("sha256");
  const header: ShippedHeader = {
    cassette: "taskmill",
    version: 1,
    calls: keys.length,
    models,
    ...(environment === null ? {} : { environment }),
  };
  try {
    const file = await open(path, "w");
    const write = (page: string): Promise<void> => {
      hash.update(page);
      return file.writeFile(page);
    };
    try {
      let page = `${canonicalJson(header)}\n`;
      for (const key of keys) {
        page += `${canonicalJson(record(key))}\n`;
        if (page.length < PAGE) continue;
        await write(page);
        page = "";
      }
      await write(page);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw diskProblem(error, path) ?? error;
  }
  return hash.digest("hex");
}
