import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passagesOf } from "../../../verifiers/readable/passages.js";
import { readValue, type WantedValue } from "../../../verifiers/readable/values.js";
import { slowReads } from "./slow.js";

const wanted = (value: number, unit: string, tolerance: number, nouns: string[] = []): WantedValue => ({
  kind: "value",
  value,
  unit,
  tolerance,
  nouns,
});
const read = (text: string, w: WantedValue): number | undefined =>
  passagesOf(text)
    .map((p) => readValue(p, w)?.value)
    .find((v) => v !== undefined);

describe("readValue", () => {
  const mass = wanted(8.68099e25, "kg", 8.7e22);
  it.each([
    ["mass 8.6810e25 kg"],
    ["a mass of 8.681 × 10^25 kg"],
    ["its mass is 8.681·10²⁵ kilograms"],
    ["86.81 × 10^21 t"],
    ["| mass (10^24 kg) |\n|---|\n| 86.81 |"],
    ["| mass (kg) | 8.6813e25 |"],
    ["about 8.68e25 kg, to three digits"],
  ])("finds %s", (text) => {
    expect(read(text, mass)).toBeCloseTo(8.68099e25, -23);
  });

  it.each([
    ["8.9e25 kg"],
    ["9e25 kg, to one digit"],
    ["8.7e25 kg, which is rounded to two digits and no figure to compute with"],
    ["8.681e25"],
    ["8.681e25 m"],
    ["8.681e24 kg"],
  ])("does not take %s", (text) => {
    expect(read(text, mass)).toBeUndefined();
  });

  it("takes temperatures with their zero, and angles with their unit alone", () => {
    expect(read("at 76.0 K", wanted(-197, "degC", 14))).toBeCloseTo(-197.15, 6);
    expect(read("-65 °C", wanted(-65, "degC", 14))).toBeCloseTo(-65, 6);
    expect(read("an axial tilt of 97.8°", wanted(97.77, "deg", 0.6, ["axial", "tilt"]))).toBeCloseTo(97.8, 9);
    expect(read("an axial tilt of 97.8", wanted(97.77, "deg", 0.6, ["axial", "tilt"]))).toBeUndefined();
  });

  it("takes pure numbers where they are called what is wanted", () => {
    const period = wanted(7, "1", 0, ["period"]);
    expect(read("Radium stands in period 7 of the table", period)).toBe(7);
    expect(read("Radium has 7 uses", period)).toBeUndefined();
    expect(
      read(
        "| isotope | mass number | atomic mass (u) |\n|---|---|---|\n| x | 226 | 226.03 |",
        wanted(226, "1", 0, ["mass"]),
      ),
    ).toBe(226);
  });

  it("asks exact numbers to be equal", () => {
    expect(read("the order is 120", wanted(121, "1", 0, ["order"]))).toBeUndefined();
    expect(read("the order is 121", wanted(121, "1", 0, ["order"]))).toBe(121);
  });

  it("takes percent for fractions and the other way round", () => {
    expect(
      read("| natural abundance (%) |\n|---|\n| 99.27 |", wanted(99.2742, "percent", 0.5, ["abundance"])),
    ).toBeCloseTo(99.27, 9);
    expect(read("an abundance of 0.9927", wanted(99.2742, "percent", 0.5, ["abundance"]))).toBeCloseTo(
      99.27,
      9,
    );
  });

  it("gives the closest of several", () => {
    expect(read("a radius of 25362 km, or 25400 km by others", wanted(25362, "km", 100))).toBe(25362);
  });

  it("agrees with a slow and obvious matcher on texts made of numbers, units and words", () => {
    const number = fc
      .tuple(
        fc.integer({ min: 1, max: 99_999 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: -3, max: 6 }),
      )
      .map(([n, places, e]) => `${(n / 10 ** places).toFixed(places)}${e === 0 ? "" : `e${e}`}`);
    const token = fc.oneof(
      number,
      fc.constantFrom("km", "m", "kg", "days", "hours", "K", "about", "radius", "|"),
    );
    const text = fc.array(token, { minLength: 1, maxLength: 8 }).map((tokens) => tokens.join(" "));
    const value = fc.tuple(number, fc.constantFrom("km", "d", "kg", "K"), fc.constantFrom(0.001, 0.02, 0.3));
    fc.assert(
      fc.property(text, value, (prose, [written, unit, relative]) => {
        const w = wanted(Number(written), unit, Number(written) * relative);
        const [passage] = passagesOf(`x ${prose}`);
        expect(readValue(passage!, w) !== undefined).toBe(slowReads(prose, w));
      }),
      { numRuns: 2000 },
    );
  });

  it("is total", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.double({ noNaN: true }),
        (text, value) => {
          for (const p of passagesOf(text)) readValue(p, wanted(value, "kg", Math.abs(value) / 10));
        },
      ),
    );
  });
});
