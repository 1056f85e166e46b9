import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sfc32 } from "../../../pipeline/base/random.js";
import type { ColumnCard, Condition } from "../../../sources/card.js";
import type { Table } from "../../../sources/table.js";
import { wrongChoices } from "../../../stages/program/assess.js";
import { Bits } from "../../../stages/program/bits.js";
import { choose, chooseLimits } from "../../../stages/program/choose.js";
import { clauseOf } from "../../../stages/program/clause.js";
import { Positions } from "../../../stages/program/positions.js";
import type { Program, Select } from "../../../stages/program/program.js";
import { Scene } from "../../../stages/program/scene.js";
import { SceneChoice } from "../../../stages/program/scene-choice.js";
import { select } from "../../../stages/program/selection.js";
import { indexOf, TableIndex } from "../../../stages/program/table-index.js";
import { tableOf } from "../../fixtures/tables.js";

type CardColumn = Pick<ColumnCard, "type" | "scale"> & Partial<ColumnCard>;
type Cells = Parameters<typeof tableOf>[2][string];

const number: CardColumn = { type: "number", scale: "ratio", unit: "kg", uncertainty: { absolute: 0.001 } };
const columns: Record<string, CardColumn> = {
  plain: number,
  drifting: { ...number, drift: { relative: 0.02 } },
  wild: { ...number, drift: { relative: 1.5 } },
  bounded: number,
  undeclared: { type: "number", scale: "ratio", unit: "kg" },
  exact: { type: "integer", scale: "exact", unit: "1" },
  kind: { type: "text", scale: "nominal" },
  ringed: { type: "flag", scale: "flag" },
};

/** A table with unknowns, bounds, ties, uncertainties of all sizes and values near every threshold that is drawn below. */
function randomTable(rows: number, seed: number): Table {
  const random = sfc32(seed, 2, 3, 4);
  const coarse = random.int(2) === 0;
  const gaps = random.int(3) === 0;
  const unknown = () => gaps && random.int(9) === 0;
  const value = () => (coarse ? random.int(12) + 1 : Math.round(random.next() * 1200) / 100 + 1);
  const u = () => (random.int(20) === 0 ? 0.3 : random.int(2) * 0.0004);
  const limit = () => (random.int(8) === 0 ? random.pick([-1, 1] as const) : 0);
  const cells: Record<string, Cells> = {};
  for (let row = 0; row < rows; row++) {
    const cell = () => (unknown() ? null : { value: value(), u: u() });
    cells[`k${String(row).padStart(4, "0")}`] = [
      cell(),
      cell(),
      cell(),
      gaps && limit() !== 0 ? { value: value(), u: u(), limit: random.pick([-1, 1]) } : cell(),
      unknown() ? null : value(),
      unknown() ? null : random.int(rows < 50 ? 9 : 90),
      unknown() ? null : random.pick(["a", "b", "c"]),
      unknown() ? null : random.int(2) === 0,
    ];
  }
  return tableOf("t", columns, cells);
}

const numeric = ["plain", "drifting", "wild", "bounded", "undeclared", "exact"];

function randomCondition(random: ReturnType<typeof sfc32>): Condition {
  const column = random.pick(Object.keys(columns));
  if (column === "kind") {
    const values = ["a", "b", "nobody"];
    return random.int(3) === 0
      ? { column, op: "in", values: random.shuffle(values).slice(0, 2) }
      : { column, op: "eq", value: random.pick(values) };
  }
  if (column === "ringed") return { column, op: "is", value: random.int(2) === 0 };
  const at = () => random.int(13) + (random.int(4) === 0 ? 0.5 : 0);
  if (random.int(9) === 0) return { column, op: "known" };
  if (column === "exact" && random.int(3) === 0) return { column, op: "eq", value: random.int(9) };
  if (random.int(4) === 0) {
    const low = at();
    return { column, op: "between", low, high: low + random.int(6) };
  }
  return { column, op: random.pick(["lt", "le", "gt", "ge"] as const), value: at() };
}

function wordsOf(size: number, fill: (words: Uint32Array) => void): number[] {
  const bits = new Bits(size);
  fill(bits.words);
  const rows: number[] = [];
  bits.each((row) => rows.push(row));
  return rows;
}

const cases = fc.record({
  rows: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 150, max: 400 })),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

describe("a clause", () => {
  it("says of every row what the truth of its condition says", () => {
    fc.assert(
      fc.property(cases, ({ rows, seed }) => {
        const table = randomTable(rows, seed);
        const index = new TableIndex(table);
        const random = sfc32(seed, 9, 9, 9);
        for (let i = 0; i < 12; i++) {
          const clause = clauseOf(randomCondition(random), index);
          const { holds, unknown, near } = index.truth(clause.condition);
          expect(wordsOf(rows, (w) => clause.sure(w))).toEqual(
            wordsOf(rows, (w) => w.set(holds.copy().minus(near).words)),
          );
          expect(wordsOf(rows, (w) => clause.widen(w))).toEqual(
            wordsOf(rows, (w) => w.set(unknown.copy().or(near).words)),
          );
          const everything = Bits.full(rows);
          expect(clause.nearAmong(everything.words)).toBe(near.count() > 0);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("a scene", () => {
  it("selects and refuses as the plain reading does, for the same reasons", () => {
    const reasons = new Set<string>();
    fc.assert(
      fc.property(cases, ({ rows, seed }) => {
        const table = randomTable(rows, seed);
        const index = new TableIndex(table);
        const random = sfc32(seed, 1, 1, 1);
        const scene = new Scene(index);
        const choice = new SceneChoice(scene, new Positions(index, numeric), 4);
        for (let i = 0; i < 8; i++) {
          scene.clear();
          const where = Array.from({ length: random.int(6) }, () => randomCondition(random));
          for (const condition of where) scene.add(clauseOf(condition, index));
          const candidates = index.candidates(where);
          expect(wordsOf(rows, (w) => w.set(scene.definite))).toEqual(
            wordsOf(rows, (w) => w.set(candidates.definite.words)),
          );
          expect(wordsOf(rows, (w) => w.set(scene.possible))).toEqual(
            wordsOf(rows, (w) => w.set(candidates.possible.words)),
          );
          expect(scene.count()).toBe(candidates.definite.count());
          for (let k = 0; k < 12; k++) {
            const column = random.int(numeric.length);
            const order = random.pick(["max", "min"] as const);
            const rank = random.int(4) + 1;
            const near_threshold = random.pick(["refuse", "must_lose"] as const);
            const wanted: Select = { column: numeric[column]!, order, rank };
            const slow = select(index, where, wanted, { near_threshold });
            const reason = choice.refuse(column, order, rank, near_threshold);
            expect(reason).toBe("reason" in slow ? slow.reason : undefined);
            reasons.add(reason ?? "selected");
            if ("row" in slow && slow.row !== undefined && reason === undefined)
              expect(choice.row(column, order, rank)).toBe(slow.row);
          }
        }
      }),
      { numRuns: 400 },
    );
    // The table above is rough enough that everything happens.
    expect([...reasons].sort()).toEqual([
      "decorative_condition",
      "margin",
      "near_threshold",
      "selected",
      "tie",
      "too_few_candidates",
      "unbounded_rival",
      "uncertain_member",
      "undeclared_uncertainty",
      "unknown_rival",
    ]);
  });

  it("names the same wrong rows as the plain reading", () => {
    fc.assert(
      fc.property(cases, ({ rows, seed }) => {
        const table = randomTable(rows, seed);
        const catalog = { tables: new Map([["t", table]]) };
        const random = sfc32(seed, 5, 5, 5);
        const scene = new Scene(indexOf(table));
        const choice = new SceneChoice(scene, new Positions(indexOf(table), numeric), 3);
        for (let i = 0; i < 20; i++) {
          scene.clear();
          const where = Array.from({ length: random.int(4) }, () => randomCondition(random));
          for (const condition of where) scene.add(clauseOf(condition, indexOf(table)));
          const column = random.int(numeric.length);
          const wanted: Select = {
            column: numeric[column]!,
            order: random.pick(["max", "min"]),
            rank: random.int(3) + 1,
          };
          const compute: Program["compute"] = { formula: "none", inputs: {}, unit: "1", digits: 3 };
          const program: Program = { version: 2, table: "t", where, select: wanted, compute };
          const chosen = choose(program, catalog, chooseLimits.parse({}));
          if ("reason" in chosen) continue;
          expect(choice.wrongRows(column, wanted.order, wanted.rank)).toEqual(
            wrongChoices(chosen, undefined).map(({ how, places }) => ({ how, row: places.selected })),
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});
