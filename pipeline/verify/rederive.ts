import type { Database } from "../../sources/duckdb.js";
import type { Catalog } from "../../sources/table.js";
import type { Environment } from "../../stages/environment.js";
import type { Row, RowStage, SourceStage, StageContext } from "../../stages/stage.js";
import { canonicalJson } from "../base/canonical.js";
import { fail } from "../base/errors.js";
import { stream } from "../base/random.js";
import { filesOf, type Instance } from "../instance.js";
import type { ModelAccess } from "../rounds.js";
import type { Finding } from "./finding.js";

/** What stages are run with once more. */
export interface Bench {
  readonly instances: readonly Instance[];
  readonly seed: string;
  readonly catalog: Catalog;
  readonly database: Database;
  readonly signal: AbortSignal;
  /** A folder of its own for what `emit` writes. */
  readonly outDir: string;
  readonly target: number | undefined;
  /** The dataset's recorded calls. */
  readonly models: ModelAccess;
  /** The tools that agents had, as recorded. */
  readonly environment: Environment;
}

export function contextOf(bench: Bench, instance: Instance): StageContext<unknown> {
  const { seed, catalog, database, signal, outDir, target, models, environment } = bench;
  return {
    params: instance.params,
    instance: instance.id,
    random: (...names) => stream(seed, instance.id, ...names),
    catalog,
    database,
    signal,
    outDir,
    target,
    seed,
    models: models.forInstance(instance.id),
    environment,
    recordings: models.recordings,
    files: filesOf(instance),
  };
}

/** Ways through a graph may double with each stage; more than this no config of a person has. */
const MAX_ROUTES = 1000;

/**
 * The row stages that a row from a source instance may have passed, for each way through the graph.
 * @throws TaskmillError (verification) when there are more than {@link MAX_ROUTES}.
 */
export function routesFrom(instances: readonly Instance[], source: string): Instance[][] {
  const routes: Instance[][] = [];
  for (const route of ways(instances, source)) {
    if (routes.push(route) <= MAX_ROUTES) continue;
    const message = `more than ${MAX_ROUTES} ways lead through the graph from ${source}`;
    fail("verification", "too_many_routes", message);
  }
  return routes;
}

function* ways(instances: readonly Instance[], source: string): Generator<Instance[]> {
  const next = instances.filter((i) => i.from.includes(source) && i.stage.mode !== "source");
  if (next.length === 0) yield [];
  for (const instance of next) {
    for (const rest of ways(instances, instance.id)) {
      yield instance.stage.mode === "row" ? [instance, ...rest] : rest;
    }
  }
}

/**
 * Makes a row again from its origin alone, by its source stage and every row stage on its way, and compares field by field.
 * @param ignore fields that set stages add (the split), judged apart
 */
export async function rederive(row: Row, bench: Bench, ignore: readonly string[]): Promise<Finding[]> {
  const origin = row.origin as { stage?: unknown } | undefined;
  const start = bench.instances.find((i) => i.id === origin?.stage && i.stage.mode === "source");
  if (start === undefined) {
    return [task("origin_unknown", row, `no source stage \`${String(origin?.stage)}\` is in the manifest`)];
  }
  const source = start.stage as SourceStage;
  // A plugin's source that cannot make a row again is believed what it said; all that follows from it is not.
  const given =
    source.again === undefined ? source.output.parse(row) : source.again(row, contextOf(bench, start));
  if (given === undefined) {
    return [
      task("origin_unknown", row, `${start.id} makes no row of the origin ${canonicalJson(row.origin)}`),
    ];
  }
  let fewest: Finding[] | undefined;
  for (const route of routesFrom(bench.instances, start.id)) {
    const findings = await along(route, given, row, bench, ignore);
    if (findings.length === 0) return [];
    if (fewest === undefined || findings.length < fewest.length) fewest = findings;
  }
  return fewest ?? [];
}

async function along(
  route: Instance[],
  given: Row,
  stored: Row,
  bench: Bench,
  ignore: readonly string[],
): Promise<Finding[]> {
  let row = asKept(given);
  for (const instance of route) {
    const stage = instance.stage as RowStage;
    const outcome = await stage.run(row, contextOf(bench, instance));
    if ("reject" in outcome) {
      const { reason, evidence } = outcome.reject;
      const why = `${instance.id} rejects it: ${stage.reasons[reason] ?? reason} ${canonicalJson(evidence).slice(0, 200)}`;
      return [task(`rejected_${reason}`, stored, why)];
    }
    row = asKept(outcome.out as Row);
  }
  const sets = setGates(bench.instances);
  return compare(without(row, sets), without(stored, sets), [...ignore, ...sets.fields]);
}

/** What gates that look at all rows at once leave on a row: what they decide is judged by running them over all rows. */
function setGates(instances: readonly Instance[]): { gates: ReadonlySet<string>; fields: string[] } {
  const stages = instances.map((i) => i.stage).filter((s) => s.mode === "set" && s.gate !== undefined);
  return { gates: new Set(stages.map((s) => s.gate!)), fields: stages.flatMap((s) => s.leaves ?? []) };
}

function without(row: Row, { gates }: { gates: ReadonlySet<string> }): Row {
  if (gates.size === 0 || !Array.isArray(row.gates)) return row;
  const kept = (row.gates as readonly { readonly gate?: unknown }[]).filter(
    (g) => typeof g?.gate !== "string" || !gates.has(g.gate),
  );
  return { ...row, gates: kept };
}

/** A row as stages see it in a run: out of its canonical JSON, members in their sorted order. */
function asKept(row: Row): Row {
  return JSON.parse(canonicalJson(row)) as Row;
}

function compare(derived: Row, stored: Row, ignore: readonly string[]): Finding[] {
  const fields = [...new Set([...Object.keys(derived), ...Object.keys(stored)])].sort();
  return fields
    .filter((field) => !ignore.includes(field))
    .flatMap((field) => {
      const difference = firstDifference(derived[field], stored[field], field);
      return difference === undefined ? [] : [task(`${field}_differs`, stored, difference)];
    });
}

/** Where two JSON values first differ, in words, or undefined. */
export function firstDifference(derived: unknown, stored: unknown, path: string): string | undefined {
  if (isTree(derived) && isTree(stored) && Array.isArray(derived) === Array.isArray(stored)) {
    for (const key of [...new Set([...Object.keys(derived), ...Object.keys(stored)])].sort()) {
      const found = firstDifference(derived[key], stored[key], `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (textOf(derived) === textOf(stored)) return undefined;
  return `${path} is ${shorten(textOf(stored))}, derived again ${shorten(textOf(derived))}`;
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string {
  return value === undefined ? "absent" : canonicalJson(value);
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function task(code: string, row: Row, message: string): Finding {
  return { check: "tasks", code, where: row.id, message };
}
