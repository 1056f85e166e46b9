import { fail } from "../base/errors.js";
import { countsText, grouped, Progress } from "../terminal.js";
import { count, defineCommand, MODEL_OPTIONS, modelArgs } from "./command.js";

interface Args {
  readonly config: string;
  readonly out?: string;
  readonly limit?: number;
  readonly threads?: number;
  readonly plugin?: string;
  readonly replay: boolean;
  readonly refresh: boolean;
  readonly cassette?: string;
  readonly "model-url"?: string;
  readonly model?: string;
}

export const run = defineCommand<Args>({
  usage: "run <config>",
  summary: "make the dataset of a config",
  positionals: { config: "the config, a YAML file" },
  options: {
    out: { value: "DIR", describe: "where the dataset goes (default: runs/<name of the config>)" },
    limit: { value: "N", describe: "accept at most N tasks" },
    threads: {
      value: "N",
      describe: "threads to use (default: one per core); the result is the same for any number",
    },
    replay: { describe: "recorded model calls only: no network, no key; a call that is missing is an error" },
    refresh: { describe: "ask models everything again and replace what was recorded" },
    cassette: {
      value: "FILE",
      describe: "recorded calls of another run, such as a dataset's cassette.ndjson",
    },
    ...MODEL_OPTIONS,
    plugin: {
      value: "FILE",
      describe: "an ES module that adds stages and source adapters; it may do anything you may",
    },
  },
  examples: [
    ["run configs/astro.yaml", "into runs/astro"],
    ["run configs/astro.yaml --limit 20 --out /tmp/try", "a quick look"],
    [
      "run configs/astro.yaml --model-url http://localhost:8000/v1 --model NAME",
      "with the gates that need a model",
    ],
    ["run configs/astro.yaml --replay", "once more from the recorded calls, offline"],
  ],
  exits: [0, 1, 2, 3, 130],
  args: (z) =>
    z.strictObject({
      config: z.string(),
      out: z.string().min(1).optional(),
      limit: count(z).optional(),
      threads: count(z).optional(),
      plugin: z.string().min(1).optional(),
      replay: z.boolean().default(false),
      refresh: z.boolean().default(false),
      cassette: z.string().min(1).optional(),
      ...modelArgs(z),
    }),
  async run({ config, out, limit, threads, plugin, replay, refresh, cassette, ...models }, io) {
    if (replay && refresh) fail("usage", "replay_and_refresh", "--replay and --refresh exclude each other");
    const api = await import("../index.js");
    const progress = new Progress(io);
    try {
      const result = await api.run(config, {
        outDir: out,
        limit,
        threads,
        plugins: plugin === undefined ? [] : [plugin],
        mode: replay ? "replay" : refresh ? "refresh" : "auto",
        cassette,
        modelUrl: models["model-url"],
        model: models.model,
        signal: io.signal,
        onEvent: progress.listen,
      });
      progress.end();
      report(result, io);
      return 0;
    } catch (error) {
      progress.end();
      if (error instanceof api.TargetMissed) report(error.result, io);
      throw error;
    }
  },
});

type Result = Awaited<ReturnType<typeof import("../index.js")["run"]>>;

function report(
  { outDir, manifest, worked, cached, unchanged }: Result,
  io: Parameters<typeof run.run>[1],
): void {
  if (io.json) {
    io.out(`${JSON.stringify({ outDir, worked, cached, unchanged, manifest })}\n`);
    return;
  }
  if (io.quiet) return;
  const width = Math.max(...manifest.stages.map((s) => s.id.length));
  const lines = manifest.stages.map((s) => `  ${s.id.padEnd(width)}  ${countsText(s)}`);
  const work =
    worked === 0
      ? "nothing changed: no stage had to work"
      : `${grouped(worked)} stage calls worked, ${grouped(cached)} from the run store`;
  io.out(
    [...lines, "", work, ...poolsText(manifest), `${grouped(manifest.accepted)} tasks in ${outDir}`, ""].join(
      "\n",
    ),
  );
}

/** Rows of the pools that trainers load, where rollouts decided what is in them. */
function poolsText({ pools }: Result["manifest"]): string[] {
  const rowsOf = (name: string): number | undefined =>
    pools.find(({ pool, file }) => pool === name && file === `pools/${name}.parquet`)?.rows;
  if (rowsOf("trajectories") === undefined) return [];
  const counted = ["rl", "sft", "trajectories"].map((name) => `${name} ${grouped(rowsOf(name) ?? 0)}`);
  return [`pools: ${counted.join(", ")}`];
}
