import type { GroundTruth, Target } from "../../verifiers/reward/reward.js";

/** Made-up ground truths whose every figure is easy to check by eye. */

const entity = (id: string, text: string, aliases: string[], depends_on: string[] = []): Target => ({
  id,
  kind: "entity",
  text,
  aliases,
  value: null,
  unit: null,
  tolerance: null,
  depends_on,
});
const value = (
  id: string,
  value: number,
  unit: string,
  tolerance: number | null,
  depends_on: string[],
  kind: Target["kind"] = "attribute",
): Target => ({ id, kind, text: `${value} ${unit}`, aliases: [], value, unit, tolerance, depends_on });

/** One entity, two attributes, an intermediate quantity: four steps that count. */
export const density: GroundTruth = {
  version: 1,
  answer: { type: "quantity", value: 1.27, unit: "g/cm^3", tolerance: 0.01, digits: 3 },
  chain: [
    entity("selected", "Uranus", ["Georgium Sidus"]),
    value("input:mass", 8.681e25, "kg", 0.005, ["selected"]),
    value("input:radius", 25362, "km", 0.005, ["selected"]),
    value("step:volume", 6.833e13, "km^3", 0.015, ["input:radius"], "intermediate"),
    value("answer", 1.27, "g/cm^3", 0.01, ["input:mass", "input:radius", "step:volume"], "answer"),
  ],
  question:
    "Among planets with a mean radius above 20000 km and a mass below 2 × 10^26 kg, what is the mean density of the one with the smallest mass, in g/cm^3, to three significant figures?",
  language: "en",
};

/** A hop: the moon leads to its planet, whose attributes count. */
export const hop: GroundTruth = {
  version: 1,
  answer: { type: "quantity", value: 5.43, unit: "km/s", tolerance: 0.01, digits: 3 },
  chain: [
    entity("selected", "Triton", ["Neptune I"]),
    entity("followed", "Neptune", [], ["selected"]),
    value("input:axis", 30.07, "au", 0.005, ["followed"]),
    value("input:period", 164.8, "yr", 0.005, ["followed"]),
    value("answer", 5.43, "km/s", 0.01, ["input:axis", "input:period"], "answer"),
  ],
  question:
    "Take the largest moon that orbits against its planet's rotation. What is the mean orbital speed of its planet, in km/s, to three significant figures?",
  language: "en",
};

/** Two pure numbers, which are exact, and an energy. */
export const nuclide: GroundTruth = {
  version: 1,
  answer: { type: "quantity", value: 8.79, unit: "MeV", tolerance: 0.005, digits: 3 },
  chain: [
    entity("selected", "iron-56", ["Fe-56", "56Fe"]),
    value("input:nucleons", 56, "1", 0, ["selected"]),
    value("input:protons", 26, "1", 0, ["selected"]),
    value("input:binding", 492.3, "MeV", 0.005, ["selected"]),
    value("answer", 8.79, "MeV", 0.005, ["input:nucleons", "input:binding"], "answer"),
  ],
  question:
    "Which stable nuclide has the lowest mass per nucleon? Give its binding energy per nucleon, in MeV, to three significant figures.",
  language: "en",
};

/** A name with a number in it, a length as answer and among the steps, a temperature below zero. */
export const asteroid: GroundTruth = {
  version: 1,
  answer: { type: "quantity", value: 52.9, unit: "km", tolerance: 0.01, digits: 3 },
  chain: [
    entity("selected", "433 Eros", ["Eros"]),
    value("input:diameter", 16.84, "km", 0.005, ["selected"]),
    value("input:temperature", -45.2, "degC", 0.005, ["selected"]),
    value("answer", 52.9, "km", 0.01, ["input:diameter"], "answer"),
  ],
  question:
    "What is the circumference of the largest near-Earth asteroid that was visited before 2005, in km, to three significant figures?",
  language: "en",
};

/** Steps that are left out: a value that the question gives, one of a single digit, and the answer in other words. */
export const leftOut: GroundTruth = {
  version: 1,
  answer: { type: "quantity", value: 7200, unit: "s", tolerance: 0.01, digits: 2 },
  chain: [
    entity("selected", "Comet Halley", ["1P/Halley"]),
    value("input:given", 350, "kg", 0.01, ["selected"]),
    value("input:short", 5, "m", 0.01, ["selected"]),
    value("step:same", 2, "h", 0.01, ["input:short"], "intermediate"),
    value("step:hours", 2.001, "h", 0.01, ["input:short"], "intermediate"),
    value("step:area", 78.5, "m^2", null, ["input:given", "input:short"], "intermediate"),
    value("answer", 7200, "s", 0.01, ["step:area"], "answer"),
  ],
  question: "A probe of 350 kg meets the comet of 1P. How long does the passage take, in seconds?",
  language: "en",
};

/** A problem: it has no chain. */
export const problem = (
  answer: GroundTruth["answer"],
  question = "What is the answer to this problem?",
): GroundTruth => ({
  version: 1,
  answer,
  chain: [],
  question,
  language: "en",
});
