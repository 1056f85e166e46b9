import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { describeFile, describeTree, oddity, pathIn } from "../files.js";
import { ENTRIES } from "../finish.js";
import type { Manifest } from "../manifest.js";
import type { Finding } from "./finding.js";

/** Compares every file of the dataset with the manifest: changed, missing, added. */
export async function checkFiles(dir: string, manifest: Manifest): Promise<Finding[]> {
  const findings: Finding[] = [];
  const say = (code: string, where: string, message: string) =>
    findings.push({ check: "files", code, where, message });
  const listed = new Set(manifest.files.map((f) => f.file));
  for (const { file, sha256, bytes } of manifest.files) {
    const found = await describeFile(dir, file);
    if (found === undefined)
      say("file_missing", file, `the manifest lists it, but it ${await oddity(pathIn(dir, file))}`);
    else if (found.sha256 !== sha256) {
      const size = found.bytes === bytes ? "" : `, ${found.bytes} bytes for ${bytes}`;
      say("file_changed", file, `sha256 ${found.sha256} for ${sha256} in the manifest${size}`);
    }
  }
  for (const file of await datasetFiles(dir)) {
    if (!listed.has(file))
      say("file_added", file, "it lies in the dataset, but the manifest does not list it");
  }
  for (const pool of manifest.pools) {
    const entry = manifest.files.find((f) => f.file === pool.file);
    if (entry === undefined)
      say("pool_not_listed", pool.file, "the manifest describes the pool but not its file");
    else if (entry.sha256 !== pool.sha256 || entry.bytes !== pool.bytes) {
      say("pool_hash_differs", pool.file, "the manifest gives two hashes for it");
    }
  }
  return findings;
}

async function datasetFiles(dir: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of ENTRIES) {
    const found = await lstat(join(dir, entry)).catch(() => undefined);
    if (found?.isDirectory()) {
      files.push(...(await describeTree(join(dir, entry))).map((f) => `${entry}/${f.file}`));
    } else if (found !== undefined && entry !== "manifest.json") {
      files.push(entry);
    }
  }
  return files;
}
