import { describe, expect, it } from "vitest";
import type { ColumnCard } from "../../../sources/card.js";
import {
  GENERIC,
  type GenericId,
  genericFormula,
  genericRefusal,
  isGeneric,
} from "../../../stages/formulas/generic.js";
import { checkFormula, evaluate } from "../../../stages/formulas/index.js";
import { compileNumeric } from "../../../stages/formulas/numeric.js";

const column = (noun: string, unit: string, more: Partial<ColumnCard> = {}) => ({
  id: "some_column",
  card: {
    from: "x",
    type: "number",
    scale: "ratio",
    unit,
    trim: false,
    nulls: [],
    may: [],
    exclude: [],
    phrase: { noun },
    ...more,
  } as ColumnCard,
});
type Column = ReturnType<typeof column>;
const made = (id: GenericId, c: Column) => genericFormula(id, c.id, c.card, { singular: "moon" });
const refusal = (id: GenericId, c: Column) => genericRefusal(id, c.id, c.card);
const MASS = column("mass", "kg", { quantity: "mass" });
const EDGES = column("number of edges", "1", { type: "integer", scale: "exact" });
const TEMPERATURE = column("mean temperature", "degC", { scale: "interval" });
const nouns = (c: typeof MASS) => GENERIC.map((id) => made(id, c)!.noun);

describe("generic formulas", () => {
  it("are sound, dimensions and all, for any column that allows them", () => {
    for (const c of [
      MASS,
      EDGES,
      TEMPERATURE,
      column("orbital period", "d"),
      column("natural abundance", "percent"),
    ]) {
      for (const id of GENERIC) {
        if (refusal(id, c) === undefined) expect([id, checkFormula(made(id, c)!)]).toEqual([id, []]);
      }
    }
  });

  it("have nouns that read well", () => {
    expect(nouns(MASS)).toEqual([
      "ratio of the masses",
      "difference in mass",
      "total mass",
      "mean mass",
      "median mass",
      "share of the total mass",
      "ratio of its mass to the mean",
    ]);
    expect(nouns(EDGES).slice(0, 3)).toEqual([
      "ratio of the numbers of edges",
      "difference in the number of edges",
      "total number of edges",
    ]);
    const ratio = (noun: string) => made("ratio", column(noun, "1"))!.noun;
    expect(
      [
        "mean radius",
        "semi-major axis",
        "half-life",
        "gravitational parameter GM",
        "orbital eccentricity",
        "normal boiling point",
        "real period Ω",
      ].map(ratio),
    ).toEqual([
      "ratio of the mean radii",
      "ratio of the semi-major axes",
      "ratio of the half-lives",
      "ratio of the gravitational parameters GM",
      "ratio of the orbital eccentricities",
      "ratio of the normal boiling points",
      "ratio of the real periods Ω",
    ]);
    expect(made("mean", column("mean radius", "km"))!.noun).toBe("average mean radius");
  });

  it("compute what they say, in both evaluators", () => {
    const kg = (value: number) => ({ value, unit: "kg" });
    const ratio = made("ratio", MASS)!;
    expect(evaluate(ratio, { first: kg(6), second: kg(4) }, "1")).toBe(1.5);
    expect(compileNumeric(ratio, { first: "kg", second: "kg" }, "1")([6, 4])).toBe(1.5);
    const apart = made("difference", TEMPERATURE)!;
    expect(apart.output.unit).toBe("K");
    const degrees = (value: number) => ({ value, unit: "degC" });
    expect(evaluate(apart, { first: degrees(-60), second: degrees(15) }, "K")).toBeCloseTo(75, 9);
    expect(compileNumeric(apart, { first: "degC", second: "degC" }, "K")([-60, 15])).toBeCloseTo(75, 9);
    const share = made("share", MASS)!;
    expect(evaluate(share, { part: kg(1), whole: kg(4) }, "percent")).toBeCloseTo(25, 12);
  });

  it("keep the answer's quantity apart from the column's own", () => {
    for (const id of GENERIC) expect(made(id, MASS)!.output.quantity).not.toBe("mass");
    expect(made("ratio", MASS)!.inputs.first!.quantity).toEqual(["mass"]);
    expect(made("ratio", EDGES)!.inputs.first!.quantity).toEqual(["some_column"]);
  });

  it("stay whole numbers where counts are added or subtracted", () => {
    const exact = (c: typeof MASS) => GENERIC.filter((id) => made(id, c)?.exact === true);
    expect(exact(EDGES)).toEqual(["difference", "total"]);
    expect(exact(MASS)).toEqual([]);
    expect(
      exact(
        column("number of known moons", "1", { type: "integer", scale: "count", drift: { absolute: 2 } }),
      ),
    ).toEqual([]);
  });

  it.each([
    ["mass", "kg", { quantity: "mass" }, [...GENERIC]],
    ["mass", "kg", {}, [...GENERIC]],
    ["atomic mass", "u", { quantity: "atomic_mass" }, []],
    ["half-life", "s", { quantity: "half_life" }, ["ratio", "difference", "median"]],
    ["mean radius", "km", {}, ["ratio", "difference", "mean", "times_mean"]],
    ["start coordinate", "1", { type: "integer", scale: "exact", quantity: "start_coordinate" }, []],
    ["coefficient a4 of the equation", "1", { type: "integer", scale: "exact" }, []],
    ["drag coefficient", "1", {}, ["ratio", "difference", "mean", "median", "times_mean"]],
    ["invariant c₄ of the minimal model", "1", { type: "integer", scale: "exact" }, []],
    ["minimal discriminant", "1", { type: "integer", scale: "exact" }, []],
    ["wind direction", "deg", { scale: "interval" }, []],
    ["position angle", "deg", { scale: "ratio" }, []],
    ["hue", "deg", { scale: "interval" }, []],
    ["longest side", "arcsec", { scale: "interval" }, []],
    ["time of day", "h", { scale: "interval" }, []],
    ["orbital inclination to the ecliptic", "deg", { scale: "interval" }, ["difference", "mean", "median"]],
    ["axial tilt", "deg", { scale: "interval" }, ["difference", "mean", "median"]],
    ["angular diameter", "arcsec", {}, ["ratio", "difference", "mean", "median", "times_mean"]],
    ["density", "g/cm^3", {}, ["ratio", "difference", "mean", "median", "times_mean"]],
    ["area", "km", {}, ["ratio", "difference", "mean", "median", "times_mean"]],
    ["population", "1", { type: "integer" }, [...GENERIC]],
    ["mean temperature", "degC", { scale: "interval" }, ["difference", "mean"]],
    ["temperature", "degC", { scale: "ratio" }, ["difference", "mean", "median"]],
    ["absolute magnitude H", "mag", { scale: "log" }, ["median"]],
    ["natural abundance", "percent", {}, ["ratio", "mean", "median", "times_mean"]],
    ["number of edges", "1", { type: "integer", scale: "exact" }, [...GENERIC]],
    [
      "number of automorphisms",
      "1",
      { type: "integer", scale: "exact" },
      ["ratio", "difference", "mean", "median", "times_mean"],
    ],
    [
      "number of inhabitants per household",
      "1",
      { scale: "count" },
      ["ratio", "difference", "mean", "median", "times_mean"],
    ],
    ["latitude", "deg", { scale: "interval", quantity: "latitude" }, []],
    ["year of discovery", "1", { type: "integer", scale: "interval" }, []],
    ["minor-planet number", "1", { type: "integer", scale: "exact" }, []],
    ["family", "1", { type: "text", scale: "nominal" }, []],
  ] as const)("of a column of %s in %s %j mean something: %j", (noun, unit, more, allowed) => {
    const c = column(noun, unit, more as Partial<ColumnCard>);
    expect(GENERIC.filter((id) => refusal(id, c) === undefined)).toEqual(allowed);
    expect(GENERIC.filter((id) => made(id, c) !== undefined)).toEqual(allowed);
  });

  it("are known by their ids", () => {
    expect(GENERIC.every(isGeneric)).toBe(true);
    expect(["bulk_density", "constructor", ""].some(isGeneric)).toBe(false);
  });
});
