import type { Value } from "../../sources/conditions.js";
import type { Peers, Select, Step } from "./program.js";

/** A table as programs read it in some world, and the tables that its links lead to. */
export interface Scene {
  readonly rows: number;
  column(id: string): readonly Value[];
  /** Where a link leads from each row; null where it is not known. */
  link(name: string): readonly (number | null)[];
  /** The table that a link leads to. */
  beyond(link: string): Scene;
}

/** The row at the wanted rank by value; of equal values the later row counts as larger, as in a sorted column. -1 for nobody. */
export function chosen(values: readonly Value[], { order, rank }: Select, rows: readonly number[]): number {
  const known = rows.filter((row) => values[row] !== null);
  const sign = order === "min" ? 1 : -1;
  known.sort((a, b) => sign * ((values[a] as number) - (values[b] as number) || a - b));
  return known[rank - 1] ?? -1;
}

/** The end of a path from a row; undefined where it leads nowhere. */
export function walkTo(
  steps: readonly Step[],
  from: Scene,
  row: number,
): { readonly scene: Scene; readonly row: number } | undefined {
  let scene = from;
  let at = row;
  for (const step of steps) {
    const next = typeof step === "string" ? scene.link(step)[at] : peerOf(step, scene, at);
    if (next === undefined || next === null || next < 0) return undefined;
    at = next;
    if (typeof step === "string") scene = scene.beyond(step);
  }
  return { scene, row: at };
}

function peerOf({ peers, select }: Peers, scene: Scene, row: number): number {
  const texts = scene.column(peers);
  const shared = texts[row];
  if (shared === null) return -1;
  const rows = texts.flatMap((text, i) => (text === shared ? [i] : []));
  return chosen(scene.column(select.column), select, rows);
}
