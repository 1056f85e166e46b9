import { z } from "zod";
import type { Shortcut, ShortcutId } from "./shortcut.js";

const share = z.number().min(0).max(1);
const count = z.number().int().min(0);

/**
 * What a dataset is held to, by `pipeline audit`. A bound whose test did not run, or left out more than `untested` of the accepted rows,
 * is broken.
 */
export const boundsSchema = z.strictObject({
  /** Upper end of the interval of what one draw more would find in rows that the probe passed. */
  recall_upper: share.optional(),
  /** Accepted rows that recorded samples show to be known by heart. */
  known_rows: count.optional(),
  /** Questions in which the answer, a value on the way or the entity can be read. */
  leaks: count.optional(),
  /** Questions that name the source. */
  sources_named: count.optional(),
  /** Share of tasks whose answer stands in one cell of the entity. */
  one_cell_share: share.optional(),
  /** The largest share of tasks that any one kind of guess gets right. */
  chance_share: share.optional(),
  /** Tasks that are nearly the same as an earlier one. */
  near_duplicates: count.optional(),
  /** Accepted tasks that overlap with a named benchmark. */
  contaminated: count.optional(),
  /** Upper end of the interval of questions that a reader takes for another task. */
  round_trip_failures: share.optional(),
  /** Upper end of the interval of tasks on which independent solves differ from the reference. */
  disagreement: share.optional(),
  /** Tasks whose selection lies within its margin. */
  unstable: count.optional(),
  /** Wrong answers that the grader takes as right. */
  leniency: count.optional(),
  /** What the audit finds that does not follow from the dataset's own files. 0 once any bound is set. */
  findings: count.optional(),
  /** Share of accepted rows that the test of a bound may leave out. */
  untested: share.default(0),
});
export type Bounds = z.infer<typeof boundsSchema>;
export type BoundName = Exclude<keyof Bounds, "untested">;

/** A bound and how it was met. */
export interface BoundResult {
  readonly bound: BoundName;
  readonly most: number;
  /** Null where the test did not run. */
  readonly found: number | null;
  readonly broken: boolean;
  /** Why it is broken; else empty. */
  readonly why: string;
}

/** Which shortcut's test a bound rests on; `findings` rests on none. */
const RESTS_ON: Readonly<Record<Exclude<BoundName, "findings">, ShortcutId>> = {
  recall_upper: "recall",
  known_rows: "recall",
  leaks: "leaks",
  sources_named: "source_named",
  one_cell_share: "one_cell",
  chance_share: "priors",
  near_duplicates: "near_duplicates",
  contaminated: "contamination",
  round_trip_failures: "wording",
  disagreement: "disagreement",
  unstable: "selection",
  leniency: "leniency",
};

/** What bounds are compared with; null where a test gave none. */
export type Figures = Readonly<Record<BoundName, number | null>>;

/** Holds figures against bounds. */
export function judgeBounds(
  { untested, ...given }: Bounds,
  figures: Figures,
  shortcuts: readonly Shortcut[],
  accepted: number,
): BoundResult[] {
  const set: Partial<Record<BoundName, number>> =
    Object.keys(given).length === 0 ? {} : { findings: 0, ...given };
  return (Object.entries(set) as [BoundName, number | undefined][]).flatMap(([bound, most]) => {
    if (most === undefined) return [];
    const shortcut = bound === "findings" ? undefined : shortcuts.find(({ id }) => id === RESTS_ON[bound]);
    const found = shortcut?.status === "not_run" ? null : figures[bound];
    const why = reasonBroken(found, most, shortcut, untested, accepted);
    return [{ bound, most, found, broken: why !== "", why }];
  });
}

function reasonBroken(
  found: number | null,
  most: number,
  shortcut: Shortcut | undefined,
  untested: number,
  accepted: number,
): string {
  if (found === null) return `its test did not run${shortcut?.why ? `: ${shortcut.why}` : ""}`;
  if (found > most) return `${Number(found.toPrecision(4))} is more than ${most}`;
  const left = shortcut === undefined ? 0 : accepted - shortcut.tested;
  if (left > untested * accepted)
    return `its test left out ${left} of ${accepted} rows${shortcut!.why ? `: ${shortcut!.why}` : ""}`;
  return "";
}
