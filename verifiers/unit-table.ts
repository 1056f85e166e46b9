/**
 * Every unit the product knows, each with its source. Add one here, in `stages/formulas/mathjs-units.ts` (written apart on
 * purpose: the two are compared by a test) and in `docs/units.md`.
 *
 * Sources: SI = SI Brochure, 9th ed. (BIPM 2019); SP811 = NIST Special Publication 811 (2008), appendix B; CODATA = CODATA 2022
 * recommended values; IAU12 = IAU 2012 resolution B2; IAU15 = IAU 2015 resolutions B2 and B3 (nominal values).
 */

/** A unit symbol: one of it is `mantissa · 10^ten` coherent SI units. */
export interface Atom {
  /** All spellings, the preferred first. */
  readonly symbols: readonly string[];
  readonly mantissa: number;
  readonly ten: number;
  /** Exponents of m, kg, s, A, K, mol, cd. */
  readonly dimension: readonly number[];
  /** Prefixes it takes: "all", or their symbols separated by spaces ("" for none). */
  readonly prefixes: string;
  /** Added after scaling, for a scale with its own zero point; in SI units. */
  readonly offset?: number;
  readonly singular: string;
  readonly plural: string;
  /** As prose writes the symbol, where it differs from the first spelling. */
  readonly prose?: string;
  readonly source: string;
}

export interface Prefix {
  readonly symbols: readonly string[];
  readonly ten: number;
  readonly word: string;
}

/** SI prefixes (SI Brochure 9th ed., 2022 update); `da` before `d`. */
export const PREFIXES: readonly Prefix[] = [
  { symbols: ["da"], ten: 1, word: "deca" },
  { symbols: ["h"], ten: 2, word: "hecto" },
  { symbols: ["k"], ten: 3, word: "kilo" },
  { symbols: ["M"], ten: 6, word: "mega" },
  { symbols: ["G"], ten: 9, word: "giga" },
  { symbols: ["T"], ten: 12, word: "tera" },
  { symbols: ["P"], ten: 15, word: "peta" },
  { symbols: ["E"], ten: 18, word: "exa" },
  { symbols: ["Z"], ten: 21, word: "zetta" },
  { symbols: ["Y"], ten: 24, word: "yotta" },
  { symbols: ["d"], ten: -1, word: "deci" },
  { symbols: ["c"], ten: -2, word: "centi" },
  { symbols: ["m"], ten: -3, word: "milli" },
  { symbols: ["u", "µ", "μ"], ten: -6, word: "micro" },
  { symbols: ["n"], ten: -9, word: "nano" },
  { symbols: ["p"], ten: -12, word: "pico" },
  { symbols: ["f"], ten: -15, word: "femto" },
  { symbols: ["a"], ten: -18, word: "atto" },
  { symbols: ["z"], ten: -21, word: "zepto" },
  { symbols: ["y"], ten: -24, word: "yocto" },
];

type Extra = Partial<Pick<Atom, "offset" | "prose">> & { prefixes?: string; plural?: string };

/** One row: spellings, mantissa, power of ten, dimension as "m kg s A K mol cd", name, source. */
function row(
  symbols: string,
  mantissa: number,
  ten: number,
  dimension: readonly number[],
  singular: string,
  source: string,
  extra: Extra = {},
): Atom {
  const { prefixes = "", plural = `${singular}s`, ...rest } = extra;
  return {
    symbols: symbols.split(" "),
    mantissa,
    ten,
    dimension,
    prefixes,
    singular,
    plural,
    source,
    ...rest,
  };
}

const all = { prefixes: "all" };
const big = { prefixes: "k M G" };

const ONE = [0, 0, 0, 0, 0, 0, 0];
const LENGTH = [1, 0, 0, 0, 0, 0, 0];
const AREA = [2, 0, 0, 0, 0, 0, 0];
const VOLUME = [3, 0, 0, 0, 0, 0, 0];
const MASS = [0, 1, 0, 0, 0, 0, 0];
const TIME = [0, 0, 1, 0, 0, 0, 0];
const RATE = [0, 0, -1, 0, 0, 0, 0];
const SPEED = [1, 0, -1, 0, 0, 0, 0];
const ACCELERATION = [1, 0, -2, 0, 0, 0, 0];
const TEMPERATURE = [0, 0, 0, 0, 1, 0, 0];
const FORCE = [1, 1, -2, 0, 0, 0, 0];
const PRESSURE = [-1, 1, -2, 0, 0, 0, 0];
const ENERGY = [2, 1, -2, 0, 0, 0, 0];
const POWER = [2, 1, -3, 0, 0, 0, 0];
const DOSE = [2, 0, -2, 0, 0, 0, 0];

const SI_UNITS: readonly Atom[] = [
  row("m", 1, 0, LENGTH, "metre", "SI", all),
  row("g", 1, -3, MASS, "gram", "SI", all),
  row("s", 1, 0, TIME, "second", "SI", all),
  row("A", 1, 0, [0, 0, 0, 1, 0, 0, 0], "ampere", "SI", all),
  row("K", 1, 0, TEMPERATURE, "kelvin", "SI", all),
  row("mol", 1, 0, [0, 0, 0, 0, 0, 1, 0], "mole", "SI", all),
  row("cd", 1, 0, [0, 0, 0, 0, 0, 0, 1], "candela", "SI", all),
  row("rad", 1, 0, ONE, "radian", "SI", { prefixes: "m u" }),
  row("sr", 1, 0, ONE, "steradian", "SI"),
  row("Hz", 1, 0, RATE, "hertz", "SI", { ...all, plural: "hertz" }),
  row("N", 1, 0, FORCE, "newton", "SI", all),
  row("Pa", 1, 0, PRESSURE, "pascal", "SI", all),
  row("J", 1, 0, ENERGY, "joule", "SI", all),
  row("W", 1, 0, POWER, "watt", "SI", all),
  row("C", 1, 0, [0, 0, 1, 1, 0, 0, 0], "coulomb", "SI", all),
  row("V", 1, 0, [2, 1, -3, -1, 0, 0, 0], "volt", "SI", all),
  row("F", 1, 0, [-2, -1, 4, 2, 0, 0, 0], "farad", "SI", all),
  row("ohm Ω", 1, 0, [2, 1, -3, -2, 0, 0, 0], "ohm", "SI", { ...all, prose: "Ω" }),
  row("S", 1, 0, [-2, -1, 3, 2, 0, 0, 0], "siemens", "SI", { ...all, plural: "siemens" }),
  row("Wb", 1, 0, [2, 1, -2, -1, 0, 0, 0], "weber", "SI", all),
  row("T", 1, 0, [0, 1, -2, -1, 0, 0, 0], "tesla", "SI", all),
  row("H", 1, 0, [2, 1, -2, -2, 0, 0, 0], "henry", "SI", { ...all, plural: "henries" }),
  row("lm", 1, 0, [0, 0, 0, 0, 0, 0, 1], "lumen", "SI", all),
  row("lx", 1, 0, [-2, 0, 0, 0, 0, 0, 1], "lux", "SI", { ...all, plural: "lux" }),
  row("Bq", 1, 0, RATE, "becquerel", "SI", all),
  row("Gy", 1, 0, DOSE, "gray", "SI", all),
  row("Sv", 1, 0, DOSE, "sievert", "SI", all),
  row("kat", 1, 0, [0, 0, -1, 0, 0, 1, 0], "katal", "SI", all),
  row("degC °C", 1, 0, TEMPERATURE, "degree Celsius", "SI", {
    offset: 273.15,
    plural: "degrees Celsius",
    prose: "°C",
  }),
];

const PURE_NUMBERS: readonly Atom[] = [
  row("percent %", 1, -2, ONE, "percent", "SI, section 5.4.7", { plural: "percent", prose: "%" }),
  row("permille ‰", 1, -3, ONE, "per mille", "ISO 80000-1", { plural: "per mille", prose: "‰" }),
  row("ppm", 1, -6, ONE, "part per million", "SP811, 7.10.3", { plural: "parts per million" }),
  row("deg °", Math.PI / 180, 0, ONE, "degree", "SI, table 8", { prose: "°" }),
  row("arcmin ′", Math.PI / 10800, 0, ONE, "arcminute", "SI, table 8"),
  row("arcsec ″", Math.PI / 648000, 0, ONE, "arcsecond", "SI, table 8", { prefixes: "m u" }),
  row("mas", Math.PI / 648, -6, ONE, "milliarcsecond", "SI, table 8"),
  row("mag", 1, 0, ONE, "magnitude", "IAU15 (B2): a logarithm, hence a pure number", { prefixes: "m" }),
  row("dex", 1, 0, ONE, "dex", "a decimal logarithm, hence a pure number", { plural: "dex" }),
];

const TIMES: readonly Atom[] = [
  row("min", 60, 0, TIME, "minute", "SI, table 8"),
  row("h", 3600, 0, TIME, "hour", "SI, table 8"),
  row("d", 86400, 0, TIME, "day", "SI, table 8"),
  row("yr", 31557600, 0, TIME, "year", "Julian year of 365.25 d (IAU Style Manual 1989)", big),
  row("a", 31557600, 0, TIME, "year", "Julian year of 365.25 d (IAU Style Manual 1989)", big),
  row("y", 31557600, 0, TIME, "year", "Julian year of 365.25 d (IAU Style Manual 1989)"),
];

const LENGTHS: readonly Atom[] = [
  row("au AU", 149597870700, 0, LENGTH, "astronomical unit", "IAU12 (B2), exact"),
  row("ly", 9460730472580800, 0, LENGTH, "light-year", "c (CODATA, exact) × one Julian year", big),
  row("pc", (149597870700 * 648000) / Math.PI, 0, LENGTH, "parsec", "IAU15 (B2): 648000/π au", big),
  row("R_sun R☉", 6.957, 8, LENGTH, "solar radius", "IAU15 (B3), nominal", {
    plural: "solar radii",
    prose: "R☉",
  }),
  row("R_earth R⊕", 6.3781, 6, LENGTH, "Earth radius", "IAU15 (B3), nominal equatorial", {
    plural: "Earth radii",
    prose: "R⊕",
  }),
  row("R_jup R_J", 7.1492, 7, LENGTH, "Jupiter radius", "IAU15 (B3), nominal equatorial", {
    plural: "Jupiter radii",
    prose: "R_J",
  }),
  row("angstrom Å", 1, -10, LENGTH, "ångström", "SP811, B.8", { prose: "Å" }),
  row("in", 2.54, -2, LENGTH, "inch", "SP811, B.8, exact", { plural: "inches" }),
  row("ft", 3.048, -1, LENGTH, "foot", "SP811, B.8, exact (international foot)", { plural: "feet" }),
  row("yd", 9.144, -1, LENGTH, "yard", "SP811, B.8, exact"),
  row("mi", 1609.344, 0, LENGTH, "mile", "SP811, B.8, exact"),
  row("nmi", 1852, 0, LENGTH, "nautical mile", "SP811, B.8, exact"),
];

const MASSES: readonly Atom[] = [
  row("t", 1, 3, MASS, "tonne", "SI, table 8", big),
  row("u", 1.66053906892, -27, MASS, "unified atomic mass unit", "CODATA"),
  row("Da", 1.66053906892, -27, MASS, "dalton", "CODATA", big),
  row("lb", 0.45359237, 0, MASS, "pound", "SP811, B.8, exact"),
  row("oz", 2.8349523125, -2, MASS, "ounce", "SP811, B.8, exact (avoirdupois)"),
  row(
    "M_sun M☉",
    1.3271244 / 6.6743,
    31,
    MASS,
    "solar mass",
    "IAU15 (B3): GM = 1.3271244e20 m³/s², over G (CODATA)",
    {
      plural: "solar masses",
      prose: "M☉",
    },
  ),
  row(
    "M_earth M⊕",
    3.986004 / 6.6743,
    25,
    MASS,
    "Earth mass",
    "IAU15 (B3): GM = 3.986004e14 m³/s², over G (CODATA)",
    {
      plural: "Earth masses",
      prose: "M⊕",
    },
  ),
  row(
    "M_jup M_J",
    1.2668653 / 6.6743,
    28,
    MASS,
    "Jupiter mass",
    "IAU15 (B3): GM = 1.2668653e17 m³/s², over G (CODATA)",
    {
      plural: "Jupiter masses",
      prose: "M_J",
    },
  ),
];

const OTHERS: readonly Atom[] = [
  row("L l", 1, -3, VOLUME, "litre", "SI, table 8", all),
  row("ha", 1, 4, AREA, "hectare", "SI, table 8"),
  row("acre", 4046.8564224, 0, AREA, "acre", "SP811, B.8 (of the international foot)"),
  row("barn", 1, -28, AREA, "barn", "SP811, B.8", { prefixes: "k m u n" }),
  row("eV", 1.602176634, -19, ENERGY, "electronvolt", "CODATA, exact", all),
  row("cal", 4.184, 0, ENERGY, "calorie", "SP811, B.8 (thermochemical)", { prefixes: "k" }),
  row("erg", 1, -7, ENERGY, "erg", "SP811, B.8"),
  row("Ci", 3.7, 10, RATE, "curie", "SP811, B.8, exact", { prefixes: "M k m u n p" }),
  row("bar", 1, 5, PRESSURE, "bar", "SP811, B.8", { prefixes: "G M k m u" }),
  row("atm", 101325, 0, PRESSURE, "atmosphere", "CODATA (standard atmosphere), exact"),
  row("Torr", 101325 / 760, 0, PRESSURE, "torr", "SP811, B.8", { prefixes: "m" }),
  row("mmHg", 133.3224, 0, PRESSURE, "millimetre of mercury", "SP811, B.8 (conventional)", {
    plural: "millimetres of mercury",
  }),
  row("psi", 6894.757293168361, 0, PRESSURE, "pound per square inch", "SP811, B.8: lb × gee / in²", {
    plural: "pounds per square inch",
  }),
  row("kn", 1852 / 3600, 0, SPEED, "knot", "SP811, B.8: nmi/h"),
  row("mph", 4.4704, -1, SPEED, "mile per hour", "SP811, B.8, exact", { plural: "miles per hour" }),
  row("gee g_n gₙ", 9.80665, 0, ACCELERATION, "standard gravity", "CODATA, exact", {
    plural: "standard gravities",
    prose: "gₙ",
  }),
  row("dyn", 1, -5, FORCE, "dyne", "SP811, B.8"),
  row("gauss", 1, -4, [0, 1, -2, -1, 0, 0, 0], "gauss", "SP811, B.8", { prefixes: "k m u", plural: "gauss" }),
  row("L_sun L☉", 3.828, 26, POWER, "solar luminosity", "IAU15 (B3), nominal", {
    plural: "solar luminosities",
    prose: "L☉",
  }),
  row("Jy", 1, -26, [0, 1, -2, 0, 0, 0, 0], "jansky", "IAU Style Manual 1989", {
    prefixes: "M k m u",
    plural: "janskys",
  }),
  row("degF °F", 5 / 9, 0, TEMPERATURE, "degree Fahrenheit", "SP811, B.8: K = (°F + 459.67)·5/9", {
    offset: (459.67 * 5) / 9,
    plural: "degrees Fahrenheit",
    prose: "°F",
  }),
];

export const ATOMS: readonly Atom[] = [
  ...SI_UNITS,
  ...PURE_NUMBERS,
  ...TIMES,
  ...LENGTHS,
  ...MASSES,
  ...OTHERS,
];
