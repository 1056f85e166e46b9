import type { Stratum } from "../review/draw.js";
import type { Io } from "../terminal.js";
import { count, defineCommand } from "./command.js";
import { wantedSubject } from "./subject.js";

interface Args {
  readonly action: "export" | "import" | "show";
  readonly dir: string;
  readonly sheet?: string;
  readonly n?: number;
  readonly seed?: string;
  readonly by?: Stratum;
  readonly out?: string;
}

/** Tasks on a sheet: an hour or two of a careful reader; 0 of 50 wrong leaves up to 7 %. */
const ROWS = 50;
const OUT = "review.csv";

export const review = defineCommand<Args>({
  usage: "review <action> <dir> [sheet]",
  summary:
    "a blind review sheet: draw tasks without their answers, read the filled sheet back, show the verdicts",
  positionals: {
    action: "export, import or show",
    dir: "the run directory; reviews are kept beside its dataset, in review.json",
    sheet: "for import: the filled sheet, as CSV",
  },
  options: {
    n: { value: "N", describe: `tasks to draw, default ${ROWS}` },
    seed: { value: "TEXT", describe: "another draw than by the dataset's own seed" },
    by: { value: "table|domain", describe: "draw as many of each" },
    out: { value: "FILE", describe: `sheet.csv for a spreadsheet, sheet.html for a browser; default ${OUT}` },
  },
  examples: [
    ["review export runs/astro --n 50 --out sheet.html", "a form to hand to a reviewer"],
    ["review import runs/astro sheet.csv", "grade their answers, with rates and intervals"],
    ["review show runs/astro", "all verdicts so far"],
  ],
  exits: [0, 1, 2],
  args: (z) =>
    z.strictObject({
      action: z.enum(["export", "import", "show"]),
      dir: z.string().min(1),
      sheet: z.string().min(1).optional(),
      n: count(z).optional(),
      seed: z.string().min(1).optional(),
      by: z.enum(["table", "domain"]).optional(),
      out: z.string().min(1).optional(),
    }),
  async run(args, io) {
    wantedSubject(args.action === "import", args.sheet, `review ${args.action} ${args.dir}`, "sheet");
    await refuseIdle(args);
    return { export: exportVerb, import: importVerb, show: showVerb }[args.action](args, io);
  },
});

/** Options of `export` that another action would not look at. */
async function refuseIdle({ action, n, seed, by, out }: Args): Promise<void> {
  const idle = Object.entries({ n, seed, by, out }).find(([, value]) => value !== undefined);
  if (action === "export" || idle === undefined) return;
  const { fail } = await import("../base/errors.js");
  fail("usage", "unused_option", `--${idle[0]} is for \`review export\``, "leave it out");
}

async function exportVerb({ dir, n = ROWS, seed, by, out = OUT }: Args, io: Io): Promise<number> {
  const { exportSheet } = await import("../review/export.js");
  const done = await exportSheet(dir, out, { n, by, ...(seed === undefined ? {} : { seed }) });
  const rows = `${done.rows} task${done.rows === 1 ? "" : "s"}, drawn by seed ${done.seed}`;
  io.out(io.json ? `${JSON.stringify(done)}\n` : `wrote ${done.file}: ${rows}\n`);
  return 0;
}

async function importVerb({ dir, sheet }: Args, io: Io): Promise<number> {
  const [{ importSheet }, { importedText }] = await Promise.all([
    import("../review/import.js"),
    import("../review/text.js"),
  ]);
  const imported = await importSheet(dir, sheet!);
  io.out(io.json ? `${JSON.stringify(imported)}\n` : importedText(imported));
  return 0;
}

async function showVerb({ dir }: Args, io: Io): Promise<number> {
  const [{ readReview }, { reviewText }, { openRunDir }, { fail }] = await Promise.all([
    import("../review/read.js"),
    import("../review/text.js"),
    import("../run-dir.js"),
    import("../base/errors.js"),
  ]);
  const found = await readReview(await openRunDir(dir));
  if (found === undefined)
    return fail("usage", "no_review", `nobody has reviewed ${dir}`, `pipeline review export ${dir}`);
  io.out(io.json ? `${JSON.stringify(found)}\n` : reviewText(found));
  return 0;
}
