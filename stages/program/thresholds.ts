import { driftOf, MARGIN_SIGMAS } from "../../verifiers/margin.js";
import type { Order } from "./table-index.js";

/** How many places of a column are looked at. */
const PLACES = 192;
/** The fewest values beyond a threshold in a large column, and by how much more the next one has beyond it. */
const TAIL = 10;
const TAIL_STEP = 1.5;
/** How many gaps around a place are tried for a wide one. */
const LOOK_AHEAD = 8;
/** A threshold that needs more significant digits than this is not round. */
const MAX_DIGITS = 4;

/**
 * Round thresholds in the gaps of a column, ascending: numbers of few significant digits that lie between two neighbouring
 * values, away from both by their uncertainty where a gap near that place is wide enough, else merely between them (whether
 * anybody near them matters is for the selection to judge). In an exact column any whole step will do.
 */
export function roundThresholds(order: Order): number[] {
  const { ascending, column } = order;
  const n = ascending.length;
  const found = new Set<number>();
  for (const k of placesOf(n)) {
    const threshold = between(order, k);
    if (threshold !== undefined) found.add(threshold);
  }
  const least = column.values[ascending[0] ?? 0]!;
  const most = column.values[ascending[n - 1] ?? 0]!;
  return [...found].filter((t) => t > least && t < most).sort((a, b) => a - b);
}

/** Evenly spread positions, and towards both ends ever closer ones, so that a threshold may leave ten of a million. */
function placesOf(n: number): number[] {
  const places: number[] = [];
  for (let place = 1; place < PLACES; place++) places.push(Math.floor((place * n) / PLACES));
  for (let k = TAIL; k < n / PLACES; k *= TAIL_STEP) places.push(Math.round(k), n - Math.round(k));
  return places.filter((k) => k >= 1 && k < n);
}

/** The roundest number in the nearest gap at or after position `k` that is wide enough, or else in the gap at `k`. */
function between(order: Order, k: number): number | undefined {
  const { ascending, column } = order;
  const { values, u } = column;
  if (column.card.scale === "exact" || column.card.scale === "count") return values[ascending[k]!]!;
  const keep = (row: number) => MARGIN_SIGMAS * (u[row]! || 0) + driftOf(values[row]!, column.card.drift);
  for (let i = k; i < Math.min(k + LOOK_AHEAD, ascending.length); i++) {
    const below = ascending[i - 1]!;
    const above = ascending[i]!;
    const round = roundest(values[below]! + keep(below), values[above]! - keep(above));
    if (round !== undefined) return round;
  }
  const near = Math.max(0, k - 1 - LOOK_AHEAD);
  const far = Math.min(ascending.length - 1, k + LOOK_AHEAD);
  return roundest(values[ascending[near]!]!, values[ascending[far]!]!);
}

/** The number with the fewest significant digits strictly between two others, or undefined beyond {@link MAX_DIGITS}. */
export function roundest(low: number, high: number): number | undefined {
  if (!(low < high)) return undefined;
  if (low < 0 && high > 0) return 0;
  if (high <= 0) {
    const mirrored = roundest(-high, -low);
    return mirrored === undefined ? undefined : -mirrored;
  }
  const exponent = Math.floor(Math.log10(high));
  for (let digits = 1; digits <= MAX_DIGITS; digits++) {
    const power = exponent - digits + 1;
    for (let m = Math.floor(scaled(high, power)); m >= 0; m--) {
      const candidate = Number(`${m}e${power}`);
      if (candidate <= low) break;
      if (candidate < high) return candidate;
    }
  }
  return undefined;
}

function scaled(value: number, power: number): number {
  if (power >= 0) return value / 10 ** power;
  // 10 ** 309 is no number, and the smallest doubles have such exponents.
  return power >= -300 ? value * 10 ** -power : value * 1e300 * 10 ** (-power - 300);
}
