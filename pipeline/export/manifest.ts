import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { canonicalJson } from "../base/canonical.js";

/** `export.json`: what an export was made of, what it lost, how it was checked, and what each file hashes to. */
const schema = z.strictObject({
  export: z.literal(1),
  to: z.string(),
  taskmill: z.string(),
  /** SHA-256 of the canonical JSON of the dataset's manifest. */
  dataset: z.strictObject({ name: z.string(), manifest: z.string() }),
  pool: z.enum(["sft", "rl", "all"]),
  rows: z.record(z.string(), z.number()),
  losses: z.array(
    z.strictObject({ name: z.string(), how: z.string(), rows: z.number(), accepted: z.boolean() }),
  ),
  /** Null where no template sees the rows. */
  proof: z.array(z.strictObject({ template: z.string(), rows: z.number(), left_out: z.number() })).nullable(),
  files: z.array(z.strictObject({ file: z.string(), sha256: z.string(), bytes: z.number() })),
});
export type ExportManifest = z.infer<typeof schema>;

export function exportManifestText(manifest: ExportManifest): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`;
}

/** The manifest of the export in a directory; undefined where there is none, so that nothing else is taken for one. */
export async function readExportManifest(dir: string): Promise<ExportManifest | undefined> {
  const path = join(dir, "export.json");
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  try {
    return schema.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}
