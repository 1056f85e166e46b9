import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../pipeline/base/canonical.js";
import { idOf, programKey, programText } from "../../../pipeline/diff/identity.js";
import { changesBetween } from "../../../pipeline/diff/json.js";
import { canonicalProgram, type Program, programSchema, taskId } from "../../../stages/program/program.js";

const condition = fc.record({
  column: fc.constantFrom("mass", "radius", "rings"),
  op: fc.constantFrom("gt" as const, "lt" as const),
  value: fc.integer({ min: -5, max: 5 }),
});
const select = fc.record({
  column: fc.constantFrom("mass", "radius"),
  order: fc.constantFrom("max" as const, "min" as const),
  rank: fc.integer({ min: 1, max: 3 }),
});
const program: fc.Arbitrary<Program> = fc
  .record(
    {
      table: fc.constant("planets"),
      where: fc.array(condition, { maxLength: 4 }),
      select,
      follow: fc.constant(["star"]),
      other: fc.record({ where: fc.array(condition, { maxLength: 3 }), select }),
      compute: fc.constant({ formula: "ratio", inputs: { a: { column: "mass" } }, unit: "1", digits: 3 }),
    },
    { requiredKeys: ["table", "where", "select", "compute"] },
  )
  .map((value) => programSchema.parse(value));

describe("names of tasks", () => {
  it("are those that stages give", () => {
    const hashes = fc.dictionary(fc.constantFrom("planets", "stars"), fc.string());
    fc.assert(
      fc.property(program, hashes, (p, snapshots) => {
        const formula = { id: "ratio", expression: "a" };
        expect(programText(p as never)).toBe(canonicalProgram(p));
        expect(idOf(programText(p as never), canonicalJson(formula), snapshots)).toBe(
          taskId(p, formula, snapshots),
        );
      }),
    );
  });

  it("are one for one program, whatever the order of its conditions and the version of its form", () => {
    fc.assert(
      fc.property(program, (p) => {
        const turned = { ...p, where: [...p.where].reverse() };
        expect(programKey(turned as never)).toBe(programKey(p as never));
        if (p.follow === undefined) return;
        expect(programKey({ ...p, version: 1, follow: "star" } as never)).toBe(programKey(p as never));
      }),
    );
    const one = programSchema.parse({
      table: "planets",
      where: [],
      select: { column: "mass", order: "max" },
      compute: { formula: "f", inputs: {}, unit: "1", digits: 3 },
    });
    expect(programKey({ ...one, select: { ...one.select!, order: "min" } } as never)).not.toBe(
      programKey(one as never),
    );
  });
});

describe("changesBetween", () => {
  it("is empty for equal values alone", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(changesBetween(a, a)).toEqual([]);
        expect(changesBetween(a, b).length === 0).toBe(canonicalJson(a) === canonicalJson(b));
      }),
    );
  });

  it("matches items of lists by id", () => {
    const a = {
      recipes: [
        { id: "x", n: 1 },
        { id: "y", n: 2 },
      ],
      gates: [{ gate: "lint", status: "passed" }],
    };
    const b = { recipes: [{ id: "y", n: 3 }], gates: [{ gate: "lint", status: "failed" }] };
    expect(changesBetween(a, b)).toEqual([
      { path: "gates[lint].status", a: "passed", b: "failed" },
      { path: "recipes[x]", a: { id: "x", n: 1 }, b: null },
      { path: "recipes[y].n", a: 2, b: 3 },
    ]);
  });
});
