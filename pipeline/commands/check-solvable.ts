import { defineCommand } from "./command.js";

interface Args {
  readonly dir: string;
  readonly corpus?: readonly string[];
  readonly least: number;
  readonly plugin?: string;
}

export const checkSolvable = defineCommand<Args>({
  usage: "check-solvable <dir>",
  summary: "which tasks can be solved from documents behind the firewall, without asking a model",
  positionals: { dir: "the run directory" },
  options: {
    corpus: { value: "PATH,...", describe: "bundled corpora, files or folders, in place of the config's" },
    least: { value: "PERCENT", describe: "fail (exit 1) when less of the tasks is solvable" },
    plugin: { value: "FILE", describe: "as for the run that made it" },
  },
  examples: [
    ["check-solvable runs/astro-agents", "by the corpus that its config names"],
    [
      "check-solvable runs/astro --corpus ./pages --least 90",
      "by documents of your own: a guard before rollouts",
    ],
  ],
  exits: [0, 1, 2, 130],
  args: (z) => {
    const path = z.string().min(1);
    return z.strictObject({
      dir: path,
      corpus: path.transform((paths) => paths.split(",").filter((p) => p !== "")).optional(),
      least: z
        .string()
        .regex(/^(?:100|\d{1,2}(?:\.\d{1,4})?)$/, "it takes a percentage from 0 to 100")
        .transform(Number)
        .default(0),
      plugin: path.optional(),
    });
  },
  async run({ dir, corpus, least, plugin }, io) {
    const [{ registryOf }, { checkSolvable }, { solvabilityText }, { solvableShare }] = await Promise.all([
      import("../index.js"),
      import("../solvability/check.js"),
      import("../solvability/text.js"),
      import("../solvability/solvability.js"),
    ]);
    const registry = await registryOf({ plugins: plugin === undefined ? [] : [plugin] });
    const checked = await checkSolvable(dir, { registry, corpus, signal: io.signal });
    const share = solvableShare(checked);
    const ok = share * 100 >= least;
    io.out(io.json ? `${JSON.stringify({ ok, share, ...checked })}\n` : solvabilityText(checked));
    return ok ? 0 : 1;
  },
});
