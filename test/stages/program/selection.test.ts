import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Condition } from "../../../sources/card.js";
import type { NumberColumn, Table } from "../../../sources/table.js";
import { select } from "../../../stages/program/selection.js";
import { TableIndex } from "../../../stages/program/table-index.js";
import { tableOf } from "../../fixtures/tables.js";

const ratio = { type: "number", scale: "ratio", unit: "kg", uncertainty: { absolute: 0.001 } } as const;
const strict = { near_threshold: "refuse" } as const;

function choose(table: Table, where: Condition[], column = "m", order: "max" | "min" = "max", rank = 1) {
  const outcome = select(new TableIndex(table), where, { column, order, rank }, strict);
  if ("reason" in outcome)
    return { reason: outcome.reason, at: outcome.row === undefined ? undefined : table.keys[outcome.row] };
  return { key: table.keys[outcome.row], rival: outcome.tightest && table.keys[outcome.tightest.row] };
}

describe("select", () => {
  const ringed = tableOf(
    "planets",
    { m: { ...ratio, unit: "10^24 kg" }, rings: { type: "flag", scale: "flag" } },
    {
      Mercury: [0.33, false],
      Earth: [5.97, false],
      Jupiter: [1898, true],
      Saturn: [568, true],
      Uranus: [86.8, true],
      Neptune: [102, true],
    },
  );

  it("finds the least massive ringed planet and its tightest rival", () => {
    expect(choose(ringed, [{ column: "rings", op: "is", value: true }], "m", "min")).toEqual({
      key: "Uranus",
      rival: "Neptune",
    });
  });

  it("refuses a condition that changes nothing", () => {
    expect(choose(ringed, [{ column: "rings", op: "is", value: true }], "m", "max")).toMatchObject({
      reason: "decorative_condition",
    });
  });

  it("refuses a range of which one end changes nothing", () => {
    const sized = tableOf(
      "bodies",
      { m: ratio, r: { ...ratio, unit: "km" } },
      { a: [9, 1], b: [8, 5], c: [7, 6], d: [10, 9], e: [6, 5] },
    );
    const between = (low: number, high: number): Condition[] => [{ column: "r", op: "between", low, high }];
    expect(choose(sized, between(3, 7))).toMatchObject({ key: "b" });
    expect(choose(sized, between(0.5, 7))).toEqual({ reason: "decorative_condition", at: "a" });
    expect(choose(sized, between(3, 20))).toEqual({ reason: "decorative_condition", at: "d" });
  });

  it("takes ranks from either end", () => {
    expect(choose(ringed, [], "m", "max", 2)).toEqual({ key: "Saturn", rival: "Neptune" });
    expect(choose(ringed, [{ column: "rings", op: "is", value: true }], "m", "min", 2)).toMatchObject({
      key: "Neptune",
    });
  });

  it("refuses ties, margins inside the uncertainty, and unknown rivals, each by name", () => {
    const t = (cells: Record<string, (number | null | { value: number; u: number; limit?: 1 | -1 })[]>) =>
      tableOf("t", { m: ratio }, cells);
    expect(choose(t({ a: [5], b: [5], c: [1] }), [])).toEqual({ reason: "tie", at: "a" });
    expect(choose(t({ a: [5], b: [{ value: 4.9, u: 0.05 }], c: [1] }), [])).toEqual({
      reason: "margin",
      at: "b",
    });
    expect(choose(t({ a: [5], b: [null], c: [1] }), [])).toEqual({ reason: "unknown_rival", at: "b" });
    expect(choose(t({ a: [5], b: [{ value: 3, u: 0.01, limit: -1 }], c: [1] }), [])).toMatchObject({
      key: "a",
    });
    expect(choose(t({ a: [5], b: [{ value: 3, u: 0.01, limit: 1 }], c: [1] }), [])).toEqual({
      reason: "unbounded_rival",
      at: "b",
    });
  });

  it("looks at every rival: a far one with a large uncertainty counts", () => {
    const t = tableOf(
      "t",
      { m: ratio },
      { a: [{ value: 10, u: 0.01 }], b: [{ value: 9, u: 0.01 }], c: [{ value: 4, u: 3 }] },
    );
    expect(choose(t, [])).toEqual({ reason: "margin", at: "c" });
  });

  it("never refuses an exact column for its margin, only for a tie", () => {
    const exact = { type: "integer", scale: "exact", unit: "1" } as const;
    expect(choose(tableOf("g", { m: exact }, { a: [100], b: [98], c: [99] }), [])).toMatchObject({
      key: "a",
    });
    expect(choose(tableOf("g", { m: exact }, { a: [100], b: [100] }), [])).toMatchObject({ reason: "tie" });
  });

  it("refuses a rank behind two that share a place: the third-largest number is another than the third in line", () => {
    const exact = { type: "integer", scale: "exact", unit: "1" } as const;
    const hydrogens = tableOf("g", { m: exact }, { lys: [14], arg: [14], gln: [10], glu: [9], asn: [8] });
    expect(choose(hydrogens, [], "m", "max", 3)).toEqual({ reason: "tie", at: "arg" });
    expect(choose(hydrogens, [], "m", "min", 3)).toMatchObject({ key: "gln" });
  });

  it("refuses to call the last of all the third", () => {
    const t = tableOf("t", { m: ratio }, { a: [1], b: [2], c: [3] });
    expect(choose(t, [], "m", "min", 3)).toMatchObject({ reason: "too_few_candidates" });
    expect(choose(t, [], "m", "min", 2)).toMatchObject({ key: "b" });
  });

  it("does not count as exactly three what may be three or four", () => {
    const count = { type: "integer", scale: "count", unit: "1" } as const;
    const where: Condition[] = [{ column: "x", op: "eq", value: 3 }];
    const countries = (u: number, more: number) =>
      tableOf(
        "t",
        { m: ratio, x: count },
        {
          a: [9, { value: 3, u }],
          b: [8, { value: 3, u: 0 }],
          c: [7, { value: 3, u: 0 }],
          d: [12, { value: 7, u: more }],
        },
      );
    expect(choose(countries(0, 0), where)).toMatchObject({ key: "a" });
    expect(choose(countries(1, 0), where)).toEqual({ reason: "near_threshold", at: "a" });
    // Nor as surely another number than three.
    expect(choose(countries(0, 1), where)).toEqual({ reason: "near_threshold", at: "d" });
    expect(choose(countries(0, 1), [{ column: "x", op: "in", values: [3, 4] }])).toEqual({
      reason: "near_threshold",
      at: "d",
    });
  });

  it("calls a condition decorative without which the winner shares its place, whatever the order of the keys", () => {
    const exact = { type: "integer", scale: "exact", unit: "1" } as const;
    const groups = (winner: string, other: string) =>
      tableOf(
        "g",
        { m: exact, abelian: exact },
        { [winner]: [125, 0], [other]: [125, 1], x: [8, 0], y: [6, 0] },
      );
    const where: Condition[] = [{ column: "abelian", op: "eq", value: 0 }];
    expect(choose(groups("a", "b"), where)).toMatchObject({ reason: "decorative_condition" });
    expect(choose(groups("b", "a"), where)).toMatchObject({ reason: "decorative_condition" });
  });

  it("treats a candidate within its uncertainty of a threshold as neither in nor out", () => {
    const t = tableOf(
      "t",
      { m: ratio, x: ratio },
      { a: [9, { value: 1.001, u: 0.001 }], b: [5, 3], c: [2, 4] },
    );
    const where: Condition[] = [{ column: "x", op: "gt", value: 1 }];
    expect(choose(t, where)).toEqual({ reason: "near_threshold", at: "a" });
    expect(
      select(
        new TableIndex(t),
        where,
        { column: "m", order: "max", rank: 1 },
        { near_threshold: "must_lose" },
      ),
    ).toMatchObject({
      reason: "uncertain_member",
      row: 0,
    });
  });

  it("lets drift decide margins", () => {
    const t = tableOf("t", { m: { ...ratio, drift: { relative: 0.05 } } }, { a: [100], b: [96], c: [10] });
    expect(choose(t, [])).toEqual({ reason: "margin", at: "b" });
  });
});

/** The same rules written plainly: no bitmaps, no presorted orders, no early stop. */
function reference(table: Table, where: Condition[], order: "max" | "min", rank: number): string {
  const m = table.columns.get("m") as NumberColumn;
  const x = table.columns.get("x") as NumberColumn;
  const state = (row: number, skip = -1): "in" | "out" | "maybe" => {
    let result: "in" | "out" | "maybe" = "in";
    where.forEach((c, i) => {
      if (i === skip || (c.op !== "lt" && c.op !== "gt")) return;
      const v = x.values[row]!;
      if (Number.isNaN(v) || Math.abs(v - c.value) < 5 * x.u[row]!) {
        if (result === "in") result = "maybe";
      } else if (c.op === "lt" ? v >= c.value : v <= c.value) result = "out";
    });
    return result;
  };
  const rows = [...table.keys.keys()];
  const best = (skip = -1) =>
    rows
      .filter((r) => state(r, skip) === "in" && !Number.isNaN(m.values[r]!))
      .sort((a, b) =>
        order === "max" ? m.values[b]! - m.values[a]! || b - a : m.values[a]! - m.values[b]! || a - b,
      )[rank - 1];
  if (rows.filter((r) => state(r) === "in").length <= rank) return "refused";
  const winner = best();
  if (winner === undefined) return "refused";
  for (const r of rows) {
    if (r === winner || state(r) === "out") continue;
    const gap = Math.abs(m.values[r]! - m.values[winner]!);
    const better = order === "max" ? m.values[r]! > m.values[winner]! : m.values[r]! < m.values[winner]!;
    if (!(gap >= 5 * Math.hypot(m.u[r]!, m.u[winner]!)) || gap === 0 || (better && state(r) === "maybe"))
      return "refused";
  }
  const ahead = rows
    .filter((r) => r !== winner && state(r) === "in")
    .map((r) => m.values[r]!)
    .filter((v) => (order === "max" ? v > m.values[winner]! : v < m.values[winner]!));
  if (new Set(ahead).size < ahead.length) return "refused";
  if (where.some((_, i) => m.values[best(i)!] === m.values[winner]!)) return "refused";
  return table.keys[winner]!;
}

describe("select against a plain reference", () => {
  const cell = fc.option(
    fc.record({ value: fc.integer({ min: 1, max: 40 }), u: fc.constantFrom(0.01, 0.1, 1) }),
    { freq: 12 },
  );
  const where = fc.array(
    fc.record({
      column: fc.constant("x"),
      op: fc.constantFrom("lt" as const, "gt" as const),
      value: fc.integer({ min: 0, max: 42 }),
    }),
    { maxLength: 2 },
  );

  it("agrees on random tables and programs", () => {
    let selected = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 2, maxLength: 40 }),
        where,
        fc.constantFrom("max" as const, "min" as const),
        fc.integer({ min: 1, max: 3 }),
        (rows, conditions, order, rank) => {
          const table = tableOf(
            "t",
            { m: ratio, x: ratio },
            Object.fromEntries(rows.map(([m, x], i) => [`r${String(i).padStart(2, "0")}`, [m, x]])),
          );
          const outcome = select(
            new TableIndex(table),
            conditions,
            { column: "m", order, rank },
            { near_threshold: "must_lose" },
          );
          const key = "reason" in outcome ? "refused" : table.keys[outcome.row]!;
          if (key !== "refused") selected++;
          expect(key).toBe(reference(table, conditions, order, rank));
        },
      ),
      { numRuns: 3000, seed: 7 },
    );
    expect(selected).toBeGreaterThan(100);
  });
});
