import { z } from "zod";
import { canonicalJson, type Json } from "./base/canonical.js";

/** Raised when the manifest's form changes. */
export const MANIFEST_VERSION = 1;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const counts = z.record(z.string(), count);
/** A path inside the run directory, with `/`: a manifest may come from anywhere and must not lead out of it. */
const inside = z
  .string()
  .min(1)
  .refine(
    (p) =>
      !/^[/\\]|^[A-Za-z]:|\\/.test(p) &&
      p.split("/").every((part) => part !== "" && part !== "." && part !== ".."),
    "a path inside the run directory",
  );
const json: z.ZodType<Json> = z.json();

interface Node {
  readonly id: string;
  readonly from: readonly string[];
}

function unique(items: readonly { readonly id: string }[]): boolean {
  return new Set(items.map((item) => item.id)).size === items.length;
}

/** Instances stand in the order of the graph; only what the target cuts is booked behind it. */
function ordered(stages: readonly Node[]): boolean {
  const before = new Set<string>(stages.filter((s) => s.id.startsWith("(")).map((s) => s.id));
  return stages.every(({ id, from }) => {
    const fits = id.startsWith("(") || from.every((other) => before.has(other));
    before.add(id);
    return fits;
  });
}

const fileSchema = z.strictObject({ file: inside, sha256: hash, bytes: count });
export type ManifestFile = z.infer<typeof fileSchema>;

const instanceSchema = z.strictObject({
  id: z.string(),
  stage: z.string(),
  version: count,
  params: json,
  /** SHA-256 of the files that the params name. */
  files: z.record(z.string(), hash).optional(),
  from: z.array(z.string()),
  in: count,
  created: count,
  out: count,
  rejected: counts,
});
export type ManifestInstance = z.infer<typeof instanceSchema>;

/**
 * `manifest.json`: what a dataset was made of, what each stage did to it and what every file of it hashes to. No time, host,
 * absolute path or thread count stands in it: the same config and snapshots give the same bytes.
 */
export const manifestSchema = z.strictObject({
  manifest: z.literal(MANIFEST_VERSION),
  /** Version of the program that wrote it. */
  taskmill: z.string(),
  name: z.string(),
  seed: z.string(),
  config: z.strictObject({
    /** Of the config's text. */
    sha256: hash,
    /** With all defaults filled in. */
    resolved: json,
  }),
  /** `limit` is the command line's; null where there is none. */
  target: z.strictObject({
    accepted: count.nullable(),
    candidates: count.nullable(),
    limit: count.nullable(),
  }),
  reached: z.boolean(),
  candidates: count,
  blocks: count,
  accepted: count,
  sources: z
    .array(
      z.strictObject({
        id: z.string(),
        card: z.strictObject({ file: inside, sha256: hash }),
        snapshot: z.strictObject({ file: inside, sha256: hash }),
        /** Names card and snapshot together; part of every task id. */
        table: hash,
        rows: count,
        records: count,
        loaded: count,
        rejected: counts,
        /** Cells that became unknown, by column and reason. */
        cells: z.record(z.string(), counts),
      }),
    )
    .refine(unique, "two sources have one id"),
  /** The funnel, in the order of the graph: in + created = out + Σ rejected for each. */
  stages: z
    .array(instanceSchema)
    .refine(unique, "two instances have one id")
    .refine(ordered, "an instance takes rows from one that does not stand before it"),
  /** How many accepted rows passed, failed or did not run each gate. */
  gates: z.record(z.string(), z.strictObject({ passed: count, failed: count, not_run: count })),
  splits: counts,
  pools: z.array(
    fileSchema.extend({
      pool: z.string(),
      rows: count,
      /** Accepted rows that this pool did not admit, by the gate in their way. */
      kept_out: counts.optional(),
    }),
  ),
  /** Every file of the dataset but this one, pools included. */
  files: z.array(fileSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;
/** A manifest before the files that are written from it are. */
export type Draft = Omit<Manifest, "files">;

/** The manifest as text: canonical key order, two spaces, so that people can read and compare it. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`;
}
