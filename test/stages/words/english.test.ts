import { describe, expect, it } from "vitest";
import { agree, plural, shortNoun, singular } from "../../../stages/words/english.js";

describe("English", () => {
  it.each([
    ["is a stalk of an acrocentric chromosome (stalk)", "are stalks of acrocentric chromosomes (stalk)"],
    ["is no member state", "are no member states"],
    ["is not a giant planet", "are not giant planets"],
    ["has no ring system", "have no ring system"],
    ["belongs to a centromere", "belong to a centromere"],
  ])("agrees with many: %s", (single, many) => {
    expect(agree(single, true)).toBe(many);
    expect(agree(single, false)).toBe(single);
  });

  it.each([
    ["land neighbours", "land neighbour"],
    ["curves in the isogeny class", "curve in the isogeny class"],
    ["conjugacy classes", "conjugacy class"],
    ["vertices", "vertex"],
    ["codons", "codon"],
    ["countries", "country"],
    ["spanning trees", "spanning tree"],
  ])("knows one of many: %s", (many, single) => {
    expect(singular(many)).toBe(single);
  });

  it.each([
    ["longest runway", "longest runways"],
    ["base", "bases"],
    ["semi-major axis", "semi-major axes"],
    ["derived subgroup", "derived subgroups"],
  ])("knows many of one: %s", (single, many) => {
    expect(plural(single)).toBe(many);
  });

  it("shortens an entity's noun to what it is", () => {
    expect(shortNoun("naturally occurring isotope")).toBe("isotope");
    expect(shortNoun("capital of a member state")).toBe("capital");
    expect(shortNoun("amino acid")).toBe("amino acid");
  });
});
