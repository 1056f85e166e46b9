import { countsText, grouped, Progress } from "../terminal.js";
import { count, defineCommand } from "./command.js";

interface Args {
  readonly config: string;
  readonly out?: string;
  readonly limit?: number;
  readonly threads?: number;
  readonly plugin?: string;
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
    plugin: {
      value: "FILE",
      describe: "an ES module that adds stages and source adapters; it may do anything you may",
    },
  },
  examples: [
    ["run configs/astro.yaml", "into runs/astro"],
    ["run configs/astro.yaml --limit 20 --out /tmp/try", "a quick look"],
  ],
  exits: [0, 1, 2, 3, 130],
  args: (z) =>
    z.strictObject({
      config: z.string(),
      out: z.string().min(1).optional(),
      limit: count(z).optional(),
      threads: count(z).optional(),
      plugin: z.string().min(1).optional(),
    }),
  async run({ config, out, limit, threads, plugin }, io) {
    const api = await import("../index.js");
    const progress = new Progress(io);
    try {
      const result = await api.run(config, {
        outDir: out,
        limit,
        threads,
        plugins: plugin === undefined ? [] : [plugin],
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
  io.out([...lines, "", work, `${grouped(manifest.accepted)} tasks in ${outDir}`, ""].join("\n"));
}
