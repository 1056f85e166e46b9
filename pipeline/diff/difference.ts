import type { Aspect } from "./aspects.js";
import type { Cause } from "./cause.js";
import type { AspectChange } from "./changed.js";
import type { Setting } from "./made.js";

/** A row that is not in both datasets, or not the same in both. */
export type RowDifference =
  | {
      readonly kind: "lost" | "gained";
      readonly id: string;
      readonly question: string;
      /** Why the dataset without it has not got it, the first cause first. */
      readonly causes: readonly Cause[];
    }
  | {
      readonly kind: "changed";
      readonly id: string;
      /** Its id in the second dataset: another one where a snapshot or formula that it depends on changed. */
      readonly id_b: string;
      readonly question: string;
      readonly aspects: readonly AspectChange[];
    };

/** How many rows a cause accounts for: of rows lost or gained, or of one aspect of changed ones. Every row counts under its first cause. */
export interface CauseCount {
  readonly kind: RowDifference["kind"];
  readonly aspect: Aspect | null;
  readonly code: Cause["code"];
  readonly text: string;
  readonly rows: number;
}

export interface DatasetFacts {
  readonly dir: string;
  readonly name: string;
  readonly taskmill: string;
  readonly seed: string;
  readonly rows: number;
}

/** What differs between two datasets, without the rows themselves. */
export interface Difference {
  /** Whether both have the same rows in the same order, and the same of them in their pools. */
  readonly same: boolean;
  readonly a: DatasetFacts;
  readonly b: DatasetFacts;
  readonly rows: {
    /** In both, under the same id and with nothing changed. */
    readonly same: number;
    readonly changed: number;
    readonly lost: number;
    readonly gained: number;
  };
  /** Changed rows by aspect; a row may count under several. */
  readonly aspects: Readonly<Partial<Record<Aspect, number>>>;
  /** Whether rows of both stand in the same order. */
  readonly ordered: boolean;
  readonly causes: readonly CauseCount[];
  /** How the making of the two differs, whether rows show it or not. */
  readonly settings: readonly Setting[];
  /** What could not be compared or looked up, in sentences. */
  readonly limits: readonly string[];
}
