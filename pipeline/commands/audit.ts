import type { Bounds } from "../audit.js";
import { defineCommand } from "./command.js";

interface Args {
  readonly dir: string;
  readonly bounds?: string;
  readonly plugin?: string;
}

export const audit = defineCommand<Args>({
  usage: "audit <dir>",
  summary:
    "the leakage report of a dataset: each shortcut to an answer, what closes it, and how far that reaches",
  positionals: { dir: "the run directory" },
  options: {
    bounds: { value: "FILE", describe: "bounds in YAML, in place of those in the dataset's config" },
    plugin: { value: "FILE", describe: "as for the run that made it" },
  },
  examples: [
    ["audit runs/astro", "the report"],
    ["audit runs/astro --bounds release.yaml", "fails when a bound is broken: a guard before a release"],
  ],
  exits: [0, 1, 2, 130],
  args: (z) =>
    z.strictObject({
      dir: z.string().min(1),
      bounds: z.string().min(1).optional(),
      plugin: z.string().min(1).optional(),
    }),
  async run({ dir, bounds, plugin }, io) {
    const [api, { auditText }] = await Promise.all([import("../index.js"), import("../audit/text.js")]);
    const audited = await api.audit(dir, {
      plugins: plugin === undefined ? [] : [plugin],
      bounds: bounds === undefined ? undefined : await boundsFrom(bounds),
      signal: io.signal,
    });
    const broken = audited.bounds.some((b) => b.broken);
    io.out(io.json ? `${JSON.stringify({ ok: !broken, ...audited })}\n` : auditText(audited, io.columns));
    return broken ? 1 : 0;
  },
});

/** @throws TaskmillError (config) for a file that holds no bounds */
async function boundsFrom(file: string): Promise<Bounds> {
  const [{ readDocument, validate }, { boundsSchema }, { TaskmillError }] = await Promise.all([
    import("../base/document.js"),
    import("../audit/bounds.js"),
    import("../base/errors.js"),
  ]);
  const document = await readDocument(file);
  const read = validate(document, boundsSchema);
  if ("problems" in read) throw new TaskmillError("config", read.problems);
  return read.value;
}
