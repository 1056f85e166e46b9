import type { NumberColumn } from "../../sources/table.js";
import { driftOf, MARGIN_SIGMAS, requiredGap } from "../../verifiers/margin.js";

/**
 * The gap that two rows of a column need, in its unit; NaN where an uncertainty is not declared. Rows of a derived column may share a
 * value that they are computed from: two strata have a boundary in common, and what makes one longer makes the other shorter.
 */
export function gapNeeded({ values, u, card, derivedFrom }: NumberColumn, a: number, b: number): number {
  return requiredGap(values[a]!, u[a]!, values[b]!, u[b]!, card.drift, derivedFrom !== undefined);
}

/** A gap that no row needs whose value is like this one's and whose uncertainty is at most `maxU`; beyond it a row's own drift counts. */
export function reachOf({ values, u, card }: NumberColumn, row: number, maxU: number): number {
  return MARGIN_SIGMAS * (u[row]! + maxU) + driftOf(values[row]!, card.drift);
}
