import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { ledgerTable } from "../../datasets/schema/index.js";
import type { RejectedItem } from "../../stages/stage.js";
import { canonicalJson, type Json } from "../base/canonical.js";
import type { Registry } from "../registry.js";
import { rejectionsIn } from "../store.js";
import { type Bench, columnsOf, streamed } from "./bench.js";
import { programKey } from "./identity.js";
import type { Side } from "./side.js";

/** Where a row ended in a run that did not accept it. */
export interface Fate {
  readonly instance: string;
  readonly stage: string;
  readonly reason: string;
  /** The reason in words, where they are known here. */
  readonly why: string;
  readonly evidence: Json;
  /** `trial`: the run's stages were asked again just now. */
  readonly found_in: "ledger" | "store" | "samples" | "trial";
}

/** What is looked up in a run: the ids that rows would have in it, and their programs, each with the row's own id. */
export interface Wanted {
  readonly aliases: ReadonlyMap<string, string>;
  readonly programs: ReadonlyMap<string, string>;
}

export interface Fates {
  /** By the row's own id. */
  readonly found: ReadonlyMap<string, Fate>;
  /** Why the run's rejections could not be looked up, where they could not. */
  readonly missing: string | undefined;
}

/** Evidence beyond this says no more to a reader of a comparison: `explain` shows all of it. */
const MAX_EVIDENCE = 2000;

/** Looks up where rows ended in a run: in the ledger that ships with its dataset, then in its run store, as long as that is there. */
export async function fatesIn(bench: Bench, side: Side, wanted: Wanted, registry: Registry): Promise<Fates> {
  const found = new Map<string, Fate>();
  if (wanted.aliases.size + wanted.programs.size === 0) return { found, missing: undefined };
  await fromLedger(bench, side, wanted, found);
  const missing = await fromStore(side, wanted, registry, found);
  return { found, missing };
}

async function fromLedger(bench: Bench, side: Side, wanted: Wanted, found: Map<string, Fate>): Promise<void> {
  const file = side.files.get("ledger");
  if (file === undefined) return;
  const needed = ["task_id", "instance", "status", "reason", "why", "hidden_evidence"];
  await columnsOf(bench, side, "ledger", Object.keys(ledgerTable.columns), needed);
  const rows = streamed(
    bench.database,
    "SELECT task_id, instance, reason, why, hidden_evidence FROM read_parquet($1) WHERE status = 'rejected'",
    [file],
  );
  for await (const [task, instance, reason, why, evidence] of rows) {
    const id = wanted.aliases.get(String(task));
    if (id === undefined || found.has(id)) continue;
    const where = placeOf(side, String(instance));
    found.set(id, {
      ...where,
      reason: String(reason),
      why: String(why),
      evidence: shortened(parsed(String(evidence))),
      found_in: "ledger",
    });
  }
}

/** @returns why it cannot be read */
async function fromStore(
  side: Side,
  wanted: Wanted,
  registry: Registry,
  found: Map<string, Fate>,
): Promise<string | undefined> {
  const file = join(side.path, "run.duckdb");
  // No link, which may lead anywhere, and no FIFO, which would be waited for.
  if (!(await lstat(file).catch(() => undefined))?.isFile())
    return `${side.dir} has no run store, so what its stages turned away cannot be looked up`;
  const samples = new Map<string, Fate>();
  try {
    for await (const { instance, line } of rejectionsIn(file)) {
      const item = JSON.parse(line) as RejectedItem;
      const id = wanted.aliases.get(String(item.ref));
      const fate = (found_in: Fate["found_in"]) => fateOf(side, instance, item, registry, found_in);
      if (id !== undefined && !found.has(id)) found.set(id, fate("store"));
      const drawn = id === undefined ? drawnProgram(item, wanted) : undefined;
      if (drawn !== undefined && !samples.has(drawn)) samples.set(drawn, fate("samples"));
    }
  } catch (error) {
    // A run may be at work in it, and a store of another version has other tables: it is a cache, and no part of the dataset.
    const why = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    return `the run store of ${side.dir} cannot be read: ${why}`;
  }
  for (const [id, fate] of samples) if (!found.has(id)) found.set(id, fate);
  return undefined;
}

/** The row whose very program a space drew and turned away: such candidates have no id, but their program is their evidence. */
function drawnProgram({ evidence }: RejectedItem, { programs }: Wanted): string | undefined {
  const program = (evidence as { readonly program?: unknown } | null)?.program;
  if (program === null || typeof program !== "object") return undefined;
  return programs.get(programKey(program as Parameters<typeof programKey>[0]));
}

function fateOf(
  side: Side,
  instance: string,
  { reason, evidence }: RejectedItem,
  registry: Registry,
  found_in: Fate["found_in"],
): Fate {
  const where = placeOf(side, instance);
  const why = registry.get(where.stage)?.reasons[reason] ?? "";
  // A sample's evidence is the program itself, which the row has too.
  return { ...where, reason, why, evidence: found_in === "samples" ? null : shortened(evidence), found_in };
}

function placeOf({ manifest }: Side, instance: string): Pick<Fate, "instance" | "stage"> {
  return { instance, stage: manifest.stages.find(({ id }) => id === instance)?.stage ?? instance };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

export function shortened(evidence: Json): Json {
  const text = canonicalJson(evidence);
  return text.length <= MAX_EVIDENCE ? evidence : `${text.slice(0, MAX_EVIDENCE - 3)}...`;
}
