import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPool } from "../../datasets/read.js";
import { ledgerTable } from "../../datasets/schema/index.js";
import type { Row } from "../../stages/stage.js";
import { LEDGER } from "../finish.js";
import type { Instance } from "../instance.js";
import type { Manifest } from "../manifest.js";

/** The rows that came to each gate, in order: id, and the row itself where the dataset has not got it. */
export type Attended = ReadonlyMap<string, readonly { readonly id: string; readonly row: Row | null }[]>;

/** @throws TaskmillError (verification) when the ledger cannot be read. */
export async function attendedOf(dir: string): Promise<Attended> {
  const path = join(dir, LEDGER);
  const found = new Map<string, { id: string; row: Row | null }[]>();
  if (!existsSync(path)) return found;
  for await (const { instance, task_id: id, hidden_row } of readPool(path, ledgerTable)) {
    const rows = found.get(instance);
    const entry = { id, row: rowOf(hidden_row) };
    if (rows === undefined) found.set(instance, [entry]);
    else rows.push(entry);
  }
  return found;
}

function rowOf(text: string): Row | null {
  try {
    return JSON.parse(text) as Row | null;
  } catch {
    return null;
  }
}

/**
 * What a set stage let in when the dataset was made: the accepted rows, and between them those that gates turned away later. Shares are
 * shares of all of these, so that without the latter an accepted row may seem one too many.
 * @returns undefined where a row stage that keeps no record turned rows away behind it: then its decisions cannot be taken again.
 */
export function letIn(
  instance: Instance,
  instances: readonly Instance[],
  accepted: readonly Row[],
  attended: Attended,
  manifest: Manifest,
): readonly Row[] | undefined {
  const behind = behindOf(instance, instances);
  const first = [instance, ...behind].find(({ id }) => attended.has(id));
  const unrecorded = behind.slice(0, first === undefined ? behind.length : behind.indexOf(first));
  const turned = new Map(manifest.stages.map(({ id, rejected }) => [id, Object.keys(rejected).length > 0]));
  if (
    first !== instance &&
    unrecorded.some(({ id, stage }) => stage.mode === "row" && turned.get(id) === true)
  )
    return undefined;
  if (first === undefined) return accepted;
  const known = new Map(accepted.map((row) => [row.id, row]));
  const rows = attended.get(first.id)!.flatMap(({ id, row }) => known.get(id) ?? row ?? []);
  const ids = new Set(rows.map((row) => row.id));
  // A gate on one of several ways has not seen all rows.
  if (!accepted.every(({ id }) => ids.has(id))) return accepted;
  // A row that somebody put in twice stands in the ledger once.
  return [...rows, ...accepted.filter((row) => known.get(row.id) !== row)];
}

/** All that follows an instance, in the graph's order. */
function behindOf({ id }: Instance, instances: readonly Instance[]): Instance[] {
  const reached = new Set([id]);
  return instances.filter((next) => {
    if (next.id === id || !next.from.some((from) => reached.has(from))) return false;
    reached.add(next.id);
    return true;
  });
}
