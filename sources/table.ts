import type { Card, ColumnCard } from "./card.js";

/**
 * A loaded table, column by column, rows in the order of the key (code units), so that nothing depends on the order of
 * the file. Values are in the card's units. Unknown is NaN in numbers, null in texts, 2 in flags.
 */
export interface Table {
  readonly id: string;
  readonly card: Card;
  /** SHA-256 over card and snapshot: names this very data. */
  readonly hash: string;
  readonly rows: number;
  readonly keys: readonly string[];
  readonly names: readonly string[];
  /** Other names of each entity, the name itself not among them. */
  readonly aliases: readonly (readonly string[])[];
  /** 1-based record number in the snapshot. */
  readonly records: Int32Array;
  readonly columns: ReadonlyMap<string, Column>;
  /** Of each class of the card's `complete`, records that were left out and may belong to it; absent where there are none. */
  readonly leftOut?: readonly number[] | undefined;
  /** Row of a key, or undefined. */
  rowOf(key: string): number | undefined;
}

export type Column = NumberColumn | TextColumn | FlagColumn;

export interface NumberColumn {
  readonly type: "number" | "integer";
  readonly id: string;
  readonly card: ColumnCard;
  readonly values: Float64Array;
  /** Standard uncertainty per value in the column's unit: max(declared, half the written rounding step); 0 if exact, NaN if undeclared. */
  readonly u: Float64Array;
  /** 0 a value, -1 an upper limit (truth is below), +1 a lower limit. */
  readonly limit: Int8Array;
  /** Of a column that a program computes: the columns it is computed from. */
  readonly derivedFrom?: readonly string[];
}

export interface TextColumn {
  readonly type: "text";
  readonly id: string;
  readonly card: ColumnCard;
  readonly values: readonly (string | null)[];
}

export interface FlagColumn {
  readonly type: "flag";
  readonly id: string;
  readonly card: ColumnCard;
  /** 0 false, 1 true, 2 unknown. */
  readonly values: Uint8Array;
}

/** All tables of a run, linked. */
export interface Catalog {
  readonly tables: ReadonlyMap<string, Table>;
}

/** Why records or cells did not become data. */
export type IngestReason =
  | "unreadable_value"
  | "implausible_value"
  | "excluded_value"
  | "duplicate_key"
  | "missing_key"
  | "ragged_row"
  | "bad_quote"
  | "not_kept";

/** One sampled cell or record that was turned away. */
export interface IngestSample {
  reason: IngestReason;
  /** 1-based record number in the snapshot (the header is not a record). */
  record: number;
  /** 1-based line, where the format has lines. */
  line?: number;
  column?: string;
  text?: string;
  detail?: string;
}

/** What ingesting one source did. records = loaded + Σ rejected. Cells are counted apart: their rows may live on. */
export interface IngestReport {
  source: string;
  records: number;
  loaded: number;
  rejected: Partial<Record<IngestReason, number>>;
  cells: Record<string, Partial<Record<IngestReason, number>>>;
  /** Of each class of the card's `complete`, records that were left out and may belong to it. */
  left_out: readonly number[];
  samples: IngestSample[];
}
