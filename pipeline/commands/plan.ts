import { count, defineCommand, MODEL_OPTIONS, modelArgs } from "./command.js";

interface Args {
  readonly config: string;
  readonly out?: string;
  readonly limit?: number;
  readonly plugin?: string;
  readonly mermaid: boolean;
  readonly "model-url"?: string;
  readonly model?: string;
}

export const plan = defineCommand<Args>({
  usage: "plan <config>",
  summary: "show what a run would do, without doing any of it",
  positionals: { config: "the config, a YAML file" },
  options: {
    mermaid: { describe: "the graph as a Mermaid flowchart" },
    out: { value: "DIR", describe: "the run directory in which to look for finished work" },
    limit: { value: "N", describe: "as for `run`" },
    ...MODEL_OPTIONS,
    plugin: { value: "FILE", describe: "as for `run`" },
  },
  examples: [
    ["plan configs/astro.yaml", "stages, expected counts, cost"],
    ["plan configs/astro.yaml --mermaid", "a flowchart for a README"],
  ],
  exits: [0, 1, 2],
  args: (z) =>
    z.strictObject({
      config: z.string(),
      out: z.string().min(1).optional(),
      limit: count(z).optional(),
      plugin: z.string().min(1).optional(),
      mermaid: z.boolean().default(false),
      ...modelArgs(z),
    }),
  async run({ config, out, limit, plugin, mermaid, ...models }, io) {
    const api = await import("../index.js");
    const { planMermaid, planText } = await import("../plan.js");
    const planned = await api.plan(config, {
      outDir: out,
      limit,
      plugins: plugin === undefined ? [] : [plugin],
      modelUrl: models["model-url"],
      model: models.model,
      signal: io.signal,
    });
    io.out(io.json ? `${JSON.stringify(planned)}\n` : mermaid ? planMermaid(planned) : planText(planned));
    return 0;
  },
});
