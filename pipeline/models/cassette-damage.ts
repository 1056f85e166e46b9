import { type Problem, TaskmillError } from "../base/errors.js";

/** A line of a cassette that is not what its place asks for. */
export interface Damage {
  /** From 1. */
  readonly line: number;
  /** Stable, for programs. */
  readonly code:
    | "cut_off"
    | "too_long"
    | "bad_checksum"
    | "bad_text"
    | "bad_record"
    | "bad_key"
    | "bad_order"
    | "bad_header";
  /** "it is no JSON" */
  readonly why: string;
}

/** Most damaged lines that an error lists: a hostile file may be wrong in each, and no more need be held. */
export const LISTED = 20;

/** A cassette cannot be used as it is. */
export function damaged(path: string, damages: readonly Damage[]): TaskmillError {
  const problems = damages.map(
    ({ line, why }): Problem => ({
      code: "cassette_damaged",
      message: `line ${line} of the cassette ${path} is damaged: ${why}`,
      hint: `get the file again, or drop the damage from a run's log by \`pipeline cassette prune\`; \`verify\` shows all of it`,
      location: { file: path, line },
    }),
  );
  return new TaskmillError("source", problems);
}
