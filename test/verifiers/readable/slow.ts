import type { WantedValue } from "../../../verifiers/readable/values.js";

/** Units as these tests write them: dimension, size in its SI unit. */
const UNITS: Readonly<Record<string, readonly [string, number]>> = {
  km: ["length", 1000],
  m: ["length", 1],
  kg: ["mass", 1],
  d: ["time", 86_400],
  days: ["time", 86_400],
  hours: ["time", 3600],
  K: ["temperature", 1],
};

/** Token by token: a number, the word behind it as a unit, and the two bounds, written out. Texts hold one number form alone. */
export function slowReads(text: string, wanted: WantedValue): boolean {
  const tokens = text.split(" ");
  const [dimension, size] = UNITS[wanted.unit]!;
  return tokens.some((token, i) => {
    if (!/^\d+(\.\d+)?(e-?\d+)?$/.test(token)) return false;
    const unit = UNITS[tokens[i + 1] ?? ""];
    // Two symbols in a row are a product, of another kind; it is read as well, but is never what is wanted here.
    if (unit === undefined || unit[0] !== dimension) return false;
    const value = (Number(token) * unit[1]) / size;
    const off = Math.abs(value - wanted.value);
    if (off <= wanted.tolerance || off <= 1e-12 * wanted.value) return true;
    const digits = token.replace(/e.*$/, "").replace(/\D/g, "").replace(/^0+/, "");
    if (digits.length < 3) return false;
    const places = (/\.(\d+)/.exec(token)?.[1] ?? "").length;
    const exponent = Number(/e(-?\d+)/.exec(token)?.[1] ?? 0);
    const halfOfLastDigit = (0.5 * 10 ** (exponent - places) * unit[1]) / size;
    return off <= Math.min(halfOfLastDigit, 0.005 * value);
  });
}
