import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import fc from "fast-check";
import { ParquetFile } from "parquet-wasm";
import initSqlJs from "sql.js";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../sources/duckdb.js";
import { conserved, folder, integer, load, number, numbers, text, texts, us } from "../helper.js";
import { cellsOf } from "./helper.js";

/** A table to be written in every format: two columns of texts, the first without repetition. */
type Rows = readonly (readonly [id: string, v: string])[];
interface Written {
  readonly content: string | Uint8Array;
  readonly read: Record<string, unknown>;
  /** What the fields are called there. */
  readonly fields?: readonly [string, string];
}

let sql: Awaited<ReturnType<typeof initSqlJs>>;
beforeAll(async () => {
  sql = await initSqlJs();
});

const quoted = (s: string): string => `"${s.replaceAll('"', '""')}"`;
const escaped = (s: string): string =>
  s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/^ | $/g, "&#32;");
const slashed = (s: string): string => s.replace(/[\\!":]/g, (c) => `\\${c}`);
const width = (rows: Rows): number => Math.max(2, ...rows.map(([id]) => [...id].length));

/** Writers that share nothing with the readers: each spells its format out. */
const WRITERS: Record<string, (rows: Rows) => Written> = {
  csv: (rows) => ({
    content: `id,v\r\n${rows.map((r) => `${r.map(quoted).join(",")}\r\n`).join("")}`,
    read: { format: "csv" },
  }),
  "csv, transposed": (rows) => ({
    content: `id;${rows.map((r) => quoted(r[0])).join(";")}\rv;${rows.map((r) => quoted(r[1])).join(";")}\r`,
    read: { format: "csv", delimiter: ";", transposed: true },
  }),
  json: (rows) => ({
    content: JSON.stringify({ rows: rows.map(([id, v]) => ({ v, id })) }),
    read: { format: "json", path: "rows" },
  }),
  "json in UTF-16": (rows) => ({
    content: Buffer.from(`\uFEFF${JSON.stringify(rows.map(([id, v]) => ({ v, id })))}`, "utf16le"),
    read: { format: "json", encoding: "utf-16le" },
  }),
  "ndjson, CR only": (rows) => ({
    content: rows.map(([id, v]) => `${JSON.stringify({ id, v })}\r`).join(""),
    read: { format: "ndjson" },
  }),
  "xml in UTF-16": (rows) => ({
    content: Buffer.from(
      `\uFEFF<t>${rows.map(([id, v]) => `<r id="${escaped(id)}"><v>${escaped(v)}</v></r>`).join("\r\n")}</t>`,
      "utf16le",
    ),
    read: { format: "xml", record: "r", encoding: "utf-16le" },
    fields: ["@id", "v"],
  }),
  yaml: (rows) => ({
    content: rows.map(([id, v]) => `- v: ${JSON.stringify(v)}\n  id: ${JSON.stringify(id)}\n`).join(""),
    read: { format: "yaml" },
  }),
  "yaml, by keys": (rows) => ({
    content: `t:\r${rows.map(([id, v]) => `  ${JSON.stringify(id)}: { v: ${JSON.stringify(v)} }\r`).join("")}`,
    read: { format: "yaml", path: "t" },
    fields: ["#key", "v"],
  }),
  fixed: (rows) => ({
    content: rows.map(([id, v]) => `${id}${" ".repeat(width(rows) - [...id].length)} ${v}\n`).join(""),
    read: {
      format: "fixed",
      columns: [
        { name: "id", start: 1, end: width(rows) },
        { name: "v", start: width(rows) + 2 },
      ],
    },
  }),
  "stanzas, packed": (rows) => ({
    content: gzipSync(
      rows.map(([id, v]) => `[T] ! x\nid: ${slashed(id)}\nv: ${slashed(v)} ! y\n`).join("\n"),
    ),
    read: { format: "stanzas", stanza: "T", escapes: true, comment: "!" },
  }),
  sqlite: (rows) => {
    const database = new sql.Database();
    database.run("CREATE TABLE t (v TEXT, id TEXT)");
    for (const [id, v] of rows) database.run("INSERT INTO t VALUES (?, ?)", [v, id]);
    return { content: database.export(), read: { format: "sqlite", table: "t" } };
  },
  arrow: (rows) => {
    const column = (i: 0 | 1) =>
      vectorFromArray(
        rows.map((r) => r[i]),
        new Utf8(),
      );
    return { content: tableToIPC(new Table({ v: column(1), id: column(0) })), read: { format: "arrow" } };
  },
};

/** Any text of one line that neither begins nor ends with a blank: fixed width and stanzas cannot keep those. */
const cell = fc
  .string({
    unit: fc.constantFrom(..."ab0159.,;:|\"'\\#!&<>[]{}-+ é\u2212\u{1FA90}=~*%@`"),
    minLength: 1,
    maxLength: 12,
  })
  .map((s) => s.trim())
  .filter((s) => s !== "");
const table = fc.uniqueArray(fc.tuple(cell, cell), { selector: ([id]) => id, minLength: 1, maxLength: 6 });

describe("the same table", () => {
  it.each(Object.keys(WRITERS))("has the same cells in %s", async (name) => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const { content, read, fields = ["id", "v"] } = WRITERS[name]!(rows);
        expect(await cellsOf(content, read, fields)).toEqual(rows);
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  // Rows 1, 5 and 7 of the reports on ingesting: late decimals, keys that look like numbers, NA.
  const numbersAsText: Rows = [
    ...Array.from({ length: 3000 }, (_, i): [string, string] => [`k${i}`, "7"]),
    ["12e4", "1.5"],
    ["0071", "0042"],
    ["NA", "0.330"],
  ];

  it.each(Object.keys(WRITERS))("keeps keys, late decimals and written digits in %s", async (name) => {
    const { content, read, fields = ["id", "v"] } = WRITERS[name]!(numbersAsText);
    const loaded = await load(content, {
      read,
      columns: { id: text(fields[0]), v: number(fields[1]), raw: text(fields[1]), n: text("#record") },
    });
    const at = (key: string): number => loaded.table.rowOf(key)!;
    expect(numbers(loaded.table, "v")[at("12e4")]).toBe(1.5);
    expect(texts(loaded.table, "raw")[at("0071")]).toBe("0042");
    expect(us(loaded.table, "v")[at("NA")]).toBe(0.0005);
    expect(texts(loaded.table, "n")[at("NA")]).toBe("3003");
    expect(conserved(loaded)).toBe(true);
  });
});

describe("binary values", () => {
  it("are the same text from Parquet, from Arrow as another library writes it, and from SQLite", async () => {
    const database = await openDatabase(":memory:", { folders: [folder] });
    const path = join(folder, "values.parquet");
    const doubles = ["0.1", "36", "1e16", "123456789012345680", "1e15", "-0.0001", "0.00001", "2.5e-7"];
    const values = doubles.map((d, i) => `('k${i}', ${d}::DOUBLE, ${d}::DOUBLE::FLOAT)`);
    await database.run(`COPY (SELECT id, d, f, 9007199254740993 + row_number() OVER () AS n, d > 1 AS yes,
      (12.5 * length(id))::DECIMAL(9, 3) AS price, DATE '2013-07-18' + length(id)::INT AS day,
      TIMESTAMP '2013-07-18 16:00:00.25' AS moment, id AS t
      FROM (VALUES ${values.join(", ")}) v(id, d, f)) TO '${path}' (FORMAT parquet)`);
    database.close();
    const wanted = ["id", "d", "f", "n", "yes", "price", "day", "moment"];
    const bytes = readFileSync(path);
    const parquet = await cellsOf(bytes, { format: "parquet" }, wanted);
    const file = await ParquetFile.fromFile(new Blob([bytes]));
    const stream = (await file.read()).intoIPCStream();
    expect(await cellsOf(stream, { format: "arrow" }, wanted)).toEqual(parquet);
    const lite = new sql.Database();
    lite.run("CREATE TABLE t (id, d REAL, n INT)");
    parquet.forEach(([id, d, _, n]) => void lite.run(`INSERT INTO t VALUES ('${id}', ${d}, ${n})`));
    expect(await cellsOf(lite.export(), { format: "sqlite", table: "t" }, ["id", "d", "n"])).toEqual(
      parquet.map(([id, d, _, n]) => [id, d, n]),
    );
  });

  it("past 2^53 are unreadable as integers, never rounded, and whole as text", async () => {
    const lite = new sql.Database();
    lite.run("CREATE TABLE t (id TEXT, v INT); INSERT INTO t VALUES ('a', 9007199254740993), ('b', 12)");
    const long = vectorFromArray([9007199254740993n, 12n]);
    const arrow = tableToIPC(new Table({ id: vectorFromArray(["a", "b"], new Utf8()), v: long }));
    for (const [content, read] of [
      [lite.export(), { format: "sqlite", table: "t" }],
      [arrow, { format: "arrow" }],
      ["- { id: a, v: 9007199254740993 }\n- { id: b, v: 12 }\n", { format: "yaml" }],
    ] as const) {
      const loaded = await load(content, {
        read,
        on_unreadable: "null",
        columns: { id: text("id"), v: integer("v"), whole: text("v") },
      });
      expect(numbers(loaded.table, "v")).toEqual([Number.NaN, 12]);
      expect(texts(loaded.table, "whole")[0]).toBe("9007199254740993");
    }
  });
});
