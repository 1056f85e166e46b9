import type { Rate } from "../../verifiers/intervals.js";

/** Ways to an answer without the work that a task asks for, in the order in which a report tells them. */
export const SHORTCUTS = {
  recall: "recall from memory",
  leaks: "answer or entity in the question",
  source_named: "source named in the question",
  one_cell: "one-cell lookup",
  priors: "guessing from priors",
  near_duplicates: "near-duplicates in the pool",
  contamination: "overlap with benchmarks",
  wording: "ambiguous wording",
  disagreement: "answer that solvers do not reach",
  selection: "unstable selection",
  leniency: "lenient grader",
} as const;
export type ShortcutId = keyof typeof SHORTCUTS;

/** One shortcut: what was tested, what was found, how far that reaches. */
export interface Shortcut {
  readonly id: ShortcutId;
  readonly title: string;
  /** The test that closes it. */
  readonly test: string;
  /** `partly`: for some of the accepted rows. */
  readonly status: "tested" | "partly" | "not_run";
  /** Why it did not run, or not for all rows; else empty. */
  readonly why: string;
  /** Accepted rows that it was done on. */
  readonly tested: number;
  /** Accepted rows in which it found the shortcut open. */
  readonly open: number;
  /** The finding in a few words, for a table. */
  readonly result: string;
  /** The rate that the test measures, with a 95 % interval; null for tests that measure none. */
  readonly rate: Rate | null;
  /** Rows that the run turned away for it; null where none is meant to. */
  readonly removed: number | null;
  /** How far the test reaches, in sentences. */
  readonly reach: string;
}

/** A shortcut whose test ran, on all or on some of the accepted rows. */
export function tested(
  id: ShortcutId,
  accepted: number,
  parts: Omit<Shortcut, "id" | "title" | "status" | "why"> & { readonly untested?: string },
): Shortcut {
  const { untested = "", ...rest } = parts;
  if (parts.tested === 0 && accepted > 0) return notRun(id, parts.test, untested, parts.removed);
  const all = parts.tested >= accepted;
  return { id, title: SHORTCUTS[id], status: all ? "tested" : "partly", why: all ? "" : untested, ...rest };
}

/** A shortcut that nothing was done about. */
export function notRun(id: ShortcutId, test: string, why: string, removed: number | null = null): Shortcut {
  const nothing = { tested: 0, open: 0, result: "not run", rate: null, reach: "" };
  return { id, title: SHORTCUTS[id], test, status: "not_run", why, removed, ...nothing };
}

/** "3.4 %", with as many digits as tell something. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0 || value === 100) return `${value} %`;
  return value < 0.05 ? "< 0.1 %" : `${value.toFixed(value < 10 ? 1 : 0)} %`;
}

/** "1.2 % (0.4 to 3.4 %)"; "none of 40 (up to 8.8 %)". */
export function rateText({ successes, trials, estimate, low, high }: Rate): string {
  if (estimate === null) return "no trial";
  if (successes === 0) return `none of ${trials} (up to ${percent(high)})`;
  return `${percent(estimate)} of ${trials} (${percent(low).replace(" %", "")} to ${percent(high)})`;
}

/** "1 row", "3 rows". */
export function rows(n: number, noun = "row"): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
