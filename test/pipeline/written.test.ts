import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import { rowOf, write } from "../../pipeline/written.js";

const rows = fc
  .dictionary(fc.oneof(fc.string(), fc.constantFrom("9", "10", "a", "B", "__proto__")), fc.jsonValue())
  .map((members) => ({
    ...members,
    id: "r",
  }));

describe("a written row", () => {
  it("is the same text and value whether it was written once, read back, or written again with more members", () =>
    fc.assert(
      fc.property(rows, fc.jsonValue(), (row, more) => {
        const first = write(row);
        expect(first.line).toBe(canonicalJson(row));
        expect(canonicalJson(first.row)).toBe(first.line);
        const read = rowOf(first.line);
        expect(read).toEqual(first.row);
        for (const base of [first.row, read]) {
          const grown = { zz: more, ...base, aa: more };
          expect(write(grown).line).toBe(canonicalJson(grown));
        }
      }),
    ));

  it("is frozen throughout, and has no undefined and no -0", () => {
    const { row, line } = write({ id: "r", list: [{ x: -0 }], gone: undefined });
    expect(line).toBe('{"id":"r","list":[{"x":0}]}');
    expect(Object.keys(row)).toEqual(["id", "list"]);
    expect(Object.is((row.list as { x: number }[])[0]!.x, 0)).toBe(true);
    expect(Object.isFrozen((row.list as object[])[0])).toBe(true);
  });

  it("cannot hold what JSON cannot", () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1])
      expect(() => write({ id: "r", bad })).toThrow(TypeError);
  });
});
