/**
 * The error taxonomy. Everything that can go wrong for a user is a list of {@link Problem}s: data first,
 * text second, so that all of them can be collected, located in a file and printed at once.
 */

/** What went wrong, by whose hand: the kind alone decides the exit code. */
export type ErrorKind =
  | "config"
  | "usage"
  | "source"
  | "provider"
  | "budget"
  | "verification"
  | "target"
  | "interrupted"
  | "internal";

/** Process exit codes of the `pipeline` command. */
export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  source: 1,
  provider: 1,
  verification: 1,
  config: 2,
  usage: 2,
  target: 3,
  budget: 3,
  interrupted: 130,
};

/** A place in a user's file. Lines and columns count from 1. */
export interface Location {
  file: string;
  line?: number;
  column?: number;
  /** Characters to underline, from `column`. */
  length?: number;
  /** The line itself, without its end. */
  excerpt?: string;
}

/** One thing that is wrong and what would be right. */
export interface Problem {
  /** Stable, for programs: e.g. `unknown_key`. */
  code: string;
  /** What is wrong, in one sentence without a full stop. */
  message: string;
  /** What would be right. */
  hint?: string;
  /** Path inside the document, e.g. `["stages", "filter", "params", "min"]`. */
  path?: readonly (string | number)[];
  location?: Location;
}

/** The only error class that the product throws on purpose. */
export class TaskmillError extends Error {
  override readonly name = "TaskmillError";
  constructor(
    readonly kind: ErrorKind,
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    super(problems.map((p) => p.message).join("; "), options);
  }
}

/** Throws a single-problem error. */
export function fail(kind: ErrorKind, code: string, message: string, hint?: string): never {
  throw new TaskmillError(kind, [hint === undefined ? { code, message } : { code, message, hint }]);
}

/** The known name closest to a mistyped one (edit distance ≤ a third of its length, a swap of neighbours being one edit), or undefined. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const d = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** How many names a hint lists. */
const LISTED = 40;

/** What would be right instead of a mistyped name: the nearest of those known, or else all of them after a word that says what they are. */
export function suggest(name: string, known: Iterable<string>, what = "known"): string {
  const names = [...known];
  const near = nearest(name, names);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const listed = names.slice(0, LISTED).join(", ") || "none";
  return `${what}: ${listed}${names.length > LISTED ? ", ..." : ""}`;
}

function editDistance(a: string, b: string): number {
  let beforeThat: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) current[j] = Math.min(current[j]!, beforeThat[j - 2]! + 1);
    }
    beforeThat = previous;
    previous = current;
  }
  return previous[b.length]!;
}
