import type { Json } from "../base/canonical.js";
import type { CellChange } from "./cells.js";
import type { Fate } from "./fates.js";
import type { Setting } from "./made.js";

/** Stable codes of causes. */
export type CauseCode =
  | "cells_changed"
  | "source_changed"
  | "source_missing"
  | "formula_changed"
  | "settings_changed"
  | "stage_missing"
  | "recipe_missing"
  | "recipe_changed"
  | "space_missing"
  | "space_changed"
  | "rejected"
  | "target_changed"
  | "other_rows"
  | "seed_changed"
  | "model_changed"
  | "id_changed"
  | "gates_changed"
  | "not_drawn"
  | "taskmill_changed"
  | "unexplained";

/** Why a row is in one dataset and not in the other, or not the same in both. */
export interface Cause {
  readonly code: CauseCode;
  /** In words that hold for every row with this cause. */
  readonly text: string;
  /** Of `rejected`: where, by what, and what was found. */
  readonly instance?: string;
  readonly stage?: string;
  readonly reason?: string;
  readonly evidence?: Json;
  readonly found_in?: Fate["found_in"];
  /** Cells that the row rests on and that say something else. */
  readonly cells?: readonly CellChange[];
  readonly settings?: readonly Setting[];
}

/** Settings that a headline names. */
const NAMED = 3;
const MAX_VALUE = 60;

/** `max_tolerance 0.05 → 0.01, version 1 → 2 and 2 more`. */
export function settingsText(settings: readonly Setting[]): string {
  const named = settings
    .slice(0, NAMED)
    .map(({ path, a, b }) => `${path === "" ? "" : `${path} `}${valueText(a)} → ${valueText(b)}`);
  const more = settings.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

export function valueText(value: Json): string {
  if (value === null) return "(none)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (/^[0-9a-f]{64}$/.test(text)) return `${text.slice(0, 12)}...`;
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 3)}...` : text;
}
