import type { IngestReport } from "../sources/table.js";

/** What a stage instance did: in + created = out + Σ rejected. */
export interface Counts {
  readonly in: number;
  readonly created: number;
  readonly out: number;
  readonly rejected: Readonly<Record<string, number>>;
}

/** Model calls of a stage instance in this run, and what all runs into the directory have spent. */
export interface CallCounts {
  readonly instance: string;
  /** Answered from what is recorded. */
  readonly replayed: number;
  /** Made and recorded. */
  readonly kept: number;
  /** Given up. */
  readonly failed: number;
  /** Tries that failed and were repeated. */
  readonly retried: number;
  readonly in_flight: number;
  /** Of the stage in this run. */
  readonly tokens: number;
  /** Of the stage in this run; null when a role has no price. A decimal number, as are the next. */
  readonly cost: string | null;
  /** Of all stages and all runs; null when a role has no price. */
  readonly total_cost: string | null;
  /** The run's cap on cost. */
  readonly cap: string | null;
  readonly currency: string;
}

/** Progress of a run, in the order in which it happens. Times are the listener's business: nothing here has a clock. */
export type RunEvent =
  | {
      readonly type: "run";
      readonly name: string;
      readonly outDir: string;
      readonly instances: readonly string[];
    }
  | { readonly type: "ingest"; readonly source: string; readonly rows: number; readonly report: IngestReport }
  /** One call of a stage began; `rows` go in (0 for a source). */
  | {
      readonly type: "stage_start";
      readonly instance: string;
      readonly stage: string;
      readonly block: number | null;
      readonly rows: number;
    }
  /** Rows done so far in this call, for rate and time left; at most one event per 100 rows. */
  | { readonly type: "rows"; readonly instance: string; readonly done: number; readonly total: number }
  /** One call of a stage ended, or its result came from the run store. */
  | {
      readonly type: "stage_end";
      readonly instance: string;
      readonly stage: string;
      readonly block: number | null;
      readonly cached: boolean;
      readonly counts: Counts;
    }
  /** How the model calls of a stage are getting on: after each new call, and after every 100 replayed ones. */
  | ({ readonly type: "calls" } & CallCounts)
  /** An endpoint is left alone for so many seconds. */
  | { readonly type: "waiting"; readonly endpoint: string; readonly seconds: number; readonly why: string }
  /** Something that people need to know, such as calls that may have been paid for nothing. */
  | { readonly type: "note"; readonly message: string }
  /** After each block: how far the run is towards its target and its budget. `accepted` is null while it cannot be known. */
  | {
      readonly type: "round";
      readonly block: number;
      readonly candidates: number;
      readonly budget: number | null;
      readonly accepted: number | null;
      readonly target: number | null;
    }
  /** A file of the dataset is in place; not told of the copies of cards and snapshots. */
  | { readonly type: "write"; readonly file: string }
  /** `worked`: calls of stages that were not answered from the run store. `unchanged`: the dataset in place is this very one. */
  | {
      readonly type: "end";
      readonly accepted: number;
      readonly worked: number;
      readonly cached: number;
      readonly unchanged: boolean;
    };

export type Listener = (event: RunEvent) => void;
