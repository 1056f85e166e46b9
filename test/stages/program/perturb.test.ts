import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import type { Condition } from "../../../sources/card.js";
import { holds, valueAt } from "../../../sources/conditions.js";
import type { Catalog } from "../../../sources/table.js";
import { STAGED_ROWS, worldOf } from "../../../stages/program/perturb.js";
import { groupsOf } from "../../../stages/program/perturb-groups.js";
import { stagedCells } from "../../../stages/program/perturb-staged.js";
import { tiesOf } from "../../../stages/program/perturb-ties.js";
import { tableOf } from "../../fixtures/tables.js";

const number = (unit: string) => ({ type: "number" as const, scale: "ratio" as const, unit });
const COLUMNS = {
  radius: number("km"),
  diameter: number("km"),
  kelvin: number("K"),
  celsius: { ...number("degC"), scale: "interval" as const },
  mass: number("kg"),
  moons: { type: "integer" as const, scale: "count" as const, unit: "1" },
  rings: { type: "flag" as const, scale: "flag" as const },
  kind: { type: "text" as const, scale: "nominal" as const },
  parent: { type: "text" as const, scale: "nominal" as const },
};
const KINDS = ["rock", "ice", "gas"];

function table(rows: number) {
  const cells = (i: number) => {
    const warm = 40 + ((i * 37) % 101);
    const unknown = i % 7 === 6;
    return [
      unknown ? null : 100 + i * i,
      unknown ? null : 2 * (100 + i * i),
      warm,
      warm - 273.15,
      5 + ((i * 13) % 29) ** 1.5,
      i % 5,
      i % 3 === 0,
      KINDS[i % 3]!,
      `b${(i * 3) % rows}`,
    ];
  };
  const named = Object.fromEntries(Array.from({ length: rows }, (_, i) => [`b${i}`, cells(i)]));
  const links = { parent: { column: "parent", to: "bodies", phrase: "the body that {it} orbits" } };
  return tableOf("bodies", COLUMNS, named, { links });
}

const small = table(30);
const large = table(900);

describe("columns that say the same", () => {
  it("are found by their values: a diameter, degrees Celsius; not a column of its own", () => {
    const ties = tiesOf(small);
    expect(ties.get("diameter")).toEqual({ to: "radius", factor: 2, offset: 0 });
    expect(ties.get("celsius")!.to).toBe("kelvin");
    expect(ties.get("celsius")!.offset).toBeCloseTo(-273.15, 9);
    for (const id of ["radius", "kelvin", "mass", "moons"]) expect(ties.get(id)!.to).toBe(id);
    expect(ties.has("kind")).toBe(false);
  });

  it("are not guessed from a handful of values", () => {
    const few = tableOf(
      "few",
      { a: number("km"), b: number("km") },
      { x: [1, 3], y: [2, 5], z: [3, 7], w: [4, 9] },
    );
    expect(tiesOf(few).get("b")!.to).toBe("b");
  });
});

describe("worlds", () => {
  it("hold each value of a column as often as the table does, in another order, the same each time", () => {
    for (const id of Object.keys(COLUMNS)) {
      const own = Array.from({ length: small.rows }, (_, row) => valueAt(small.columns.get(id)!, row));
      const world = worldOf(small, "s", 1);
      const dealt = world.column(id).slice(0, world.staged);
      expect([...dealt].map(String).sort()).toEqual(own.map(String).sort());
      expect(worldOf(table(30), "s", 1).column(id)).toEqual(world.column(id));
      if (id !== "rings") expect(dealt).not.toEqual(own);
      expect(worldOf(table(30), "s", 2).column(id)).not.toEqual(world.column(id));
    }
  });

  it("keep together what says the same, and part what does not", () => {
    const world = worldOf(small, "s", 3);
    const [radius, diameter, mass] = ["radius", "diameter", "mass"].map((id) => world.column(id));
    const masses = new Map(
      Array.from({ length: small.rows }, (_, r) => [
        valueAt(small.columns.get("radius")!, r),
        valueAt(small.columns.get("mass")!, r),
      ]),
    );
    expect(diameter).toEqual(radius!.map((r) => (r === null ? null : 2 * (r as number))));
    expect(radius!.filter((r, i) => r !== null && masses.get(r) === mass![i]).length).toBeLessThan(
      small.rows / 2,
    );
  });

  it("take a sample of a large table, and lead links to rows that are there", () => {
    const world = worldOf(large, "s", 1);
    expect(world.rows).toBe(400 + STAGED_ROWS);
    expect(world.column("mass")).toHaveLength(world.rows);
    const catalog: Catalog = { tables: new Map([["bodies", large]]) };
    for (const row of world.link("parent", catalog)) expect(row! >= 0 && row! < world.rows).toBe(true);
  });
});

const conditions: readonly Condition[] = [
  { column: "radius", op: "gt", value: 300 },
  { column: "diameter", op: "lt", value: 1200 },
  { column: "mass", op: "between", low: 20, high: 90 },
  { column: "moons", op: "ge", value: 2 },
  { column: "moons", op: "in", values: [1, 3] },
  { column: "rings", op: "is", value: true },
  { column: "rings", op: "known" },
  { column: "kind", op: "eq", value: "ice" },
  { column: "kind", op: "starts_with", values: ["ro", "g"] },
  { column: "celsius", op: "lt", value: 0 },
];

describe("staged rows", () => {
  it("please each program, and fall short of each condition alone", () => {
    const several = fc.uniqueArray(fc.constantFrom(...conditions), {
      minLength: 1,
      maxLength: 4,
      selector: (c) => c.column,
    });
    fc.assert(
      fc.property(several, several, fc.nat(), (one, other, seed) => {
        const asks = [one, other].map((where) => ({ where, needs: ["mass"] }));
        const groups = groupsOf(small, asks);
        const rows: { truths: boolean[][] }[] = [];
        for (let world = 0; world < 8; world++) {
          const cells = stagedCells(groups, 2, stream(seed, world));
          for (let row = 0; row < STAGED_ROWS; row++) {
            const truth = (c: Condition) => holds(c, cells.get(c.column)![row]!) === true;
            rows.push({ truths: asks.map((a) => a.where.map(truth)) });
          }
        }
        asks.forEach(({ where }, p) => {
          // A diameter and a radius are one figure: both can be asked for in a way that no value meets.
          const met = (but: number) => rows.some((r) => r.truths[p]!.every((t, i) => t === (i !== but)));
          const apart =
            new Set(where.map((c) => tiesOf(small).get(c.column)?.to ?? c.column)).size === where.length;
          if (!apart) return;
          expect(met(-1)).toBe(true);
          expect(where.map((_, i) => met(i))).not.toContain(false);
        });
      }),
      { numRuns: 40, seed: 7 },
    );
  });

  it("differ in the columns that decide, and keep whole numbers whole", () => {
    const groups = groupsOf(small, [{ where: [], needs: ["mass", "moons"] }]);
    const cells = stagedCells(groups, 1, stream("d"));
    expect(new Set(cells.get("mass")).size).toBeGreaterThan(STAGED_ROWS / 2);
    expect(cells.get("moons")!.every((m) => Number.isInteger(m))).toBe(true);
  });
});
