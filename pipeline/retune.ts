import { regrade } from "./audit/calls.js";
import { readDataset } from "./audit/dataset.js";
import type { AuditFinding } from "./audit/finding.js";
import { fail } from "./base/errors.js";
import { readManifest } from "./manifest-file.js";
import type { Registry } from "./registry.js";
import type { Changes } from "./retune/changes.js";
import { compositionOf, type Part } from "./retune/composition.js";
import { Decider } from "./retune/decide.js";
import { limitsOf } from "./retune/limits.js";
import { gatedRows, lateGates } from "./retune/rows.js";
import { openRunDir } from "./run-dir.js";
import { reloadSources } from "./verify/sources.js";

export type { Changes } from "./retune/changes.js";

/** What a dataset would be under other thresholds, as far as its kept evidence tells. */
export interface Retuning {
  readonly retune: 1;
  readonly name: string;
  readonly changes: Changes;
  /** Rows of which evidence is kept. */
  readonly rows: number;
  readonly before: { readonly passed: number; readonly in_dataset: number };
  readonly after: { readonly in: number; readonly out: number; readonly open: number };
  /** Why rows are out or open, by number. */
  readonly why: readonly { readonly fate: "out" | "open"; readonly why: string; readonly rows: number }[];
  readonly moved: readonly {
    readonly id: string;
    readonly from: "in" | "out";
    readonly to: "in" | "out" | "open";
  }[];
  readonly composition: readonly Part[];
  /** Where kept evidence ends. */
  readonly limits: readonly string[];
  readonly findings: readonly AuditFinding[];
}

/**
 * Applies other thresholds to what a dataset keeps: its tasks, the rows that its gates turned away, and its recorded calls. Makes no call
 * and writes nothing.
 * @throws TaskmillError (usage, verification, source)
 */
export async function retune(
  dir: string,
  changes: Changes,
  { registry }: { readonly registry: Registry },
): Promise<Retuning> {
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  const { reloaded, findings: changed } = await reloadSources(path, manifest, registry.adapters);
  if (reloaded === undefined) {
    const why = changed.map(({ message }) => message).join("; ");
    fail(
      "verification",
      "sources_not_loaded",
      `the dataset's own sources cannot be loaded: ${why}`,
      "run `pipeline verify` on it",
    );
  }
  try {
    const dataset = lateGates(await readDataset(path, manifest, reloaded.catalog));
    const { judged, findings } = await regrade(dataset);
    const gated = gatedRows(dataset);
    const decider = new Decider(dataset, judged, changes);
    const fates = gated.map((row) => ({ row, fate: decider.fateOf(row) }));
    const count = (of: string) => fates.filter(({ fate }) => fate.fate === of).length;
    const moved = fates.flatMap(({ row, fate }) => {
      const from = row.passed ? ("in" as const) : ("out" as const);
      return from === fate.fate ? [] : [{ id: row.question.id, from, to: fate.fate }];
    });
    return {
      retune: 1,
      name: manifest.name,
      changes,
      rows: gated.length,
      before: { passed: gated.filter(({ passed }) => passed).length, in_dataset: dataset.tasks.length },
      after: { in: count("in"), out: count("out"), open: count("open") },
      why: reasons(fates.map(({ fate }) => fate)),
      moved,
      composition: compositionOf(fates),
      limits: limitsOf(dataset, gated, changes),
      findings: [...dataset.findings, ...findings],
    };
  } finally {
    reloaded.database.close();
  }
}

function reasons(fates: readonly ReturnType<Decider["fateOf"]>[]): Retuning["why"] {
  const counts = new Map<string, { fate: "out" | "open"; why: string; rows: number }>();
  for (const fate of fates) {
    if (fate.fate === "in") continue;
    const key = `${fate.fate} ${fate.why}`;
    const of = counts.get(key) ?? { fate: fate.fate, why: fate.why, rows: 0 };
    counts.set(key, { ...of, rows: of.rows + 1 });
  }
  return [...counts].sort(([a, x], [b, y]) => y.rows - x.rows || (a < b ? -1 : 1)).map(([, of]) => of);
}
