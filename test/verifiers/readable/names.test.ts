import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Names, titleSubjects } from "../../../verifiers/readable/names.js";

const names = new Names([
  { names: ["Radium"] },
  { names: ["Radium-226", "Ra-226", "226Ra"] },
  { names: ["Moon"], asWritten: ["Moon"] },
  { names: ["Io"] },
  { names: ["Mercury"] },
  { names: ["Mercury", "Hg"] },
  { names: ["Ōumuamua"] },
]);
const found = (text: string): number[][] => names.mentions(text).map((m) => [...m.entities]);

describe("names", () => {
  it("are found in any case, without accents, the longest first", () => {
    expect(found("radium and RADIUM-226, also 226Ra; oumuamua")).toEqual([[0], [1], [1], [6]]);
  });

  it("that are short or common words count as they are written", () => {
    expect(found("a moon of Jupiter, not the Moon; io is I/O, Io is Io")).toEqual([[2], [3], [3]]);
  });

  it("may belong to several entities", () => {
    expect(found("mercury")).toEqual([[4, 5]]);
    expect(found("Hg")).toEqual([[5]]);
  });

  it("are not found inside words, nor across more than a mark", () => {
    expect(found("Radiums, Ra: 226, Iodine")).toEqual([[1]]);
    expect(found("Ra, with 226 others")).toEqual([]);
  });

  it("are the whole of a text or not", () => {
    expect(names.exactly("Radium-226")).toEqual([1]);
    expect(names.exactly("Radium-226 (Ra)")).toEqual([]);
    expect(names.exactly("")).toEqual([]);
  });

  it("a planted name is always found, whatever surrounds it", () => {
    const words = fc.array(fc.constantFrom("the", "of", "Radium", "226", "x", "Moonlight"), { maxLength: 5 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const text = [...a, "and Hg and", ...b].join(" ");
        expect(found(text)).toContainEqual([5]);
      }),
    );
  });
});

describe("titleSubjects", () => {
  it.each([
    ["Uranus", "Uranus"],
    ["Uranus (planet)", "Uranus"],
    ["Uranus: mean orbital elements", "Uranus"],
    ["The Moon - an encyclopedia", "Moon"],
    ["Uranium-235", "Uranium-235"],
    ["Moons of Uranus", "Moons of Uranus"],
    ["1 Ceres (A801 AA)", "1 Ceres"],
  ])("%s", (title, subject) => {
    expect(titleSubjects(title)).toEqual([title, subject]);
  });
});
