import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { balance } from "../../stages/balance.js";
import type { Batch, SetStage, StageContext } from "../../stages/stage.js";
import type { WordedRow } from "../../stages/task.js";

const stage = balance as unknown as SetStage<unknown, WordedRow, WordedRow>;

/** Only the properties that quotas look at. */
function row(id: number, formula: string, entity: string, conditions = 1): WordedRow {
  return {
    id: String(id),
    program: {
      table: "t",
      where: Array(conditions).fill(null),
      select: { column: "m", rank: 1 },
      compute: { formula },
    },
    selection: { entity: { key: entity } },
    difficulty: { conditions, rank: 1, form: "select" },
    answer: { text: "1", unit: "1" },
  } as unknown as WordedRow;
}

function run(rows: WordedRow[], params: object, target?: number): Batch<WordedRow> {
  const context = { params: stage.params.parse(params), target } as unknown as StageContext<unknown>;
  return stage.run(rows, context) as Batch<WordedRow>;
}

const rowsOf = fc
  .array(
    fc.tuple(
      fc.constantFrom("a", "b", "c", "d", "e", "f"),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 3 }),
    ),
    { maxLength: 300 },
  )
  .map((list) => list.map(([f, e, c], i) => row(i, f, `e${e}`, c)));
const params = { formula: 0.3, entity: 0.1, conditions: 0.6, floor: 2 };

describe("balance", () => {
  it("loses no row", () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const { out, rejected } = run(rows, params);
        expect([...out.map((r) => r.id), ...rejected.map((r) => String(r.ref))].sort()).toEqual(
          rows.map((r) => r.id).sort(),
        );
      }),
    );
  });

  it("keeps every share in every prefix", () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const counts = new Map<string, number>();
        run(rows, params).out.forEach((r, i) => {
          const keys = [
            ["formula", r.program.compute.formula],
            ["entity", r.selection!.entity.key],
            ["conditions", r.program.where.length],
          ] as const;
          for (const [property, value] of keys) {
            const n = (counts.get(`${property}${value}`) ?? 0) + 1;
            counts.set(`${property}${value}`, n);
            expect(n).toBeLessThanOrEqual(Math.max(2, params[property] * (i + 1)));
          }
        });
      }),
    );
  });

  it("keeps earlier rows when the target or the input grows", () => {
    fc.assert(
      fc.property(
        rowsOf,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 100 }),
        (rows, target, cut) => {
          const ids = (b: Batch<WordedRow>) => b.out.map((r) => r.id);
          const all = ids(run(rows, params));
          expect(ids(run(rows, params, target))).toEqual(all.slice(0, target));
          const some = ids(run(rows.slice(0, cut), params));
          expect(all.slice(0, some.length)).toEqual(some);
        },
      ),
    );
  });

  it("lets a row wait until its share has grown", () => {
    const rows = [
      row(0, "a", "x"),
      row(1, "a", "y"),
      row(2, "a", "z"),
      row(3, "b", "u"),
      row(4, "b", "v"),
      row(5, "c", "w"),
    ];
    const { out } = run(rows, { formula: 0.5, entity: 1, floor: 2 });
    expect(out.map((r) => r.id)).toEqual(["0", "1", "3", "4", "5", "2"]);
  });
});
