import { defineCommand } from "./command.js";

interface Args {
  readonly folder?: string;
  readonly source?: string;
  readonly name?: string;
}

export const init = defineCommand<Args>({
  usage: "init [folder]",
  summary: "write a commented config that runs at once, for bundled sources or for cards of your own",
  positionals: { folder: "where the config goes; the working directory by default" },
  options: {
    source: {
      value: "CARDS",
      describe: "ids of bundled sources or paths of cards, divided by commas; planets by default",
    },
    name: { value: "NAME", describe: "the config's name; that of its first source by default" },
  },
  examples: [
    ["init --source ./my/moons.yaml", "moons.yaml becomes moons-tasks.yaml, a config"],
    ["init try --source planets,moons", "try/planets-tasks.yaml, of two bundled sources"],
  ],
  exits: [0, 2],
  args: (z) =>
    z.strictObject({
      folder: z.string().min(1).optional(),
      source: z.string().min(1).optional(),
      name: z.string().min(1).optional(),
    }),
  async run({ folder = ".", source = "planets", name }, io) {
    const { initConfig } = await import("../init/init.js");
    const made = await initConfig({ folder, sources: source.split(",").map((s) => s.trim()), name });
    io.err(made.warnings);
    io.out(io.json ? `${JSON.stringify(made.json)}\n` : made.text);
    return 0;
  },
});
