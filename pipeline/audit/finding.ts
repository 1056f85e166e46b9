/** What does not follow from what lies in the dataset: evidence that its own recorded calls contradict, rows without evidence. */
export interface AuditFinding {
  /** Stable, for programs: `graded_otherwise`, `call_missing`, ... */
  readonly code: string;
  /** A task, or a file of the dataset. */
  readonly where: string;
  readonly message: string;
}
