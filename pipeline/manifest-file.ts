import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "./base/errors.js";
import { type Manifest, manifestSchema } from "./manifest.js";

/** A manifest of a million files has a quarter of this. */
const MAX_BYTES = 512 * 2 ** 20;

/** Undefined for what is no plain file: a FIFO would be waited for, a device never ends, a link may lead anywhere. */
async function plainText(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_BYTES) return undefined;
  return readFile(path, "utf8").catch(() => undefined);
}

/**
 * Reads `manifest.json` of a run directory.
 * @throws TaskmillError (verification) when it is missing, no JSON or not in the form of {@link manifestSchema}.
 */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, "manifest.json");
  const text = await plainText(path);
  if (text === undefined) {
    fail(
      "verification",
      "no_manifest",
      `${dir} has no manifest.json that can be read`,
      "run the config first: `pipeline run CONFIG`",
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail("verification", "manifest_damaged", `${path} is not JSON`, "run the config again");
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const wrong = z.prettifyError(parsed.error).split("\n").slice(0, 2).join(" ");
  fail(
    "verification",
    "manifest_damaged",
    `${path} does not have the form of a manifest: ${wrong}`,
    "run the config again",
  );
}
