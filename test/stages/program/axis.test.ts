import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sfc32 } from "../../../pipeline/base/random.js";
import type { ColumnCard } from "../../../sources/card.js";
import type { NumberColumn } from "../../../sources/table.js";
import { groupAxis, numberAxis } from "../../../stages/program/axis.js";
import { Bits } from "../../../stages/program/bits.js";

function column(values: number[], limits: number[]): NumberColumn {
  return {
    type: "number",
    id: "x",
    card: {} as ColumnCard,
    values: Float64Array.from(values),
    u: new Float64Array(values.length),
    limit: Int8Array.from(limits),
  };
}

function rowsOf(bits: Bits): number[] {
  const rows: number[] = [];
  bits.each((row) => rows.push(row));
  return rows;
}

describe("an axis", () => {
  it("has the rows with plain values in order, ties by row, and all others open", () => {
    const values = fc.array(
      fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(-0, Number.NaN, 1e300)),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(values, fc.integer(), (cells, seed) => {
        const random = sfc32(seed, 1, 2, 3);
        const limits = cells.map(() => (random.int(6) === 0 ? 1 : 0));
        const axis = numberAxis(column(cells, limits));
        const plain = [...cells.keys()].filter((r) => !Number.isNaN(cells[r]!) && limits[r] === 0);
        expect([...axis.rows]).toEqual(plain.sort((a, b) => cells[a]! - cells[b]! || a - b));
        expect(rowsOf(axis.open)).toEqual(
          [...cells.keys()].filter((r) => !plain.includes(r)).sort((a, b) => a - b),
        );
      }),
    );
  });

  it("gives bitmaps of stretches, and the next and any row of a set, as a walk does", () => {
    const sizes = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 3000, max: 9000 }));
    fc.assert(
      fc.property(sizes, fc.integer(), (size, seed) => {
        const random = sfc32(seed, 4, 5, 6);
        const axis = numberAxis(
          column(
            Array.from({ length: size }, () => random.int(size)),
            new Array(size).fill(0),
          ),
        );
        const low = random.int(size + 1);
        const high = low + random.int(size - low + 1);
        const bits = new Bits(size);
        bits.words.fill(0xffff);
        axis.fill(low, high, bits.words);
        expect(rowsOf(bits)).toEqual([...axis.rows.subarray(low, high)].sort((a, b) => a - b));
        // Few members at one end: whoever comes from the other has far to go.
        const members = new Bits(size);
        const reach = random.int(size) + 1;
        for (let k = random.int(4); k > 0; k--) members.set(axis.rows[size - 1 - random.int(reach)]!);
        const from = random.int(size);
        const after = [...axis.rows.keys()].find((at) => at >= from && members.has(axis.rows[at]!)) ?? -1;
        const before =
          [...axis.rows.keys()].findLast((at) => at <= from && members.has(axis.rows[at]!)) ?? -1;
        expect(axis.next(members.words, from, 1)).toBe(after);
        expect(axis.next(members.words, from, -1)).toBe(before);
        const to = from + random.int(size - from + 1);
        expect(axis.meets(members.words, from, to, 1)).toBe(after >= 0 && after < to);
        const down = from - random.int(from + 2);
        expect(axis.meets(members.words, from, down, -1)).toBe(before >= 0 && before > down);
      }),
      { numRuns: 200 },
    );
  });

  it("groups texts in code-unit order", () => {
    const values = ["b", null, "a", "B", "b", "é"];
    const { axis, groups } = groupAxis({ type: "text", id: "t", card: {} as ColumnCard, values });
    expect([...groups]).toEqual([
      ["B", [0, 1]],
      ["a", [1, 2]],
      ["b", [2, 4]],
      ["é", [4, 5]],
    ]);
    expect([...axis.rows]).toEqual([3, 2, 0, 4, 5]);
    expect(rowsOf(axis.open)).toEqual([1]);
  });
});
