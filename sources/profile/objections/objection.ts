/** `error`: tasks would be wrong, or there would be none. `warning`: they may be. `note`: worth a thought. */
export type Severity = "error" | "warning" | "note";

/** What a scientist would object to in a card that is sound as such. */
export interface Objection {
  /** Stable, for programs: `no_drift`. */
  readonly code: string;
  readonly severity: Severity;
  /** The column, or the key of the card, that it is about. */
  readonly about: string;
  readonly what: string;
  /** Why it matters. */
  readonly why: string;
  /** What to do. */
  readonly fix: string;
}

export const error = (code: string, about: string, what: string, why: string, fix: string): Objection => ({
  ...{ code, severity: "error", about, what, why, fix },
});
export const warning = (code: string, about: string, what: string, why: string, fix: string): Objection => ({
  ...{ code, severity: "warning", about, what, why, fix },
});
export const remark = (code: string, about: string, what: string, why: string, fix: string): Objection => ({
  ...{ code, severity: "note", about, what, why, fix },
});
