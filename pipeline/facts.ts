import type { Card } from "../sources/card.js";
import type { Database } from "../sources/duckdb.js";
import type { Catalog, IngestReport } from "../sources/table.js";
import type { RejectedItem, Row } from "../stages/stage.js";
import type { Draft } from "./manifest.js";

/** All that report and dataset card are written from. */
export interface Facts {
  readonly manifest: Draft;
  readonly cards: ReadonlyMap<string, Card>;
  readonly ingest: readonly IngestReport[];
  /** What each reason code of an instance means, for people. */
  readonly reasons: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The rejected items that an instance kept: all of them, or of a source its samples. In order. */
  rejections(instance: string): AsyncIterable<RejectedItem>;
  /** The accepted rows, in order. */
  rows(): Promise<readonly Row[]>;
  /** Instances that decide a gate, in the order of the graph. */
  readonly gates: readonly { readonly id: string; readonly gate: string }[];
  /** Instances that ask models, with their roles. */
  readonly asking?: readonly { readonly id: string; readonly roles: readonly string[] }[];
  /** All rows that an instance let through, those included that later instances turned away. */
  passed(instance: string): Promise<readonly Row[]>;
  /** The loaded sources, for what looks at the rows once more; without them the report has no leakage part. */
  readonly tables?: { readonly catalog: Catalog; readonly database: Database };
}
