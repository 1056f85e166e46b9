import { describe, expect, it } from "vitest";
import { missingMentions, type Wanted } from "../../verifiers/mentions.js";
import { plainText } from "../../verifiers/plain-text.js";

const MASS = { order: "max", rank: 3, superlatives: ["most massive", "heaviest"], noun: "mass" } as const;

const WANTED: Wanted = {
  numbers: [
    { label: "semi-major axis", value: 0.5, unit: "au", side: "above" },
    { label: "mass", value: 5000, unit: "kg", side: "below" },
  ],
  phrases: [
    { label: "ring system", phrases: ["that has a ring system", "with rings"], flag: true },
    { label: "magnetic field", phrases: ["without a magnetic field"], flag: true },
    { label: "class", phrases: ["in the main asteroid belt", "of the main belt"], flag: false },
  ],
  selects: [MASS],
  entity: ["planet", "planets"],
  scope: "of the Solar System",
  quantity: "surface gravity",
  definition: ["mean radius"],
  terms: [],
  figure: undefined,
  hops: [],
  answer: { unit: "m/s^2", digits: 3, exact: false },
  constants: [{ symbol: "G", value: 6.6743e-11, unit: "m^3 kg^-1 s^-2" }],
  years: ["2024"],
};

const RIGHT =
  "As of 2024, which planet of the Solar System in the main belt that has rings, lies above 0.5 au, weighs less than 5000 kg and has no magnetic field is the third most massive, and what is its surface gravity at its mean radius? Use G = 6.6743e-11 m^3 kg^-1 s^-2. Answer in m/s² to three significant figures.";

const codes = (text: string, wanted: Partial<Wanted> = {}) =>
  missingMentions(plainText(text), { ...WANTED, ...wanted }).map((f) => f.code);

describe("missingMentions", () => {
  it("finds nothing where all is said", () => expect(codes(RIGHT)).toEqual([]));

  it.each([
    ["0.5 au", "0.50 AU"],
    ["0.5 au", "0.5 astronomical units"],
    ["0.5 au", "74.8 million km"],
    ["0.5 au", "7.48 × 10⁷ km"],
    ["0.5 au", "$7.48\\times10^{10}$ m"],
    ["above 0.5 au", "not below 0,5 au"],
    ["above 0.5 au", "beyond 0.5 au"],
    ["above 0.5 au", "at 0.5 au or more"],
    ["above 0.5 au", "at a > 0.5 au"],
    ["5000 kg", "5,000 kg"],
    ["5000 kg", "5 000 kg"],
    ["5000 kg", "5\u202f000 kilograms"],
    ["5000 kg", "5·10^3 kg"],
    ["5000 kg", "5e3 kg"],
    ["5000 kg", "5 tonnes"],
    ["5000 kg", "5 Mg"],
    ["5000 kg", "five thousand kilograms"],
    ["less than 5000 kg", "no more than 5000 kg"],
    ["has no magnetic field", "lacks a magnetic field"],
    ["has no magnetic field", "does not have a magnetic field"],
    ["third most massive", "third-heaviest"],
    ["third most massive", "3rd most massive"],
    ["m/s²", "metres per second squared"],
    ["m/s²", "m s^-2"],
    ["m/s²", "meters per second squared"],
    ["three significant figures", "3 significant digits"],
    ["three significant figures", "3 sig. figs"],
    ["6.6743e-11", "6.674 × 10⁻¹¹"],
  ])("accepts %j written %j", (from, to) => expect(codes(RIGHT.replace(from, to))).toEqual([]));

  it.each([
    ["0.5 au", "0.6 au", "missing_condition"],
    ["0.5 au", "0.5", "missing_condition"],
    ["0.5 au", "0.5 km", "missing_condition"],
    ["0.5 au", "75 million km", "missing_condition"],
    [", lies above 0.5 au", "", "missing_condition"],
    ["above 0.5 au", "below 0.5 au", "wrong_comparison"],
    ["above 0.5 au", "not above 0.5 au", "wrong_comparison"],
    ["less than 5000 kg", "more than 5000 kg", "wrong_comparison"],
    ["5000 kg", "500 kg", "missing_condition"],
    ["that has rings", "", "missing_condition"],
    ["that has rings", "without rings", "missing_condition"],
    ["has no magnetic field", "has a magnetic field", "missing_condition"],
    ["has no magnetic field", "is round", "missing_condition"],
    ["in the main belt", "", "missing_condition"],
    ["third most massive", "third least massive", "missing_order"],
    ["third most massive", "most massive", "missing_rank"],
    ["third most massive", "second most massive", "missing_rank"],
    ["most massive", "best", "missing_order"],
    ["planet ", "body ", "missing_scope"],
    ["of the Solar System", "", "missing_scope"],
    ["surface gravity", "temperature", "missing_quantity"],
    ["at its mean radius", "", "missing_definition"],
    ["Use G = 6.6743e-11 m^3 kg^-1 s^-2.", "", "missing_constant"],
    ["6.6743e-11", "6.6e-11", "missing_constant"],
    ["6.6743e-11 m^3", "6.6743e-11 m^2", "missing_constant"],
    ["As of 2024, which", "Which", "missing_date"],
    ["m/s²", "cm/s²", "missing_unit"],
    ["in m/s² ", "", "missing_unit"],
    ["three significant", "four significant", "missing_precision"],
    ["to three significant figures", "", "missing_precision"],
  ])("misses %j replaced by %j", (from, to, code) => {
    expect(RIGHT).toContain(from);
    expect(codes(RIGHT.replace(from, to))).toContain(code);
  });

  it("knows a rank that should not be there", () => {
    expect(codes(RIGHT.replace("third ", ""), { selects: [{ ...MASS, rank: 1 }] })).toEqual([]);
    expect(codes(RIGHT, { selects: [{ ...MASS, rank: 1 }] })).toEqual(["missing_rank"]);
  });

  it("asks for exact integers and pure numbers in words", () => {
    const exact = { answer: { unit: "1", digits: 3, exact: true } };
    expect(
      codes(RIGHT.replace("Answer in m/s² to three significant figures.", "Give the exact integer."), exact),
    ).toEqual([]);
    expect(codes(RIGHT, exact)).toContain("missing_precision");
    const pure = { answer: { unit: "1", digits: 3, exact: false } };
    expect(codes(RIGHT.replace("in m/s²", "as a pure number"), pure)).toEqual([]);
    expect(codes(RIGHT, pure)).toContain("missing_unit");
  });

  it("reads a step to another entity", () => {
    const hop = { hops: ["the star that {it} circles"] };
    expect(codes(RIGHT, hop)).toContain("missing_hop");
    expect(codes(`${RIGHT} It is about the star that this planet circles.`, hop)).toEqual([]);
  });
});
