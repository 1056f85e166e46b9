import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { z } from "zod";
import { NO_ENVIRONMENT } from "../../pipeline/environment/none.js";
import type { Listener, RunEvent } from "../../pipeline/events.js";
import { localExecutor } from "../../pipeline/executor.js";
import type { Instance } from "../../pipeline/instance.js";
import { NO_MODELS } from "../../pipeline/models/none.js";
import { type GraphOptions, type GraphRun, runGraph } from "../../pipeline/rounds.js";
import { RunStore } from "../../pipeline/store.js";
import { defineStage, type Row, type Stage } from "../../stages/stage.js";

/** These tests take seconds on an idle machine; one that is busy with other things must not fail them. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** A folder that is gone when `work` ends. */
export async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "taskmill-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export const numberRow = z.object({ id: z.string(), n: z.number() });
export type NumberRow = z.infer<typeof numberRow>;

/** A source of `size` numbers per block, `blocks` blocks; every fifth candidate is rejected. */
export const numbers = defineStage<{ size: number; blocks: number }, NumberRow>({
  kind: "numbers",
  version: 1,
  summary: "numbers",
  mode: "source",
  params: z.strictObject({ size: z.number(), blocks: z.number() }),
  takes: "tables",
  gives: "program",
  output: numberRow,
  reasons: { fifth: "divisible by five" },
  run(block, { params, instance }) {
    const all = Array.from({ length: params.size }, (_, i) => block * params.size + i);
    const out = all.filter((n) => n % 5 !== 0).map((n) => ({ id: `${instance}-${n}`, n }));
    const rejected = all
      .filter((n) => n % 5 === 0)
      .map((n) => ({ ref: n, reason: "fifth", evidence: { n } }));
    return { out, rejected, created: all.length, more: block + 1 < params.blocks };
  },
});

/** How often each stage was called, by instance and row. */
export type Calls = Map<string, number>;

/** Adds `by`, drops multiples of `drop`; counts its calls outside, which a stage of the product would not. */
export function adder(calls: Calls, costly: boolean): Stage {
  return defineStage<{ by: number; drop: number }, NumberRow, NumberRow>({
    kind: costly ? "costly_add" : "add",
    version: 1,
    summary: "adds",
    mode: "row",
    costly,
    params: z.strictObject({ by: z.number(), drop: z.number() }),
    takes: "program",
    gives: "program",
    input: numberRow,
    output: numberRow,
    reasons: { dropped: "a multiple" },
    run(row, { params, instance, random }) {
      calls.set(instance, (calls.get(instance) ?? 0) + 1);
      if (row.n % params.drop === 0) return { reject: { reason: "dropped", evidence: { n: row.n } } };
      return { out: { ...row, n: row.n + params.by, drawn: random("drawn", row.id).int(1000) } as NumberRow };
    },
  });
}

/** Keeps the first row of each remainder class modulo `by`, and at most `most` in all. */
export const firsts = defineStage<{ by: number }, NumberRow, NumberRow>({
  kind: "firsts",
  version: 1,
  summary: "firsts",
  mode: "set",
  params: z.strictObject({ by: z.number() }),
  takes: "program",
  gives: "program",
  input: numberRow,
  output: numberRow,
  reasons: { seen: "the class had one" },
  run(rows, { params }) {
    const seen = new Set<number>();
    const fresh = rows.map(
      (row) => !seen.has(row.n % params.by) && seen.add(row.n % params.by) !== undefined,
    );
    return {
      out: rows.filter((_, i) => fresh[i]),
      rejected: rows
        .filter((_, i) => !fresh[i])
        .map((row) => ({ ref: row.id, reason: "seen", evidence: null })),
    };
  },
});

/** Writes a field into every row. */
export const tag = defineStage<{ tag: string }, NumberRow, NumberRow>({
  kind: "tag",
  version: 1,
  summary: "tags",
  mode: "set",
  params: z.strictObject({ tag: z.string() }),
  takes: "program",
  gives: "worded",
  input: numberRow,
  output: numberRow.extend({ tag: z.string() }),
  reasons: {},
  run: (rows, { params }) => ({ out: rows.map((row) => ({ ...row, tag: params.tag })), rejected: [] }),
});

export interface Ran extends GraphRun {
  readonly all: readonly Row[];
  readonly events: readonly RunEvent[];
}

/** Opens the store in `dir`, runs the graph, reads the accepted rows, closes. */
export async function runIn(
  dir: string,
  instances: readonly Instance[],
  options: Partial<GraphOptions> & { onEvent?: Listener } = {},
): Promise<Ran> {
  const store = await RunStore.open(join(dir, "run.duckdb"), { threads: 1 });
  const events: RunEvent[] = [];
  try {
    const run = await runGraph(instances, {
      store,
      executor: localExecutor,
      concurrency: 1,
      seed: "7",
      catalog: { tables: new Map() },
      salt: "test",
      outDir: dir,
      signal: new AbortController().signal,
      reuse: async () => true,
      models: NO_MODELS,
      environment: NO_ENVIRONMENT,
      ...options,
      onEvent: (event) => {
        events.push(event);
        options.onEvent?.(event);
      },
    });
    return { ...run, all: await run.rows(), events };
  } finally {
    await store.close();
  }
}
