import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../sources/corpus/query.js";

describe("queries", () => {
  it("tells words, phrases and sites apart", () => {
    expect(parseQuery('mass of “Uranus moons” site:en.example.org "H₂O"')).toEqual({
      words: ["mass", "of", "uranus", "moon", "h2o"],
      phrases: [["uranus", "moon"], ["h2o"]],
      sites: ["en.example.org"],
    });
  });

  it.each([
    ["site:https://Example.org/wiki?x", ["example.org"]],
    ["site:*.example.org", ["example.org"]],
    ["site: example.org,", ["example.org"]],
    ["(site:example.org)", ["example.org"]],
    ["site:bücher.example", ["xn--bcher-kva.example"]],
    ["site:a.org OR site:b.org", ["a.org", "b.org"]],
    ["-site:example.org", []],
    ["website:example.org", []],
    ["site:", []],
    ["site:///", []],
  ])("%s", (query, sites) => {
    expect(parseQuery(query).sites).toEqual(sites);
  });

  it("makes nothing of quotes without partners", () => {
    expect(parseQuery('"uranus mass')).toEqual({ words: ["uranus", "mass"], phrases: [], sites: [] });
    expect(parseQuery('""" "" "')).toEqual({ words: [], phrases: [], sites: [] });
  });

  it("reads any text, and of a pasted one so much as it needs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseQuery(text).words.length).toBeLessThanOrEqual(40);
      }),
    );
    const pasted = Array.from({ length: 1000 }, (_, i) => `w${i}`).join(" ");
    expect(parseQuery(`"${pasted}"`)).toMatchObject({ words: { length: 40 }, phrases: [] });
  });
});
