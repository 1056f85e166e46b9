import { join } from "node:path";
import type { SourceAdapter } from "../sources/adapters/adapter.js";
import type { Stage } from "../stages/stage.js";
import type { Audit, Bounds } from "./audit.js";
import type { Environment } from "./base/document.js";
import { fail } from "./base/errors.js";
import { builtins } from "./builtins.js";
import { type LoadedConfig, type LoadOptions, loadConfig } from "./config.js";
import type { Listener, RunEvent } from "./events.js";
import type { Explanation } from "./explain.js";
import { recordedRoles } from "./models/access.js";
import type { Mode } from "./models/call.js";
import { type Plan, planOf } from "./plan.js";
import { loadPlugin, type Registry } from "./registry.js";
import type { Changes, Retuning } from "./retune.js";
import { type DatasetWriter, type RunResult, runPipeline } from "./run.js";
import type { Verification } from "./verify.js";

export type { RawBatch, RawRecord, ReadRequest, SourceAdapter } from "../sources/adapters/adapter.js";
export { defineSource } from "../sources/adapters/adapter.js";
export type { Row, RowStage, SetStage, SourceStage, Stage, StageContext } from "../stages/stage.js";
export { defineStage } from "../stages/stage.js";
export type { Audit, Bounds } from "./audit.js";
export { renderProblems } from "./base/document.js";
export type { ErrorKind, Location, Problem } from "./base/errors.js";
export { TaskmillError } from "./base/errors.js";
export type { Config, LoadedConfig } from "./config.js";
export type { Counts, Listener, RunEvent } from "./events.js";
export type { Explanation, SourceRecord } from "./explain.js";
export { explanationText } from "./explain-text.js";
export type { Manifest } from "./manifest.js";
export type { Plan, PlannedInstance } from "./plan.js";
export type { Changes, Retuning } from "./retune.js";
export type { RunResult } from "./run.js";
export { TargetMissed } from "./run.js";
export type { CheckResult, Finding, Verification } from "./verify.js";

/** Drawing charts takes libraries that nothing else needs: they are loaded when there is something to draw. */
const WRITERS: readonly DatasetWriter[] = [
  async (dir, facts) => (await import("./ledger.js")).writeLedger(dir, facts),
  async (dir, facts) => (await import("./network-block.js")).writeNetworkBlock(dir, facts),
  async (dir, facts) => (await import("./report.js")).writeReport(dir, facts),
  async (dir, facts) => (await import("./report.js")).writeCard(dir, facts),
];

/** What every call that reads a config takes. */
export interface ConfigOptions {
  /** Stages of the caller's own, beside the built-in ones. */
  readonly stages?: readonly Stage[];
  /** Source adapters of the caller's own; cards name them with `format: plugin`. */
  readonly adapters?: readonly SourceAdapter[];
  /** Files of ES modules that add stages; see `--plugin`. */
  readonly plugins?: readonly string[];
  /** Values of `${NAME}` in a config file; the process's environment by default. */
  readonly env?: Environment;
  /** Endpoint and model for every role of the config, in place of what it says. */
  readonly modelUrl?: string;
  readonly model?: string;
}

export interface PlanOptions extends ConfigOptions {
  /** The run directory; `runs/<name>` under the working directory by default. */
  readonly outDir?: string;
  /** Accept at most so many tasks. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface RunOptions extends PlanOptions {
  /** `auto`: recorded calls serve, others are made. `replay`: none is made. `refresh`: all are made again. */
  readonly mode?: Mode;
  /** A cassette to replay from, beside what is recorded in the run directory. */
  readonly cassette?: string;
  /** Threads to use, one per core by default. The result is the same for any number. */
  readonly threads?: number;
  readonly onEvent?: Listener;
}

/** The stages that a call knows. @throws TaskmillError (usage) for a plugin that is none. */
export async function registryOf(options: ConfigOptions): Promise<Registry> {
  let registry = builtins();
  for (const file of options.plugins ?? []) {
    const { stages, adapters } = await loadPlugin(file);
    registry = registry.with(stages, adapters);
  }
  return registry.with(options.stages ?? [], options.adapters);
}

/** Reads and checks a config (a file, or a value). @throws TaskmillError (config) with all that is wrong. */
export async function load(config: string | object, options: ConfigOptions = {}): Promise<LoadedConfig> {
  return loadConfig(config, { registry: await registryOf(options), ...modelsOf(options) });
}

function modelsOf({ env, modelUrl, model }: ConfigOptions): Omit<LoadOptions, "registry"> {
  return { env, models: { url: modelUrl, model } };
}

/** What a run would do, without doing any of it. @throws TaskmillError */
export async function plan(config: string | object, options: PlanOptions = {}): Promise<Plan> {
  const loaded = await load(config, options);
  return planOf(loaded, { outDir: outDirOf(loaded, options), limit: options.limit });
}

/**
 * Makes the dataset of a config. A second call goes on where a first one was stopped, and does nothing where nothing
 * changed. @throws TaskmillError; {@link TargetMissed} after a complete run that fell short.
 */
export async function run(config: string | object, options: RunOptions = {}): Promise<RunResult> {
  const registry = await registryOf(options);
  const loaded = await loadForRun(config, registry, options);
  const { target, ...rest } = loaded.config;
  const settings = {
    name: rest.name,
    seed: rest.seed,
    sha256: loaded.sha256,
    resolved: loaded.config as never,
    sources: loaded.sources,
    roles: loaded.roles,
    budget: loaded.budget,
    environment: loaded.environment,
    ...(target === null ? {} : { target }),
  };
  const { limit, threads, signal, onEvent, mode, cassette } = options;
  return runPipeline(settings, loaded.instances, {
    outDir: outDirOf(loaded, options),
    limit,
    threads,
    signal,
    onEvent,
    mode,
    cassette,
    adapters: registry.adapters,
    writers: WRITERS,
  });
}

/** A replay needs neither address nor key: the recording says what each role stood for. */
async function loadForRun(
  config: string | object,
  registry: Registry,
  options: RunOptions,
): Promise<LoadedConfig> {
  const { env, models } = modelsOf(options);
  if (options.mode !== "replay") {
    const loaded = await loadConfig(config, { registry, env, models });
    if (options.cassette !== undefined && allOff(loaded)) {
      const hint = "add --replay to take models and replies from it, or set base_url and model";
      fail(
        "usage",
        "cassette_unused",
        "every role of the config is off, so the cassette would not be used",
        hint,
      );
    }
    return loaded;
  }
  const first = await loadConfig(config, { registry, env, models: { ...models, recorded: {} } });
  const recorded = await recordedRoles(outDirOf(first, options), options.cassette);
  const loaded = await loadConfig(config, { registry, env, models: { ...models, recorded } });
  if (allOff(loaded)) {
    const hint =
      "give the dataset's recorded calls with --cassette FILE, or run in its own directory with --out";
    fail("usage", "nothing_recorded", "nothing is recorded that the roles of this config could replay", hint);
  }
  return loaded;
}

function allOff({ roles }: LoadedConfig): boolean {
  return roles.size > 0 && [...roles.values()].every((role) => role.off);
}

/** Derives a dataset again from what lies in its directory alone, and says what is not as it was made. @throws TaskmillError */
export async function verify(
  dir: string,
  options: ConfigOptions & {
    readonly signal?: AbortSignal;
    readonly onProgress?: (done: number, total: number) => void;
  } = {},
): Promise<Verification> {
  const { signal, onProgress } = options;
  // Reading datasets takes the Parquet and Arrow libraries, which planning and running do without until they write.
  const module = await import("./verify.js");
  return module.verify(dir, { registry: await registryOf(options), signal, onProgress });
}

/**
 * Tests a dataset for shortcuts to its answers, from what lies in its directory alone; `bounds` stand in place of the config's.
 * @throws TaskmillError
 */
export async function audit(
  dir: string,
  options: ConfigOptions & { readonly bounds?: Bounds; readonly signal?: AbortSignal } = {},
): Promise<Audit> {
  const module = await import("./audit.js");
  const { bounds, signal } = options;
  return module.audit(dir, { registry: await registryOf(options), bounds, signal });
}

/** How a dataset's yield and composition move under other thresholds, without a model call. @throws TaskmillError */
export async function retune(dir: string, changes: Changes, options: ConfigOptions = {}): Promise<Retuning> {
  const module = await import("./retune.js");
  return module.retune(dir, changes, { registry: await registryOf(options) });
}

/** One task's whole life, by its id or an unmistakable prefix of it. @throws TaskmillError (usage) when there is none. */
export async function explain(
  dir: string,
  id: string,
  options: ConfigOptions & { readonly rollout?: string } = {},
): Promise<Explanation> {
  const module = await import("./explain.js");
  return module.explain(dir, id, (await registryOf(options)).adapters, options.rollout);
}

/** {@link run} as a stream of its events; the generator's return value is the result. Leaving the loop stops the run. */
export async function* events(
  config: string | object,
  options: Omit<RunOptions, "onEvent"> = {},
): AsyncGenerator<RunEvent, RunResult, void> {
  const queue: RunEvent[] = [];
  let wake = (): void => {};
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const onEvent = (event: RunEvent): void => {
    queue.push(event);
    wake();
  };
  let ended = false;
  const result = run(config, { ...options, signal, onEvent }).finally(() => {
    ended = true;
    wake();
  });
  // Whoever awaits `result` below sees its error; until then it is no unhandled rejection.
  result.catch(() => {});
  try {
    while (!ended || queue.length > 0) {
      if (queue.length > 0) yield queue.shift()!;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    return await result;
  } finally {
    stop.abort();
    await result.catch(() => {});
  }
}

function outDirOf(loaded: LoadedConfig, options: PlanOptions): string {
  return options.outDir ?? join("runs", loaded.config.name);
}
