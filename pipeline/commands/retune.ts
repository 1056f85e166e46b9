import type { Changes } from "../retune.js";
import { count, defineCommand, type Zod } from "./command.js";

interface Args extends Changes {
  readonly dir: string;
  readonly plugin?: string;
}

export const retune = defineCommand<Args>({
  usage: "retune <dir>",
  summary:
    "how a dataset's yield and composition move under other thresholds, from kept evidence, without a model call",
  positionals: { dir: "the run directory; nothing is written into it" },
  options: {
    margin: { value: "X", describe: "gap to the closest rival, in multiples of the required one" },
    k: { value: "N", describe: "closed-book samples of each role" },
    drop: { value: "RULE", describe: "any, majority, or how many right samples drop a row" },
    tolerance: { value: "T", describe: "relative grading tolerance, in place of each task's own" },
    plugin: { value: "FILE", describe: "as for the run that made it" },
  },
  examples: [
    ["retune runs/astro --margin 2", "what is left with twice the margin"],
    ["retune runs/astro --k 2 --drop majority", "another drop rule"],
  ],
  exits: [0, 1, 2],
  args: (z) =>
    z.strictObject({
      dir: z.string().min(1),
      margin: decimal(z, 1e6).optional(),
      k: count(z).optional(),
      drop: z
        .string()
        .regex(/^(?:any|majority|[1-9][0-9]{0,2})$/, "it takes any, majority, or a whole number from 1 up")
        .transform((text) => (text === "any" || text === "majority" ? text : { at_least: Number(text) }))
        .optional(),
      tolerance: decimal(z, 0.5).optional(),
      plugin: z.string().min(1).optional(),
    }),
  async run({ dir, plugin, margin, k, drop, tolerance }, io) {
    const [api, { retuneText }] = await Promise.all([import("../index.js"), import("../retune/text.js")]);
    const plugins = plugin === undefined ? [] : [plugin];
    const retuning = await api.retune(dir, { margin, k, drop, tolerance }, { plugins });
    io.out(io.json ? `${JSON.stringify(retuning)}\n` : retuneText(retuning));
    return 0;
  },
});

/** A number above 0 on the command line. */
function decimal(z: Zod, most: number) {
  return z
    .string()
    .regex(/^[0-9]{1,9}(?:\.[0-9]{1,12})?(?:[eE]-?[0-9]{1,2})?$/, "it takes a decimal number, such as 0.05")
    .transform(Number)
    .refine((value) => value > 0 && value <= most, `it takes a number above 0, up to ${most}`);
}
