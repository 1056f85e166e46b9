import type { Json } from "../base/canonical.js";
import { otherOf } from "./bench.js";
import { type Cause, settingsText } from "./cause.js";
import type { OnlyRow } from "./details.js";
import type { Fate, Fates } from "./fates.js";
import type { Asking } from "./formulas.js";
import { instanceIn, itemIn, type Known } from "./known.js";
import { told } from "./made.js";
import type { Side } from "./side.js";
import type { Trial } from "./trial.js";

/** What looking for the causes of absent rows takes. */
export interface Search {
  readonly known: Known;
  /** The dataset that has the rows. */
  readonly own: Side;
  readonly fates: Fates;
  /** The other run's stages, made ready when first wanted; or why they cannot be. */
  readonly trial: () => Promise<Trial | string>;
  /** How many more rows may be put through them. */
  trials: number;
}

/** Set stages that choose among rows: what they turn away depends on what else there is. */
const CHOOSING = new Set(["balance", "dedup", "decontaminate"]);

/**
 * Why the other dataset has not got a row, the first cause first: its sources, what its run turned away, its recipes and spaces, what its
 * stages say when they are asked now, and at last what decides which candidates are drawn.
 */
export async function whyAbsent(row: OnlyRow, search: Search): Promise<Cause[]> {
  const other = otherOf(search.known.bench, search.own);
  const missing = Object.keys(row.snapshots).filter((id) => !other.manifest.sources.some((s) => s.id === id));
  if (missing.length > 0)
    return missing.map((id) => ({ code: "source_missing", text: `${label(other)} has no source ${id}` }));
  const fate = search.fates.found.get(row.id);
  if (fate !== undefined) return [rejected(fate), ...(await behind(fate, row, search))];
  const origin = originCauses(row, search.own, other);
  if (origin.some(({ code }) => code.endsWith("_missing") || code === "recipe_changed")) return origin;
  const tried = await tryOut(row, search, other);
  if (tried !== undefined) return [rejected(tried), ...(await behind(tried, row, search))];
  return drawn(row, search, other, origin);
}

const label = ({ name }: Side): string => name.toUpperCase();

function rejected({ instance, stage, reason, why, evidence, found_in }: Fate): Cause {
  const how = found_in === "trial" ? "would be rejected" : "rejected";
  const text = `${how} by ${instance}: ${reason}${why === "" ? "" : ` (${why})`}`;
  return { code: "rejected", text, instance, stage, reason, evidence, found_in };
}

/** Why a stage of one run rejects what the other's let pass. */
async function behind(fate: Fate, row: OnlyRow, { known }: Search): Promise<Cause[]> {
  const tables = Object.keys(row.snapshots);
  const causes: Cause[] = [
    ...(await known.cells(row.cells)),
    ...known.formula(askingOf(row)),
    ...known.stages((instance) => instance === fate.instance),
    ...(fate.reason === "over_target" ? targets(known) : []),
    ...(fate.stage === "verbalize" || !CORE.has(fate.stage) ? known.models() : []),
  ];
  if (causes.length > 0) return causes;
  const source = known.source(tables);
  if (source.length > 0) return source;
  return CHOOSING.has(fate.stage)
    ? [{ code: "other_rows", text: `${fate.instance} chose among other rows` }, ...known.seed()]
    : [...known.seed(), ...known.taskmill()];
}

function targets(known: Known): Cause[] {
  const settings = known.of("target");
  if (settings.length === 0) return [];
  return [{ code: "target_changed", text: `the target changed: ${settingsText(settings)}`, settings }];
}

/** Stages that no model has a part in. */
const CORE = new Set([
  "recipes",
  "enumerate",
  "filter",
  "select",
  "compute",
  "lint",
  "dedup",
  "balance",
  "split",
  "emit",
]);

/** Problems have no program. */
function askingOf({ program }: OnlyRow): Asking {
  return (program ?? {}) as Asking;
}

/** What became of the recipe, space or stage that a row comes from. */
function originCauses({ origin }: OnlyRow, own: Side, other: Side): Cause[] {
  const [here, there] = [instanceIn(own, origin.stage), instanceIn(other, origin.stage)];
  if (there === undefined)
    return [{ code: "stage_missing", text: `${label(other)} has no stage ${origin.stage}` }];
  const { kind } = origin;
  if (kind !== "recipe" && kind !== "space") return [];
  const list = kind === "recipe" ? "recipes" : "spaces";
  const [mine, its] = [itemIn(here, list, origin.name), itemIn(there, list, origin.name)];
  if (its === undefined)
    return [{ code: `${kind}_missing`, text: `${label(other)} has no ${kind} ${origin.name}` }];
  const [a, b] = own.name === "a" ? [mine, its] : [its, mine];
  const settings = told("stage", origin.stage, a, b);
  if (settings.length === 0) return [];
  return [
    { code: `${kind}_changed`, text: `${kind} ${origin.name} changed: ${settingsText(settings)}`, settings },
  ];
}

/**
 * Whether the other run's stages may say something else of a row than its own run's, which let it pass: only if what they look at or they
 * themselves changed.
 */
function mayDiffer(row: OnlyRow, known: Known): boolean {
  if (known.changedTables(Object.keys(row.snapshots)).length > 0) return true;
  if (known.formula(askingOf(row)).length + known.of("taskmill").length > 0) return true;
  return known.stages((_, stage) => stage !== undefined && !SETS.has(stage)).length > 0;
}

/** Stages that make rows or look at many at once: none of them is asked about one row. */
const SETS = new Set(["ingest", "recipes", "enumerate", "problems", "dedup", "balance", "split", "emit"]);

/** Puts a row through the other run's stages, as long as there are trials left. */
async function tryOut(row: OnlyRow, search: Search, other: Side): Promise<Fate | undefined> {
  if (row.pool !== "tasks" || row.alias === null || search.trials <= 0 || !mayDiffer(row, search.known))
    return undefined;
  search.trials--;
  const trial = await search.trial();
  if (typeof trial === "string") return undefined;
  const hashes = new Map(other.manifest.sources.map(({ id, table }) => [id, table]));
  const snapshots = Object.fromEntries(Object.keys(row.snapshots).map((id) => [id, hashes.get(id)]));
  const there = search.known.formulas.of(other, askingOf(row));
  // What no row there asks is tried as its own run defines it.
  const formula = there === undefined ? row.formula : (JSON.parse(there) as Json);
  const { program, derived, origin, alias: id } = row;
  const { index, ...place } = origin;
  const begun = { id, program, formula, snapshots, origin: index === null ? place : { ...place, index } };
  return trial.run(derived === undefined ? begun : { ...begun, derived });
}

/** What decides which candidates are drawn at all. */
async function drawn(
  row: OnlyRow,
  { known, own, fates }: Search,
  other: Side,
  origin: Cause[],
): Promise<Cause[]> {
  const causes: Cause[] = [
    ...(await known.cells(row.cells)),
    ...known.seed(),
    ...origin,
    ...known.stages((instance) => instance === row.origin.stage),
    ...known.source(Object.keys(row.snapshots)),
  ];
  const beyond = beyondDraws(row, own, other);
  if (causes.length === 0 && beyond !== undefined) return [beyond];
  // It may have been drawn there, and stopped by what keeps no record of it here.
  if (causes.length === 0)
    causes.push(
      ...targets(known),
      ...known.stages((_, stage) => stage !== undefined && CHOOSING.has(stage)),
      ...known.models(),
      ...known.taskmill(),
    );
  if (causes.length > 0) return causes;
  return [{ code: "unexplained", text: fates.missing ?? `nothing that ${label(other)} keeps says why` }];
}

/** Whether the other run stopped before the candidate: candidates are dealt to spaces by weight, each space counting its own. */
function beyondDraws({ origin }: OnlyRow, own: Side, other: Side): Cause | undefined {
  const [here, there] = [instanceIn(own, origin.stage), instanceIn(other, origin.stage)];
  if (origin.index === null || origin.kind !== "space" || here === undefined || there === undefined)
    return undefined;
  const spaces = (
    here.params as { readonly spaces?: readonly { readonly id?: string; readonly weight?: number }[] } | null
  )?.spaces;
  const weight = spaces?.find(({ id }) => id === origin.name)?.weight;
  if (spaces === undefined || weight === undefined) return undefined;
  const all = spaces.reduce((sum, space) => sum + (space.weight ?? 0), 0);
  if (Math.floor(origin.index / weight) * all < there.created) return undefined;
  return {
    code: "not_drawn",
    text: `${label(other)} stopped after ${there.created} candidates of ${origin.stage}, before this one`,
  };
}
