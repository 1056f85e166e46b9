import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadCatalog } from "../../sources/catalog.js";
import { openDatabase } from "../../sources/duckdb.js";
import { loadSource } from "../../sources/load.js";
import type { Catalog } from "../../sources/table.js";
import type { Row } from "../../stages/stage.js";
import { fail } from "../base/errors.js";
import { loadConfig } from "../config.js";
import { type FoundEnvironment, namedCorpora } from "../environment/find-corpora.js";
import { NO_ENVIRONMENT } from "../environment/none.js";
import { type OpenEnvironment, openEnvironment } from "../environment/open.js";
import { environmentOf } from "../environment/spec.js";
import { CASSETTE, INDEX } from "../finish.js";
import type { Manifest } from "../manifest.js";
import { readManifest } from "../manifest-file.js";
import { CALLS, type FileCassette, openCassette } from "../models/cassette.js";
import type { Registry } from "../registry.js";
import { openRunDir } from "../run-dir.js";
import { tasksOf } from "../tasks.js";
import { reloadSources } from "../verify/sources.js";
import { ServedObservations } from "./observations.js";

/** What is served: tasks by their id, and tools. */
export interface Served {
  readonly name: string;
  /** Undefined for a config, of which there is no dataset. */
  readonly rows: (() => AsyncIterable<Row>) | undefined;
  readonly environment: OpenEnvironment;
  close(): Promise<void>;
}

export interface ServedOptions {
  readonly registry: Registry;
  /** Ids of bundled corpora, or paths, in place of those in a dataset's config. */
  readonly corpus?: readonly string[];
  /** Whether agents are served at all: their tools take sources, documents and an index. */
  readonly tools: boolean;
  readonly signal: AbortSignal;
}

/** Opens a run directory or a config. @throws TaskmillError */
export function openServed(path: string, options: ServedOptions): Promise<Served> {
  const directory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return directory ? openDataset(path, options) : openConfig(path, options);
}

/** The dataset's own config, sources and recorded observations; the index of documents is the run's. */
async function openDataset(dir: string, { registry, corpus, tools, signal }: ServedOptions): Promise<Served> {
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  const rows = (): AsyncIterable<Row> => tasksOf(path);
  const spec = environmentOf(manifest.config.resolved);
  if (!tools || spec === undefined)
    return { name: manifest.name, rows, environment: NOTHING, close: async () => {} };
  const environment = { spec, corpora: namedCorpora(corpus ?? spec.corpus) };
  const catalog = await catalogOf(path, manifest, registry);
  const recorded = await openCassette(join(path, CALLS), {
    mode: "replay",
    also: [join(path, CASSETTE)].filter((file) => existsSync(file)),
  });
  return serving({
    name: manifest.name,
    rows,
    environment,
    catalog,
    recorded,
    cache: join(path, INDEX),
    signal,
  });
}

const NOTHING: OpenEnvironment = { ...NO_ENVIRONMENT, close: async () => {} };

/** @throws TaskmillError (verification) for sources that are not those of the dataset: the firewall would not be its own */
async function catalogOf(path: string, manifest: Manifest, registry: Registry): Promise<Catalog> {
  const { reloaded, findings } = await reloadSources(path, manifest, registry.adapters);
  reloaded?.database.close();
  if (reloaded !== undefined && findings.length === 0) return reloaded.catalog;
  const why = findings.map(({ message }) => message).join("; ");
  const message = `the dataset's own sources cannot be loaded: ${why}`;
  return fail("verification", "sources_not_loaded", message, "run `pipeline verify` on it");
}
/** Before there is a dataset. No model is asked, so that none need be there. */
async function openConfig(file: string, { registry, corpus, tools, signal }: ServedOptions): Promise<Served> {
  const { config, sources, environment } = await loadConfig(file, { registry, models: { recorded: {} } });
  const { name } = config;
  if (!tools || environment === undefined)
    return { name, rows: undefined, environment: NOTHING, close: async () => {} };
  const folders = sources.map((source) => dirname(source.snapshot));
  const database = await openDatabase(":memory:", { folders });
  let catalog: Catalog;
  try {
    for (const { card, snapshot } of sources)
      await loadSource(card, snapshot, database, { signal, adapters: registry.adapters });
    catalog = await loadCatalog(database);
  } finally {
    database.close();
  }
  const cache = await mkdtemp(join(tmpdir(), "taskmill-serve-"));
  const found = corpus === undefined ? environment : { ...environment, corpora: namedCorpora(corpus) };
  const served = await serving({
    name,
    rows: undefined,
    environment: found,
    catalog,
    recorded: undefined,
    cache,
    signal,
  });
  const close = async (): Promise<void> => {
    await served.close();
    await rm(cache, { recursive: true, force: true });
  };
  return { ...served, close };
}

interface Serving {
  readonly name: string;
  readonly rows: Served["rows"];
  readonly environment: FoundEnvironment;
  readonly catalog: Catalog;
  readonly recorded: FileCassette | undefined;
  readonly cache: string;
  readonly signal: AbortSignal;
}

async function serving({
  name,
  rows,
  environment,
  catalog,
  recorded,
  cache,
  signal,
}: Serving): Promise<Served> {
  const opened = await openEnvironment({
    environment,
    cards: [...catalog.tables.values()].map(({ card }) => card),
    catalog,
    cassette: new ServedObservations(recorded),
    mode: "auto",
    signal,
    cache,
  }).catch(async (error: unknown) => {
    await recorded?.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await opened.close();
    await recorded?.close();
  };
  return { name, rows, environment: opened, close };
}
