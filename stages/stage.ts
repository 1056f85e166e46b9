import type { z } from "zod";
import type { Json } from "../pipeline/base/canonical.js";
import type { Problem } from "../pipeline/base/errors.js";
import type { Random } from "../pipeline/base/random.js";
import type { Card } from "../sources/card.js";
import type { Database } from "../sources/duckdb.js";
import type { Catalog } from "../sources/table.js";
import type { Environment } from "./environment.js";
import type { Models } from "./model.js";
import type { Recordings } from "./recordings.js";

/**
 * What flows along an edge. Kinds of row are ordered: each adds to the one before, so a stage that takes `computed`
 * also takes `worded`. `tables` flows from ingest only. `problem` is a row of a user's own question and answer; `question` is what
 * `worded`, later kinds and `problem` have in common, for the gates that look at question and answer alone.
 */
export const PORTS = [
  "tables",
  "program",
  "filtered",
  "selected",
  "computed",
  "problem",
  "question",
  "worded",
  "split",
  "pools",
] as const;
export type Port = (typeof PORTS)[number];

/** A row on its way: plain JSON, one line in the run store. `id` is the task's id, stable for a program and its snapshots. */
export interface Row {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** Why a row ended. `reason` is one of the stage's declared codes; evidence shows the data behind it. */
export interface Rejection {
  readonly reason: string;
  readonly evidence: Json;
}

export type Outcome<O> = { readonly out: O } | { readonly reject: Rejection };

/** A rejected item with enough to find or make it again: a row's id, or a candidate's index. */
export interface RejectedItem extends Rejection {
  readonly ref: string | number;
}

/** What one call of a source or set stage made of its input: in + created = out + Σ rejected. */
export interface Batch<O> {
  readonly out: readonly O[];
  /** Every rejected row, or for sources ≥ 100 seeded samples a reason. */
  readonly rejected: readonly RejectedItem[];
  /** For sources: exact counts, as `rejected` holds samples only. */
  readonly rejectedCounts?: Readonly<Record<string, number>>;
  readonly created?: number;
}

/** What a stage may use. Everything that could differ between machines is absent: no clock, no environment. */
export interface StageContext<P> {
  readonly params: P;
  readonly instance: string;
  /** A named random stream under the config's seed, e.g. `random("style", row.id)`. */
  random(...names: readonly (string | number)[]): Random;
  readonly catalog: Catalog;
  /** The store with the loaded tables (read only for stages), for the second evaluator. */
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Where `emit` writes: a folder that becomes the dataset only when the run is complete. */
  readonly outDir: string;
  /** How many rows the run is to accept, if it has a target. */
  readonly target: number | undefined;
  readonly seed: string;
  /** Recorded and new model calls, under the roles of the config. */
  readonly models: Models;
  /** Tools for agents, as the config's `environment` describes them. */
  readonly environment: Environment;
  readonly recordings: Recordings;
  /** The files that the stage's params name, by the name they are given there. */
  readonly files: ReadonlyMap<string, StageFile>;
}

/** A file beside the config. */
export interface StageFile {
  /** Where it is on this machine: for opening it, never for output. Undefined where it is not at hand (`verify` elsewhere). */
  readonly path: string | undefined;
  readonly sha256: string;
}

export interface PlannedCalls {
  readonly role: string;
  /** A row, at most: a reply that must be JSON may have to be repaired once. */
  readonly calls: number;
  /** Beside those of rows, once a run. */
  readonly once?: number;
  readonly input: number;
  readonly output: number;
}

/** What a stage may look at before anything runs. */
export interface CheckContext {
  readonly cards: ReadonlyMap<string, Card>;
  /** Kinds of the other stages of the graph. */
  readonly kinds: ReadonlySet<string>;
}

interface Declaration<P> {
  readonly kind: string;
  /** Raised whenever the same input would give another output. Part of the cache key. */
  readonly version: number;
  /** One line for `--help`, plan and report. */
  readonly summary: string;
  readonly params: z.ZodType<P>;
  readonly takes: Port;
  /** `same`: rows leave as the kind that they came as. */
  readonly gives: Port | "same";
  /** The gate (see `datasets/admission.ts`) that this stage decides, if it is one. */
  readonly gate?: string;
  /** Field of the row in which it leaves evidence; a set stage that is a gate names it, so that `verify` tells it from other fields. */
  readonly leaves?: string;
  /** Model roles that these params use. A stage with roles is run anew each time: recorded calls are its cache. */
  roles?(params: P): readonly string[];
  /** Ids of the stage instances whose rollouts these params name; each must let agents act. */
  reads?(params: P): readonly string[];
  /** Rollouts of a row: how many it makes, or of each instance that it reads how many it takes to decide. */
  draws?(params: P): number;
  /** Whether it lets agents use the config's `environment`: what that is then belongs to the stage's key. */
  readonly acts?: boolean;
  /** Model calls for one row, by role, at most; for `plan`. `input` and `output` are tokens a call. */
  calls?(params: P): readonly PlannedCalls[];
  /** Files that these params name, relative to the config; their hashes are part of the stage's key. */
  files?(params: P): readonly string[];
  /** Reason codes and what each means, for people. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Problems that only the sources' cards reveal; paths are relative to the instance's `params`. */
  check?(params: P, context: CheckContext): Problem[];
}

/** Works on each row alone; cached per row where `costly`, else per stage. */
export interface RowStage<P = unknown, I extends Row = Row, O extends Row = Row> extends Declaration<P> {
  readonly mode: "row";
  readonly costly?: boolean;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  run(row: I, context: StageContext<P>): Outcome<O> | Promise<Outcome<O>>;
}

/** Works on all rows at once, in the order given. */
export interface SetStage<P = unknown, I extends Row = Row, O extends Row = Row> extends Declaration<P> {
  readonly mode: "set";
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  run(rows: readonly I[], context: StageContext<P>): Batch<O> | Promise<Batch<O>>;
}

/**
 * Makes rows. Called with block 0, 1, 2, ... until the run's target is met or `more` is false: block k must not depend
 * on how many blocks there will be, so a grown target only adds rows.
 */
export interface SourceStage<P = unknown, O extends Row = Row> extends Declaration<P> {
  readonly mode: "source";
  readonly output: z.ZodType<O>;
  /** How many candidates there are at most, where params alone tell; for `plan`. */
  candidates?(params: P): number | undefined;
  run(
    block: number,
    context: StageContext<P>,
  ): (Batch<O> & { more: boolean }) | Promise<Batch<O> & { more: boolean }>;
  /** Makes a row once more from what the row itself says of its origin, for `pipeline verify`; undefined if it has none such. */
  again?(row: Row, context: StageContext<P>): O | undefined;
}

export type Stage = RowStage | SetStage | SourceStage;

/** Declares a stage kind: checks nothing at run time, ties the types together. */
export function defineStage<P, I extends Row, O extends Row>(stage: RowStage<P, I, O>): RowStage;
export function defineStage<P, I extends Row, O extends Row>(stage: SetStage<P, I, O>): SetStage;
export function defineStage<P, O extends Row>(stage: SourceStage<P, O>): SourceStage;
export function defineStage(stage: unknown): Stage {
  return stage as Stage;
}
