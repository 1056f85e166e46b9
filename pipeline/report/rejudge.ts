import { z } from "zod";
import type { RejectedItem, Rejection, Row, RowStage, SourceStage } from "../../stages/stage.js";
import { builtins } from "../builtins.js";
import { NO_ENVIRONMENT } from "../environment/none.js";
import type { Facts } from "../facts.js";
import { NO_MODELS } from "../models/none.js";
import type { Registry } from "../registry.js";
import { type Bench, contextOf } from "../verify/rederive.js";

type Stage = Facts["manifest"]["stages"][number];

/** Looks at a rejected candidate once more, to learn what stood in its way; undefined where that cannot be told. */
export type Rejudge = (stage: Stage, item: RejectedItem) => Promise<Rejection | undefined>;

/** The stages whose checks enumeration makes on its way, in their order, each with its own part of the limits. */
const CHECKS = ["filter", "select", "compute"] as const;
const limits = z.object({ limits: z.record(z.string(), z.unknown()).default({}) });

/**
 * Enumeration rejects by the million and keeps no figures with its samples. A sample's candidate is made again from its number,
 * as `verify` does with rows that were kept, and goes through the stages whose checks enumeration made.
 */
export function rejudging({ manifest, tables }: Facts): Rejudge | undefined {
  if (tables === undefined) return undefined;
  const bench: Bench = {
    instances: [],
    seed: manifest.seed,
    ...tables,
    signal: new AbortController().signal,
    outDir: "",
    target: undefined,
    models: NO_MODELS,
    environment: NO_ENVIRONMENT,
  };
  const registry = builtins();
  return async (stage, item) => {
    try {
      const row = candidate(registry, bench, stage, item);
      return row === undefined ? undefined : await firstRejection(registry, bench, stage, row);
    } catch {
      // A candidate that cannot be made again is left out; the report says how many were measured.
      return undefined;
    }
  };
}

function candidate(
  registry: Registry,
  bench: Bench,
  { id, stage: kind, params }: Stage,
  { ref }: RejectedItem,
): Row | undefined {
  const stage = registry.get(kind);
  const [, name, index] = /^(.{1,200})#(\d{1,15})$/.exec(String(ref)) ?? [];
  if (stage?.mode !== "source" || name === undefined) return undefined;
  const source = stage as SourceStage;
  const instance = { id, stage, params: stage.params.parse(params), from: [] };
  const origin = { stage: id, kind: "space", name, index: Number(index) };
  return source.again?.({ id: "", origin }, contextOf(bench, instance));
}

async function firstRejection(
  registry: Registry,
  bench: Bench,
  { params }: Stage,
  row: Row,
): Promise<Rejection | undefined> {
  const own = limits.parse(params).limits;
  let at = row;
  for (const kind of CHECKS) {
    const stage = registry.get(kind) as RowStage | undefined;
    if (stage === undefined) return undefined;
    const instance = { id: kind, stage, params: stage.params.parse(own[kind] ?? {}), from: [] };
    const outcome = await stage.run(at, contextOf(bench, instance));
    if ("reject" in outcome) return outcome.reject;
    at = outcome.out;
  }
  return undefined;
}
