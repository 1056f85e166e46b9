import { describe, expect, it } from "vitest";
import { phraseClause } from "../../../stages/words/clauses.js";
import { modified } from "../../../stages/words/modified.js";

/** A noun with phrases as a card writes them. */
const many = (noun: string, scope: string, ...phrases: string[]) =>
  modified(noun, scope, phrases.map(phraseClause), true);
const one = (noun: string, scope: string, ...phrases: string[]) =>
  modified(noun, scope, phrases.map(phraseClause), false);

const UN = "(member states of the United Nations only)";
const CURVES = "over the rational numbers with conductor at most 1000 (up to isomorphism)";
const AIRPORTS = "with an IATA code";

describe("what is said of a noun", () => {
  it("puts adjectives before it, those that deny last", () => {
    expect(many("countries", UN, "that is landlocked", "with exactly five land neighbours")).toBe(
      `landlocked countries ${UN} with exactly five land neighbours`,
    );
    expect(many("simple graphs", "", "that is planar", "that is regular")).toBe(
      "planar regular simple graphs",
    );
    expect(many("groups", "", "that is non-abelian", "that is solvable")).toBe("solvable non-abelian groups");
    expect(many("those", "", "that is planar", "that is regular")).toBe("those that are planar and regular");
  });

  it("makes one relative clause of all the rest where one is needed, what is denied behind what is not", () => {
    expect(many("bands", "", "with more than 4.6 million base pairs", "that stains Giemsa-positive")).toBe(
      "bands that stain Giemsa-positive and have more than 4.6 million base pairs",
    );
    expect(many("countries", "", "in Africa", "that is not landlocked", "with exactly four borders")).toBe(
      "countries that are in Africa and not landlocked and have exactly four borders",
    );
    expect(
      many(
        "elliptic curves",
        CURVES,
        "that is not semistable",
        "with more than four curves in the isogeny class",
      ),
    ).toBe(
      "elliptic curves (over the rational numbers with conductor at most 1000, up to isomorphism) that are not semistable and have more than four curves in the isogeny class",
    );
    expect(one("airport", AIRPORTS, "in Kenya", "whose name includes “International”")).toBe(
      "airport (with an IATA code) that is in Kenya and whose name includes “International”",
    );
    expect(many("graphs", "", "that is not planar", "that is in one piece", "that has a cycle")).toBe(
      "graphs that are in one piece, have a cycle and are not planar",
    );
    expect(many("moons", "", "discovered after 1900", "without rings", "that orbits Saturn")).toBe(
      "moons that were discovered after 1900, orbit Saturn and have no rings",
    );
  });

  it("shares no “that” with a clause of another subject, nor with a choice", () => {
    expect(many("stars", "", "that the Moon occults", "with a mass above 2 kg")).toBe(
      "stars that the Moon occults and that have a mass above 2 kg",
    );
    expect(many("airports", "", "that is large or is closed", "with two runways")).toBe(
      "airports that are large or are closed and that have two runways",
    );
  });

  it("puts a scope in brackets where something follows, and only there", () => {
    expect(many("moons", "of the planets and Pluto")).toBe("moons of the planets and Pluto");
    expect(many("moons", "of the planets and Pluto", "with a mean radius above 500 km")).toBe(
      "moons (of the planets and Pluto) with a mean radius above 500 km",
    );
    expect(many("graphs", "with one to seven vertices (up to isomorphism)", "with a girth of 3")).toBe(
      "graphs (with one to seven vertices, up to isomorphism) with a girth of 3",
    );
    expect(many("groups", "of order at most 127 (up to isomorphism)", "with an exponent of 3")).toBe(
      "groups of order at most 127 (up to isomorphism) with an exponent of 3",
    );
    expect(one("capital of a member state", "", "with a latitude above 50°")).toBe(
      "capital (of a member state) with a latitude above 50°",
    );
    expect(many("graphs", CURVES, "that is planar")).toBe(`planar graphs ${CURVES}`);
  });

  it("keeps next to the noun what belongs to it", () => {
    expect(many("isotopes", "(ground states)", "of bromine", "with a half-life above 2 h")).toBe(
      "isotopes of bromine (ground states) with a half-life above 2 h",
    );
    expect(many("isotopes", "with a known abundance", "of zinc")).toBe(
      "isotopes of zinc (with a known abundance)",
    );
  });

  it("keeps peers behind the scope, which is not that of what they share", () => {
    expect(many("isotopes", "with a known abundance", "of the same element as it")).toBe(
      "isotopes (with a known abundance) of the same element as it",
    );
  });

  it("says of a thing that was just named nothing that the entity has", () => {
    expect(many("moons", "", "in a retrograde orbit", "with a mean radius above 5 km")).toBe(
      "moons in a retrograde orbit and with a mean radius above 5 km",
    );
    expect(many("countries", "", "in Africa", "with exactly two borders")).toBe(
      "countries in Africa with exactly two borders",
    );
  });
});
