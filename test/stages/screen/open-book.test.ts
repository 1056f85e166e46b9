import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import type { Condition } from "../../../sources/card.js";
import type { Table } from "../../../sources/table.js";
import { openBook } from "../../../stages/screen/open-book.js";
import type { WordedRow } from "../../../stages/task.js";
import { tableOf } from "../../fixtures/tables.js";

const number = (unit: string, noun: string, more: object = {}) =>
  ({
    type: "number",
    scale: "ratio",
    unit,
    uncertainty: { rounding: true },
    phrase: { noun },
    ...more,
  }) as const;

/** A task that reads the mass of the body with the largest radius. */
function task(where: Condition[], follow?: string): WordedRow {
  const of = follow === undefined ? "selected" : "followed";
  return {
    program: {
      table: "bodies",
      where,
      select: { column: "radius", order: "max", rank: 1 },
      ...(follow === undefined ? {} : { follow: [follow] }),
      compute: { formula: "density", inputs: { mass: { of, column: "mass" } }, unit: "kg", digits: 3 },
    },
    formula: { output: { quantity: "density" } },
  } as unknown as WordedRow;
}

function shown(tables: readonly Table[], row: WordedRow, extent = { max_rows: 100, decoys: 0 }): string[] {
  const catalog = { tables: new Map(tables.map((t) => [t.id, t])) };
  const book = openBook(row, catalog, extent, stream("book"));
  if (!("text" in book)) throw new Error(`needs ${book.needs}`);
  return book.text.split("\n");
}

const above = (column: string, value: number): Condition => ({ column, op: "gt", value });

describe("an open book", () => {
  const bodies = tableOf(
    "bodies",
    {
      radius: number("km", "mean radius", { phrase: { noun: "radius", definition: "volumetric mean" } }),
      equatorial: number("km", "equatorial radius"),
      mass: number("kg", "mass"),
      density: number("kg", "stored answer", { quantity: "density" }),
      albedo: number("1", "albedo"),
      rings: { type: "flag", scale: "flag", phrase: { noun: "ring system" } },
      class: {
        type: "text",
        scale: "nominal",
        phrase: { noun: "class", values: { MBA: ["in the main belt"] } },
      },
    },
    {
      a: [142984, 1, 1.8982e27, 5, 0.5, true, "MBA"],
      b: [{ value: 3, limit: -1 }, 2, { value: 7, limit: 1 }, 6, 0.4, null, "odd | one\n\u0007out"],
      c: [null, 3, 0.1 + 0.2, 7, 0.3, false, null],
    },
  );

  it("shows values in published units, limits and gaps, and cells that cannot break out", () => {
    const where: Condition[] = [
      { column: "rings", op: "known" },
      { column: "class", op: "known" },
    ];
    const lines = shown([bodies], task(where), { max_rows: 100, decoys: 5 });
    expect(lines[0]).toBe("Table of bodies, values as of 2026:");
    expect(lines[1]).toBe(
      "body | radius (volumetric mean) [km] | equatorial radius [km] | mass [kg] | ring system | class",
    );
    expect(lines.slice(2).sort()).toEqual([
      "a | 142984 | 1 | 1.8982e27 | yes | MBA (in the main belt)",
      "b | below 3 | 2 | above 7 | unknown | odd one out",
      "c | unknown | 3 | 0.3 | no | unknown",
    ]);
  });

  it("shows columns that could be taken for those it needs, but not the answer itself", () => {
    const [, head] = shown([bodies], task([above("mass", 1)]));
    expect(head).toContain("equatorial radius");
    expect(head).not.toContain("stored answer");
    expect(head).not.toContain("albedo");
  });

  const many = tableOf(
    "bodies",
    { radius: number("km", "radius"), mass: number("kg", "mass") },
    Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`e${String(i).padStart(3, "0")}`, [i, 1000 - i]]),
    ),
  );

  it("holds all candidates, the tempting ones, and as many others as asked for", () => {
    // Masses above 990.5 are those of e000 to e009; without the condition e499 wins.
    const row = task([above("mass", 990.5)]);
    const names = (decoys: number, max_rows = 100) =>
      shown([many], row, { max_rows, decoys })
        .slice(2)
        .map((l) => l.split(" | ")[0]!);
    const candidates = Array.from({ length: 10 }, (_, i) => `e00${i}`);
    expect(names(0).sort()).toEqual([...candidates, "e499"]);
    const more = names(20);
    expect(new Set(more).size).toBe(31);
    expect(more).toEqual(expect.arrayContaining([...candidates, "e499"]));
    expect(names(20, 15)).toHaveLength(15);
    expect(names(1000, 600)).toHaveLength(500);
  });

  it("says how many rows it needs where these are too many", () => {
    const catalog = { tables: new Map([["bodies", many]]) };
    const needs = (max_rows: number) =>
      openBook(task([above("mass", 990.5)]), catalog, { max_rows, decoys: 9 }, stream("x"));
    expect(needs(9)).toEqual({ needs: 11 });
    expect(needs(10)).toEqual({ needs: 11 });
    expect(needs(11)).toHaveProperty("rows", 11);
  });

  it("shows a second table for the entities that a hop leads to, each once", () => {
    const planets = tableOf(
      "planets",
      { mass: number("kg", "mass") },
      { p: [10], q: [20], r: [30] },
      {
        entity: {
          singular: "planet",
          plural: "planets",
          scope: "of the Solar System",
          public: true,
          tiny: false,
        },
      },
    );
    const moons = tableOf(
      "bodies",
      { radius: number("km", "radius"), planet: { type: "text", scale: "nominal" } },
      { m: [1, "p"], n: [2, "p"], o: [3, "q"], u: [4, "lost"] },
      { links: { planet: { column: "planet", to: "planets", phrase: "the planet that {it} orbits" } } },
    );
    const lines = shown([moons, planets], task([above("radius", 0)], "planet"));
    const second = lines.indexOf("Table of planets of the Solar System, values as of 2026:");
    expect(lines.slice(1, second - 1).sort()).toEqual([
      "body | radius [km] | planet",
      "m | 1 | p",
      "n | 2 | p",
      "o | 3 | q",
      "u | 4 | unknown",
    ]);
    expect(lines.slice(second + 1).sort()).toEqual(["p | 10", "planet | mass [kg]", "q | 20"]);
  });
});
