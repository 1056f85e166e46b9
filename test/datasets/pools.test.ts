import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { describe, expect, it } from "vitest";
import { readPool } from "../../datasets/read.js";
import {
  definePool,
  fieldsOf,
  float64,
  int64,
  type Kind,
  list,
  nullable,
  open,
  POOLS,
  type Pool,
  SPLITS,
  text,
} from "../../datasets/schema/index.js";
import { writePool } from "../../datasets/write.js";
import { sha256 } from "../../pipeline/base/canonical.js";
import { sfc32 } from "../../pipeline/base/random.js";
import { gather, inFolder } from "./rows.js";

/** Any value that a kind allows. */
function anyOf(kind: Kind): fc.Arbitrary<unknown> {
  return kind.nullable ? fc.option(present(kind), { nil: null }) : present(kind);
}

function present({ shape }: Kind): fc.Arbitrary<unknown> {
  switch (shape.type) {
    case "text":
      return fc.string({ unit: "binary", maxLength: 12 });
    case "json":
      return fc.json({ maxDepth: 1 });
    case "float64":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "int64":
      return fc.maxSafeInteger();
    case "bool":
      return fc.boolean();
    case "list":
      return fc.array(anyOf(shape.item), { maxLength: 3 });
    case "struct":
      return fc.record(mapped(shape.fields));
  }
}

function mapped(fields: Readonly<Record<string, Kind>>): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, anyOf(kind)]));
}

function anyRow(pool: Pool): fc.Arbitrary<Record<string, unknown>> {
  return fc.record({ ...mapped(fieldsOf(pool)), split: fc.constantFrom(...SPLITS) });
}

/** A pool of two or three columns, to try single values on. */
const small = definePool("small", "for tests", {
  split: open(text, "split"),
  task_id: open(text, "id"),
  value: open(nullable(float64), "number"),
  count: open(int64, "integer"),
  tags: open(list(text), "texts"),
});
const fine = { split: "train", task_id: "t1", value: 1.5, count: 3, tags: ["a"] };

function write(rows: readonly unknown[], dir: string) {
  return writePool(dir, small, rows as (typeof fine)[]);
}

describe("pools", () => {
  for (const pool of POOLS) {
    it(`${pool.name}: what was written is read back, in order, from every file`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(anyRow(pool), { maxLength: 6 }), (rows) =>
          inFolder(async (dir) => {
            const files = await writePool(dir, pool, rows as never[]);
            for (const { file, rows: count, bytes, sha256: hash } of files) {
              const split = SPLITS.find((s) => file.includes(`/${s}-`));
              const due = rows.filter((row) => split === undefined || row.split === split);
              expect(await gather(readPool(join(dir, file), pool))).toEqual(due);
              const content = readFileSync(join(dir, file));
              expect([count, bytes, hash]).toEqual([due.length, content.length, sha256(content)]);
            }
            expect(files).toHaveLength(5);
          }),
        ),
        { numRuns: 8 },
      ));
  }

  it("gives the same bytes for the same rows, however they arrive", () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyRow(POOLS[0]!), { minLength: 1, maxLength: 5 }), (rows) =>
        inFolder(async (dir) => {
          async function* slowly() {
            for (const row of rows) yield await Promise.resolve(row);
          }
          const once = await writePool(join(dir, "a"), POOLS[0]!, rows as never[]);
          const again = await writePool(join(dir, "b"), POOLS[0]!, slowly() as never);
          expect(again).toEqual(once);
        }),
      ),
      { numRuns: 5 },
    ));

  it("takes any Unicode, nulls, negative zero, the smallest number and a text of 20 MB", () =>
    inFolder(async (dir) => {
      const rows = [
        { ...fine, task_id: "𝔘ranus ☿ \u0000 é e\u0301 \u202e", value: -0, tags: [] },
        { ...fine, task_id: "x".repeat(20 * 2 ** 20), value: 5e-324, count: -(2 ** 53 - 1) },
        { ...fine, value: null, tags: ["", " ", "\n"] },
      ];
      await write(rows, dir);
      for (const end of ["parquet", "arrow"]) {
        const back = await gather(readPool(join(dir, `pools/small.${end}`), small));
        expect(Object.is(back[0]!.value, -0)).toBe(true);
        expect(back).toEqual(rows);
      }
    }));

  it("closes row groups after 4 MB of compressed bytes, or 10,000 rows", () =>
    inFolder(async (dir) => {
      const noise = sfc32(1, 2, 3, 4);
      const texts = Array.from({ length: 12 }, () =>
        Array.from({ length: 40_000 }, () => noise.int(2 ** 32).toString(36)).join(""),
      );
      const long = texts
        .flatMap((task_id) => [task_id, [...task_id].reverse().join("")])
        .map((task_id) => ({ ...fine, task_id }));
      const short = Array.from({ length: 25_000 }, () => fine);
      await write([...long, ...short], dir);
      const meta = await parquetMetadataAsync(await asyncBufferFromFile(join(dir, "pools/small.parquet")));
      const groups = meta.row_groups.map((g) => [Number(g.num_rows), Number(g.total_byte_size)] as const);
      expect(groups.length).toBeGreaterThan(3);
      expect(Math.max(...groups.map(([rows]) => rows))).toBeLessThanOrEqual(10_000);
      expect(Math.max(...groups.map(([, bytes]) => bytes))).toBeLessThan(16e6);
    }));

  it.each([
    ["NaN", { ...fine, value: Number.NaN }, /row 1 \(t1\), column value: NaN is not a finite number/],
    [
      "infinity",
      { ...fine, value: Number.POSITIVE_INFINITY },
      /column value: Infinity is not a finite number/,
    ],
    ["a fraction", { ...fine, count: 1.5 }, /column count: 1.5 is not an integer/],
    ["an integer past 2^53", { ...fine, count: 2 ** 53 }, /column count/],
    ["null where none may be", { ...fine, count: null }, /column count: null where a value is required/],
    ["a missing field", { split: "train", task_id: "t1", value: 1, count: 1 }, /column tags: nothing where/],
    ["an unknown field", { ...fine, extra: 1 }, /column extra: the schema has no such field/],
    ["a number for a text", { ...fine, task_id: 7 }, /column task_id: 7 is not a text/],
    ["a wrong item", { ...fine, tags: ["a", 5] }, /column tags\[1\]: 5 is not a text/],
    ["half a surrogate pair", { ...fine, tags: ["\ud800"] }, /column tags\[0\]: half a surrogate pair/],
    ["a split of another name", { ...fine, split: "dev" }, /dev is not a split/],
  ])("refuses %s, naming row and column", (_, row, message) =>
    inFolder((dir) => expect(write([fine, row], dir)).rejects.toThrow(message)),
  );

  it("says what is wrong with a file that is missing, cut short, garbage or of another form", () =>
    inFolder(async (dir) => {
      await write([fine], dir);
      const read = (file: string, pool: Pool = small) => gather(readPool(join(dir, file), pool));
      await expect(read("pools/none.parquet")).rejects.toMatchObject({
        kind: "verification",
        problems: [{ code: "pool_missing" }],
      });
      await expect(read("pools/none.arrow")).rejects.toMatchObject({ problems: [{ code: "pool_missing" }] });
      const other = definePool("other", "", { ...small.columns, count: open(float64, "") });
      for (const end of ["parquet", "arrow"]) {
        await expect(read(`pools/small.${end}`, other)).rejects.toThrow(
          /column 3 is count:Int64, not count:Float64/,
        );
        truncateSync(join(dir, `pools/small.${end}`), 200);
        await expect(read(`pools/small.${end}`)).rejects.toMatchObject({
          problems: [{ code: "pool_damaged" }],
        });
        writeFileSync(join(dir, `pools/small.${end}`), "no pool at all");
        await expect(read(`pools/small.${end}`)).rejects.toMatchObject({
          problems: [{ code: "pool_damaged" }],
        });
      }
    }));
});
