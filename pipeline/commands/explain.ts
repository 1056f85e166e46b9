import { defineCommand } from "./command.js";

export const explain = defineCommand<{
  readonly dir: string;
  readonly id: string;
  readonly plugin?: string;
  readonly rollout?: string;
}>({
  usage: "explain <dir> <id>",
  summary:
    "show the whole life of one task: conditions, candidates, chain, wording, gates, source rows, rollouts",
  positionals: {
    dir: "the run directory",
    id: "the task's id; its first digits are enough where they are unique",
  },
  options: {
    plugin: { value: "FILE", describe: "as for the run that made it" },
    rollout: {
      value: "N|all",
      describe: "show its conversation too: by number, as <instance>/<draw>, or all",
    },
  },
  examples: [
    ["explain runs/astro 3f2a9c0d11e87b54", "everything about one row"],
    ["explain runs/astro 3f2a --rollout 2", "and what the agent of its second rollout did"],
  ],
  exits: [0, 1, 2],
  args: (z) =>
    z.strictObject({
      dir: z.string().min(1),
      id: z.string().min(1),
      plugin: z.string().min(1).optional(),
      rollout: z.string().min(1).optional(),
    }),
  async run({ dir, id, plugin, rollout }, io) {
    const api = await import("../index.js");
    const explained = await api.explain(dir, id, {
      plugins: plugin === undefined ? [] : [plugin],
      // A program gets all that there is.
      rollout: rollout ?? (io.json ? "all" : undefined),
    });
    io.out(io.json ? `${JSON.stringify(explained)}\n` : `${api.explanationText(explained)}\n`);
    return 0;
  },
});
