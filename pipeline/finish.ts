import { existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "./base/errors.js";
import { diskProblem } from "./fs.js";

/** The model calls that the dataset is made of. */
export const CASSETTE = "cassette.ndjson";
/** What every gate said of every row that it saw. */
export const LEDGER = "ledger.parquet";
/** What solvers must not reach. */
export const NETWORK_BLOCK = "network_block.json";
/** All that a run puts into its directory; nothing else in there is ever touched. */
export const ENTRIES = [
  "pools",
  "sources",
  CASSETTE,
  LEDGER,
  NETWORK_BLOCK,
  "manifest.json",
  "report.json",
  "report.html",
  "README.md",
] as const;
export const NEXT = ".next";
/** Of the documents that agents search; private, may be deleted. */
export const INDEX = "index";
const OLD = ".old";
const JOURNAL = ".journal";
const JOURNAL_DRAFT = ".journal.tmp";
const STORE_FILES = ["run.duckdb", "run.duckdb.wal", "run.duckdb.tmp"];
/** Names that may stand in a run directory before its first dataset is complete. */
const OURS = new Set<string>([...ENTRIES, NEXT, OLD, JOURNAL, JOURNAL_DRAFT, ...STORE_FILES, "calls", INDEX]);

/** The file system as {@link finish} uses it; tests put one in its place that dies after each step. */
export interface FinishFs {
  /** Names in a directory; none if there is no such directory. */
  list(dir: string): Promise<string[]>;
  /** What stands under a name, links not followed. */
  kind(path: string): Promise<"file" | "directory" | "other" | "none">;
  makeDirectory(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or a whole directory; links are removed, not followed. */
  remove(path: string): Promise<void>;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Makes a file's bytes, or a directory's names, survive a power cut. */
  sync(path: string): Promise<void>;
}

export const nodeFs: FinishFs = {
  async list(dir) {
    const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    return names.sort();
  },
  async kind(path) {
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return "none";
    return found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
  },
  async makeDirectory(path) {
    await mkdir(path, { recursive: true });
  },
  rename,
  async remove(path) {
    await rm(path, { recursive: true, force: true });
  },
  async write(path, text) {
    await withFile(path, "w", (file) => file.writeFile(text));
  },
  read: (path) => readFile(path, "utf8"),
  sync: (path) => withFile(path, "r", (file) => file.sync()),
};

async function withFile(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

const journalSchema = z.strictObject({
  version: z.literal(1),
  /** Moved from `.next` into place. */
  put: z.array(z.enum(ENTRIES)),
  /** Entries of the dataset before that the new one has not. */
  drop: z.array(z.enum(ENTRIES)),
});

/**
 * Makes what stands in `<dir>/.next` the dataset. A kill at any moment leaves the old dataset, the new one, or a journal by
 * which {@link recover} completes the move: before the journal is there nothing old is touched, after it everything new is
 * safely on disk.
 */
export async function finish(dir: string, fs: FinishFs = nodeFs): Promise<void> {
  try {
    await syncTree(join(dir, NEXT), fs);
    const names = await fs.list(join(dir, NEXT));
    const put = ENTRIES.filter((entry) => names.includes(entry));
    const present = await fs.list(dir);
    const drop = ENTRIES.filter((entry) => present.includes(entry) && !names.includes(entry));
    await fs.remove(join(dir, OLD));
    await fs.write(join(dir, JOURNAL_DRAFT), JSON.stringify({ version: 1, put, drop }));
    await fs.sync(join(dir, JOURNAL_DRAFT));
    await fs.rename(join(dir, JOURNAL_DRAFT), join(dir, JOURNAL));
    await fs.sync(dir);
    await move(dir, put, drop, fs);
  } catch (error) {
    throw diskProblem(error, dir) ?? error;
  }
}

/** Every step may have been done before: the journal is replayed from its beginning after a kill. */
async function move(
  dir: string,
  put: readonly string[],
  drop: readonly string[],
  fs: FinishFs,
): Promise<void> {
  await fs.makeDirectory(join(dir, OLD));
  for (const entry of put) {
    if ((await fs.kind(join(dir, NEXT, entry))) === "none") continue;
    await putAside(dir, entry, fs);
    await fs.rename(join(dir, NEXT, entry), join(dir, entry));
  }
  for (const entry of drop) await putAside(dir, entry, fs);
  await fs.sync(dir);
  await fs.remove(join(dir, OLD));
  await fs.remove(join(dir, NEXT));
  await fs.remove(join(dir, JOURNAL));
  await fs.sync(dir);
}

async function putAside(dir: string, entry: string, fs: FinishFs): Promise<void> {
  if ((await fs.kind(join(dir, entry))) === "none") return;
  await fs.rename(join(dir, entry), join(dir, OLD, entry));
}

async function syncTree(path: string, fs: FinishFs): Promise<void> {
  if ((await fs.kind(path)) === "directory") {
    for (const name of await fs.list(path)) await syncTree(join(path, name), fs);
  }
  await fs.sync(path);
}

/** Whether a move into place was cut short here. */
export function isUnfinished(dir: string): boolean {
  return existsSync(join(dir, JOURNAL));
}

/**
 * Completes a move that a kill cut short, or throws away what no journal vouches for. Only for the process that holds the
 * run store: another one's half-written dataset looks the same. Readers call `openRunDir` in `run-dir.ts`.
 */
export async function recover(
  dir: string,
  fs: FinishFs = nodeFs,
): Promise<"completed" | "discarded" | "clean"> {
  try {
    if ((await fs.kind(join(dir, JOURNAL))) === "file") {
      const { put, drop } = await readJournal(join(dir, JOURNAL), fs);
      await move(dir, put, drop, fs);
      return "completed";
    }
    const left = (await fs.list(dir)).filter((name) => [NEXT, OLD, JOURNAL_DRAFT].includes(name));
    for (const name of left) await fs.remove(join(dir, name));
    return left.length > 0 ? "discarded" : "clean";
  } catch (error) {
    throw diskProblem(error, dir) ?? error;
  }
}

async function readJournal(path: string, fs: FinishFs): Promise<z.infer<typeof journalSchema>> {
  const text = await fs.read(path);
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch {
    fail(
      "source",
      "journal_damaged",
      `${path} is damaged`,
      "the dataset may be half moved: run it again with another --out",
    );
  }
}

/** Why a directory is not one that a run may write to, or undefined if it is. */
export async function foreign(dir: string, fs: FinishFs = nodeFs): Promise<string | undefined> {
  const names = await fs.list(dir);
  if (names.length === 0 || (await hasManifest(dir, fs))) return undefined;
  const strange = names.find((name) => !OURS.has(name));
  if (strange !== undefined) return strange;
  return names.some((name) => STORE_FILES.includes(name) || name === JOURNAL) ? undefined : names[0];
}

async function hasManifest(dir: string, fs: FinishFs): Promise<boolean> {
  if ((await fs.kind(join(dir, "manifest.json"))) !== "file") return false;
  try {
    const manifest: unknown = JSON.parse(await fs.read(join(dir, "manifest.json")));
    return typeof manifest === "object" && manifest !== null && "taskmill" in manifest;
  } catch {
    return false;
  }
}
