import { lstatSync, statSync } from "node:fs";
import { access, constants, mkdir, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type OpenOptions, openDatabase } from "../sources/duckdb.js";
import { fail } from "./base/errors.js";
import { foreign, isUnfinished, recover } from "./finish.js";
import { diskProblem } from "./fs.js";
import { RunStore } from "./store.js";

const STORE = "run.duckdb";

/** A run directory that this process alone writes to. */
export interface RunDir {
  /** Real path, links resolved. */
  readonly path: string;
  readonly store: RunStore;
}

/**
 * Makes or opens the directory of a run for writing, takes its lock and clears up after a killed run.
 * @throws TaskmillError (usage) when it is a file, holds something that is not ours, or may not be written to;
 *   (source, `store_held`) when another run is at work in it.
 */
export async function claimRunDir(dir: string, options: Omit<OpenOptions, "readOnly"> = {}): Promise<RunDir> {
  const path = await makeDirectory(dir);
  const strange = await foreign(path);
  if (strange !== undefined) {
    fail(
      "usage",
      "not_a_run_directory",
      `${dir} is neither empty nor a run directory: it holds ${JSON.stringify(strange)}`,
      "give an empty or new directory with --out; nothing there was touched",
    );
  }
  refuseOddStore(join(path, STORE));
  const store = await RunStore.open(join(path, STORE), {
    ...options,
    folders: [path, ...(options.folders ?? [])],
  });
  try {
    await recover(path);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { path, store };
}

/**
 * For verbs that read: completes a move into place that a kill cut short.
 * @throws TaskmillError (usage) when there is no run directory; (source, `store_held`) when a run is just now moving.
 */
export async function openRunDir(dir: string): Promise<string> {
  if (!isDirectory(dir)) {
    fail(
      "usage",
      "no_run_directory",
      `${dir} is not a directory`,
      "give a directory that `pipeline run` has written",
    );
  }
  const path = await realpath(dir);
  if (!isUnfinished(path)) return path;
  refuseOddStore(join(path, STORE));
  const lock = await openDatabase(join(path, STORE));
  try {
    await recover(path);
  } finally {
    lock.close();
  }
  return path;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A loop of links, a name too long or with a NUL in it.
    return false;
  }
}

async function makeDirectory(dir: string): Promise<string> {
  try {
    await makeFolders(resolve(dir));
    await access(dir, constants.W_OK | constants.X_OK);
    return await realpath(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR") {
      fail("usage", "out_is_a_file", `${dir} is a file, or lies below one`, "give a directory with --out");
    }
    const known = diskProblem(error, dir);
    if (known !== undefined || code === undefined) throw known ?? error;
    fail("usage", "bad_out", `${dir} cannot be made (${code})`, "give another directory with --out");
  }
}

/** Not `recursive`: where the file system takes no folder at all, as in /proc, node would try for ever. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (isDirectory(path)) return;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolders(dirname(path));
    await mkdir(path);
  }
}

/** DuckDB would write through a link to wherever it points, and wait for the other end of a FIFO. */
function refuseOddStore(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) {
    fail("usage", "store_is_a_link", `${path} is a symbolic link`, "remove the link");
  }
  if (found !== undefined && !found.isFile()) {
    fail("usage", "store_is_no_file", `${path} is not a regular file`, "remove it");
  }
}
