import { poolFile } from "../datasets/layout.js";
import { problemsPool, sftPool, tasksPool, trajectoriesPool } from "../datasets/schema/index.js";
import { type Audit, auditDataset } from "./audit/audit.js";
import { type Bounds, boundsSchema } from "./audit/bounds.js";
import { readDataset } from "./audit/dataset.js";
import type { AuditFinding } from "./audit/finding.js";
import { fail } from "./base/errors.js";
import { describeFile } from "./files.js";
import { CASSETTE, LEDGER } from "./finish.js";
import type { Manifest } from "./manifest.js";
import { readManifest } from "./manifest-file.js";
import { recordedModels } from "./models/access.js";
import type { Registry } from "./registry.js";
import { openRunDir } from "./run-dir.js";
import { reloadSources } from "./verify/sources.js";

export type { Audit } from "./audit/audit.js";
export type { BoundResult, Bounds } from "./audit/bounds.js";
export type { AuditFinding } from "./audit/finding.js";
export type { Shortcut, ShortcutId } from "./audit/shortcut.js";

export interface AuditOptions {
  readonly registry: Registry;
  /** In place of those in the dataset's config. */
  readonly bounds?: Bounds;
  readonly signal?: AbortSignal;
}

/**
 * Tests a dataset for shortcuts, from what lies in its directory alone: every recorded reply is graded again, every question searched
 * again, every reading run again. What its evidence says and its own files contradict is a finding.
 * @throws TaskmillError (usage, verification, source) where there is no dataset, or its sources cannot be loaded
 */
export async function audit(dir: string, options: AuditOptions): Promise<Audit> {
  const { registry, signal = new AbortController().signal } = options;
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  const bounds = options.bounds ?? boundsIn(manifest.config.resolved);
  const { reloaded, findings } = await reloadSources(path, manifest, registry.adapters);
  if (reloaded === undefined) {
    const why = findings.map(({ message }) => message).join("; ");
    fail(
      "verification",
      "sources_not_loaded",
      `the dataset's own sources cannot be loaded: ${why}`,
      "run `pipeline verify` on it",
    );
  }
  const models = await recordedModels(path, manifest.config.resolved, signal);
  try {
    const dataset = await readDataset(path, manifest, reloaded.catalog);
    const sources = findings.map(({ code, where, message }) => ({ code, where, message }));
    const changed = [...sources, ...(await changedFiles(path, manifest))];
    const stages = { registry, database: reloaded.database, signal, models };
    return await auditDataset({ ...dataset, findings: [...changed, ...dataset.findings] }, stages, bounds, {
      rerun: true,
    });
  } finally {
    await models.close();
    reloaded.database.close();
  }
}

/** Files that an audit rests on beside the sources. */
const READ = [
  ...[tasksPool, problemsPool, sftPool, trajectoriesPool].map((pool) => poolFile(pool)),
  LEDGER,
  CASSETTE,
];

/** Which of them are not as the run wrote them: a recorded reply has no hash of its own. */
async function changedFiles(dir: string, { files }: Manifest): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  for (const file of READ) {
    const listed = files.find((f) => f.file === file)?.sha256;
    const found = (await describeFile(dir, file))?.sha256;
    if (listed === found) continue;
    const message = `it has sha256 ${found ?? "(none)"}, the manifest says ${listed ?? "(none)"}`;
    findings.push({ code: "file_changed", where: file, message });
  }
  return findings;
}

/** The bounds of a config as a manifest keeps it; undefined where it sets none. */
export function boundsIn(resolved: unknown): Bounds | undefined {
  const given = (resolved as { readonly bounds?: unknown } | null)?.bounds;
  if (given === undefined || given === null) return undefined;
  const parsed = boundsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  return fail(
    "verification",
    "manifest_damaged",
    "the bounds in the manifest are not those of a config",
    "run the config again",
  );
}
