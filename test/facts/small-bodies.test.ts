import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findCard } from "../../sources/cards.js";
import { cell, loadBundled, numbers } from "./load.js";

/** What the card of the asteroids claims, as far as the table itself can show it. */
const { tables, reports } = await loadBundled(["small-bodies"]);
const asteroids = tables.get("small-bodies")!;
const of = (id: string): Float64Array => numbers(asteroids, id).values;

/** JPL's orbit classes, by osculating elements. */
function classOf(a: number, e: number): string {
  const q = a * (1 - e);
  if (a < 2 && q > 1.666) return "IMB";
  if (a < 3.2 && q > 1.666) return "MBA";
  if (a >= 3.2 && a < 4.6 && q > 1.3) return "OMB";
  if (q > 1.3 && q <= 1.666 && a < 3.2) return "MCA";
  if (q > 1.017 && q <= 1.3) return "AMO";
  if (a >= 4.6 && a < 5.5 && e < 0.3) return "TJN";
  if (a >= 5.5 && a < 30.1) return "CEN";
  return a >= 30.1 ? "TNO" : "AST";
}

describe("small-bodies", () => {
  it("is the whole answer: 7,099 asteroids, all brighter than 12", async () => {
    const { snapshot } = await findCard("small-bodies", ".");
    const answer = JSON.parse(readFileSync(snapshot, "utf8")) as {
      count: number;
      fields: string[];
      data: (string | null)[][];
    };
    const h = answer.fields.indexOf("H");
    expect(answer.count).toBe(7099);
    expect(answer.data.length).toBe(7099);
    expect(answer.data.every((row) => row.length === answer.fields.length && Number(row[h]) < 12)).toBe(true);
    expect(reports.get("small-bodies")).toMatchObject({
      records: 7099,
      loaded: 3807,
      rejected: { not_kept: 3292 },
    });
  });

  it("has classes that follow from the elements", () => {
    const column = asteroids.columns.get("class")!;
    const wrong = asteroids.keys.filter((_, row) => {
      const here = cell(column, row);
      return here !== undefined && here !== classOf(of("semi_major_axis")[row]!, of("eccentricity")[row]!);
    });
    expect(wrong).toEqual([]);
  });

  it("has elements that fit each other: q = a(1 − e), P² = a³", () => {
    const [a, e, q, p] = ["semi_major_axis", "eccentricity", "perihelion_distance", "orbital_period"].map(
      of,
    ) as Float64Array[];
    const off = asteroids.keys.filter((_, row) => {
      const perihelion = a![row]! * (1 - e![row]!);
      // The Gaussian year is 365.256898 d, JPL's Julian year 365.25 d.
      const period = (a![row]! ** 1.5 * 365.256898) / 365.25;
      return Math.abs(perihelion / q![row]! - 1) > 1e-9 || Math.abs(period / p![row]! - 1) > 1e-5;
    });
    expect(off).toEqual([]);
  });

  it("has diameters, albedos and magnitudes that agree within a factor of 1.6 where they are in use", () => {
    const off = asteroids.keys.filter((_, row) => {
      const expected = (1329 / Math.sqrt(of("albedo")[row]!)) * 10 ** (-of("absolute_magnitude")[row]! / 5);
      const ratio = of("diameter")[row]! / expected;
      return ratio < 0.62 || ratio > 1.6;
    });
    expect(off).toEqual([]);
  });

  it("keeps designations as text and knows the IAU's names", () => {
    const row = asteroids.rowOf("1 Ceres (A801 AA)")!;
    expect(asteroids.aliases[row]).toEqual(["Ceres"]);
    expect(of("diameter")[row]).toBe(939.4);
    expect(asteroids.rowOf("12559 (1998 QB69)")).toBeDefined();
  });
});
