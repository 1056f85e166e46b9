import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hold } from "./base/document.js";
import { fail } from "./base/errors.js";
import { type Manifest, manifestSchema } from "./manifest.js";

/** A manifest of a million files has a quarter of this. */
const MAX_BYTES = 512 * 2 ** 20;

/** Undefined for what is no plain file: a FIFO would be waited for, a device never ends, a link may lead anywhere. */
async function plainBytes(path: string): Promise<Buffer | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_BYTES) return undefined;
  return readFile(path).catch(() => undefined);
}

/** `manifest.json` as it is written. @throws TaskmillError (verification) when it is missing or no regular file */
export async function manifestBytes(dir: string): Promise<Buffer> {
  const bytes = await plainBytes(join(dir, "manifest.json"));
  if (bytes !== undefined) return bytes;
  const hint = "run the config first: `pipeline run CONFIG`";
  return fail("verification", "no_manifest", `${dir} has no manifest.json that can be read`, hint);
}

/**
 * Reads `manifest.json` of a run directory.
 * @throws TaskmillError (verification) when it is missing, no JSON or not in the form of {@link manifestSchema}.
 */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, "manifest.json");
  const bytes = await manifestBytes(dir);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    fail("verification", "manifest_damaged", `${path} is not JSON`, "run the config again");
  }
  const held = hold(manifestSchema, value);
  if ("value" in held) return held.value;
  const message = `${path} does not have the form of a manifest: ${held.fault}`;
  fail("verification", "manifest_damaged", message, "run the config again");
}
