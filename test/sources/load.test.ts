import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classCounts, completeClasses, loadCatalog, physicalNames } from "../../sources/catalog.js";
import { type Database, openDatabase } from "../../sources/duckdb.js";
import { loadSource, snapshotPath, tableHash } from "../../sources/load.js";
import { fileSha256 } from "../../sources/snapshot.js";
import {
  cardOf,
  conserved,
  failure,
  flag,
  flags,
  folder,
  integer,
  limits,
  load,
  loadInto,
  number,
  numbers,
  snapshotFile,
  text,
  texts,
  us,
} from "./helper.js";

const read = { format: "csv" };

async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(":memory:", { folders: [folder], threads: 2 });
  try {
    return await use(database);
  } finally {
    database.close();
  }
}

describe("uncertainty", () => {
  const u = async (cell: string, more: Record<string, unknown>, extra = ""): Promise<number> => {
    const { table } = await load(`id,v,e\na,${cell},${extra}\n`, {
      read,
      columns: { id: text("id"), v: number("v", { uncertainty: undefined, ...more }), e: text("e") },
    });
    return us(table, "v")[0]!;
  };

  it("is NaN where nobody declares it", async () => expect(await u("1.50", {})).toBeNaN());
  it("is half the written step for `rounding`", async () => {
    expect(await u("1.50", { uncertainty: { rounding: true } })).toBe(0.005);
    expect(await u("1.5e3", { uncertainty: { rounding: true }, number: { factor: 1e24 } })).toBe(5e25);
  });
  it("is never below half the step", async () => {
    expect(await u("100", { uncertainty: { relative: 0.001 } })).toBe(0.5);
    expect(await u("100", { uncertainty: { relative: 0.02, absolute: 1 } })).toBe(2);
    expect(await u("-100", { uncertainty: { relative: 0.02 } })).toBe(2);
    expect(await u("100", { uncertainty: { from: "e" } }, "0.1")).toBe(0.5);
    expect(await u("100", { uncertainty: { from: "e", factor: 10 } }, "-3")).toBe(30);
  });
  it("is zero for what is exact", async () => {
    expect(await u("3", { scale: "exact" })).toBe(0);
    expect(await u("3", { uncertainty: { exact: true } })).toBe(0);
  });
  it("is NaN where its field is empty", async () =>
    expect(await u("1", { uncertainty: { from: "e" } })).toBeNaN());
  it("comes from the cell itself", async () => {
    expect(await u("170.±25.", { number: { forms: ["plus_minus"] } })).toBe(25);
    expect(await u("170.±0.1", { number: { forms: ["plus_minus"] } })).toBe(0.5);
    expect(await u("1.50(2)", { number: { forms: ["parenthesis"], factor: 1000 } })).toBe(20);
  });
});

describe("companions", () => {
  it("a limit is a bound, not a value", async () => {
    const { table } = await load("id,v,f\na,1,<\nb,2,\nc,3,>\n", {
      read,
      columns: { id: text("id"), v: number("v", { limit: { from: "f", upper: ["<"], lower: [">"] } }) },
    });
    expect(limits(table, "v")).toEqual([-1, 0, 1]);
    expect(numbers(table, "v")).toEqual([1, 2, 3]);
  });

  it("a unit per value is converted, the step with it; zero points too", async () => {
    const { table, report } = await load("id,v,u\na,2.0,y\nb,3,s\nc,4,parsec\nd,5,\ne,,\nf,20.0,C\n", {
      read,
      on_unreadable: "null",
      columns: {
        id: text("id"),
        v: number("v", { unit: "s", unit_from: { from: "u", units: { y: "yr", s: "s" } } }),
        t: number("v", {
          unit: "K",
          scale: "interval",
          unit_from: { from: "u", units: { C: "degC", y: "K", s: "K" } },
        }),
      },
    });
    expect(numbers(table, "v").slice(0, 2)).toEqual([63115200, 3]);
    expect(us(table, "v").slice(0, 2)).toEqual([1577880, 0.5]);
    expect(numbers(table, "t")[5]).toBe(293.15);
    expect(us(table, "t")[5]).toBeCloseTo(0.05, 12);
    expect(report.cells.v).toEqual({ unreadable_value: 3 });
    expect(report.samples[0]!.detail).toContain("parsec");
  });

  it("joins fields, leaving out empty ones", async () => {
    const { table } = await load("id,a,b\n1,05R,23L\n2,,36\n", {
      read,
      columns: { id: text("id"), ends: text({ join: ["a", "b"], with: "/" }) },
    });
    expect(texts(table, "ends")).toEqual(["05R/23L", "36"]);
  });
});

describe("policies", () => {
  const file = "id,v,f\na,1,true\nb,oops,false\nc,99,perhaps\nd,NA,\n";
  const spec = {
    read,
    columns: { id: text("id"), v: number("v", { range: [0, 50], nulls: ["NA"] }), f: flag("f") },
  };

  it("an unreadable value fails by default, saying where", async () => {
    const error = await failure(load(file, spec));
    expect(error.problems[0]).toMatchObject({ code: "unreadable_value", location: { line: 3 } });
    expect(error.message).toMatch(/record 2, line 3, column v: cannot read "oops"/);
  });

  it("or becomes unknown, counted and sampled", async () => {
    const loaded = await load(file, { ...spec, on_unreadable: "null" });
    expect(numbers(loaded.table, "v")).toEqual([1, Number.NaN, Number.NaN, Number.NaN]);
    expect(flags(loaded.table, "f")).toEqual([1, 0, 2, 2]);
    expect(loaded.report.cells).toEqual({
      f: { unreadable_value: 1 },
      v: { implausible_value: 1, unreadable_value: 1 },
    });
    expect(loaded.report.samples.map((s) => [s.column, s.reason, s.record, s.text])).toEqual([
      ["v", "unreadable_value", 2, "oops"],
      ["f", "unreadable_value", 3, "perhaps"],
      ["v", "implausible_value", 3, "99"],
    ]);
    expect(conserved(loaded)).toBe(true);
  });

  it("or takes its record along", async () => {
    const loaded = await load(file, { ...spec, on_unreadable: "reject_row" });
    expect(loaded.table.keys).toEqual(["a", "d"]);
    expect(loaded.report.rejected).toEqual({ unreadable_value: 2 });
    expect(conserved(loaded)).toBe(true);
  });

  it("duplicate keys fail, or all go, whatever their order", async () => {
    const twice = "id,v\na,1\nb,2\na,3\n";
    const cells = { id: text("id"), v: number("v") };
    const error = await failure(load(twice, { read, columns: cells }));
    expect(error.message).toContain('"a" in records 1, 3');
    const loaded = await load(twice, { read, columns: cells, on_duplicate_key: "reject_row" });
    expect(loaded.table.keys).toEqual(["b"]);
    expect(loaded.report.rejected).toEqual({ duplicate_key: 2 });
    expect(conserved(loaded)).toBe(true);
  });

  it("a record without key is turned away", async () => {
    const loaded = await load("id,v\n,1\nb,2\n", { read, columns: { id: text("id"), v: number("v") } });
    expect(loaded.report.rejected).toEqual({ missing_key: 1 });
    expect(loaded.report.samples).toMatchObject([{ record: 1, line: 2 }]);
  });

  it("rows are kept by conditions; what is not kept is not read", async () => {
    const loaded = await load("id,n,v\na,1,2\nb,0,oops\nc,,3\n", {
      read,
      rows: [{ keep: { column: "n", op: "ge", value: 1 }, reason: "a dummy" }],
      columns: { id: text("id"), n: integer("n"), v: number("v") },
    });
    expect(loaded.table.keys).toEqual(["a"]);
    expect(loaded.report.rejected).toEqual({ not_kept: 2 });
    expect(loaded.report.samples).toMatchObject([
      { reason: "not_kept", column: "n", text: "0", detail: "a dummy" },
      { reason: "not_kept", column: "n", detail: "a dummy" },
    ]);
  });

  it("excluded cells are read, counted and unknown", async () => {
    const loaded = await load("id,v\na,1\nb,2\n", {
      read,
      columns: { id: text("id"), v: number("v", { exclude: [{ key: "b", reason: "an upper limit" }] }) },
    });
    expect(numbers(loaded.table, "v")).toEqual([1, Number.NaN]);
    expect(loaded.report.cells).toEqual({ v: { excluded_value: 1 } });
    expect(loaded.report.samples).toMatchObject([{ text: "2", detail: "an upper limit" }]);
  });

  it("keeps the first twenty samples of each kind, and counts all", async () => {
    const rows = Array.from({ length: 100 }, (_, i) => `k${i},x\n`).join("");
    const loaded = await load(`id,v\n${rows}`, {
      read,
      on_unreadable: "null",
      columns: { id: text("id"), v: number("v") },
    });
    expect(loaded.report.cells).toEqual({ v: { unreadable_value: 100 } });
    expect(loaded.report.samples.map((s) => s.record)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  it("trims where asked, and only there", async () => {
    const loaded = await load('id,v,w\n" a ", 1 ,x\n', {
      read,
      columns: { id: text("id"), v: number("v", { trim: true }), w: text("w") },
    });
    expect(loaded.table.keys).toEqual([" a "]);
    expect(numbers(loaded.table, "v")).toEqual([1]);
    const error = await failure(load("id,v\na, 1\n", { read, columns: { id: text("id"), v: number("v") } }));
    expect(error.problems[0]!.code).toBe("unreadable_value");
  });
});

describe("conservation", () => {
  it("holds for any table, policy and order", async () => {
    const cell = fc.constantFrom("1", "2.5", "", "oops", "1e400", "99", "NA", '"q', "a,b");
    const row = fc.tuple(fc.constantFrom("a", "b", "c", "d", "e", "", "Ω", "𝔸"), cell, cell);
    await withDatabase(async (database) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(row, { maxLength: 12 }),
          fc.constantFrom("null", "reject_row"),
          fc.constantFrom("reject_row", "pad"),
          async (rows, onUnreadable, ragged) => {
            const file = `id,v,w\n${rows.map((r) => `${r.join(",")}\n`).join("")}`;
            const spec = {
              read: { ...read, ragged },
              on_unreadable: onUnreadable,
              on_duplicate_key: "reject_row",
              rows: [{ keep: { column: "w", op: "known" }, reason: "no w" }],
              columns: { id: text("id"), v: number("v", { range: [0, 50] }), w: text("w") },
            };
            try {
              const loaded = await loadInto(database, file, spec);
              expect(conserved(loaded)).toBe(true);
              expect(loaded.report.records).toBe(rows.length);
            } catch (error) {
              expect((error as Error).message).toContain("swallows");
              expect(file).toContain('"q');
            }
          },
        ),
        { numRuns: 25 },
      );
    });
  });
});

describe("the catalog", () => {
  it("does not depend on the order of records", async () => {
    const rows = ["b,2", "Z,1", "a,3", "é,4", "𝔸,5", "\uFF21,6", "10,7", "9,8"];
    const spec = { read, columns: { id: text("id"), v: number("v") } };
    const one = await load(`id,v\n${rows.join("\n")}\n`, spec);
    const two = await load(`id,v\n${[...rows].reverse().join("\n")}\n`, spec);
    expect(one.table.keys).toEqual([...one.table.keys].sort());
    expect(two.table.keys).toEqual(one.table.keys);
    expect(numbers(two.table, "v")).toEqual(numbers(one.table, "v"));
    expect(numbers(one.table, "v")[one.table.rowOf("𝔸")!]).toBe(5);
    expect(one.table.rowOf("no such key")).toBeUndefined();
  });

  it("names entities by templates and through links", async () => {
    await withDatabase(async (database) => {
      const planets = await loadInto(database, "id,name,also\np1,Mars,the Red Planet; Ares\np2,,\n", {
        read,
        id: "planets",
        name: "name",
        aliases: [{ column: "also", split: ";" }, "name", "id"],
        columns: { id: text("id"), name: text("name"), also: text("also") },
      });
      expect(planets.table.names).toEqual(["Mars", "p2"]);
      expect(planets.table.aliases).toEqual([["the Red Planet", "Ares", "p1"], []]);
      const moons = await loadInto(database, "id,planet,number\nm1,p1,1\nm2,p2,2\nm3,p9,3\n", {
        read,
        id: "moons",
        name: "{planet.name} {number}",
        links: { planet: { column: "planet", to: "planets", phrase: "the planet of {it}" } },
        columns: { id: text("id"), planet: text("planet"), number: integer("number") },
      });
      expect(moons.table.names).toEqual(["Mars 1", "m2", "m3"]);
    });
  });

  it("counts complete classes", async () => {
    const { table } = await load("id,v,k\na,1,x\nb,2,x\nc,3,y\nd,,y\n", {
      read,
      columns: { id: text("id"), v: number("v"), k: text("k") },
      complete: [
        { total: 4, source: "s" },
        { where: [{ column: "k", op: "eq", value: "x" }], total: 3, source: "s" },
        { where: [{ column: "v", op: "ge", value: 1 }], total: 3, source: "s" },
      ],
    });
    expect(classCounts(table).map((c) => [c.present, c.total])).toEqual([
      [4, 4],
      [2, 3],
      [3, 3],
    ]);
    expect(completeClasses(table).map((c) => c.where.length)).toEqual([0, 1]);
  });

  it("takes no class for complete that a record which was left out may belong to", async () => {
    const of = (column: string, value: string) => ({ column, op: "eq", value });
    const complete = [
      { total: 2, source: "s" },
      { where: [of("k", "x")], total: 1, source: "s" },
      { where: [of("k", "y")], total: 1, source: "s" },
      { where: [{ column: "v", op: "ge", value: 50 }], total: 1, source: "s" },
    ];
    const columns = { id: text("id"), v: number("v"), k: text("k") };
    const counts = async (content: string, policies: Record<string, unknown>) => {
      const { table, report } = await load(content, { read, columns, complete, ...policies });
      expect(report.left_out).toEqual(classCounts(table).map((c) => c.leftOut));
      return classCounts(table).map((c) => c.leftOut);
    };
    // Two lakes of one name go; they are of class x, and one of them may be 50.
    const twins = "id,v,k\na,60,y\nb,2,x\ntwin,90,x\ntwin,,x\n";
    expect(await counts(twins, { on_duplicate_key: "reject_row" })).toEqual([2, 2, 0, 2]);
    // A cell that cannot be read may hold anything; the others of its record are read.
    expect(await counts("id,v,k\na,60,y\nb,2,x\nc,many,x\n", { on_unreadable: "reject_row" })).toEqual([
      1, 1, 0, 1,
    ]);
    expect(await counts("id,v,k\na,60,y\nb,2,x\n,3,y\n", {})).toEqual([1, 0, 1, 0]);
    const ragged = { read: { ...read, ragged: "reject_row" } };
    expect(await counts("id,v,k\na,60,y\nb,2,x\nc,3\n", ragged)).toEqual([1, 1, 1, 1]);
    // What `rows` turns away is none of the table.
    const rows = [{ keep: of("k", "x"), reason: "others" }];
    expect(await counts("id,v,k\na,60,y\nb,2,x\nc,70,y\n", { rows })).toEqual([0, 0, 0, 0]);
    const { table } = await load(twins, { read, columns, complete, on_duplicate_key: "reject_row" });
    expect(completeClasses(table).map((c) => c.where)).toEqual([[of("k", "y")]]);
  });

  it("describes its physical layout", async () => {
    await withDatabase(async (database) => {
      await loadInto(database, "id,v,f\nb,2,true\na,1.5,\n", {
        read,
        columns: { id: text("id"), v: number("v"), f: flag("f") },
      });
      const names = await physicalNames(database, "things");
      const v = names.columns.get("v")!;
      const sql = `SELECT ${names.key}, ${names.record}, ${v.value}, ${v.u}, ${v.limit}, ${names.columns.get("f")!.value} FROM ${names.table} ORDER BY ${names.key}`;
      expect(await database.rows(sql)).toEqual([
        ["a", 2, 1.5, 0.05, 0, null],
        ["b", 1, 2, 0.5, 0, true],
      ]);
      await expect(physicalNames(database, "nothing")).rejects.toThrow("no table `nothing` is loaded");
    });
  });
});

describe("loading again", () => {
  const spec = { read, columns: { id: text("id"), v: number("v") } };

  it("keeps a table of the same hash, replaces one of another", async () => {
    await withDatabase(async (database) => {
      const first = await loadInto(database, "id,v\na,1\n", spec);
      const again = await loadInto(database, "id,v\na,1\n", spec);
      expect(again.report).toEqual(first.report);
      expect(again.table.hash).toBe(first.table.hash);
      const other = await loadInto(database, "id,v\na,2\n", spec);
      expect(other.table.hash).not.toBe(first.table.hash);
      expect(numbers(other.table, "v")).toEqual([2]);
      const tables = await database.rows("SELECT count(*) FROM duckdb_tables()");
      expect(tables).toEqual([[2n]]);
    });
  });

  it("leaves the old table when the new one fails", async () => {
    await withDatabase(async (database) => {
      await loadInto(database, "id,v\na,1\n", spec);
      await failure(loadInto(database, "id,v\na,oops\n", spec));
      const { tables } = await loadCatalog(database);
      expect(numbers(tables.get("things")!, "v")).toEqual([1]);
      expect((await loadInto(database, "id,v\nb,3\n", spec)).table.keys).toEqual(["b"]);
    });
  });

  it("a changed snapshot fails with both hashes", async () => {
    const path = snapshotFile("id,v\na,1\n");
    const before = await fileSha256(path);
    const card = cardOf({ columns: spec.columns, snapshot: { file: "data", sha256: before, read } });
    writeFileSync(path, "id,v\na,2\n");
    const error = await failure(withDatabase((database) => loadSource(card, path, database)));
    expect(error.problems[0]!.code).toBe("snapshot_changed");
    expect(error.message).toContain(before);
    expect(error.message).toContain(await fileSha256(path));
  });

  it("a missing snapshot, a folder, and one outside the card's folder are said to be so", async () => {
    const card = cardOf({ columns: spec.columns, snapshot: { file: "data", sha256: "0".repeat(64), read } });
    const missing = await failure(
      withDatabase((database) => loadSource(card, join(folder, "none"), database)),
    );
    expect(missing.problems[0]!.code).toBe("no_snapshot");
    const directory = await failure(withDatabase((database) => loadSource(card, folder, database)));
    expect(directory.problems[0]!.code).toBe("no_snapshot");
    for (const file of ["../data", "/etc/passwd", "a/../../b", "."]) {
      expect(() =>
        snapshotPath(
          cardOf({ columns: spec.columns, snapshot: { file, sha256: "0".repeat(64), read } }),
          folder,
        ),
      ).toThrow("outside");
    }
  });

  it("the table's hash covers card and snapshot", () => {
    const base = cardOf({ columns: spec.columns, snapshot: { file: "data", sha256: "0".repeat(64), read } });
    const hashes = [
      base,
      { ...base, title: "Other" },
      { ...base, snapshot: { ...base.snapshot, sha256: "1".repeat(64) } },
    ];
    expect(new Set(hashes.map(tableHash)).size).toBe(3);
  });
});
