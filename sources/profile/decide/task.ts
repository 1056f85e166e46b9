import type { ColumnProfile } from "../column.js";
import type { Field } from "../layout/layout.js";
import type { Hint } from "./commas.js";
import type { Companions } from "./companions.js";
import type { Decision } from "./decision.js";
import type { Keys } from "./keys.js";
import type { KnownQuantity } from "./quantity.js";
import type { Called } from "./words.js";

/** A column to decide about, and what is known around it. */
export interface Task {
  readonly column: ColumnProfile;
  readonly field: Field;
  readonly called: Called;
  readonly keys: Keys;
  readonly companions: Companions;
  readonly known: readonly KnownQuantity[];
  /** Whether the table has latitudes and longitudes. */
  readonly places: boolean;
  /** What the rest of the file says of its decimal marks. */
  readonly hint: Hint;
  /** Whether the records are countries, whose area is their total area. */
  readonly countries: boolean;
}

/** What every decision about a column begins with. */
export type Base = Pick<Decision, "field" | "id" | "noun" | "trim">;
