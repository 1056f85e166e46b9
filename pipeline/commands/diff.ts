import type { RowDifference } from "../diff/difference.js";
import type { Io } from "../terminal.js";
import { count, defineCommand } from "./command.js";

interface Args {
  readonly a: string;
  readonly b: string;
  readonly limit?: number;
  readonly trials?: number;
  readonly plugin?: string;
}

/** Rows of each cause that a terminal shows. */
const LIMIT = 2;

export const diff = defineCommand<Args>({
  usage: "diff <a> <b>",
  summary: "compare two datasets: rows lost, gained and changed, each with its cause",
  positionals: { a: "a run directory", b: "another; nothing is written into either" },
  options: {
    limit: { value: "N", describe: `rows of each cause that are shown, default ${LIMIT}; --json gives all` },
    trials: {
      value: "N",
      describe:
        "rows without a recorded cause to put through the other run's stages, default 300; 0 for none",
    },
    plugin: { value: "FILE", describe: "as for the runs that made them" },
  },
  examples: [
    ["diff runs/astro runs/astro-new", "what changed, and why"],
    ["diff runs/astro runs/astro-new --json", "every row that differs, for a program"],
  ],
  exits: [0, 1, 2, 130],
  meanings: {
    0: "the same rows",
    1: "they differ",
    2: "they could not be compared, or the command line is wrong",
  },
  args: (z) =>
    z.strictObject({
      a: z.string().min(1),
      b: z.string().min(1),
      limit: count(z).optional(),
      trials: z
        .string()
        .regex(/^[0-9]{1,9}$/, "it takes a whole number")
        .transform(Number)
        .optional(),
      plugin: z.string().min(1).optional(),
    }),
  async run(args, io) {
    return comparing(() => compare(args, io));
  },
});

async function compare({ a, b, limit = LIMIT, trials, plugin }: Args, io: Io): Promise<number> {
  const [{ registryOf }, module, { differenceText }, { Examples }] = await Promise.all([
    import("../index.js"),
    import("../diff/diff.js"),
    import("../diff/text.js"),
    import("../diff/examples.js"),
  ]);
  const registry = await registryOf({ plugins: plugin === undefined ? [] : [plugin] });
  const examples = new Examples(limit);
  let begun = false;
  const onRow = (row: RowDifference): void => {
    if (io.json) io.out(`${begun ? ",\n" : '{"rows":[\n'}${JSON.stringify(row)}`);
    else examples.take(row);
    begun = true;
  };
  const difference = await module.diff(a, b, { registry, signal: io.signal, trials, onRow });
  // Rows come first, so that none need wait in memory for those behind it.
  if (io.json) io.out(`${begun ? "\n" : '{"rows":['}],"difference":${JSON.stringify(difference)}}\n`);
  else io.out(differenceText(difference, examples.rows));
  return difference.same ? 0 : 1;
}

/** As `diff` does: 1 says that they differ, so that datasets which cannot be compared must end otherwise. */
async function comparing(work: () => Promise<number>): Promise<number> {
  const { TaskmillError } = await import("../base/errors.js");
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TaskmillError) || !["verification", "source"].includes(error.kind)) throw error;
    throw new TaskmillError("usage", error.problems, { cause: error });
  }
}
