import type { ColumnCard } from "../../card.js";
import type { ColumnProfile } from "../column.js";
import { neatAbove, times } from "../decimal.js";
import { check, type Note, note } from "./decision.js";
import type { Scaled } from "./scale.js";

/** What a draft says of how well a column's values are known. */
export interface SpreadDraft {
  readonly uncertainty: NonNullable<ColumnCard["uncertainty"]>;
  readonly drift: NonNullable<ColumnCard["drift"]>;
  readonly notes: readonly Note[];
}

/** Digits that no instrument gives: a binary fraction turned to decimals. */
const TOO_MANY = 14;
/** A draft's word for what nobody has declared: wide enough to refuse close calls, and always marked. */
const GUESS = 0.01;

export function spreadOf(
  column: ColumnProfile,
  scaled: Scaled,
  errors: readonly string[],
  factor = 1,
): SpreadDraft {
  const { uncertainty, notes } = uncertaintyOf(column, scaled, errors, factor);
  const { drift, why } = driftOf(column, scaled, factor);
  return { uncertainty, drift, notes: [...notes, check("drift_guessed", why)] };
}

function uncertaintyOf(
  column: ColumnProfile,
  scaled: Scaled,
  errors: readonly string[],
  factor: number,
): Pick<SpreadDraft, "uncertainty" | "notes"> {
  const [first, ...others] = errors;
  if (first !== undefined) return fromField(first, others, factor);
  if (usualDigits(column) >= TOO_MANY) {
    const text = `${usualDigits(column)} digits are those of a computer: they say nothing of how well it is known`;
    return { uncertainty: guessed(column, scaled, factor), notes: [check("float_digits", text)] };
  }
  if (scaled.type === "number" && column.whole === column.numbers && (column.decimals[1] ?? 0) > 0) {
    const text = "all values are whole, written with .0: half a unit is their rounding";
    return { uncertainty: { absolute: times(0.5, factor) }, notes: [check("point_zero", text)] };
  }
  const step = scaled.role === "year" ? undefined : heaped(column);
  if (step !== undefined) {
    const text = `nearly all values are multiples of ${step}, so that half of ${step} is their rounding, not half of the last digit`;
    return { uncertainty: { absolute: times(step / 2, factor) }, notes: [check("heaped", text)] };
  }
  if (scaled.type === "integer") return { uncertainty: { exact: true }, notes: [] };
  const written = (column.forms.plus_minus ?? 0) + (column.forms.parenthesis ?? 0);
  if (written > 0) {
    const text = `${written} of ${column.numbers} values have their uncertainty beside them; the others count as known to half their last digit: are they?`;
    return { uncertainty: { rounding: true }, notes: [check("rounding", text)] };
  }
  const text = `known to half of its last digit (${digitsText(column)})?`;
  return { uncertainty: { rounding: true }, notes: [check("rounding", text)] };
}

function fromField(
  field: string,
  others: readonly string[],
  factor: number,
): Pick<SpreadDraft, "uncertainty" | "notes"> {
  const two = others.length === 0 ? "" : `; ${others.join(", ")} is left, as a card has one for both sides`;
  return {
    uncertainty: { from: field, factor },
    notes: [note("uncertainty_from", `its uncertainty is ${field}${two}`)],
  };
}

function driftOf(
  column: ColumnProfile,
  scaled: Scaled,
  factor: number,
): { drift: SpreadDraft["drift"]; why: string } {
  const ask = "a guess";
  if (scaled.role === "year") return { drift: { absolute: 1 }, why: ask };
  if (scaled.role === "place") return { drift: { absolute: 0.05 }, why: "a guess: 5 km on the ground" };
  if (scaled.scale === "log") return { drift: { absolute: 0.1 }, why: ask };
  if (scaled.role === "count" && scaled.drifts !== true)
    return { drift: { absolute: 0 }, why: "a guess: all sources count the same" };
  if (scaled.scale !== "interval") return { drift: { relative: GUESS }, why: ask };
  return {
    drift: { absolute: partOfSpread(column, factor) },
    why: "a guess: 1 % of the spread of the values",
  };
}

/** Of values with an arbitrary zero a share of themselves means nothing. */
function guessed(column: ColumnProfile, { scale }: Scaled, factor: number): SpreadDraft["uncertainty"] {
  return scale === "interval" || scale === "log"
    ? { absolute: partOfSpread(column, factor) }
    : { relative: GUESS };
}

function partOfSpread({ quantiles }: ColumnProfile, factor: number): number {
  const [, low = 0, , , , high = 0] = quantiles;
  return neatAbove(times((high - low) * GUESS, factor));
}

function usualDigits(column: ColumnProfile): number {
  return usual(column.digits, column.numbers);
}

/** The median of a count by key. */
function usual(counts: Readonly<Record<number, number>>, total: number): number {
  let seen = 0;
  for (const [key, n] of Object.entries(counts).sort(([a], [b]) => Number(a) - Number(b))) {
    seen += n;
    if (seen * 2 >= total) return Number(key);
  }
  return 0;
}

/** 1000, 100 or 10 where 95 % of all values but 0 are multiples of it. */
function heaped({ multiples, numbers, zero, whole }: ColumnProfile): number | undefined {
  const values = numbers - zero;
  if (values < 20 || whole < numbers) return undefined;
  const at = [...multiples].reverse().findIndex((n) => n >= values * 0.95);
  return at < 0 ? undefined : [1000, 100, 10][at];
}

function digitsText(column: ColumnProfile): string {
  const found = Object.entries(column.decimals).sort(([, a], [, b]) => b - a);
  const shown = found.slice(0, 3).map(([decimals, n]) => `${n} with ${decimals} decimals`);
  return shown.join(", ");
}
