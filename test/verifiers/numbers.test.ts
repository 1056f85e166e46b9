import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatInteger, formatValue, round12, roundText, roundTo } from "../../verifiers/numbers.js";

describe("rounding", () => {
  it.each([
    ["1.2745", 3, "1.27"],
    ["1.275", 3, "1.28"],
    ["2.5", 1, "3"],
    ["-2.5", 1, "-3"],
    ["0.9996", 3, "1.00"],
    ["999.95", 4, "1000"],
    ["123456", 2, "120000"],
    ["0.000123456", 3, "0.000123"],
    ["1e-7", 2, "0.00000010"],
    ["6.02214076e23", 3, "602000000000000000000000"],
    ["0", 3, "0.00"],
    ["−1.05", 2, "-1.1"],
    ["00012.50", 3, "12.5"],
    [".5", 2, "0.50"],
  ])("%s at %d digits is %s", (text, digits, expected) => {
    expect(roundText(text, digits)).toBe(expected);
  });

  it("goes by the written digits, not by the binary value", () => {
    expect(roundTo(1.005, 3)).toBe(1.01);
    expect(roundTo(2.675, 3)).toBe(2.68);
  });

  it.each(["", "abc", "1,5", "1.2.3", "0x10", "Infinity", "e5", "."])("refuses %j", (text) => {
    expect(() => roundText(text, 3)).toThrow(RangeError);
  });
  it.each([0, -1, 1.5, 101, Number.NaN])("refuses %d digits", (digits) => {
    expect(() => roundText("1", digits)).toThrow("significant digits");
  });

  it("is idempotent, monotone and close", () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
    fc.assert(
      fc.property(value, value, fc.integer({ min: 1, max: 15 }), (a, b, digits) => {
        const rounded = roundTo(a, digits);
        expect(roundTo(rounded, digits)).toBe(rounded);
        if (a <= b) expect(rounded).toBeLessThanOrEqual(roundTo(b, digits));
        expect(Math.abs(rounded - a)).toBeLessThanOrEqual(
          0.5000001 * 10 ** (1 - digits) * Math.abs(a) * 1.0000001,
        );
      }),
    );
  });
});

describe("round12", () => {
  it("keeps 12 digits and no negative zero", () => {
    expect(round12(1.27022489809777)).toBe(1.2702248981);
    expect(round12(123456789012345)).toBe(123456789012000);
    expect(round12(1 / 3)).toBe(0.333333333333);
    expect(Object.is(round12(-0), 0)).toBe(true);
    expect(() => round12(Number.NaN)).toThrow(RangeError);
  });
});

describe("formatting", () => {
  it.each([
    [1.2745, 3, "1.27"],
    [20634567, 3, "2.06 × 10⁷"],
    [142984, 6, "142,984"],
    [142984, 2, "1.4 × 10⁵"],
    [9999.96, 5, "10,000"],
    [1234.5, 4, "1235"],
    [0.00123, 3, "0.00123"],
    [0.000123, 3, "1.23 × 10⁻⁴"],
    [0, 3, "0.00"],
    [-5.516604, 4, "-5.517"],
    [100, 3, "100"],
    [100, 2, "1.0 × 10²"],
  ])("%d at %d digits is %s", (value, digits, expected) => {
    expect(formatValue(value, digits)).toBe(expected);
  });
  it("has options", () => {
    expect(formatValue(20634567, 3, { superscript: false })).toBe("2.06 × 10^7");
    expect(formatValue(20634567, 3, { notation: "plain", group: " " })).toBe("20 600 000");
    expect(formatValue(0.05, 2, { notation: "scientific" })).toBe("5.0 × 10⁻²");
    expect(formatValue(-1.5e-9, 2, { superscript: false, minus: "−" })).toBe("−1.5 × 10^−9");
    expect(formatValue(142984, 6, { group: "" })).toBe("142984");
  });
  it("says what rounding gives", () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 });
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 15 }), (x, digits) => {
        const text = formatValue(x, digits, { superscript: false });
        const read = Number(text.replaceAll(",", "").replace(" × 10^", "e"));
        expect(read).toBe(roundTo(x, digits));
      }),
    );
  });
  it("groups whole numbers from five digits on", () => {
    expect([0, 999, 1234, 12345, -1234567].map((n) => formatInteger(n))).toEqual([
      "0",
      "999",
      "1234",
      "12,345",
      "-1,234,567",
    ]);
    expect(() => formatInteger(1.5)).toThrow("not an exact integer");
  });
});
