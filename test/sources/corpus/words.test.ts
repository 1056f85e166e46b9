import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../sources/corpus/words.js";

const words = (text: string): string => wordsOf(text).join(" ");

describe("words of a text", () => {
  it.each([
    ["mass 8.68e25 kg", "mass 8.68e25 kg"],
    ["8.68E+25, 8.68 × 10²⁵; 8.68 x 10^25 and 8.68·10^25.", "8.68e25 8.68e25 8.68e25 and 8.68e25"],
    ["1.6 × 10⁻¹⁹ C", "1.6e-19 c"],
    ["10³ and 10^3, not 103", "10^3 and 10^3 not 103"],
    ["H2O, H₂O and H_2O", "h2o h2o and h2o"],
    ["β-carotene", "β carotene"],
    ["g/cm³, g/cm^3, g/cm3", "g cm3 g cm3 g cm3"],
    ["kg m⁻³ and kg m^-3", "kg m^-3 and kg m^-3"],
    ["1,234,567.5 and 142\u202f984 and 3,14", "1234567.5 and 142984 and 3.14"],
    ["2½ and 5 µm and 5 μm", "2 1 2 and 5 μm and 5 μm"],
    ["Ångström ÅNGSTRÖM angstrom", "angstrom angstrom angstrom"],
    ["Łódź Ørsted Æsir straße", "lodz orsted aesir strasse"],
    ["ΣΊΣΥΦΟΣ Σίσυφος", "σισυφοσ σισυφοσ"],
    ["Ⅳ ﬁne ２０", "iv fine 20"],
    ["Saturn's and Saturn’s moons", "saturn and saturn moon"],
    ["moons bodies masses gas glass radius series species", "moon body mass gas glass radius sery specy"],
    ["As Os Es", "as os es"],
    ["水は H2O", "水 は h2o"],
    ["한국어 문장", "한국어 문장"],
    ["2024-11-05", "2024 11 05"],
    ["end. 5. Next", "end 5 next"],
    ["", ""],
    ["!?, — …", ""],
  ])("%j is %j", (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it("cuts what nobody would type", () => {
    expect(wordsOf("A".repeat(5000))).toEqual(["a".repeat(64)]);
  });

  it("gives words without spaces for any text, the same ones whatever the case", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const found = wordsOf(text);
        expect(found.every((word) => word !== "" && !/\s/.test(word))).toBe(true);
        expect(wordsOf(found.join(" ")).length).toBeGreaterThanOrEqual(found.length);
      }),
    );
  });

  it("reads a megabyte of one character at once", () => {
    for (const text of [
      "a".repeat(1e6),
      "1,".repeat(5e5),
      "10^".repeat(3e5),
      "é'".repeat(5e5),
      "1 ×".repeat(3e5),
    ]) {
      expect(wordsOf(text).length).toBeLessThan(1e6);
    }
  });
});
