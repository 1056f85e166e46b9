import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readPool } from "../../datasets/read.js";
import {
  fieldsOf,
  type Kind,
  POOLS,
  type Pool,
  SPLITS,
  sftPool,
  tasksPool,
} from "../../datasets/schema/index.js";
import { writePool } from "../../datasets/write.js";

const folder = mkdtempSync(join(tmpdir(), "taskmill-pools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let next = 0;

/** Any value that a kind allows. */
function anyOf(kind: Kind): fc.Arbitrary<unknown> {
  const value = present(kind);
  return kind.nullable ? fc.option(value, { nil: null }) : value;
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
      return fc.record(
        Object.fromEntries(Object.entries(shape.fields).map(([name, kind]) => [name, anyOf(kind)])),
      );
  }
}

export function anyRow(pool: Pool): fc.Arbitrary<Record<string, unknown>> {
  const fields = fieldsOf(pool);
  return fc
    .record(Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, anyOf(kind)])))
    .chain((row) => fc.constantFrom(...SPLITS).map((split) => ({ ...row, split })));
}

async function rowsOf(path: string, pool: Pool): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of readPool(path, pool)) rows.push(row);
  return rows;
}

function newFolder(): string {
  return join(folder, String(next++));
}

describe("pools", () => {
  for (const pool of POOLS) {
    it(`${pool.name}: what was written is read back, in order, from every file`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyRow(pool), { maxLength: 6 }), async (rows) => {
          const dir = newFolder();
          const files = await writePool(dir, pool, rows as never[]);
          expect(await rowsOf(join(dir, `pools/${pool.name}.parquet`), pool)).toEqual(rows);
          expect(await rowsOf(join(dir, `pools/${pool.name}.arrow`), pool)).toEqual(rows);
          for (const split of SPLITS) {
            const due = rows.filter((row) => row.split === split);
            const file = `pools/${pool.name}/${split}-00000-of-00001.parquet`;
            expect(await rowsOf(join(dir, file), pool)).toEqual(due);
            expect(files.find((f) => f.file === file)!.rows).toBe(due.length);
          }
        }),
        { numRuns: 25 },
      );
    });
  }
});
