import type { RowStage } from "../../stages/stage.js";
import { canonicalJson, type Json } from "../base/canonical.js";
import { TaskmillError } from "../base/errors.js";
import { NO_ENVIRONMENT } from "../environment/none.js";
import type { Instance } from "../instance.js";
import { NO_MODELS } from "../models/none.js";
import type { Registry } from "../registry.js";
import { contextOf, routesFrom, type Bench as Workbench } from "../verify/rederive.js";
import type { Reloaded } from "../verify/sources.js";
import { instancesOf } from "../verify.js";
import { type Fate, shortened } from "./fates.js";
import type { Side } from "./side.js";

/** A row as it would begin in the other run: its program with that run's formula and tables. */
export interface Begun {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** What the stages of a run say of a row that the run never saw. */
export interface Trial {
  /** @returns where the row ends; undefined if the stages that decide without a model and about one row alone let it pass, or cannot say */
  run(row: Begun): Promise<Fate | undefined>;
}

/**
 * Makes a run's stages ready, over its own sources. Stages that ask models are not asked: what they would say is not recorded.
 * @returns why that cannot be done, where it cannot: a stage is not at hand, or in another version
 */
export function openTrial(
  side: Side,
  reloaded: Reloaded,
  registry: Registry,
  signal: AbortSignal,
): Trial | string {
  let instances: Instance[];
  try {
    instances = instancesOf(side.manifest, registry);
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    return error.message;
  }
  const { seed } = side.manifest;
  const bench: Workbench = {
    ...reloaded,
    instances,
    seed,
    signal,
    outDir: "",
    target: undefined,
    models: NO_MODELS,
    environment: NO_ENVIRONMENT,
  };
  return { run: (row) => firstRejection(row, bench) };
}

async function firstRejection(row: Begun, bench: Workbench): Promise<Fate | undefined> {
  const start = bench.instances.find((i) => i.stage.mode === "source" && i.stage.gives === "program");
  const routes = start === undefined ? [] : routesFrom(bench.instances, start.id);
  let fate: Fate | undefined;
  for (const route of routes) {
    fate = await along(route, row, bench);
    // One way through the graph is enough to come in.
    if (fate === undefined) return undefined;
  }
  return fate;
}

async function along(route: readonly Instance[], begun: Begun, bench: Workbench): Promise<Fate | undefined> {
  let row: Begun = begun;
  for (const instance of route) {
    const stage = instance.stage as RowStage;
    if ((stage.roles?.(instance.params) ?? []).length > 0) return undefined;
    bench.signal.throwIfAborted();
    const outcome = await outcomeOf(stage, row, instance, bench);
    if (outcome === undefined) return undefined;
    if ("reject" in outcome) {
      const { reason, evidence } = outcome.reject;
      const why = stage.reasons[reason] ?? "";
      return {
        instance: instance.id,
        stage: stage.kind,
        reason,
        why,
        evidence: shortened(evidence as Json),
        found_in: "trial",
      };
    }
    row = JSON.parse(canonicalJson(outcome.out)) as Begun;
  }
  return undefined;
}

/** A stage that cannot take a row of another run's making, or stumbles over it, has said nothing of it. */
async function outcomeOf(stage: RowStage, row: Begun, instance: Instance, bench: Workbench) {
  if (!stage.input.safeParse(row).success) return undefined;
  try {
    return await stage.run(row, contextOf(bench, instance));
  } catch (error) {
    if (bench.signal.aborted) throw error;
    return undefined;
  }
}
