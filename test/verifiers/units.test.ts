import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ATOMS, PREFIXES } from "../../verifiers/unit-table.js";
import {
  convert,
  dimensionText,
  formatUnit,
  fromSI,
  parseUnit,
  sameDimension,
  toSI,
  UnitError,
  unitInWords,
} from "../../verifiers/units.js";

const failure = (text: string): UnitError => {
  try {
    parseUnit(text);
  } catch (error) {
    if (error instanceof UnitError) return error;
  }
  throw new Error(`${text} was accepted`);
};

/** All symbols with every prefix they take. */
const symbols = ATOMS.flatMap((atom) => [
  ...atom.symbols,
  ...PREFIXES.filter((p) => atom.prefixes === "all" || atom.prefixes.split(" ").includes(p.symbols[0]!)).map(
    (p) => p.symbols[0]! + atom.symbols[0]!,
  ),
]);
const linear = symbols.filter((s) => parseUnit(s).offset === 0);
const term = fc.record({
  symbol: fc.constantFrom(...linear),
  power: fc.integer({ min: -2, max: 2 }).filter((n) => n !== 0),
});
const compound = fc
  .array(term, { minLength: 1, maxLength: 3 })
  .map((terms) => terms.map(({ symbol, power }) => (power === 1 ? symbol : `${symbol}^${power}`)).join(" "));
const usable = (text: string): boolean => {
  try {
    return parseUnit(text).factor > 0;
  } catch {
    return false;
  }
};

describe("the grammar of units", () => {
  it.each([
    ["kg", 1, "mass"],
    ["g/cm^3", 1000, "density"],
    ["10^24 kg", 1e24, "mass"],
    ["10²⁴ kg", 1e24, "mass"],
    ["1e6 km", 1e9, "length"],
    ["km/s", 1000, "speed"],
    ["J mol^-1 K^-1", 1, "m^2 kg s^-2 K^-1 mol^-1"],
    ["W*m⁻²", 1, "kg s^-3"],
    ["N·m", 1, "energy"],
    ["1", 1, "a pure number"],
    ["1/s", 1, "frequency"],
    ["percent", 0.01, "a pure number"],
    ["min", 60, "time"],
    ["Gy", 1, "m^2 s^-2"],
    ["Gyr", 31557600e9, "time"],
    ["Pa", 1, "pressure"],
    ["km^3 s^-2", 1e9, "m^3 s^-2"],
    ["µm", 1e-6, "length"],
    ["MeV", 1.602176634e-13, "energy"],
    ["Å", 1e-10, "length"],
    ["\u212b", 1e-10, "length"],
    ["k\u2126", 1000, "m^2 kg s^-3 A^-2"],
  ])("reads %s", (text, factor, dimension) => {
    const unit = parseUnit(text);
    expect(unit.factor).toBe(factor);
    expect(dimensionText(unit.dimension)).toBe(dimension);
  });

  it.each([
    ["", "the unit is empty"],
    ["kg/m s", "write `kg m^-1 s^-1`"],
    ["5 kg / m s", "write `5 kg m^-1 s^-1`"],
    ["J/mol/K", "write `J mol^-1 K^-1`"],
    ["kg/(m s)", "write `kg m^-1 s^-1`"],
    ["kg (m s)", "no parentheses"],
    ["m2", "write `m^2`"],
    ["meter", "did you mean `m`?"],
    ["kilometers", "did you mean `km`?"],
    ["Kg", "did you mean `kg`?"],
    ["secnds", "did you mean `s`?"],
    ["furlong", "is not a known unit"],
    ["kg 10^3", "may only stand first"],
    ["0 kg", "not a number that may scale"],
    ["m^0", "exponent"],
    ["m^1.5", "exponent"],
    ["m^99", "exponent"],
    ["m**s", "two signs"],
    ["m/", "could be read"],
    ["10^999 m", "out of range"],
    ["Ym^12 Ym^2", "out of range"],
    ["constructor", "is not a known unit"],
    ["__proto__", "is not a known unit"],
    ["x".repeat(101), "too long"],
  ])("refuses %j", (text, says) => {
    expect(failure(text).message).toContain(says);
  });

  it("says where the fault is", () => {
    expect(failure("10^3 kg^2 furlong").where).toBe(10);
    expect(failure("W m^-2 kelvn")).toMatchObject({ where: 7, suggestion: "did you mean `K`?" });
  });
});

describe("cases of reports.md, area units", () => {
  it("never adds 273.15 inside a compound (9)", () => {
    for (const text of ["degC d", "6 degC d", "degC^2", "W/degC", "10^3 degC", "degF s", "°C d"]) {
      expect(failure(text).message).toContain("has its own zero");
    }
    expect(toSI(6, "K d")).toBe(6 * 86400);
  });
  it("refuses a quotient that can be read in two ways (11)", () => {
    expect(failure("kg / m s").suggestion).toBe("write `kg m^-1 s^-1`");
    expect(dimensionText(parseUnit("kg m^-1 s^-1").dimension)).toBe("m^-1 kg s^-1");
  });
});

describe("conversion", () => {
  it.each([
    [100, "degC", "K", 373.15],
    [100, "degC", "degF", 212],
    [-40, "degF", "degC", -40],
    [1, "au", "km", 149597870.7],
    [1, "pc", "ly", 3.261563777],
    [1, "pc", "au", 206264.80624709636],
    [1, "ly", "m", 9460730472580800],
    [1, "M_sun", "kg", 1.98841e30],
    [1, "M_earth", "kg", 5.97217e24],
    [1, "M_jup", "kg", 1.89812e27],
    [1, "R_jup", "km", 71492],
    [1, "yr", "d", 365.25],
    [1, "Ci", "Bq", 3.7e10],
    [1, "atm", "mmHg", 760],
    [1, "psi", "Pa", 6894.757293168],
    [1, "kn", "km/h", 1.852],
    [1, "gee", "m/s^2", 9.80665],
    [1, "Da", "u", 1],
    [180, "deg", "rad", Math.PI],
    [3600, "arcsec", "deg", 1],
    [1, "mi", "ft", 5280],
    [1, "kcal", "J", 4184],
    [1, "g/cm^3", "kg/m^3", 1000],
  ])("%d %s in %s", (value, from, to, expected) => {
    expect(Math.abs(convert(value, from, to) / expected - 1)).toBeLessThan(5e-6);
  });

  it("is exact where only powers of ten differ", () => {
    expect(convert(1.27, "g/cm^3", "kg/m^3")).toBe(1270);
    expect(convert(0.3, "km", "km")).toBe(0.3);
    expect(convert(21, "degC", "°C")).toBe(21);
  });

  it("refuses other dimensions, naming both", () => {
    expect(() => convert(1, "kg", "km")).toThrow("`kg` (mass) cannot be converted to `km` (length)");
  });

  it("comes back from any unit", () => {
    fc.assert(
      fc.property(compound.filter(usable), fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (unit, value) => {
        expect(Math.abs(fromSI(toSI(value, unit), unit) / value - 1)).toBeLessThan(1e-15);
      }),
    );
  });

  it("comes back from a scale with its own zero", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("degC", "degF"),
        fc.double({ min: -400, max: 5000, noNaN: true }),
        (unit, t) => {
          expect(Math.abs(convert(convert(t, unit, "K"), "K", unit) - t)).toBeLessThan(1e-11);
        },
      ),
    );
  });

  it("multiplies factors and adds dimensions", () => {
    fc.assert(
      fc.property(compound.filter(usable), compound.filter(usable), (a, b) => {
        const product = `${a} ${b}`;
        if (product.length > 100 || !usable(product)) return;
        const [left, right, both] = [parseUnit(a), parseUnit(b), parseUnit(product)];
        expect(both.dimension).toEqual(left.dimension.map((d, i) => d + right.dimension[i]!));
        expect(Math.abs(both.factor / (left.factor * right.factor) - 1)).toBeLessThan(3e-15);
      }),
    );
  });

  it("does not care for the order of the factors", () => {
    fc.assert(
      fc.property(fc.array(term, { minLength: 2, maxLength: 3 }), (terms) => {
        const text = (list: typeof terms) => list.map((t) => `${t.symbol}^${t.power}`).join(" ");
        fc.pre(usable(text(terms)));
        const back = parseUnit(text([...terms].reverse()));
        expect(sameDimension(text(terms), back)).toBe(true);
        expect(Math.abs(back.factor / parseUnit(text(terms)).factor - 1)).toBeLessThan(1e-15);
      }),
    );
  });
});

describe("the unit table", () => {
  it("has no spelling twice and a source for each", () => {
    const all = ATOMS.flatMap((a) => a.symbols);
    expect(new Set(all).size).toBe(all.length);
    for (const atom of ATOMS) expect(atom.source).not.toBe("");
  });
  it("derives named SI units from base units", () => {
    for (const [unit, same] of [
      ["N", "kg m s^-2"],
      ["Pa", "N m^-2"],
      ["J", "N m"],
      ["W", "J/s"],
      ["C", "A s"],
      ["V", "W/A"],
      ["F", "C/V"],
      ["ohm", "V/A"],
      ["S", "A/V"],
      ["Wb", "V s"],
      ["T", "Wb m^-2"],
      ["H", "Wb/A"],
      ["lx", "lm m^-2"],
      ["Gy", "J/kg"],
      ["kat", "mol/s"],
      ["Jy", "W m^-2 Hz^-1"],
    ] as const) {
      expect(sameDimension(unit, same), unit).toBe(true);
    }
  });
});

describe("units in prose", () => {
  it.each([
    ["kg", "kg", "kilograms"],
    ["g/cm^3", "g/cm³", "grams per cubic centimetre"],
    ["10^24 kg", "10²⁴ kg", "10²⁴ kilograms"],
    ["1e6 km", "10⁶ km", "10⁶ kilometres"],
    ["2.5e3 lb", "2.5 × 10³ lb", "2.5 × 10³ pounds"],
    ["m/s^2", "m/s²", "metres per second squared"],
    ["J mol^-1 K^-1", "J mol⁻¹ K⁻¹", "joules per mole per kelvin"],
    ["W/m^2", "W/m²", "watts per square metre"],
    ["1", "", ""],
    ["1/s", "1/s", "per second"],
    ["deg/d", "°/d", "degrees per day"],
    ["um", "µm", "micrometres"],
    ["degC", "°C", "degrees Celsius"],
    ["M_sun", "M☉", "solar masses"],
    ["ft", "ft", "feet"],
    ["Hz", "Hz", "hertz"],
    ["MJ/kg", "MJ/kg", "megajoules per kilogram"],
  ])("%s", (text, symbols, words) => {
    expect(formatUnit(text)).toBe(symbols);
    expect(unitInWords(text)).toBe(words);
  });
  it("has a singular", () => {
    expect(unitInWords("km/s", true)).toBe("kilometre per second");
    expect(unitInWords("ft", true)).toBe("foot");
  });
  it("says spans of the Earth's past as geologists do", () => {
    expect(["kyr", "Myr", "Gyr", "Ma", "yr"].map((unit) => unitInWords(unit))).toEqual([
      "thousand years",
      "million years",
      "billion years",
      "million years",
      "years",
    ]);
    expect(unitInWords("Myr", true)).toBe("million years");
  });
  it("can be read back", () => {
    fc.assert(
      fc.property(compound.filter(usable), (text) => {
        const prose = formatUnit(text);
        expect(parseUnit(prose)).toMatchObject({ factor: parseUnit(text).factor, offset: 0 });
      }),
    );
  });
});
