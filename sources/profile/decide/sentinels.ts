import type { ColumnProfile } from "../column.js";
import type { EndValue } from "../extremes.js";

/** Values at the ends of a column that are probably no measurements. */
export interface Suspects {
  /** Stand for "not known": -1, 9999.9. */
  readonly sentinels: readonly EndValue[];
  /** Single values far beyond all others. */
  readonly outliers: readonly EndValue[];
  /** Ends without the sentinels, outermost first. */
  readonly low: readonly EndValue[];
  readonly high: readonly EndValue[];
}

const NINES = /^-?9{2,}(?:\.9+)?$/;
/** A gap of so many times the extent of all other values is no measurement. */
const FAR = 10;
const FAR_ALONE = 5;

/** Looks at the ends only: a sentinel inside the range of real values cannot be told from them. */
export function suspectsOf({
  low,
  high,
  numbers,
}: Pick<ColumnProfile, "low" | "high" | "numbers">): Suspects {
  const sentinels: EndValue[] = [];
  let bottom = [...low];
  let top = [...high];
  for (let i = 0; i < 4; i++) {
    const up = isHighSentinel(top, bottom) ? top[0] : undefined;
    const down = up === undefined && isLowSentinel(bottom, top) ? bottom[0] : undefined;
    const found = up ?? down;
    if (found === undefined) break;
    sentinels.push(found);
    bottom = bottom.filter((e) => e.value !== found.value);
    top = top.filter((e) => e.value !== found.value);
  }
  const outliers = numbers < 5 ? [] : [...alone(top, bottom, 1), ...alone(bottom, top, -1)];
  return { sentinels, outliers, low: bottom, high: top };
}

function isHighSentinel(top: readonly EndValue[], bottom: readonly EndValue[]): boolean {
  const [first, second] = top;
  if (first === undefined || second === undefined || first.value <= 0) return false;
  const nines = NINES.test(shortest(first.value)) && first.value > 90;
  if (nines && second.value > 0 && first.value > second.value * (first.count > 1 ? 1.5 : 3)) return true;
  return first.count > 1 && isFar(first.value - second.value, second, bottom[0]!, FAR);
}

function isLowSentinel(bottom: readonly EndValue[], top: readonly EndValue[]): boolean {
  const [first, second] = bottom;
  if (first === undefined || second === undefined || first.value >= 0) return false;
  if (first.value === -1 && second.value >= 0) return true;
  const nines = NINES.test(shortest(first.value)) || first.value === -9;
  if (nines && (second.value >= 0 || first.value < second.value * 3)) return true;
  return first.count > 1 && isFar(second.value - first.value, second, top[0]!, FAR);
}

function isFar(gap: number, next: EndValue, other: EndValue, times: number): boolean {
  const extent = Math.abs(next.value - other.value);
  return extent > 0 && gap > times * extent;
}

function alone(ends: readonly EndValue[], others: readonly EndValue[], sign: 1 | -1): EndValue[] {
  const [first, second] = ends;
  const other = others.find((e) => e.value !== first?.value);
  if (first === undefined || second === undefined || other === undefined || first.count > 1) return [];
  return isFar((first.value - second.value) * sign, second, other, FAR_ALONE) ? [first] : [];
}

function shortest(value: number): string {
  return String(value);
}
