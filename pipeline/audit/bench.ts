import type { Database } from "../../sources/duckdb.js";
import type { Row, RowStage, SetStage, Stage } from "../../stages/stage.js";
import { NO_ENVIRONMENT } from "../environment/none.js";
import { NO_MODELS } from "../models/none.js";
import type { Registry } from "../registry.js";
import type { ModelAccess } from "../rounds.js";
import { type Bench, contextOf } from "../verify/rederive.js";
import type { Dataset } from "./dataset.js";

/** Stages at hand to look at rows once more. They are known by their interface alone, so an audit judges by the same code as a run. */
export interface Stages {
  readonly registry: Registry;
  readonly database: Database;
  readonly signal: AbortSignal;
  /** The dataset's recorded calls. */
  readonly models: ModelAccess;
}

/** What a stage made of one row; `fault` where it cannot work on it, as with rows that somebody wrote by hand, or calls that are missing. */
export type Outcome =
  | { readonly fault: string }
  | { readonly out: Row }
  | { readonly reject: { readonly reason: string; readonly evidence: unknown } };

/**
 * A row stage with these params, bound to the dataset's tables; undefined if there is no such stage, or the params are not its own.
 * @param instance under whose name its random streams run and its calls were recorded
 * @param asking whether recorded calls serve; without them every role is off
 */
export function rowStage(
  kind: string,
  params: unknown,
  dataset: Dataset,
  stages: Stages,
  { instance = kind, asking = false } = {},
): ((row: Row) => Promise<Outcome>) | undefined {
  const bound = bind(kind, params, dataset, stages, instance, asking);
  if (bound === undefined || bound.stage.mode !== "row") return undefined;
  const { stage, context } = bound;
  return async (row) => {
    try {
      return await (stage as RowStage).run(row, context);
    } catch (error) {
      stages.signal.throwIfAborted();
      return { fault: faultText(error) };
    }
  };
}

/** What a set stage rejects of these rows; undefined if there is no such stage, or it cannot work on them. */
export async function rejectedBy(
  kind: string,
  params: unknown,
  rows: readonly Row[],
  dataset: Dataset,
  stages: Stages,
): Promise<
  | readonly { readonly ref: string | number; readonly reason: string; readonly evidence: unknown }[]
  | undefined
> {
  const bound = bind(kind, params, dataset, stages, kind, false);
  if (bound === undefined || bound.stage.mode !== "set") return undefined;
  try {
    return (await (bound.stage as SetStage).run(rows, bound.context)).rejected;
  } catch {
    stages.signal.throwIfAborted();
    return undefined;
  }
}

function faultText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!.slice(0, 200);
}

function bind(
  kind: string,
  params: unknown,
  { catalog, manifest }: Dataset,
  { registry, database, signal, models }: Stages,
  instance: string,
  asking: boolean,
): { stage: Stage; context: ReturnType<typeof contextOf> } | undefined {
  const stage = registry.get(kind);
  const parsed = stage?.params.safeParse(params);
  if (stage === undefined || parsed?.success !== true) return undefined;
  const bench: Bench = {
    instances: [],
    seed: manifest.seed,
    catalog,
    database,
    signal,
    outDir: "",
    target: undefined,
    models: asking ? models : NO_MODELS,
    environment: NO_ENVIRONMENT,
  };
  return { stage, context: contextOf(bench, { id: instance, stage, params: parsed.data, from: [] }) };
}
