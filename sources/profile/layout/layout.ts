import type { SnapshotFormat } from "../../format.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";

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

/** A draft of more columns is for nobody to read; in JSON nested fields are counted by path. */
export const MAX_FIELDS = 2000;

export function tooManyFields({ name }: Snapshot): never {
  sourceError("too_many_fields", `${name} has more than ${MAX_FIELDS} different fields`, {
    hint: "are they data (records that stand in columns, a map by name)? Else write the card by hand, with the fields that tasks are to use",
  });
}

const SHOWN = 12;

/** Fields that hold several values are not offered: a card reads one place of them. */
export function listsSaid(lists: ReadonlySet<string>): string[] {
  if (lists.size === 0) return [];
  const [first = "", ...others] = [...lists];
  const more = lists.size > SHOWN ? ` and ${lists.size - SHOWN} more` : "";
  const listed = [first, ...others].slice(0, SHOWN).join(", ");
  return [
    `not offered, as they are lists: ${listed}${more}; a card reads one place of a list, \`from: ${first}.0\``,
  ];
}
