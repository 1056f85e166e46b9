import { join } from "node:path";
import { poolFile } from "../../datasets/layout.js";
import { problemsPool, rlPool, sftPool, tasksPool, trajectoriesPool } from "../../datasets/schema/index.js";
import { fail } from "../base/errors.js";
import { copyListed, listedFile } from "../dataset-file.js";
import { oddity, pathIn } from "../files.js";
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
export const FILE_NAMES = Object.keys(READ) as FileName[];

/** Where a dataset has a file, for messages. */
export function fileIn(dir: string, name: FileName): string {
  return pathIn(dir, READ[name]);
}

/** Where the comparison has its copy. */
export function copyOf(scratch: string, side: Side["name"], name: FileName): string {
  return join(scratch, `${side}-${name}.parquet`);
}

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
  for (const key of FILE_NAMES) {
    const copy = await taken(path, READ[key], manifest, copyOf(scratch, name, key));
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
    for (const listed of [card, snapshot]) await listedFile(dir, listed);
}

async function taken(
  dir: string,
  file: string,
  manifest: Manifest,
  copy: string,
): Promise<string | undefined> {
  const listed = manifest.files.find((f) => f.file === file);
  if (listed !== undefined) {
    await copyListed(dir, listed, copy);
    return copy;
  }
  const path = pathIn(dir, file);
  if ((await oddity(path)) !== undefined) return undefined;
  const message = `${path} is there, though manifest.json does not list it`;
  return fail("verification", "file_changed", message, "`pipeline verify` says what else is wrong");
}
