import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import initSqlJs from "sql.js";
import { beforeAll, describe, expect, it } from "vitest";
import { failure, snapshotFile } from "../helper.js";
import { cellsOf, recordsOf, recordsOfFile } from "./helper.js";

/** Made with Python's sqlite3 (SQLite 3.40.1), text in UTF-16. */
const path = fileURLToPath(new URL("../../fixtures/adapters/stars.sqlite", import.meta.url));
const bytes = readFileSync(path);
const stars = { format: "sqlite", table: "stars" };
let sql: Awaited<ReturnType<typeof initSqlJs>>;
beforeAll(async () => {
  sql = await initSqlJs();
});

function databaseOf(...statements: string[]): Uint8Array {
  const database = new sql.Database();
  for (const statement of statements) database.run(statement);
  return database.export();
}

describe("SQLite", () => {
  it("gives every value whole: long integers, doubles, texts, nulls", async () => {
    expect(await cellsOf(bytes, stars, ["id", "big number", "mass", 'say "hi"', "loose"])).toEqual([
      ["007", "9223372036854775807", "0.1", 'å, "b"', "1"],
      ["1E2", "-9007199254740993", "36.0", "", "1.50"],
      ["NA", null, "1e-300", "🪐", "2.5"],
      ["__proto__", "0", "1.7976931348623157e+308", "a\nb", null],
    ]);
    expect((await recordsOf(bytes, stars, ["mass", "id"]))[1]).toEqual({
      record: 2,
      fields: ["36.0", "1E2"],
    });
  });

  it("reads views, tables without row ids, generated columns and names that need quotes", async () => {
    expect((await cellsOf(bytes, { ...stars, table: "heavy" }, ["id"])).flat()).toEqual(["1E2", "__proto__"]);
    const odd = databaseOf(
      'CREATE TABLE "a ""b""; DROP TABLE x --" (k TEXT PRIMARY KEY, "select" INT, twice INT AS ("select" * 2)) WITHOUT ROWID',
      `INSERT INTO "a ""b""; DROP TABLE x --" VALUES ('b', 2), ('a', 1)`,
    );
    const read = { ...stars, table: 'a "b"; DROP TABLE x --' };
    expect(await cellsOf(odd, read, ["k", "select", "twice"])).toEqual([
      ["a", "1", "2"],
      ["b", "2", "4"],
    ]);
  });

  it("reads a packed file, and one that was left in write-ahead mode", async () => {
    expect(await cellsOf(gzipSync(bytes), stars, ["id"])).toHaveLength(4);
    const log = Buffer.from(bytes);
    log[18] = log[19] = 2;
    expect(await cellsOf(log, stars, ["id"])).toHaveLength(4);
    const left = snapshotFile(log);
    writeFileSync(`${left}-wal`, "rows that are not in the file yet");
    const error = await failure(recordsOfFile(left, stars, ["id"]));
    expect(error.problems[0]).toMatchObject({ code: "bad_sqlite" });
    expect(error.message).toContain("-wal");
  });

  it("hands many rows on in order", async () => {
    const many = databaseOf(
      "CREATE TABLE stars (id INT, name TEXT); CREATE INDEX i ON stars (name DESC)",
      "INSERT INTO stars WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10000) SELECT n, 'k' || n FROM t",
    );
    const records = await recordsOf(many, stars, ["name"]);
    expect(records.map((r) => r.fields[0])).toEqual(Array.from({ length: 10_000 }, (_, i) => `k${i + 1}`));
    expect(records[9_999]!.record).toBe(10_000);
  });

  it("names the tables that are there, and the columns", async () => {
    const table = await failure(recordsOf(bytes, { ...stars, table: "Stars" }, ["id"]));
    expect(table.problems[0]).toMatchObject({ code: "no_records" });
    expect(table.problems[0]!.hint).toContain("`stars`");
    const column = await failure(recordsOf(bytes, stars, ["ID"]));
    expect(column.problems[0]).toMatchObject({ code: "unknown_field" });
    expect(column.problems[0]!.hint).toContain("`id`");
  });

  const virtual = "CREATE VIRTUAL TABLE stars USING fts3(id)";

  it.each([
    ["a BLOB", () => bytes, { table: "pictures" }, ["picture"], "nested_field"],
    ["a view that never ends", () => bytes, { table: "endless" }, ["id"], "bad_sqlite"],
    ["a virtual table", () => databaseOf(virtual), {}, ["id"], "bad_sqlite"],
    [
      "an index for a table",
      () => databaseOf("CREATE TABLE t (id); CREATE INDEX stars ON t (id)"),
      {},
      ["id"],
      "no_records",
    ],
    ["the schema itself", () => bytes, { table: "sqlite_master" }, ["name"], "no_records"],
    [
      "a database of nothing",
      () => databaseOf("CREATE TABLE t (id); DROP TABLE t"),
      {},
      ["id"],
      "no_records",
    ],
    [
      "bytes that are no text",
      () => databaseOf("CREATE TABLE stars (id)", "INSERT INTO stars VALUES (CAST(x'61ff' AS TEXT))"),
      {},
      ["id"],
      "bad_encoding",
    ],
    ["another file", () => Buffer.from("id,v\na,1\n"), {}, ["id"], "bad_sqlite"],
    ["a header alone", () => bytes.subarray(0, 100), {}, ["id"], "bad_sqlite"],
    ["half a file", () => bytes.subarray(0, 1024), {}, ["id"], "bad_sqlite"],
    [
      "a header with garbage after it",
      () => Buffer.from(bytes.map((b, i) => (i < 100 ? b : (i * 7) % 256))),
      {},
      ["id"],
      "bad_sqlite",
    ],
  ])("refuses %s", async (_, content, options, wanted, code) => {
    const error = await failure(recordsOf(content(), { ...stars, ...options }, wanted));
    expect(error.problems.map((p) => p.code)).toEqual([code]);
  });

  it("keeps U+FFFD where a text has it", async () => {
    const file = databaseOf("CREATE TABLE stars (id)", "INSERT INTO stars VALUES ('a\uFFFDb')");
    expect(await cellsOf(file, stars, ["id"])).toEqual([["a\uFFFDb"]]);
  });

  it("ends with an error or with cells, whichever byte is wrong", async () => {
    for (let at = 16; at < bytes.length; at += 61) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 0x55;
      try {
        for (const [id] of await cellsOf(flipped, stars, ["id", "mass"]))
          expect(typeof id).not.toBe("undefined");
      } catch (error) {
        expect(error).toMatchObject({ name: "TaskmillError", kind: "source" });
      }
    }
  });
});
