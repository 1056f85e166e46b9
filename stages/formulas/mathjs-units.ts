/**
 * Evaluator B's own units: mathjs, with what it lacks or has outdated created by hand from the cited figures. Written apart from
 * verifiers/unit-table.ts on purpose, importing nothing of it: a test compares the two on every unit and every prefix.
 *
 * Figures: SI Brochure 9th ed.; NIST SP 811 appendix B; CODATA 2022; IAU 2012 B2 (au); IAU 2015 B2 (pc), B3 (nominal sizes, GM).
 */
import { createRequire } from "node:module";
import type { MathJsInstance, Unit } from "mathjs";

/** Pure numbers. mathjs gives angles a dimension of their own, the SI does not: here they are numbers, in radians. */
const NUMBERS: Readonly<Record<string, number>> = {
  rad: 1,
  sr: 1,
  deg: 0.017453292519943295,
  "°": 0.017453292519943295,
  arcmin: 0.0002908882086657216,
  "′": 0.0002908882086657216,
  arcsec: 0.00000484813681109536,
  "″": 0.00000484813681109536,
  mas: 0.00000000484813681109536,
  percent: 0.01,
  "%": 0.01,
  permille: 0.001,
  "‰": 0.001,
  ppm: 0.000001,
  mag: 1,
  dex: 1,
};

/** Symbols that mathjs knows by the same or another name, with the same figure. */
const BUILT_IN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "m g s A K mol cd Hz N Pa J W C V F ohm S Wb T H degC degF".split(" ").map((n) => [n, n]),
  ),
  ...{ Ω: "ohm", "°C": "degC", "°F": "degF", min: "minute", h: "hour", d: "day", t: "tonne" },
  ...{ L: "litre", l: "litre", angstrom: "angstrom", Å: "angstrom", in: "inch", ft: "foot" },
  ...{ yd: "yard", mi: "mile", lb: "poundmass", oz: "ounce", ha: "hectare", bar: "bar", atm: "atm" },
  ...{ erg: "erg", dyn: "dyne" },
};

/** Created in mathjs under the name `own` + key; other spellings below. */
const CREATED: Readonly<Record<string, string>> = {
  yr: "31557600 s",
  au: "149597870700 m",
  ly: "9460730472580800 m",
  pc: "30856775814913673 m",
  Rsun: "695700000 m",
  Rearth: "6378100 m",
  Rjup: "71492000 m",
  nmi: "1852 m",
  Da: "1.66053906892e-27 kg",
  Msun: "1.9884098706980507e30 kg",
  Mearth: "5.972167867791379e24 kg",
  Mjup: "1.8981245973360505e27 kg",
  acre: "4046.8564224 m^2",
  barn: "1e-28 m^2",
  eV: "1.602176634e-19 J",
  cal: "4.184 J",
  Bq: "1 s^-1",
  Ci: "3.7e10 s^-1",
  Gy: "1 m^2 s^-2",
  lm: "1 cd",
  lx: "1 cd m^-2",
  kat: "1 mol s^-1",
  Torr: "133.32236842105263 Pa",
  mmHg: "133.3224 Pa",
  psi: "6894.757293168361 Pa",
  kn: "0.5144444444444445 m s^-1",
  mph: "0.44704 m s^-1",
  gee: "9.80665 m s^-2",
  gauss: "1e-4 T",
  Lsun: "3.828e26 W",
  Jy: "1e-26 kg s^-2",
};

const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ a: "yr", y: "yr", AU: "au", u: "Da", Sv: "Gy", g_n: "gee", gₙ: "gee" },
  ...{ R_sun: "Rsun", "R☉": "Rsun", R_earth: "Rearth", "R⊕": "Rearth", R_jup: "Rjup", R_J: "Rjup" },
  ...{ M_sun: "Msun", "M☉": "Msun", M_earth: "Mearth", "M⊕": "Mearth", M_jup: "Mjup", M_J: "Mjup" },
  ...{ L_sun: "Lsun", "L☉": "Lsun" },
};

const PREFIXES: Readonly<Record<string, number>> = {
  ...{ da: 1, h: 2, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18, Z: 21, Y: 24 },
  ...{ d: -1, c: -2, m: -3, u: -6, µ: -6, μ: -6, n: -9, p: -12, f: -15, a: -18, z: -21, y: -24 },
};

const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"].map((c, i) => [c, "0123456789-+"[i]!]),
);

/** A unit as a number times a mathjs unit ("" for a pure number). */
export interface MathUnit {
  readonly factor: number;
  /** e.g. `ownau^3 second^-2`. */
  readonly unit: string;
}

let instance: MathJsInstance | undefined;

/** mathjs with our units, loaded when first needed (0.4 s), its doors closed to expressions. */
export function mathjs(): MathJsInstance {
  if (instance !== undefined) return instance;
  const { create, all } = createRequire(import.meta.url)("mathjs") as typeof import("mathjs");
  const math = create(all!, {});
  for (const [name, definition] of Object.entries(CREATED)) math.createUnit(`own${name}`, definition);
  const factorial = math.factorial.bind(math);
  const whole = (n: number) => (Number.isInteger(n) && n >= 0 && n <= 33 ? factorial(n) : Number.NaN);
  math.import({ ln: (x: number) => math.log(x), factorial: whole }, { override: true });
  const closed = (): never => {
    throw new Error("this function is not part of the formula language");
  };
  // `parse` is called by us on checked text; inside an expression none of these can be named.
  const inside = Object.fromEntries(
    ["import", "createUnit", "evaluate", "simplify", "derivative"].map((n) => [n, closed]),
  );
  math.import(inside, { override: true });
  instance = math;
  return math;
}

const read = new Map<string, MathUnit>();

/** Reads a unit of our grammar for mathjs. @throws Error for an unknown symbol. */
export function mathUnit(text: string): MathUnit {
  let known = read.get(text);
  if (known === undefined) {
    known = readUnit(text);
    if (read.size < 10_000) read.set(text, known);
  }
  return known;
}

function readUnit(text: string): MathUnit {
  const plain = text
    .normalize("NFC")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+/gu, (run) => `^${[...run].map((c) => RAISED[c]).join("")}`);
  let factor = 1;
  let ten = 0;
  const units: string[] = [];
  let sign = 1;
  for (const token of plain.replaceAll("/", " / ").split(/[ *·⋅]+/u)) {
    if (token === "") continue;
    if (token === "/") sign = -1;
    else if (/^10\^/.test(token)) ten += Number(token.slice(3));
    else if (/^[0-9.]/.test(token)) factor *= Number(token);
    else {
      const [symbol, exponent = "1"] = token.split("^");
      const power = sign * Number(exponent);
      const { prefix, number, name } = resolve(symbol!);
      ten += prefix * power;
      if (number !== undefined) factor *= number ** power;
      if (name !== undefined) units.push(power === 1 ? name : `${name}^${power}`);
    }
  }
  return { factor: ten === 0 ? factor : factor * Number(`1e${ten}`), unit: units.join(" ") };
}

interface Resolved {
  readonly prefix: number;
  readonly number?: number;
  readonly name?: string;
}

function resolve(symbol: string): Resolved {
  const bare = resolveBare(symbol);
  if (bare !== undefined) return { prefix: 0, ...bare };
  for (const length of [2, 1]) {
    const prefix = PREFIXES[symbol.slice(0, length)];
    const rest = prefix === undefined ? undefined : resolveBare(symbol.slice(length));
    if (prefix !== undefined && rest !== undefined) return { prefix, ...rest };
  }
  throw new Error(`evaluator B does not know the unit ${symbol}`);
}

function resolveBare(symbol: string): Omit<Resolved, "prefix"> | undefined {
  if (Object.hasOwn(NUMBERS, symbol)) return { number: NUMBERS[symbol]! };
  if (Object.hasOwn(BUILT_IN, symbol)) return { name: BUILT_IN[symbol]! };
  const created = Object.hasOwn(SPELLINGS, symbol) ? SPELLINGS[symbol]! : symbol;
  return Object.hasOwn(CREATED, created) ? { name: `own${created}` } : undefined;
}

/** A value with its unit as mathjs carries it; temperatures with their own zero become kelvins. */
export function quantity(value: number, unitText: string): number | Unit {
  const math = mathjs();
  const { factor, unit } = mathUnit(unitText);
  if (unit === "") return value * factor;
  if (unit === "degC" || unit === "degF") return math.unit(math.unit(value, unit).toNumber("K"), "K");
  return math.unit(value * factor, unit);
}

/** The number of `unitText`s in a quantity; NaN if it is no real number. @throws Error if the dimensions differ. */
export function amountIn(value: unknown, unitText: string): number {
  const math = mathjs();
  const { factor, unit } = mathUnit(unitText);
  const affine = unit === "degC" || unit === "degF";
  const ratio: unknown =
    affine && math.isUnit(value)
      ? value.toNumber(unit)
      : math.divide(value as Unit, unit === "" ? (factor as never) : math.unit(factor, unit));
  if (math.typeOf(ratio) === "Complex") return Number.NaN;
  if (typeof ratio !== "number") throw new Error(`the result is not in ${unitText}`);
  return Number.isFinite(ratio) ? ratio : Number.NaN;
}
