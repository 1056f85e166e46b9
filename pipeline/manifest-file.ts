import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "./base/errors.js";
import { type Manifest, manifestSchema } from "./manifest.js";

/**
 * Reads `manifest.json` of a run directory.
 * @throws TaskmillError (verification) when it is missing, no JSON or not in the form of {@link manifestSchema}.
 */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, "manifest.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) {
    fail(
      "verification",
      "no_manifest",
      `${dir} has no manifest.json`,
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
