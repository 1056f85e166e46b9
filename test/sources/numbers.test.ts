import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NumberFormat, numberReader, type ReadNumber } from "../../sources/numbers.js";

const BASE: NumberFormat = { forms: ["plain"], decimal: ".", group: ",", prefix: [], suffix: [], factor: 1 };
const read = (text: string, format: Partial<NumberFormat> = {}) => numberReader({ ...BASE, ...format })(text);
const value = (text: string, format: Partial<NumberFormat> = {}): number | string => {
  const result = read(text, format);
  return "unreadable" in result ? result.unreadable : result.value;
};
const unreadable = (text: string, format: Partial<NumberFormat> = {}): boolean =>
  "unreadable" in read(text, format);

describe("plain numbers", () => {
  it.each([
    ["12", 12, 0.5],
    ["-5832.5", -5832.5, 0.05],
    [".079", 0.079, 0.0005],
    ["12.", 12, 0.5],
    ["1.5e3", 1500, 50],
    ["12e4", 120000, 5000],
    ["+7", 7, 0.5],
    ["0.330", 0.33, 0.0005],
    ["-0", 0, 0.5],
  ])("%s", (text, wanted, half) => {
    const result = read(text) as ReadNumber;
    expect(Object.is(result.value, wanted)).toBe(true);
    expect(result.halfStep).toBe(half);
  });

  it.each(["", " 12", "12 ", "1,5", "1.2.3", "0x10", "NaN", "Infinity", "1e", "e5", "--1", "1_000", "١٢"])(
    "%j is no plain number",
    (text) => expect(unreadable(text)).toBe(true),
  );

  it("takes every typesetter's minus", () => {
    for (const minus of ["-", "\u2212", "\u2013", "\u2010", "\uFF0D"])
      expect(value(`${minus}3.5`)).toBe(-3.5);
    expect(value("6.6e\u221227")).toBe(6.6e-27);
  });

  it("refuses what no double holds", () => {
    expect(unreadable("1e999")).toBe(true);
    expect(unreadable(`1${"0".repeat(500)}`)).toBe(true);
    expect(unreadable("1e-99999999999")).toBe(true);
  });
});

describe("factors", () => {
  it("are exact in decimal", () => {
    expect(value("0.330", { factor: 1e24 })).toBe(3.3e23);
    expect(value("1.1", { factor: 0.1 })).toBe(0.11);
    expect(1.1 * 0.1).not.toBe(0.11);
    expect(value("2.675", { factor: 100 })).toBe(267.5);
    expect((read("0.330", { factor: 1e24 }) as ReadNumber).halfStep).toBe(5e20);
    expect(value("4879", { factor: 0.5 })).toBe(2439.5);
  });

  it("agree with shifting the decimal point", () => {
    const digits = fc.integer({ min: 0, max: 10 ** 9 });
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: -20, max: 20 }),
        (n, places, power) => {
          const text =
            places === 0
              ? String(n)
              : `${Math.floor(n / 10 ** places)}.${String(n % 10 ** places).padStart(places, "0")}`;
          return value(text, { factor: Number(`1e${power}`) }) === Number(`${text}e${power}`);
        },
      ),
    );
  });
});

describe("other forms", () => {
  it("reads grouped digits, and only well-grouped ones", () => {
    expect(value("142,984", { forms: ["grouped"] })).toBe(142984);
    expect(value("1.234.567,5", { forms: ["grouped"], decimal: ",", group: "." })).toBe(1234567.5);
    expect(value("12 756", { forms: ["grouped"], group: " " })).toBe(12756);
    expect(value("12\u202F756", { forms: ["grouped"], group: " " })).toBe(12756);
    expect(unreadable("14,29", { forms: ["plain", "grouped"] })).toBe(true);
    expect(unreadable("4879", { forms: ["grouped"] })).toBe(true);
    expect(value("4879", { forms: ["plain", "grouped"] })).toBe(4879);
  });

  it("reads digits in groups of three as CODATA prints them", () => {
    const spaced = { forms: ["spaced" as const], suffix: ["..."] };
    expect(value("6.644 657 3450 e-27", spaced)).toBe(6.644657345e-27);
    expect((read("6.644 657 3450 e-27", spaced) as ReadNumber).halfStep).toBe(5e-38);
    expect(value("7294.299 541 71", spaced)).toBe(7294.29954171);
    expect(value("96 485.332 12...", spaced)).toBe(96485.33212);
    expect(unreadable("1 2 3", spaced)).toBe(true);
  });

  it("takes a written uncertainty", () => {
    const pm = { forms: ["plus_minus" as const, "parenthesis" as const] };
    expect(read("170.±25.", pm)).toMatchObject({ value: 170, writtenU: 25, halfStep: 0.5 });
    expect(read("0.0007112±0.0000010", pm)).toMatchObject({ value: 0.0007112, writtenU: 0.000001 });
    expect(read("1.5 +/- 0.2", pm)).toMatchObject({ value: 1.5, writtenU: 0.2 });
    expect(read("1.234(5)e-3", pm)).toMatchObject({ value: 0.001234, writtenU: 5e-6 });
    expect(unreadable("1±-2", pm)).toBe(true);
  });

  it("reads sexagesimal fields, the sign with the whole", () => {
    const s = { forms: ["sexagesimal" as const] };
    expect(value("+40 05 51.84", s)).toBeCloseTo(40 + 5 / 60 + 51.84 / 3600, 13);
    expect(value("-00:12:30", s)).toBe(-(12 * 60 + 30) / 3600);
    expect(value("\u221256 40 50.8706", s)).toBeCloseTo(-(56 + 40 / 60 + 50.8706 / 3600), 12);
    expect(value("12:30", s)).toBe(12.5);
    expect((read("12 00 00", s) as ReadNumber).halfStep).toBeCloseTo(0.5 / 3600, 18);
    expect(unreadable("+19 54 60", s)).toBe(true);
    expect(unreadable("12 61 00", s)).toBe(true);
  });

  it("drops declared texts around a number only", () => {
    const format = { suffix: ["R", "million sq km"], prefix: ["~", "≈"] };
    expect(value("16.8R", format)).toBe(16.8);
    expect(value("14.2 million sq km", { ...format, factor: 1e6 })).toBe(14.2e6);
    expect(value("≈ 3", format)).toBe(3);
    expect(unreadable("16.8*", format)).toBe(true);
  });

  it("knows whole numbers that a double would round", () => {
    expect(read("9007199254740991")).toMatchObject({ integer: true });
    expect(read("9007199254740993")).toMatchObject({ integer: false });
    expect(read("9007199254740992.0")).toMatchObject({ integer: false });
    expect(read("12.0")).toMatchObject({ integer: true });
    expect(read("12.5")).toMatchObject({ integer: false });
    expect(read("5000000000000000.1")).toMatchObject({ integer: false });
  });
});
