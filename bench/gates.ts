/**
 * What gates cost beside their calls: rows that pass them with their roles off, and rows whose calls are all recorded, as a run works on
 * them, checks included. The tasks are those of a finished dataset; the replies, which differ by row and draw and are all wrong,
 * are made here and recorded first. Figures are CPU time. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/gates.js [dataset]`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stream } from "../pipeline/base/random.js";
import { builtins } from "../pipeline/builtins.js";
import { NO_ENVIRONMENT } from "../pipeline/environment/none.js";
import { localExecutor } from "../pipeline/executor.js";
import { readManifest } from "../pipeline/manifest-file.js";
import { Budget } from "../pipeline/models/budget.js";
import type { RecordedReply } from "../pipeline/models/call.js";
import { openCassette } from "../pipeline/models/cassette.js";
import { ModelClient } from "../pipeline/models/client.js";
import { NO_MODELS } from "../pipeline/models/none.js";
import { modelSpec } from "../pipeline/models/spec.js";
import type { Transport } from "../pipeline/models/transport.js";
import type { ModelAccess } from "../pipeline/rounds.js";
import type { RunStore } from "../pipeline/store.js";
import { tasksOf } from "../pipeline/tasks.js";
import { contextOf } from "../pipeline/verify/rederive.js";
import { reloadSources } from "../pipeline/verify/sources.js";
import { workOn } from "../pipeline/work.js";
import { write } from "../pipeline/written.js";
import type { Row } from "../stages/stage.js";

const DATASET = process.argv[2] ?? "runs/astro";
const K = 4;

const GATES = {
  round_trip: { role: "model" },
  probe: { roles: ["model"], k: K },
  solve: { roles: ["model"], n: 3 },
};

/** Worked answers that nobody takes for right. */
const wrong: Transport = {
  send: async ({ key }): Promise<RecordedReply> => {
    const value = stream("wrong", key).int(9_000_000) / 1000 + 1e6;
    const text = `First the entity, then its values. ${"Some steps follow. ".repeat(20)}\nThe final answer is ${value} g/cm^3.`;
    const usage = { input: 300, cached_input: 0, output: 150, reasoning: null };
    return { finish: "stop", text, reasoning: "", tool_calls: [], note: "", model: "bench", usage };
  },
};

const folder = await mkdtemp(join(tmpdir(), "taskmill-bench-"));
const signal = new AbortController().signal;
try {
  const manifest = await readManifest(DATASET);
  const { reloaded } = await reloadSources(DATASET, manifest, builtins().adapters);
  const tasks: Row[] = [];
  for await (const row of tasksOf(DATASET))
    tasks.push(write({ ...row, gates: [], probe: undefined, solve: undefined }).row);
  console.log(`${tasks.length} tasks of ${DATASET}`);

  /** Seconds of CPU that one gate takes for all tasks. */
  const pass = async (kind: keyof typeof GATES, models: ModelAccess): Promise<number> => {
    const stage = builtins().get(kind)!;
    const instance = { id: kind, stage, params: stage.params.parse(GATES[kind]), from: [] };
    const { catalog, database } = reloaded!;
    const bench = { instances: [], seed: manifest.seed, catalog, database, signal, outDir: "" };
    const context = contextOf({ ...bench, target: undefined, models, environment: NO_ENVIRONMENT }, instance);
    const rows = tasks.map((row) => write(row).row);
    const before = process.cpuUsage();
    // No gate is costly, so that nothing is looked up in the store.
    const store = undefined as unknown as RunStore;
    const options = { store, executor: localExecutor, concurrency: 64, rowKey: "", onRows: () => {} };
    await workOn(instance, rows, null, context, options);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };

  for (const kind of Object.keys(GATES) as (keyof typeof GATES)[]) {
    await pass(kind, NO_MODELS);
    console.log(`${kind}, role off: ${(await pass(kind, NO_MODELS)).toFixed(2)} s`);
  }

  const spec = modelSpec.parse({ base_url: "http://bench.test/v1", model: "bench" });
  const identity = { endpoint: "http://bench.test/v1", model: "bench", revision: null };
  const roles = new Map([["model", { name: "model", spec, identity, key: undefined, off: false }]]);
  const cassette = await openCassette(join(folder, "calls"), { mode: "auto" });
  let replayed = 0;
  const onEvent = ({ type }: { readonly type: string }): void => {
    if (type === "replayed") replayed++;
  };
  const client = new ModelClient({
    ...{ roles, cassette, budget: new Budget(undefined), mode: "auto", signal, onEvent },
    transport: () => wrong,
  });
  for (const kind of ["probe", "solve"] as const) {
    const access = { ...NO_MODELS, forInstance: (id: string) => client.forInstance(id) };
    // Planted facts would show that it knows nothing.
    if (kind === "probe") Object.assign(GATES.probe, { plant: false });
    await pass(kind, access);
    replayed = 0;
    const took = await pass(kind, access);
    console.log(`${kind}, recorded: ${took.toFixed(2)} s, ${Math.round(replayed / took)} calls/s`);
  }
  await cassette.close();
  reloaded!.database.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
