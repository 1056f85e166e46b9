/** What `verify` looks at, in this order. */
export const CHECKS = ["files", "funnel", "sources", "tasks", "sets", "pools"] as const;
export type Check = (typeof CHECKS)[number];

/** Something that is not as it was made. */
export interface Finding {
  readonly check: Check;
  /** Stable, for programs: `file_changed`, `answer_differs`, ... */
  readonly code: string;
  /** A file, a stage instance, a source or a task id. */
  readonly where: string;
  readonly message: string;
}

/** How a check ended; one that could not run says why and is no pass. */
export interface CheckResult {
  readonly check: Check;
  readonly status: "passed" | "failed" | "not_run";
  readonly looked_at: string;
}

export interface Verification {
  readonly checks: readonly CheckResult[];
  readonly findings: readonly Finding[];
  /** Tasks whose every field was derived again and was the same. */
  readonly rederived: number;
}
