import { describe, expect, it } from "vitest";
import { nounTokens, statesPhrase, statesSuperlative } from "../../../verifiers/readable/phrases.js";

const phrase = (...phrases: string[]) => ({ kind: "phrase" as const, phrases });
const rings = phrase("with a ring system", "that has a ring system");
const noRings = phrase("without a ring system", "that has no ring system");

describe("statesPhrase", () => {
  it.each([
    ["Saturn has a ring system.", rings, true],
    ["Mars has no ring system.", rings, false],
    ["Mars has no ring system.", noRings, true],
    ["Venus lacks a ring system", noRings, true],
    ["Saturn has a ring system.", noRings, false],
    ["Saturn has rings.", rings, false],
    ["Io is a moon of Jupiter.", phrase("of Jupiter", "that orbits Jupiter"), true],
    [
      "Radium stands in the s-block of the periodic table",
      phrase("in the s-block of the periodic table"),
      true,
    ],
    ["Radium-226 | 226", phrase("of radium"), true],
    ["Carbon is non-metallic", phrase("metallic"), false],
    ["nuclear spin and parity 3/2-", phrase("with nuclear spin and parity 3/2−"), true],
    ["nuclear spin and parity 3/2+", phrase("with nuclear spin and parity 3/2−"), false],
    ["Sodium belongs to the alkali metals", phrase("that belongs to the alkali metals"), true],
    ["", phrase("of the"), false],
  ])("%s", (text, wanted, stated) => {
    expect(statesPhrase(text, wanted)).toBe(stated);
  });
});

describe("statesSuperlative", () => {
  const moon = ["moon", "moons"];
  it.each([
    [
      "Mercury: the smallest planet and the nearest to the sun",
      ["smallest"],
      ["planet", "planets"],
      [],
      true,
    ],
    ["Triton: the largest moon of Neptune", ["largest"], moon, [phrase("of Neptune")], true],
    ["Triton: the largest moon of Neptune", ["largest"], moon, [phrase("of Saturn")], false],
    ["the second largest moon of Saturn", ["largest"], moon, [phrase("of Saturn")], false],
    ["one of the largest moons of Saturn", ["largest"], moon, [], false],
    ["the largest known moon", ["largest"], moon, [], false],
    ["it is not the largest moon", ["largest"], moon, [], false],
    ["possibly the largest moon", ["largest"], moon, [], false],
  ])("%s", (text, superlatives, nouns, conditions, said) => {
    expect(statesSuperlative(text, superlatives, nouns, conditions)).toBe(said);
  });
});

describe("nounTokens", () => {
  it.each([
    ["orbital inclination to the ecliptic", ["inclination"]],
    ["atomic number", ["atomic"]],
    ["number of edges", ["edge"]],
    ["period number in the periodic table", ["period"]],
    ["natural abundance", ["abundance"]],
  ])("%s", (noun, tokens) => {
    expect(nounTokens(noun)).toEqual(tokens);
  });
});
