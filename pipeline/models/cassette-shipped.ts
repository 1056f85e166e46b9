import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { ModelIdentity } from "../../stages/model.js";
import { canonicalJson } from "../base/canonical.js";
import { diskProblem } from "../fs.js";
import type { CallRecord } from "./call.js";
import type { ShippedHeader } from "./cassette-events.js";

/** Texts gather to so many characters before they are written. */
const PAGE = 2 ** 20;

/**
 * Writes a shipped cassette: a header, then the records of `keys` in that order, as canonical JSON. No time, no intent, no row.
 * @returns SHA-256 of the file. @throws TaskmillError (source)
 */
export async function writeShippedFile(
  path: string,
  models: Readonly<Record<string, ModelIdentity>>,
  keys: readonly string[],
  record: (key: string) => CallRecord,
): Promise<string> {
  const hash = createHash("sha256");
  const header: ShippedHeader = {
    cassette: "taskmill",
    version: 1,
    calls: keys.length,
    models: plain(models),
  };
  try {
    const file = await open(path, "w");
    try {
      let page = `${canonicalJson(header)}\n`;
      for (const key of keys) {
        page += `${canonicalJson(record(key))}\n`;
        if (page.length < PAGE) continue;
        hash.update(page);
        await file.writeFile(page);
        page = "";
      }
      hash.update(page);
      await file.writeFile(page);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw diskProblem(error, path) ?? error;
  }
  return hash.digest("hex");
}

/** Without whatever else the client knows of a role. */
function plain(models: Readonly<Record<string, ModelIdentity>>): Record<string, ModelIdentity> {
  return Object.fromEntries(
    Object.entries(models).map(([role, { endpoint, model, revision }]) => [
      role,
      { endpoint, model, revision },
    ]),
  );
}
