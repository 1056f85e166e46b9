import { constants } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { completeGates, kindOf } from "../datasets/admission.js";
import type { OwnAdapters } from "../sources/adapters/adapter.js";
import type { Card } from "../sources/card.js";
import type { FoundCard } from "../sources/cards.js";
import { loadCatalog } from "../sources/catalog.js";
import { loadSource } from "../sources/load.js";
import { fileSha256 } from "../sources/snapshot.js";
import type { Catalog, IngestReport } from "../sources/table.js";
import type { Environment } from "../stages/environment.js";
import type { RejectedItem, Row } from "../stages/stage.js";
import { canonicalJson, type Json } from "./base/canonical.js";
import { type Problem, TaskmillError } from "./base/errors.js";
import { addCounts, tally } from "./checks.js";
import type { FoundEnvironment } from "./environment/find-corpora.js";
import { type OpenEnvironment, openEnvironment } from "./environment/open.js";
import type { Counts, Listener } from "./events.js";
import { type Executor, localExecutor, stopIfAborted } from "./executor.js";
import type { Facts } from "./facts.js";
import { describeFile, describeTree } from "./files.js";
import { CASSETTE, finish, INDEX, NEXT, recover } from "./finish.js";
import { diskProblem } from "./fs.js";
import { filesOf, type Instance, rolesOf } from "./instance.js";
import { type Draft, MANIFEST_VERSION, type Manifest, type ManifestFile, manifestText } from "./manifest.js";
import { readManifest } from "./manifest-file.js";
import { type OpenModels, openModels } from "./models/access.js";
import type { Mode } from "./models/call.js";
import type { Role } from "./models/role.js";
import type { BudgetSpec } from "./models/spec.js";
import { CUT, type Done, type GraphRun, runGraph, type Target } from "./rounds.js";
import { claimRunDir, type RunDir } from "./run-dir.js";
import { type Overfull, overfullOf, shortfallOf } from "./shortfall.js";
import { shortPath } from "./sources.js";
import type { RunStore } from "./store.js";
import { VERSION } from "./version.js";

/** A config as a run needs it: validated, defaults filled in. */
export interface RunConfig {
  readonly name: string;
  readonly seed: string;
  /** SHA-256 of the config's text. */
  readonly sha256: string;
  /** The whole config with its defaults, paths as the config spells them. */
  readonly resolved: Json;
  readonly target?: Target;
  readonly sources: readonly FoundCard[];
  readonly roles?: ReadonlyMap<string, Role>;
  readonly budget?: BudgetSpec;
  readonly environment?: FoundEnvironment | undefined;
}

/** Of DuckDB: what does not fit goes to disk. */
const MEMORY = "1GB";

/** Writes one or more files of the dataset into `dir` from what the run found. */
export type DatasetWriter = (dir: string, facts: Facts) => Promise<void>;

export interface RunOptions {
  readonly outDir: string;
  /** At most so many accepted rows. */
  readonly limit?: number;
  /** Threads of the database and rows at work at the same time; the result is the same for any number. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: Listener;
  readonly executor?: Executor;
  /** Whether recorded calls serve, and whether others may be made. */
  readonly mode?: Mode;
  /** A cassette to replay from, beside the calls recorded in the run directory and in the dataset there. */
  readonly cassette?: string;
  /** Source adapters of the user's own. */
  readonly adapters?: OwnAdapters;
  /** Report and dataset card; called in order, after the pools are written. */
  readonly writers: readonly DatasetWriter[];
}

export interface RunResult {
  readonly outDir: string;
  readonly manifest: Manifest;
  /** Calls of stages that were worked on, and that came from the run store. */
  readonly worked: number;
  readonly cached: number;
  /** The dataset in place was this very one already, and was left as it was. */
  readonly unchanged: boolean;
}

/** The dataset is complete and in place, but holds fewer rows than its target asks for. */
export class TargetMissed extends TaskmillError {
  constructor(
    problem: Problem,
    readonly result: RunResult,
  ) {
    super("target", [problem]);
  }
}

/**
 * Makes the dataset of a config in `outDir`: loads sources, runs the graph, writes everything beside the dataset that is there
 * and puts it in place at the end. What was finished before is taken from the run store.
 * @throws TaskmillError: `usage` for a directory that is not ours, `source` for data, disk or lock, `interrupted` on abort,
 *   `internal` for a stage that breaks its contract; {@link TargetMissed} after a complete run that fell short.
 */
export async function runPipeline(
  config: RunConfig,
  graph: readonly Instance[],
  options: RunOptions,
): Promise<RunResult> {
  const threads = options.threads ?? availableParallelism();
  const folders = config.sources.map((s) => dirname(s.snapshot));
  const dir = await claimRunDir(options.outDir, { threads, folders, memoryLimit: MEMORY });
  let made: Made;
  let models: OpenModels | undefined;
  try {
    await refuseUnscreening(dir.path, config.roles ?? new Map());
    models = await openModels(dir.path, {
      roles: config.roles ?? new Map(),
      budget: config.budget,
      mode: options.mode ?? "auto",
      cassette: options.cassette,
      signal: options.signal ?? new AbortController().signal,
      onEvent: options.onEvent ?? (() => {}),
    });
    made = await new Run(config, graph, { ...options, threads }, dir, models).go();
  } catch (error) {
    // Frees the disk at once; what cannot be cleared up now is when the directory is next opened.
    await recover(dir.path).catch(() => {});
    throw diskProblem(error, dir.path) ?? error;
  } finally {
    await models?.close();
    await dir.store.close();
  }
  const asking = new Set(graph.filter((i) => rolesOf(i).length > 0).map((i) => i.id));
  const { result, run, overfull } = made;
  const shortfall = shortfallOf(result.manifest, run, asking, overfull);
  if (shortfall !== undefined) throw new TargetMissed(shortfall, result);
  return result;
}

const asked = z.object({ models: z.record(z.string(), z.object({ model: z.string() })) });

/** A dataset that models have screened is not replaced by one that none has, only because a variable was not set this time. */
async function refuseUnscreening(dir: string, roles: ReadonlyMap<string, Role>): Promise<void> {
  const before = await readManifest(dir).catch(() => undefined);
  const models = asked.safeParse(before?.config.resolved).data?.models ?? {};
  const lost = Object.keys(models).filter(
    (name) => models[name]!.model !== "" && roles.get(name)?.off === true,
  );
  if (lost.length === 0) return;
  throw new TaskmillError("usage", [
    {
      code: "models_off",
      message: `the dataset in ${dir} was made with a model for ${lost.join(", ")}, and now ${lost.length === 1 ? "that role is" : "these roles are"} off`,
      hint: "set the variables that the config names, add --replay, or give another directory with --out; nothing was touched",
    },
  ]);
}

interface Made {
  readonly result: RunResult;
  readonly run: GraphRun;
  readonly overfull: readonly Overfull[];
}

/** One run of a config in a directory that it holds. */
class Run {
  readonly #next: string;
  readonly #signal: AbortSignal;
  readonly #onEvent: Listener;
  readonly #cards: ReadonlyMap<string, Card>;

  constructor(
    private readonly config: RunConfig,
    private readonly graph: readonly Instance[],
    private readonly options: RunOptions & { threads: number },
    private readonly dir: RunDir,
    private readonly models: OpenModels,
  ) {
    this.#next = join(dir.path, NEXT);
    this.#signal = options.signal ?? new AbortController().signal;
    this.#onEvent = options.onEvent ?? (() => {});
    this.#cards = new Map(config.sources.map(({ card }) => [card.id, card]));
  }

  async go(): Promise<Made> {
    const { store, path } = this.dir;
    this.#onEvent({
      type: "run",
      name: this.config.name,
      outDir: path,
      instances: this.graph.map((i) => i.id),
    });
    await mkdir(this.#next);
    const ingest = await this.#ingest();
    const catalog = await loadCatalog(store.database, [...this.#cards.keys()]);
    const environment = await openEnvironment({
      environment: this.config.environment,
      cards: [...this.#cards.values()],
      catalog,
      cassette: this.models.cassette,
      mode: this.options.mode ?? "auto",
      signal: this.#signal,
      cache: join(path, INDEX),
    });
    try {
      return await this.#make(catalog, ingest, environment);
    } finally {
      await environment.close();
    }
  }

  async #make(
    catalog: Catalog,
    ingest: readonly IngestReport[],
    environment: OpenEnvironment,
  ): Promise<Made> {
    const { store, path } = this.dir;
    const run = await this.#runGraph(catalog, environment);
    const draft = await this.#draft(run, catalog, ingest);
    const kept = await this.#keptManifest(draft);
    const manifest = kept ?? (await this.#write(draft, run, ingest, { catalog, environment }));
    if (kept === undefined) await this.#finish(manifest);
    else await rm(this.#next, { recursive: true });
    await store.prune();
    const { worked, cached, accepted } = run;
    const unchanged = kept !== undefined;
    this.#onEvent({ type: "end", accepted, worked, cached, unchanged });
    const overfull = manifest.reached ? [] : await this.#overfull(run);
    return { result: { outDir: path, manifest, worked, cached, unchanged }, run, overfull };
  }

  /** What the shares of the first `balance` turned away. */
  async #overfull(run: GraphRun): Promise<readonly Overfull[]> {
    const balance = run.done.find(({ kind }) => kind === "balance");
    return balance === undefined ? [] : overfullOf(balance.id, rejectionsOf(this.dir.store, balance.results));
  }

  async #finish(manifest: Manifest): Promise<void> {
    await finish(this.dir.path);
    const files = manifest.files.map((f) => f.file).filter((file) => !file.startsWith("sources/"));
    for (const file of [...files, "manifest.json"]) this.#onEvent({ type: "write", file });
  }

  async #ingest(): Promise<IngestReport[]> {
    const reports: IngestReport[] = [];
    for (const { card, snapshot } of this.config.sources) {
      stopIfAborted(this.#signal);
      const report = await loadSource(card, snapshot, this.dir.store.database, {
        signal: this.#signal,
        adapters: this.options.adapters,
      });
      this.#onEvent({ type: "ingest", source: card.id, rows: report.loaded, report });
      reports.push(report);
    }
    return reports;
  }

  #runGraph(catalog: Catalog, environment: Environment): Promise<GraphRun> {
    const { options, config } = this;
    return runGraph(this.graph, {
      store: this.dir.store,
      executor: options.executor ?? localExecutor,
      concurrency: options.threads,
      seed: config.seed,
      catalog,
      salt: VERSION,
      outDir: this.#next,
      signal: this.#signal,
      onEvent: this.#onEvent,
      target: config.target,
      limit: options.limit,
      models: this.models,
      environment,
      reuse: (rows) => this.#reuse(rows),
    });
  }

  /** Pools of the dataset in place serve again, if they are as `emit` left them. */
  async #reuse(rows: readonly Row[]): Promise<boolean> {
    const pools = rows.map((row) => poolOf(row));
    for (const { file, sha256, bytes } of pools) {
      const found = await describeFile(this.dir.path, file);
      if (found?.sha256 !== sha256 || found.bytes !== bytes) return false;
    }
    for (const { file } of pools) await copyInto(join(this.dir.path, file), join(this.#next, file));
    return true;
  }

  async #draft(run: GraphRun, catalog: Catalog, ingest: readonly IngestReport[]): Promise<Draft> {
    const { config, options } = this;
    const { gates, splits } = await this.#summary(run);
    return {
      manifest: MANIFEST_VERSION,
      taskmill: VERSION,
      name: config.name,
      seed: config.seed,
      config: { sha256: config.sha256, resolved: config.resolved },
      target: {
        accepted: config.target?.accepted ?? null,
        candidates: config.target?.candidates ?? null,
        limit: options.limit ?? null,
      },
      reached: run.target === undefined || run.accepted >= run.target.accepted,
      candidates: run.candidates,
      blocks: run.blocks,
      accepted: run.accepted,
      sources: await this.#sources(catalog, ingest),
      stages: this.#funnel(run.done, ingest),
      gates,
      splits,
      pools: (await run.pools()).map(poolOf),
    };
  }

  async #sources(catalog: Catalog, ingest: readonly IngestReport[]): Promise<Draft["sources"]> {
    return Promise.all(
      this.config.sources.map(async ({ card, file }, i) => {
        const report = ingest[i]!;
        const cardFile = await describeFile(dirname(file), basename(file));
        const table = catalog.tables.get(card.id)!;
        return {
          id: card.id,
          card: { file: `sources/${card.id}/card.yaml`, sha256: cardFile!.sha256 },
          snapshot: { file: `sources/${card.id}/${card.snapshot.file}`, sha256: card.snapshot.sha256 },
          table: table.hash,
          rows: table.rows,
          records: report.records,
          loaded: report.loaded,
          rejected: report.rejected as Record<string, number>,
          cells: report.cells as Record<string, Record<string, number>>,
        };
      }),
    );
  }

  #funnel(done: readonly Done[], ingest: readonly IngestReport[]): Draft["stages"] {
    const ingested = addCounts(ingest.map(countsOfIngest));
    const tables = this.graph
      .filter((i) => i.stage.gives === "tables")
      .map((i) => ({
        id: i.id,
        kind: i.stage.kind,
        version: i.stage.version,
        counts: ingested,
        results: [],
      }));
    const byId = new Map(this.graph.map((i) => [i.id, i]));
    return [...tables, ...done].map(({ id, kind, version, counts }) => ({
      id,
      stage: kind,
      version,
      params: (byId.get(id)?.params ?? {}) as Json,
      ...hashesOf(byId.get(id)),
      from: [...(byId.get(id)?.from ?? [])],
      in: counts.in,
      created: counts.created,
      out: counts.out,
      rejected: counts.rejected,
    }));
  }

  /** Gates and splits need every row; they are noted under what the rows depend on, so that an idle run reads none. */
  async #summary(run: GraphRun): Promise<Pick<Draft, "gates" | "splits">> {
    const { store } = this.dir;
    const noted = await store.note(run.key);
    if (noted !== undefined) return JSON.parse(noted) as Pick<Draft, "gates" | "splits">;
    const summary = summarise(await run.rows());
    await store.setNote(run.key, canonicalJson(summary));
    return summary;
  }

  /** The manifest in place, if it says the same and every file of it is whole. */
  async #keptManifest(draft: Draft): Promise<Manifest | undefined> {
    const kept = await readManifest(this.dir.path).catch(() => undefined);
    if (kept === undefined) return undefined;
    const { files, ...rest } = kept;
    if (canonicalJson(rest) !== canonicalJson(draft)) return undefined;
    for (const { file, sha256 } of files) {
      if ((await describeFile(this.dir.path, file))?.sha256 !== sha256) return undefined;
    }
    return kept;
  }

  async #write(
    draft: Draft,
    run: GraphRun,
    ingest: readonly IngestReport[],
    { catalog, environment }: { readonly catalog: Catalog; readonly environment: Environment },
  ): Promise<Manifest> {
    for (const { card, file, snapshot } of this.config.sources) {
      const folder = join(this.#next, "sources", card.id);
      await copyInto(file, join(folder, "card.yaml"));
      const copy = join(folder, card.snapshot.file);
      await copyInto(snapshot, copy);
      await refuseChanged(card, snapshot, copy);
    }
    await this.models.ship(join(this.#next, CASSETTE), environment.identity);
    const tables = { catalog, database: this.dir.store.database };
    const facts = { ...this.#facts(draft, run, ingest), tables };
    for (const writer of this.options.writers) {
      stopIfAborted(this.#signal);
      await writer(this.#next, facts);
    }
    const files: ManifestFile[] = await describeTree(this.#next);
    const manifest = { ...draft, files };
    await writeFile(join(this.#next, "manifest.json"), manifestText(manifest));
    stopIfAborted(this.#signal);
    return manifest;
  }

  #facts(draft: Draft, run: GraphRun, ingest: readonly IngestReport[]): Facts {
    const { store } = this.dir;
    const results = new Map(run.done.map((d) => [d.id, d.results]));
    const cut = [
      CUT,
      { over_target: "the run had accepted as many rows as its target or limit asks for" },
    ] as const;
    return {
      manifest: draft,
      cards: this.#cards,
      ingest,
      reasons: new Map([...this.graph.map((i) => [i.id, i.stage.reasons] as const), cut]),
      rejections: (instance) => rejectionsOf(store, results.get(instance) ?? []),
      rows: () => run.rows(),
      gates: this.graph.flatMap(({ id, stage }) =>
        stage.gate === undefined ? [] : [{ id, gate: stage.gate }],
      ),
      asking: this.graph
        .map((i) => ({ id: i.id, roles: rolesOf(i) }))
        .filter(({ roles }) => roles.length > 0),
      passed: (instance) => run.passed(instance),
    };
  }
}

async function* rejectionsOf(store: RunStore, results: readonly number[]): AsyncGenerator<RejectedItem> {
  for (const id of results) {
    for await (const line of store.rejections(id)) yield JSON.parse(line) as RejectedItem;
  }
}

/** Hashes of the files that an instance's params name. */
function hashesOf(instance: Instance | undefined): { files?: Record<string, string> } {
  const files = instance === undefined ? [] : [...filesOf(instance)];
  if (files.length === 0) return {};
  return { files: Object.fromEntries(files.map(([name, { sha256 }]) => [name, sha256])) };
}

const poolSchema = z.object({
  pool: z.string(),
  file: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  rows: z.number(),
  kept_out: z.record(z.string(), z.number()).default({}),
});

/** What the manifest keeps of a row of `emit`. */
function poolOf(row: Row): Draft["pools"][number] {
  const { kept_out, ...file } = poolSchema.parse(row);
  return Object.keys(kept_out).length > 0 ? { ...file, kept_out } : file;
}

/** The file may have been written to since it was loaded: a dataset must hold the bytes that its rows were made from. */
async function refuseChanged(card: Card, snapshot: string, copy: string): Promise<void> {
  if ((await fileSha256(copy)) === card.snapshot.sha256) return;
  throw new TaskmillError("source", [
    {
      code: "snapshot_changed",
      message: `the snapshot of ${card.id} was changed while the run was at work`,
      hint: "restore the file and run the same command: finished work is kept, and the dataset in place is untouched",
      location: { file: shortPath(snapshot) },
    },
  ]);
}

async function copyInto(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}

function countsOfIngest(report: IngestReport): Counts {
  const rejected = report.rejected as Record<string, number>;
  return { in: 0, created: report.records, out: report.loaded, rejected };
}

const gate = z.object({ gate: z.string(), status: z.enum(["passed", "failed", "not_run"]), why: z.string() });
const gated = z.object({ gates: z.array(gate) });

/** Counts of gates by status, and of splits. A gate that a row has not met did not run for it. */
export function summarise(rows: readonly Row[]): Pick<Draft, "gates" | "splits"> {
  const gates: Record<string, { passed: number; failed: number; not_run: number }> = {};
  for (const row of rows) {
    const found = gated.safeParse(row);
    for (const { gate, status } of found.success ? completeGates(found.data.gates, kindOf(row)) : []) {
      gates[gate] ??= { passed: 0, failed: 0, not_run: 0 };
      gates[gate][status]++;
    }
  }
  return { gates, splits: tally(rows.flatMap((row) => (typeof row.split === "string" ? [row.split] : []))) };
}
