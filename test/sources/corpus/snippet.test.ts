import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snippetOf } from "../../../sources/corpus/snippet.js";

const filler = (n: number, word = "filler"): string =>
  Array.from({ length: n }, (_, i) => `${word}${i}`).join(" ");

describe("passages", () => {
  it("shows where most of the words stand together", () => {
    const text = `Uranus here. ${filler(100)} The mass of Uranus is\n8.68 × 10^25 kg. ${filler(100)} mass alone`;
    const snippet = snippetOf(
      text,
      new Map([
        ["uranus", 2],
        ["mass", 1],
      ]),
    );
    expect(snippet).toContain("The mass of Uranus is 8.68 × 10^25 kg.");
    expect(snippet.length).toBeLessThanOrEqual(300);
    expect(snippet).toMatch(/^…filler\d+ .*…$/);
  });

  it("prefers one rare word to a common one said often", () => {
    const text = `${"planet ".repeat(60)}${filler(60)} titania`;
    expect(
      snippetOf(
        text,
        new Map([
          ["planet", 0.1],
          ["titania", 5],
        ]),
      ),
    ).toContain("titania");
  });

  it("shows the beginning where nothing is found, and all of a short text", () => {
    expect(snippetOf(" A short\n\n text. ", new Map([["absent", 1]]))).toBe("A short text.");
    expect(snippetOf(filler(200), new Map())).toMatch(/^filler0 .*…$/);
    expect(snippetOf("", new Map([["a", 1]]))).toBe("");
  });

  it("is one line of at most 300 characters without half a character, of any text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 80 }), (parts) => {
        const snippet = snippetOf(
          parts.join(" "),
          new Map([
            ["a", 1],
            ["1", 2],
          ]),
        );
        expect(snippet.length).toBeLessThanOrEqual(300);
        expect(snippet).not.toMatch(/\n|\p{Surrogate}/u);
      }),
    );
  });

  it("reads a megabyte without a space", () => {
    expect(snippetOf("x".repeat(1e6), new Map([["x", 1]])).length).toBeLessThanOrEqual(300);
  });
});
