import { copyFile, lstat } from "node:fs/promises";
import { join } from "node:path";
import { poolFile } from "../../datasets/layout.js";
import { problemsPool, rlPool, sftPool, tasksPool, trajectoriesPool } from "../../datasets/schema/index.js";
import { fileSha256 } from "../../sources/snapshot.js";
import { fail } from "../base/errors.js";
import { describeFile } from "../files.js";
import { LEDGER } from "../finish.js";
import type { Manifest } from "../manifest.js";
import { readManifest } from "../manifest-file.js";
import { openRunDir } from "../run-dir.js";

/** Files that a comparison reads, by the name that it gives them. */
const READ = {
  tasks: poolFile(tasksPool),
  problems: poolFile(problemsPool),
  rl: poolFile(rlPool),
  sft: poolFile(sftPool),
  trajectories: poolFile(trajectoriesPool),
  ledger: LEDGER,
} as const;
export type FileName = keyof typeof READ;

/** One of the two datasets that are compared. */
export interface Side {
  readonly name: "a" | "b";
  /** As the user gave it. */
  readonly dir: string;
  /** Real path. */
  readonly path: string;
  readonly manifest: Manifest;
  /** Copies of its files in a folder of the comparison's own. */
  readonly files: ReadonlyMap<FileName, string>;
}

/**
 * Opens a dataset for comparison: every file that is read is copied into `scratch` and must be the one that the manifest lists. What
 * was changed by hand would be given causes that it does not have.
 * @throws TaskmillError (usage, verification) when there is no dataset, or its files are not as the run wrote them
 */
export async function openSide(name: Side["name"], dir: string, scratch: string): Promise<Side> {
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  const files = new Map<FileName, string>();
  for (const [key, file] of Object.entries(READ) as [FileName, string][]) {
    const copy = await taken(path, file, manifest, join(scratch, `${name}-${key}.parquet`));
    if (copy !== undefined) files.set(key, copy);
  }
  if (!files.has("tasks"))
    fail("verification", "pool_missing", `${dir} has no ${READ.tasks}`, "run its config again");
  await checkSources(path, manifest);
  return { name, dir, path, manifest, files };
}

/** A cell that somebody changed would be taken for a change of the source. */
async function checkSources(dir: string, { sources }: Manifest): Promise<void> {
  for (const { card, snapshot } of sources)
    for (const { file, sha256 } of [card, snapshot]) {
      const found = (await describeFile(dir, file))?.sha256;
      if (found === sha256) continue;
      const how = found === undefined ? "is missing" : "is not the file that the manifest lists";
      fail(
        "verification",
        "dataset_changed",
        `${join(dir, file)} ${how}`,
        "`pipeline verify` says what else is wrong",
      );
    }
}

async function taken(
  dir: string,
  file: string,
  manifest: Manifest,
  copy: string,
): Promise<string | undefined> {
  const path = join(dir, ...file.split("/"));
  const listed = manifest.files.find((f) => f.file === file);
  const there = (await lstat(path).catch(() => undefined))?.isFile() === true;
  if (listed === undefined && !there) return undefined;
  const wrong = (how: string) =>
    fail("verification", "dataset_changed", `${path} ${how}`, "`pipeline verify` says what else is wrong");
  if (!there) wrong("is missing, though the manifest lists it");
  if (listed === undefined) wrong("is there, though the manifest does not list it");
  await copyFile(path, copy);
  if ((await fileSha256(copy)) !== listed!.sha256) wrong("is not the file that the manifest lists");
  return copy;
}
