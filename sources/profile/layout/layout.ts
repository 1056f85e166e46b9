import type { SnapshotFormat } from "../../format.js";

/** A field of a file's records, and what the file itself says of it beside its values. */
export interface Field {
  readonly name: string;
  /** From a comment line, e.g. "Orbital Period". */
  readonly description?: string;
  /** From a comment line or a row of units, as it is written there. */
  readonly unit?: string;
}

/** How a file's bytes are read: what a card's `snapshot.read` will say. */
export interface Layout {
  readonly read: SnapshotFormat;
  readonly fields: readonly Field[];
  /** What was guessed, each with the reason, in sentences: a guess is never silent. */
  readonly said: readonly string[];
}
