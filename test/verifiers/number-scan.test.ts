import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanNumbers } from "../../verifiers/number-scan.js";
import { plainText } from "../../verifiers/plain-text.js";
import { unitsAt } from "../../verifiers/unit-scan.js";

const values = (text: string) => scanNumbers(plainText(text)).flatMap((n) => n.values);
const factor = (text: string) => unitsAt(plainText(text), 0).at(-1)?.unit;

describe("scanNumbers", () => {
  it.each([
    ["5.2", 5.2],
    ["5,2", 5.2],
    ["1,234", 1234],
    ["1.234,5", 1234.5],
    ["1,234.5", 1234.5],
    ["12 345 678", 12345678],
    ["1'234'567", 1234567],
    ["12,34,567", 1234567],
    ["0.000 123 456", 0.000123456],
    ["5e3", 5000],
    ["5E+03", 5000],
    ["6.67·10⁻¹¹", 6.67e-11],
    ["6.67 x 10^(-11)", 6.67e-11],
    ["6.67*10**-11", 6.67e-11],
    ["$6.67\\cdot 10^{-11}$", 6.67e-11],
    ["10²⁴", 1e24],
    ["3.5 million", 3.5e6],
    ["2 thousand million", 2e9],
    ["twelve", 12],
    ["twenty-five thousand three hundred and sixty-two", 25362],
    ["one point two seven", 1.27],
    ["two point five million", 2.5e6],
    ["−40", -40],
    ["minus 40", -40],
    ["⁠４２", 42],
  ])("%s", (text, value) => expect(values(`It is ${text} here.`)).toContain(value));

  it("does not take digits of words, units and exponents for numbers", () => {
    expect(values("J2000, H2O, cm³, m^-3, s⁻², U238")).toEqual([]);
  });

  it("gives a range its unit at both ends", () => {
    const [a, b] = scanNumbers("between 5 and 10 au");
    expect(a!.units[0]!.unit.text).toBe("au");
    expect(b!.units[0]!.unit.text).toBe("au");
  });

  it("reads any printed number", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (x) => {
        const read = (text: string) => values(`It is ${text} now.`).some((v) => Math.abs(v - x) <= 1e-15 * x);
        expect([x, read(String(x)), read(x.toExponential())]).toEqual([x, true, true]);
      }),
      { numRuns: 200 },
    );
  });
});

describe("unitsAt", () => {
  it.each([
    ["kg/m³", "kg m^-3"],
    ["kg m⁻³", "kg m^-3"],
    ["kilograms per cubic metre", "kg m^-3"],
    ["kilograms per cubic meter", "kg m^-3"],
    ["kg per m3", "kg m^-3"],
    ["m/s^2", "m s^-2"],
    ["metres per second per second", "m s^-2"],
    ["meters per second squared", "m s^-2"],
    ["square kilometres", "km^2"],
    ["astronomical units", "au"],
    ["light-years", "ly"],
    ["degrees Celsius", "degC"],
    ["J/(mol K)", "J mol^-1 K^-1"],
    ["Earth masses", "M_earth"],
    ["µm", "um"],
  ])("%s", (text, unit) => {
    const read = factor(text)!;
    const meant = unitsAt(unit, 0).at(-1)!.unit;
    expect(read.dimension).toEqual(meant.dimension);
    expect(read.factor / meant.factor).toBeCloseTo(1, 12);
  });
  it.each(["planet", "the", "inner", "massive"])("%s is no unit", (text) =>
    expect(factor(text)).toBeUndefined(),
  );
});
