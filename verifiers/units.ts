/**
 * Units of measurement: one small grammar, one table, nothing guessed. `docs/units.md` is the guide.
 *
 * A unit is an optional power of ten, then symbols with integer exponents multiplied by a space, `*` or `·`, then at most
 * one `/` followed by a single symbol: `kg`, `g/cm^3`, `10^24 kg`, `J mol^-1 K^-1`, `W m⁻²`. Angles, counts and percent are
 * pure numbers, as in the SI. Units with a zero point of their own (degC, degF) stand alone.
 */
import { dictionary } from "./dictionary.js";
import { plainDigits, takeApart, UnitError } from "./unit-grammar.js";

export { UnitError } from "./unit-grammar.js";
export { formatUnit, unitInWords } from "./unit-words.js";

/** Exponents of m, kg, s, A, K, mol, cd. */
export type Dimension = readonly [number, number, number, number, number, number, number];

/** A parsed unit: SI value = value · factor + offset. */
export interface Unit {
  readonly text: string;
  readonly dimension: Dimension;
  /** SI coherent units in one of this unit. */
  readonly factor: number;
  /** Zero unless the unit has a zero point of its own (degC: 273.15 K). */
  readonly offset: number;
}

const parsed = new Map<string, Unit>();

/**
 * Reads a unit.
 * @throws UnitError for an unknown symbol (with the nearest known), an ambiguous quotient or a compound with degC/degF.
 */
export function parseUnit(text: string): Unit {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const unit = assemble(text);
  if (parsed.size < 10_000) parsed.set(text, unit);
  return unit;
}

function assemble(text: string): Unit {
  const { scale, parts } = takeApart(text);
  const affine = parts.find((p) => p.atom.offset !== undefined);
  if (affine !== undefined && (parts.length > 1 || affine.exponent !== 1 || scale !== "1")) {
    const hint = "write K for a difference of temperature";
    throw new UnitError(
      `\`${affine.symbol}\` has its own zero and cannot be part of \`${text}\``,
      text,
      affine.at,
      hint,
    );
  }
  const dimension = [0, 0, 0, 0, 0, 0, 0];
  let { mantissa, exponent: ten } = scaleOf(text, scale);
  for (const { atom, prefix, exponent } of parts) {
    atom.dimension.forEach((d, i) => {
      dimension[i]! += d * exponent;
    });
    // Powers of ten are counted, not multiplied, so that g/cm^3 is exactly 1000 kg/m^3.
    mantissa *= power(atom.mantissa, exponent);
    ten += (atom.ten + (prefix?.ten ?? 0)) * exponent;
  }
  const [digits, tenth] = String(mantissa).split("e");
  const factor = Number(`${digits}e${Number(tenth ?? 0) + ten}`);
  if (!(factor > 0) || factor === Number.POSITIVE_INFINITY)
    throw new UnitError("the unit is out of range", text, 0, undefined);
  return { text, dimension: dimension as unknown as Dimension, factor, offset: affine?.atom.offset ?? 0 };
}

/** An integer power by multiplication: the same on every machine. */
function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < Math.abs(exponent); i++) product *= base;
  return exponent < 0 ? 1 / product : product;
}

function scaleOf(text: string, scale: string): { mantissa: number; exponent: number } {
  const ten = /^10(?:\^([+\-−]?\d{1,3})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))$/u.exec(scale);
  if (ten) {
    const exponent = ten[1] === undefined ? plainDigits(ten[2]!) : ten[1].replace("−", "-");
    return { mantissa: 1, exponent: Number(exponent) };
  }
  const number = /^(\d+(?:\.\d+)?)(?:[eE]([+-]?\d{1,3}))?$/.exec(scale);
  if (!number || Number(number[1]) === 0) {
    throw new UnitError(
      `\`${scale}\` is not a number that may scale a unit`,
      text,
      text.indexOf(scale),
      "write `10^6` or `1e6`",
    );
  }
  return { mantissa: Number(number[1]), exponent: Number(number[2] ?? 0) };
}

const asUnit = (unit: string | Unit): Unit => (typeof unit === "string" ? parseUnit(unit) : unit);

/** Whether two units measure the same dimension. @throws UnitError if one cannot be read. */
export function sameDimension(a: string | Unit, b: string | Unit): boolean {
  const left = asUnit(a).dimension;
  const right = asUnit(b).dimension;
  return left.every((d, i) => Math.abs(d - right[i]!) < 1e-9);
}

/** The value in coherent SI units (kg, m, s, A, K, mol, cd and their products). */
export function toSI(value: number, unit: string | Unit): number {
  const u = asUnit(unit);
  return value * u.factor + u.offset;
}

/** The inverse of {@link toSI}. */
export function fromSI(value: number, unit: string | Unit): number {
  const u = asUnit(unit);
  return (value - u.offset) / u.factor;
}

/** Converts a value. @throws UnitError if the dimensions differ. */
export function convert(value: number, from: string | Unit, to: string | Unit): number {
  const a = asUnit(from);
  const b = asUnit(to);
  if (!sameDimension(a, b)) {
    const what = `\`${a.text}\` (${dimensionText(a.dimension)}) cannot be converted to \`${b.text}\` (${dimensionText(b.dimension)})`;
    throw new UnitError(what, b.text, 0, `give a unit of ${dimensionText(a.dimension)}`);
  }
  return a.factor === b.factor && a.offset === b.offset ? value : fromSI(toSI(value, a), b);
}

const BASE = ["m", "kg", "s", "A", "K", "mol", "cd"] as const;
const NAMED = dictionary<string>({
  "": "a pure number",
  m: "length",
  kg: "mass",
  s: "time",
  A: "electric current",
  K: "temperature",
  mol: "amount of substance",
  cd: "luminous intensity",
  "m^2": "area",
  "m^3": "volume",
  "m s^-1": "speed",
  "m s^-2": "acceleration",
  "m^-3 kg": "density",
  "m kg s^-2": "force",
  "m^-1 kg s^-2": "pressure",
  "m^2 kg s^-2": "energy",
  "m^2 kg s^-3": "power",
  "s^-1": "frequency",
});

/** A dimension for people: "density (kg m^-3)", "a pure number", "m^3 s^-2". */
export function dimensionText(dimension: Dimension): string {
  const symbols = dimension.flatMap((d, i) =>
    d === 0 ? [] : [d === 1 ? BASE[i]! : `${BASE[i]}^${Number(d.toPrecision(6))}`],
  );
  const text = symbols.join(" ");
  return NAMED[text] ?? text;
}
