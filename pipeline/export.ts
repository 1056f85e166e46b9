import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { type Exporter, extension, type Facts } from "../datasets/exporters/exporter.js";
import { EXPORTERS } from "../datasets/exporters/index.js";
import { exportReadme } from "../datasets/exporters/readme.js";
import { splitFile } from "../datasets/layout.js";
import { rlPool, SPLITS, sftPool } from "../datasets/schema/index.js";
import { alone } from "./base/alone.js";
import { canonicalJson, sha256 } from "./base/canonical.js";
import { fail, suggest, TaskmillError } from "./base/errors.js";
import { copyListed, listedFile } from "./dataset-file.js";
import { type ExportManifest, exportManifestText, readExportManifest } from "./export/manifest.js";
import { type Written, writeFolder, writeRowsOf } from "./export/rows.js";
import { toolsOf } from "./export/tools.js";
import { describeTree } from "./files.js";
import { diskProblem } from "./fs.js";
import type { Manifest } from "./manifest.js";
import { readManifest } from "./manifest-file.js";
import { openRunDir } from "./run-dir.js";
import { VERSION } from "./version.js";

export interface ExportOptions {
  /** Name of the target. */
  readonly to: string;
  /** Where to; by default `exports/<dataset>/<target>` under the working directory. */
  readonly out?: string;
  /** Splits to export; all by default. */
  readonly splits?: readonly string[];
  /** Losses that are accepted by name. */
  readonly accept?: readonly string[];
  /** Chat templates to prove with, in place of the target's own list. */
  readonly templates?: readonly string[];
  readonly signal: AbortSignal;
}

export interface Exported {
  readonly out: string;
  readonly manifest: ExportManifest;
  /** Whether the very same export already stood there. */
  readonly unchanged: boolean;
}

/**
 * Writes a dataset in the form of one trainer. The export is written beside its place and renamed: it is there whole or not at all, and the
 * same dataset gives the same bytes.
 * @throws TaskmillError: (usage) for an unknown target, loss or template, an empty pool, a place that is somebody else's; (verification)
 *   for a pool that is not what the manifest says, a loss that nobody accepted, a row that fails a check.
 */
export async function exportDataset(dir: string, options: ExportOptions): Promise<Exported> {
  const exporter = EXPORTERS.find(({ name }) => name === options.to);
  if (exporter === undefined)
    fail(
      "usage",
      "unknown_target",
      `there is no target \`${options.to}\``,
      suggest(
        options.to,
        EXPORTERS.map((e) => e.name),
        "targets",
      ),
    );
  checkLosses(exporter, options);
  const from = await openRunDir(dir);
  const manifest = await readManifest(from);
  const out = resolve(options.out ?? join("exports", folderOf(manifest), exporter.name));
  await checkPlace(out, from);
  const beside = (what: string) => join(dirname(out), `.${basename(out)}.${what}`);
  const refuse = () =>
    fail(
      "usage",
      "exporting",
      `another process is exporting to ${out}`,
      "wait for it, or give another place with --out",
    );
  try {
    await mkdir(dirname(out), { recursive: true });
    return await alone(beside("busy"), refuse, async () => {
      const next = beside("next");
      try {
        // What a killed export left.
        await rm(next, { recursive: true, force: true });
        // Not recursive, which never ends where nothing can be made (`/proc`).
        await mkdir(next);
        const written = await write(next, from, manifest, exporter, options);
        return { out, ...(await put(next, out, written)) };
      } finally {
        await rm(next, { recursive: true, force: true }).catch(() => {});
      }
    });
  } catch (error) {
    throw placeProblem(error, out);
  }
}

/** What is wrong with a path as such is the caller's to mend. */
function placeProblem(error: unknown, out: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const known = diskProblem(error, out);
  const place = /^(?:ENOTDIR|ENAMETOOLONG|ELOOP)$/.test(code ?? "");
  const vain = code === "ENOENT" && path !== undefined && dirname(path) === dirname(out);
  if (known !== undefined || !(place || vain)) return known ?? error;
  const message = `nothing can be made at ${out.length > 200 ? `${out.slice(0, 200)}...` : out} (${code})`;
  return new TaskmillError("usage", [
    { code: "not_a_place", message, hint: "give another place with --out" },
  ]);
}

function checkLosses(exporter: Exporter, { accept = [], splits = [] }: ExportOptions): void {
  const known =
    exporter.pool === "sft" ? exporter.losses.filter(({ consent }) => consent).map(({ name }) => name) : [];
  const strange = accept.find((name) => !known.includes(name));
  if (strange !== undefined)
    fail(
      "usage",
      "unknown_loss",
      `${exporter.name} has no loss \`${strange}\` to accept`,
      suggest(strange, known, "losses"),
    );
  const split = splits.find((name) => !(SPLITS as readonly string[]).includes(name));
  if (split !== undefined)
    fail("usage", "unknown_split", `there is no split \`${split}\``, suggest(split, SPLITS, "splits"));
}

/** Only an export of ours is ever replaced, and none is put into a run directory, which refuses what is not its own. */
async function checkPlace(out: string, from: string): Promise<void> {
  const [place, run] = [await realPlace(out), await realpath(from)];
  if (place === run || place.startsWith(run + sep) || run.startsWith(place + sep))
    fail(
      "usage",
      "not_a_place",
      `${out} and the run directory hold one another`,
      "give a directory elsewhere with --out",
    );
  const found = await lstat(out).catch(() => undefined);
  if (found === undefined || (found.isDirectory() && (await readdir(out)).length === 0)) return;
  const standing = await readExportManifest(out);
  if (standing !== undefined) return checkOwn(out, standing);
  fail(
    "usage",
    "not_an_export",
    `${out} is there and is no export`,
    "give an empty place with --out; nothing there was touched",
  );
}

/** A manifest is as untrusted as the rest of a dataset: its name is no way out of the working directory. */
function folderOf({ name }: Manifest): string {
  if (/^[a-z][a-z0-9_-]*$/.test(name)) return name;
  return fail(
    "verification",
    "bad_name",
    `the manifest names the dataset ${JSON.stringify(name)}, which is no name for a folder`,
    "give a place with --out",
  );
}

/** Where a path leads, links followed; its last parts need not be there. */
async function realPlace(path: string): Promise<string> {
  for (let [at, rest] = [path, ""]; ; [at, rest] = [dirname(at), join(basename(at), rest)]) {
    const real = await realpath(at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw placeProblem(error, path);
    });
    if (real !== undefined) return join(real, rest);
  }
}

/** What somebody put into an export would go with it. */
async function checkOwn(out: string, { files }: ExportManifest): Promise<void> {
  const own = new Set(["export.json", ...files.map(({ file }) => file)]);
  const strange = (await describeTree(out)).find(({ file }) => !own.has(file));
  if (strange === undefined) return;
  fail(
    "usage",
    "not_an_export",
    `${out} holds ${strange.file}, which is not of the export there`,
    "move it away, or give another place with --out; nothing there was touched",
  );
}

async function write(
  next: string,
  from: string,
  manifest: Manifest,
  exporter: Exporter,
  options: ExportOptions,
): Promise<ExportManifest> {
  const rows = await rowsBySplit(from, manifest, exporter, options);
  const facts: Facts = {
    dataset: manifest.name,
    rows,
    file: (split) => (exporter.pool === "all" ? split : `${split}.${extension(exporter)}`),
    tools: exporter.pool === "all" ? [] : await toolsOf(from, manifest),
  };
  const written: Written =
    exporter.pool === "all"
      ? await writeFolder(next, from, manifest, exporter)
      : await writeRowsOf(next, from, exporter, facts, {
          accept: new Set(options.accept),
          templates: options.templates,
          signal: options.signal,
        });
  const blocks = exporter.pool !== "all" && (await copyBlockList(next, from, manifest));
  // The dataset's own card and manifest stay what they are; ours stand beside them under other names.
  const readme = exporter.pool === "all" ? "EXPORT.md" : "README.md";
  await writeFile(join(next, readme), exportReadme(exporter, { facts, ...written, blocks }));
  const result: ExportManifest = {
    export: 1,
    to: exporter.name,
    taskmill: VERSION,
    dataset: { name: manifest.name, manifest: sha256(canonicalJson(manifest)) },
    pool: exporter.pool,
    rows,
    losses: written.losses.map((loss) => ({ ...loss })),
    proof: written.proven?.map((proven) => ({ ...proven })) ?? null,
    files: await describeTree(next),
  };
  await writeFile(join(next, "export.json"), exportManifestText(result));
  return result;
}

/** Rows by split, for splits that have any. */
async function rowsBySplit(
  from: string,
  manifest: Manifest,
  exporter: Exporter,
  { splits = SPLITS }: ExportOptions,
): Promise<Record<string, number>> {
  if (exporter.pool === "all") return {};
  const pool = exporter.pool === "sft" ? sftPool : rlPool;
  const rows: Record<string, number> = {};
  for (const split of SPLITS.filter((name) => splits.includes(name))) {
    const entry = manifest.pools.find(({ file }) => file === splitFile(pool, split));
    if (entry === undefined || entry.rows === 0) continue;
    await listedFile(from, entry);
    rows[split] = entry.rows;
  }
  if (Object.keys(rows).length > 0) return rows;
  const why =
    exporter.pool === "sft"
      ? "no rollout was selected, or none was made"
      : "no row passed every gate; the card says which are in the way";
  fail(
    "usage",
    "nothing_to_export",
    `the ${pool.name} pool has no rows in ${splits.join(", ")}: ${why}`,
    "pipeline plan CONFIG shows which stages fill it",
  );
}

const BLOCK_LIST = "network_block.json";

/** The firewall's rules, for whoever trains with tools of their own. */
async function copyBlockList(next: string, from: string, { files }: Manifest): Promise<boolean> {
  const entry = files.find(({ file }) => file === BLOCK_LIST || file.endsWith(`/${BLOCK_LIST}`));
  if (entry === undefined) return false;
  await copyListed(from, entry, join(next, BLOCK_LIST));
  return true;
}

/** Renames the export into place, or leaves what stands there when it is the same. */
async function put(next: string, out: string, manifest: ExportManifest): Promise<Omit<Exported, "out">> {
  const standing = await readExportManifest(out);
  if (standing !== undefined && (await same(out, standing, manifest))) {
    return { manifest, unchanged: true };
  }
  const old = join(dirname(out), `.${basename(out)}.old`);
  await rm(old, { recursive: true, force: true });
  if (standing !== undefined) await rename(out, old);
  await rename(next, out);
  await rm(old, { recursive: true, force: true });
  return { manifest, unchanged: false };
}

async function same(out: string, standing: ExportManifest, manifest: ExportManifest): Promise<boolean> {
  if (canonicalJson(standing) !== canonicalJson(manifest)) return false;
  const found = (await describeTree(out)).filter(({ file }) => file !== "export.json");
  return canonicalJson(found) === canonicalJson(manifest.files);
}
