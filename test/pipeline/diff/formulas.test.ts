import { describe, expect, it } from "vitest";
import { type Asking, type Carried, Formulas } from "../../../pipeline/diff/formulas.js";
import type { Side } from "../../../pipeline/diff/side.js";

const [a, b] = [{ name: "a" }, { name: "b" }] as Side[];
const asking = (formula: string, column: string, more: Asking = {}): Asking => ({
  table: "planets",
  compute: { formula, inputs: { values: { of: "candidates", column } } },
  ...more,
});
const carried = (program: Asking, noun: string): Carried => ({
  definition: JSON.stringify({ id: program.compute!.formula, noun }),
  program,
});

describe("formulas of two datasets", () => {
  it("are one by id as long as both define it once, whatever it is asked of", () => {
    const formulas = new Formulas({
      a: [carried(asking("density", "mass"), "density")],
      b: [carried(asking("density", "radius"), "thickness")],
    });
    expect(formulas.settings()).toEqual([
      { part: "formula", of: "density", path: "noun", a: "density", b: "thickness" },
    ]);
    expect(formulas.of(b!, asking("density", "mass"))).toContain("thickness");
  });

  it.each(["mean", "density"])("are told apart by column where %s has several definitions", (id) => {
    const formulas = new Formulas({
      a: [carried(asking(id, "mass"), "mass"), carried(asking(id, "radius"), "radius")],
      b: [carried(asking(id, "radius"), "size")],
    });
    expect(formulas.settings()).toEqual([
      { part: "formula", of: `${id} of planets.radius`, path: "noun", a: "radius", b: "size" },
    ]);
    expect(formulas.of(b!, asking(id, "mass"))).toBeUndefined();
    expect(formulas.of(a!, asking(id, "mass"))).toContain("mass");
  });

  it("are not guessed where the very same question has several definitions", () => {
    const twice = [carried(asking("own", "mass"), "one"), carried(asking("own", "mass"), "two")];
    const formulas = new Formulas({ a: twice, b: twice.slice(1) });
    expect(formulas.settings()).toEqual([]);
    expect(formulas.of(a!, asking("own", "mass"))).toBeUndefined();
  });

  it("are named by table, path and derivation too", () => {
    const formulas = new Formulas({ a: [], b: [] });
    const carriedBy = (asks: Asking) => new Formulas({ a: [carried(asks, "x")], b: [] }).nameOf(asks);
    const followed = { values: { of: "followed", column: "mass" } };
    const hop = { table: "moons", compute: { formula: "mean", inputs: followed } };
    expect(carriedBy({ ...hop, follow: ["planet"] })).toBe("mean of moons > planet.mass");
    expect(carriedBy({ ...hop, follow: "planet" })).toBe("mean of moons > planet.mass");
    const derive = { d: { formula: "bulk_density", inputs: { mass: "mass", radius: "mean_radius" } } };
    expect(carriedBy(asking("mean", "d", { derive }))).toBe(
      "mean of planets.d = bulk_density(mass, mean_radius)",
    );
    expect(formulas.nameOf({})).toBe("");
  });
});
