import type { NumberColumn } from "../../table.js";
import { Ends, type EndValue } from "../extremes.js";
import { Sample } from "../sample.js";

/** The numbers of a loaded column in short. */
export interface Values {
  readonly rows: number;
  readonly known: number;
  /** Values written without decimals: those that a `factor` has made are none. */
  readonly whole: number;
  /** Distinct values, up to a bound. */
  readonly distinct: number;
  readonly low: readonly EndValue[];
  readonly high: readonly EndValue[];
  /** 0, 5, 25, 50, 75, 95, 100 %. */
  readonly quantiles: readonly number[];
  /** Median of u over the size of the value; NaN where no u is known. */
  readonly relativeU: number;
}

const ENOUGH = 1000;
const SHARES = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];

export function valuesOf(column: NumberColumn, keys: readonly string[]): Values {
  const [low, high, sample, spreads] = [new Ends(1), new Ends(-1), new Sample(), new Sample()];
  const distinct = new Set<number>();
  let known = 0;
  let whole = 0;
  const factor = column.card.number?.factor ?? 1;
  for (let row = 0; row < column.values.length; row++) {
    const value = column.values[row]!;
    if (Number.isNaN(value)) continue;
    known++;
    if (isWhole(value / factor)) whole++;
    if (distinct.size < ENOUGH) distinct.add(value);
    low.add(value, keys[row]!, row);
    high.add(value, keys[row]!, row);
    sample.add(value);
    const u = column.u[row]!;
    if (value !== 0 && !Number.isNaN(u)) spreads.add(u / Math.abs(value));
  }
  return {
    ...{ rows: column.values.length, known, whole, distinct: distinct.size },
    ...{ low: low.values(), high: high.values(), quantiles: sample.quantiles(SHARES) },
    relativeU: spreads.quantiles([0.5])[0] ?? Number.NaN,
  };
}

/** Whole but for what a division leaves. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-12 * Math.abs(value);
}
