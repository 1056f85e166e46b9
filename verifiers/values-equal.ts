/** When two numbers say the same: exactly, after conversion, or as a rendering of one in fewer digits. */
import { roundTo } from "./numbers.js";
import type { Unit } from "./units.js";

/** Relative slack for decimals that went through binary arithmetic. */
const EXACT = 1e-9;
/** Relative slack for conversion by rounded factors (a year of 365.2422 or 365.25 days, 1 au as 1.496e8 km). */
const CONVERTED = 3e-5;

export function same(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= EXACT * Math.max(Math.abs(a), Math.abs(b));
}

/**
 * Whether `shown` is how a text may render `value` with at least `digits` significant digits: rounded or cut off at some digit
 * from there on. 1.27, 1.274 and 1.2745 render 1.2745 at three digits; 1.3 and 1.28 do not.
 */
export function renders(shown: number, value: number, digits: number): boolean {
  if (value === 0 || shown === 0) return value === shown;
  const ratio = shown / value;
  if (!(Math.abs(ratio - 1) <= 10 ** (1 - digits))) return false;
  if (same(shown, value)) return true;
  const most = Math.min(digits + 5, 12);
  for (const near of [value, value * (1 + CONVERTED), value * (1 - CONVERTED)]) {
    if (same(roundTo(shown, digits), roundTo(near, digits))) return true;
    for (let n = digits; n <= most; n++) if (same(shown, cut(near, n))) return true;
  }
  return false;
}

/** A number cut off after `digits` significant digits. */
function cut(value: number, digits: number): number {
  const [mantissa, exponent] = value.toExponential(15).split("e");
  return Number(`${mantissa!.slice(0, digits + (value < 0 ? 2 : 1))}e${exponent}`);
}

/** The number with its power of ten taken off: 1 ≤ |m| < 10. */
export function mantissa(value: number): number {
  return Number(value.toExponential(14).split("e")[0]);
}

/** Whether two units measure the same kind of quantity. */
export function alike(a: Unit, b: Unit): boolean {
  return a.dimension.every((d, i) => Math.abs(d - b.dimension[i]!) < 1e-9);
}

/** Whether two units are one: the same kind, size and zero. */
export function sameUnit(a: Unit, b: Unit): boolean {
  return alike(a, b) && same(a.factor, b.factor) && a.offset === b.offset;
}

/** Whether a unit is a pure number of its own size, such as `1`, `mag` or `rad`. */
export function isPure(unit: Unit): boolean {
  return unit.factor === 1 && unit.offset === 0 && unit.dimension.every((d) => d === 0);
}
