import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kindOf } from "../datasets/admission.js";
import type { Port, Row, SetStage, Stage, StageFile } from "../stages/stage.js";
import { canonicalJson } from "./base/canonical.js";
import { hold } from "./base/document.js";
import { fail, TaskmillError } from "./base/errors.js";
import { recordedEnvironment } from "./environment/open.js";
import { CASSETTE } from "./finish.js";
import type { Instance } from "./instance.js";
import type { Manifest } from "./manifest.js";
import { readManifest } from "./manifest-file.js";
import { recordedModels } from "./models/access.js";
import type { Registry } from "./registry.js";
import { summarise } from "./run.js";
import { openRunDir } from "./run-dir.js";
import { missingColumn } from "./task-columns.js";
import { readableTasks } from "./tasks.js";
import { attempted } from "./verify/attempted.js";
import { checkFiles } from "./verify/files.js";
import { CHECKS, type Check, type CheckResult, type Finding, type Verification } from "./verify/finding.js";
import { checkFunnel } from "./verify/funnel.js";
import { checkPools } from "./verify/pools.js";
import { type Bench, contextOf, firstDifference, rederive } from "./verify/rederive.js";
import { type Attended, attendedOf, letIn } from "./verify/set-input.js";
import { reloadSources } from "./verify/sources.js";

export type { Check, CheckResult, Finding, Verification } from "./verify/finding.js";

export interface VerifyOptions {
  readonly registry: Registry;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Verifies a dataset from what lies in its directory alone: recomputes every hash and sum, loads the sources again, makes every
 * task again from its program by every row stage (both evaluators included), runs the set stages over them, and writes the pools
 * once more to compare them byte by byte.
 * @throws TaskmillError (usage, verification) when there is no dataset or its manifest cannot be read.
 */
export async function verify(dir: string, options: VerifyOptions): Promise<Verification> {
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  const findings = [...(await checkFiles(path, manifest)), ...checkFunnel(manifest)];
  const looked: Partial<Record<Check, string>> = {
    files: `${manifest.files.length} files`,
    funnel: `${manifest.stages.length} stage instances`,
    sources: `${manifest.sources.length} sources`,
  };
  const sources = await reloadSources(path, manifest, options.registry.adapters);
  findings.push(...sources.findings);
  let rederived = 0;
  const signal = options.signal ?? new AbortController().signal;
  const models = await recordedOr(findings, () => recordedModels(path, manifest.config.resolved, signal));
  try {
    if (sources.reloaded !== undefined && models !== undefined) {
      const environment = await recordedEnvironment(manifest.config.resolved, {
        cards: [...sources.reloaded.catalog.tables.values()].map(({ card }) => card),
        catalog: sources.reloaded.catalog,
        cassette: models.cassette,
        signal,
      });
      const bench: Bench = {
        ...sources.reloaded,
        environment,
        instances: instancesOf(manifest, options.registry),
        seed: manifest.seed,
        signal,
        outDir: await mkdtemp(join(tmpdir(), "taskmill-verify-")),
        target: manifest.accepted,
        models,
      };
      try {
        const tasks = await verifyTasks(path, manifest, bench, options);
        findings.push(...tasks.findings);
        // Over rows that could not be read nothing sums up.
        if (tasks.rows.length === tasks.found) findings.push(...checkSummary(manifest, tasks.rows));
        rederived = tasks.rederived;
        looked.tasks = `${tasks.found} tasks`;
        findings.push(
          ...(await attempted("sets", "set stages", signal, async () =>
            verifySets(tasks.rows, bench, manifest, await attendedOf(path)),
          )),
        );
        looked.sets = "set stages";
        const pools = () => checkPools(path, manifest, tasks.rows, bench);
        findings.push(...(await attempted("pools", "pools", signal, pools)));
        looked.pools = `${manifest.pools.length} pool files`;
      } finally {
        await rm(bench.outDir, { recursive: true, force: true });
      }
    }
  } finally {
    await models?.close();
    sources.reloaded?.database.close();
  }
  return { findings, rederived, checks: CHECKS.map((check) => resultOf(check, findings, looked[check])) };
}

/** Recorded calls that cannot be read are a finding like any other; what needs them is not run. */
async function recordedOr<T>(findings: Finding[], open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    const found = error.problems.map(
      ({ code, message }): Finding => ({ check: "files", code, where: CASSETTE, message }),
    );
    findings.push(...found);
    return undefined;
  }
}

function resultOf(check: Check, findings: readonly Finding[], looked: string | undefined): CheckResult {
  if (looked === undefined)
    return { check, status: "not_run", looked_at: "the sources or the recorded calls could not be loaded" };
  return { check, status: findings.some((f) => f.check === check) ? "failed" : "passed", looked_at: looked };
}

/** The graph that the manifest describes. @throws TaskmillError (usage) for a stage kind that is not at hand. */
export function instancesOf(manifest: Manifest, registry: Registry): Instance[] {
  return manifest.stages
    .filter((s) => !s.id.startsWith("("))
    .map(({ id, stage: kind, version, params, from, files = {} }) => {
      const stage = registry.get(kind);
      const fault =
        stage === undefined
          ? `this installation has no stage \`${kind}\``
          : versionFault(kind, stage.version, version);
      if (stage === undefined || fault !== undefined) {
        throw new TaskmillError("usage", [
          {
            code: "stage_unavailable",
            message: fault!,
            hint: "verify with the version that made the dataset, and with its --plugin",
          },
        ]);
      }
      const parsed = paramsOf(stage, id, params);
      return { id, stage, params: parsed, from, files: new Map(Object.entries(files).map(absent)) };
    });
}

/** Files that a config names do not ship with a dataset: their hashes alone do. */
function absent([name, sha256]: [string, string]): [string, StageFile] {
  return [name, { path: undefined, sha256 }];
}

function paramsOf(stage: Stage, id: string, params: unknown): unknown {
  const held = hold(stage.params, params);
  if ("value" in held) return held.value;
  const message = `the params of ${id} in the manifest are not those of a stage \`${stage.kind}\`: ${held.fault}`;
  return fail("verification", "manifest_damaged", message, "run the config again");
}

function versionFault(kind: string, here: number, made: number): string | undefined {
  return here === made
    ? undefined
    : `the dataset was made by version ${made} of the stage \`${kind}\`, this is version ${here}`;
}

interface Tasks {
  readonly findings: Finding[];
  /** Those that can be worked on. */
  readonly rows: Row[];
  /** How many there are. */
  readonly found: number;
  readonly rederived: number;
}

async function verifyTasks(
  path: string,
  manifest: Manifest,
  bench: Bench,
  { onProgress, signal }: VerifyOptions,
): Promise<Tasks> {
  const findings: Finding[] = [];
  const rows: Row[] = [];
  const added = fieldsOfSets(bench.instances);
  const cards = new Map([...bench.catalog.tables].map(([id, { card }]) => [id, card]));
  const say = (code: string, where: string, message: string) =>
    findings.push({ check: "tasks", code, where, message });
  const sayAll = ({ problems }: TaskmillError) => {
    for (const { code, message } of problems) say(code, "tasks", message);
  };
  let [rederived, found] = [0, 0];
  try {
    for await (const row of readableTasks(path)) {
      signal?.throwIfAborted();
      found++;
      onProgress?.(found, manifest.accepted);
      const missing = row instanceof TaskmillError ? undefined : missingColumn(row, cards);
      if (row instanceof TaskmillError) sayAll(row);
      else if (missing !== undefined) say("column_missing", row.id, missing);
      else {
        const wrong = await attempted("tasks", row.id, bench.signal, () => rederive(row, bench, added));
        if (wrong.length === 0) rederived++;
        findings.push(...wrong);
        rows.push(row);
      }
    }
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    sayAll(error);
  }
  if (found !== manifest.accepted)
    say("rows_differ", "tasks", `the pool holds ${found} tasks, the manifest says ${manifest.accepted}`);
  return { findings, rows, found, rederived };
}

/** What the manifest sums up about the tasks. */
function checkSummary(manifest: Manifest, rows: readonly Row[]): Finding[] {
  const { gates, splits } = summarise(rows);
  const resolved = manifest.config.resolved as { readonly name?: unknown } | null;
  return (
    [
      ["gates", gates],
      ["splits", splits],
      ["name", resolved?.name ?? manifest.name],
    ] as const
  ).flatMap(([part, counted]): Finding[] => {
    const difference = firstDifference(counted, manifest[part], part);
    return difference === undefined
      ? []
      : [{ check: "funnel", code: `${part}_differ`, where: part, message: `in the manifest ${difference}` }];
  });
}

/** What set stages add to a row; judged by running them, not by the row stages. */
function fieldsOfSets(instances: readonly Instance[]): string[] {
  return instances.some((i) => i.stage.mode === "set" && i.stage.gives === "split") ? ["split", "group"] : [];
}

/** Whether rows of its kind come to a stage that takes such rows: problems do not pass what is about programs. */
function reaches(row: Row, takes: Port): boolean {
  return kindOf(row) === "table" ? takes !== "problem" : takes === "problem" || takes === "question";
}

/**
 * Runs the set stages over the rows that they let in: no accepted one may be turned away, and what they add must be what is
 * stored. A stage that splits came behind the gates, and has seen the accepted ones alone.
 */
async function verifySets(
  rows: readonly Row[],
  bench: Bench,
  manifest: Manifest,
  attended: Attended,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const accepted = new Set(rows.map((row) => row.id));
  for (const instance of bench.instances) {
    if (instance.stage.mode !== "set" || instance.stage.gives === "pools") continue;
    const { takes, gives } = instance.stage;
    const all = gives === "split" ? rows : letIn(instance, bench.instances, rows, attended, manifest);
    if (all === undefined) continue;
    const batch = await (instance.stage as SetStage).run(
      all.filter((row) => reaches(row, takes)),
      contextOf({ ...bench, target: all.length }, instance),
    );
    for (const { ref, reason } of batch.rejected) {
      if (!accepted.has(String(ref))) continue;
      findings.push({
        check: "sets",
        code: `rejected_${reason}`,
        where: String(ref),
        message: `${instance.id} would not let it in: ${instance.stage.reasons[reason] ?? reason}`,
      });
    }
    const again = new Map(batch.out.map((row) => [row.id, row]));
    for (const row of rows) {
      const other = again.get(row.id);
      for (const field of ["split", "group"]) {
        if (
          instance.stage.gives !== "split" ||
          other === undefined ||
          canonicalJson(other[field]) === canonicalJson(row[field])
        )
          continue;
        findings.push({
          check: "sets",
          code: `${field}_differs`,
          where: row.id,
          message: `${field} is ${String(row[field])}, ${instance.id} says ${String(other[field])}`,
        });
      }
    }
  }
  return findings;
}
