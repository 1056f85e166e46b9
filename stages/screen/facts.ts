import type { Expected } from "../../verifiers/answer/answer.js";

/** A fact that any model with knowledge of its own has met many times. */
export interface Fact {
  readonly question: string;
  readonly expected: Expected;
  readonly source: string;
}

const PLANETS = "NASA NSSDCA, Planetary Fact Sheet";
const MOONS = "NASA NSSDCA, Planetary Satellite Fact Sheets";
const SI = "BIPM, The International System of Units, 9th ed. (2019)";
const CODATA = "CODATA recommended values 2018 (Rev. Mod. Phys. 93, 025010)";
const IUPAC = "IUPAC, Periodic Table of the Elements (2022)";
const IAU = "IAU Resolution B2 (2012); Resolution B3 (2015)";

const name = (question: string, answer: string, source: string, aliases: readonly string[] = []): Fact => ({
  question,
  expected: { type: "entity", name: answer, aliases },
  source,
});

const count = (question: string, value: string, source: string): Fact => ({
  question,
  expected: { type: "integer", value },
  source,
});

/** Tolerances are wide: it is tested whether the model knows, not how it rounds. */
const measure = (
  quantity: string,
  unit: string,
  asked: string,
  value: number,
  tolerance: number,
  source: string,
): Fact => ({
  question: `What is ${quantity}? Give your answer in ${asked}, to three significant figures.`,
  expected: { type: "quantity", value, unit, tolerance, digits: 3 },
  source,
});

/**
 * Planted in every probe: a role that does not know most of these, asked in the very words of the probe, does not answer for reasons of
 * its own (an endpoint that answers nothing, a prompt that it does not follow, a model too small), and its misses prove nothing.
 */
export const FAMOUS_FACTS: readonly Fact[] = [
  name("Which planet of the Solar System is the largest?", "Jupiter", PLANETS),
  name("Which planet of the Solar System is closest to the Sun?", "Mercury", PLANETS),
  name("Which planet of the Solar System is farthest from the Sun?", "Neptune", PLANETS),
  name("What is the name of the largest moon of Saturn?", "Titan", MOONS),
  name("What is the name of the larger of the two moons of Mars?", "Phobos", MOONS),
  count("How many moons does Mars have?", "2", MOONS),
  measure("the mean radius of the Earth", "km", "kilometres", 6371, 0.005, PLANETS),
  measure("the mass of the Earth", "kg", "kilograms", 5.9722e24, 0.01, PLANETS),
  measure("the mean distance from the Earth to the Sun", "km", "kilometres", 149597870.7, 0.01, IAU),
  measure("the speed of light in vacuum", "m/s", "m/s", 299792458, 0.005, SI),
  measure("the Avogadro constant", "1/mol", "units of 1/mol", 6.02214076e23, 0.005, SI),
  measure("the elementary charge", "C", "coulombs", 1.602176634e-19, 0.005, SI),
  measure(
    "the standard acceleration of free fall at the surface of the Earth",
    "m/s^2",
    "m/s²",
    9.80665,
    0.005,
    SI,
  ),
  measure("the mass of the electron", "kg", "kilograms", 9.1093837015e-31, 0.005, CODATA),
  measure("the temperature of absolute zero", "degC", "degrees Celsius", -273.15, 0.005, SI),
  name("Which chemical element is the lightest?", "hydrogen", IUPAC),
  name("Which chemical element has the symbol Na?", "sodium", IUPAC),
  name("Which chemical element has the symbol Fe?", "iron", IUPAC),
  count("What is the atomic number of carbon?", "6", IUPAC),
  count("What is the atomic number of gold?", "79", IUPAC),
  name(
    "Which gas makes up the largest part of the Earth's dry air?",
    "nitrogen",
    "U.S. Standard Atmosphere, 1976 (NOAA, NASA, USAF), table 3",
    ["N2", "N₂"],
  ),
  count("How many edges does a cube have?", "12", "Euclid, Elements, book XI"),
  count("What is the largest prime number below 20?", "19", "Euclid, Elements, book VII"),
  count("What is the order of the symmetric group on 4 letters?", "24", "4! = 24"),
];
