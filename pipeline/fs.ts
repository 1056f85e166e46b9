import { TaskmillError } from "./base/errors.js";

/** What people need to know of the errors that a file system, or DuckDB on top of it, may give. */
const CAUSES: readonly { test: RegExp; code: string; what: string; hint: string }[] = [
  {
    test: /ENOSPC|EDQUOT|no space left|disk quota/i,
    code: "disk_full",
    what: "the disk is full",
    hint: "free some space and run the same command: finished work is kept, and the dataset in place is untouched",
  },
  {
    test: /EACCES|EPERM|permission denied/i,
    code: "no_permission",
    what: "no permission to write",
    hint: "give another --out, or change the owner or mode of the directory",
  },
  {
    test: /EROFS|read-only file system/i,
    code: "read_only",
    what: "the file system is read-only",
    hint: "give another --out",
  },
];

/** A clear error for a full disk or a missing permission, or undefined when `error` is something else. */
export function diskProblem(error: unknown, path: string): TaskmillError | undefined {
  if (error instanceof TaskmillError && !/store_damaged/.test(error.problems[0]?.code ?? "")) return error;
  const text =
    error instanceof Error ? `${(error as NodeJS.ErrnoException).code ?? ""} ${error.message}` : "";
  const cause = CAUSES.find((c) => c.test.test(text));
  if (cause === undefined) return undefined;
  const { code, what, hint } = cause;
  return new TaskmillError("source", [{ code, message: `cannot write ${path}: ${what}`, hint }], {
    cause: error,
  });
}
