import { existsSync } from "node:fs";
import { join } from "node:path";
import { tableHash } from "../sources/load.js";
import type { Stage } from "../stages/stage.js";
import { canonicalJson } from "./base/canonical.js";
import type { LoadedConfig } from "./config.js";
import { portText } from "./graph.js";
import { type Instance, rolesOf } from "./instance.js";
import type { Manifest } from "./manifest.js";
import { readManifest } from "./manifest-file.js";
import { modelsText, type PlannedModels, planModels } from "./plan-models.js";
import { unreachable } from "./reachable.js";
import { counted, grouped, table } from "./terminal.js";
import { VERSION } from "./version.js";

/**
 * Whether finished work of an instance lies in the run store: `yes` as the dataset in place was made by the very same
 * stage, params and inputs; `no`; `unknown` where a run was broken off before it made a dataset.
 */
export type Cached = "yes" | "no" | "unknown";

export interface PlannedInstance {
  readonly id: string;
  readonly stage: string;
  readonly version: number;
  readonly mode: Stage["mode"];
  readonly from: readonly string[];
  readonly takes: string;
  readonly gives: string;
  /** At most so many rows leave it; null where it cannot be known. */
  readonly rows: number | null;
  readonly cached: Cached;
}

/** What a run would do. Nothing here was run, and no directory made. */
export interface Plan {
  readonly name: string;
  readonly seed: string;
  readonly outDir: string;
  readonly target: number | null;
  readonly candidates: number | null;
  /** Why the target can never be met, where the config alone says so. */
  readonly unreachable: string | null;
  readonly sources: readonly { readonly id: string; readonly title: string; readonly rows: number | null }[];
  readonly instances: readonly PlannedInstance[];
  readonly models: PlannedModels;
}

/** Plans a checked config. `outDir` is only looked into. */
export async function planOf(
  loaded: LoadedConfig,
  options: { outDir: string; limit?: number },
): Promise<Plan> {
  const { config, instances, sources } = loaded;
  const accepted = lower(config.target?.accepted ?? null, options.limit ?? null);
  const tables = sources.map(({ card }) => ({
    id: card.id,
    title: card.title,
    rows: card.complete.find((c) => c.where.length === 0)?.total ?? null,
  }));
  const cached = await cachedOf(loaded, options.outDir);
  const rows = new Map<string, number | null>();
  for (const instance of instances)
    rows.set(instance.id, expected(instance, rows, tables, config.target, accepted));
  return {
    name: config.name,
    seed: config.seed,
    outDir: options.outDir,
    target: accepted,
    candidates: config.target?.candidates ?? null,
    unreachable:
      unreachable(
        instances,
        sources.map(({ card }) => card),
        accepted ?? 0,
      ) ?? null,
    sources: tables,
    instances: instances.map(({ id, stage, from }) => ({
      id,
      stage: stage.kind,
      version: stage.version,
      mode: stage.mode,
      from,
      takes: portText(stage.takes),
      gives: portText(stage.gives),
      rows: rows.get(id)!,
      cached: cached.get(id)!,
    })),
    models: planModels(loaded, ({ from }) => sum(from.map((id) => rows.get(id)!)), accepted),
  };
}

function expected(
  { stage, from, params }: Instance,
  rows: ReadonlyMap<string, number | null>,
  tables: Plan["sources"],
  target: LoadedConfig["config"]["target"],
  accepted: number | null,
): number | null {
  if (stage.gives === "tables") return sum(tables.map((t) => t.rows));
  if (stage.mode === "source") return lower(stage.candidates?.(params) ?? null, target?.candidates ?? null);
  const incoming = sum(from.map((id) => rows.get(id)!));
  return stage.gives === "pools" ? lower(incoming, accepted) : incoming;
}

function sum(parts: readonly (number | null)[]): number | null {
  return parts.reduce((total: number | null, n) => (total === null || n === null ? null : total + n), 0);
}

function lower(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}

/** Compares each instance with the one that made the dataset in place; what follows a changed one has changed. */
async function cachedOf(
  { config, instances, sources, roles }: LoadedConfig,
  outDir: string,
): Promise<Map<string, Cached>> {
  const all = (cached: Cached) => new Map(instances.map((i) => [i.id, cached] as const));
  if (!existsSync(join(outDir, "run.duckdb"))) return all("no");
  const manifest = await readManifest(outDir).catch(() => undefined);
  if (manifest === undefined) return all("unknown");
  const tables = sources.map(({ card }) => [card.id, tableHash(card)]);
  const before = manifest.sources.map((s) => [s.id, s.table]);
  const same =
    manifest.taskmill === VERSION &&
    manifest.seed === config.seed &&
    canonicalJson(tables) === canonicalJson(before);
  if (!same) return all("no");
  const cached = new Map<string, Cached>();
  for (const instance of instances) {
    const inputs = instance.from.map((id) => cached.get(id)!);
    if (!isSame(instance, manifest) || inputs.includes("no")) cached.set(instance.id, "no");
    // What models say is recorded elsewhere, and what follows depends on it.
    else if (inputs.includes("unknown") || rolesOf(instance).some((role) => roles.get(role)?.off === false))
      cached.set(instance.id, "unknown");
    else cached.set(instance.id, "yes");
  }
  return cached;
}

function isSame({ id, stage, params, from }: Instance, manifest: Manifest): boolean {
  const before = manifest.stages.find((s) => s.id === id);
  if (before === undefined) return false;
  return (
    before.stage === stage.kind &&
    before.version === stage.version &&
    canonicalJson([before.params, before.from]) === canonicalJson([params ?? {}, from])
  );
}

/** The plan as a page of text. */
export function planText(plan: Plan): string {
  const lines = [`${plan.name}, seed ${plan.seed}, into ${plan.outDir}`, ""];
  lines.push("sources:", ...table(plan.sources.map((s) => [s.id, rowsText(s.rows, "row"), s.title])), "");
  const stages = plan.instances.map((i) => [
    i.id === i.stage ? i.id : `${i.id} (${i.stage})`,
    i.from.length === 0 ? "" : `← ${i.from.join(", ")}`,
    i.rows === null ? "unknown" : `${i.mode === "source" ? "" : "≤ "}${grouped(i.rows)}`,
    { yes: "cached", no: "to do", unknown: "perhaps cached" }[i.cached],
  ]);
  lines.push("stages:", ...table([["", "", "rows out", ""], ...stages]), "");
  lines.push(`target: ${targetText(plan)}`);
  if (plan.unreachable !== null) lines.push(`  it cannot be met: ${plan.unreachable}`);
  lines.push("", ...modelsText(plan.models), "");
  return lines.join("\n");
}

function targetText({ target, candidates }: Plan): string {
  const budget = candidates === null ? "" : `, from at most ${grouped(candidates)} candidates`;
  return target === null
    ? "none; all tasks that the stages accept"
    : `${counted(target, "accepted task")}${budget}`;
}

function rowsText(rows: number | null, noun: string): string {
  return rows === null ? `${noun}s: unknown` : counted(rows, noun);
}

/** The graph as a Mermaid flowchart. Nodes have names of their own: Mermaid gives some words (`end`) a meaning. */
export function planMermaid(plan: Plan): string {
  const node = new Map(plan.instances.map((i, n) => [i.id, `n${n}`]));
  const gives = new Map(plan.instances.map((i) => [i.id, i.gives]));
  const boxes = plan.instances.map(
    ({ id, stage }) => `  ${node.get(id)}["${id === stage ? id : `${id} (${stage})`}"]`,
  );
  const arrows = plan.instances.flatMap(({ id, from }) =>
    from.map((input) => `  ${node.get(input)} -->|${gives.get(input)}| ${node.get(id)}`),
  );
  return `${["flowchart LR", ...boxes, ...arrows].join("\n")}\n`;
}
