import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../sources/adapters/json-scan.js";
import { cellText, parseRawJson } from "../../sources/adapters/raw-json.js";
import { parseXmlPath } from "../../sources/adapters/xml-path.js";
import { openDatabase } from "../../sources/duckdb.js";
import {
  conserved,
  failure,
  flag,
  folder,
  integer,
  load,
  number,
  numbers,
  text,
  texts,
  us,
} from "./helper.js";

const columns = { id: text("id"), v: number("v") };

describe("JSON", () => {
  const json = { format: "json" };

  it("reads an array of objects with its written digits", async () => {
    const { table } = await load(
      '[{"id":"a","v":0.330},{"id":"b","v":9007199254740993},{"v":1e2,"id":"c"}]',
      {
        read: json,
        columns: { id: text("id"), v: number("v"), raw: text("v") },
      },
    );
    expect(texts(table, "raw")).toEqual(["0.330", "9007199254740993", "1e2"]);
    expect(us(table, "v")).toEqual([0.0005, 0.5, 50]);
  });

  it("reads a list of fields beside arrays, in either order", async () => {
    for (const file of [
      '{"fields":["id","v"],"data":[["a","1.0"],["b",null]]}',
      '{"data":[["a","1.0"],["b",null]],"count":2,"fields":["id","v"]}',
    ]) {
      const { table } = await load(file, { read: { ...json, path: "data", fields: "fields" }, columns });
      expect(numbers(table, "v")).toEqual([1, Number.NaN]);
    }
  });

  it("reads GeoJSON by paths", async () => {
    const file = `{"type":"FeatureCollection","features":[
      {"id":"q1","properties":{"mag":2.5,"a.b":"dotted"},"geometry":{"coordinates":[-118.5,34.25,26.0]}}]}`;
    const { table } = await load(file, {
      read: { ...json, path: "features" },
      columns: {
        id: text("id"),
        mag: number("properties.mag"),
        lon: number("geometry.coordinates.0", { scale: "interval" }),
        depth: number("geometry.coordinates.2"),
        all: text("geometry.coordinates"),
      },
    });
    expect([numbers(table, "mag"), numbers(table, "lon"), us(table, "depth")]).toEqual([
      [2.5],
      [-118.5],
      [0.05],
    ]);
    expect(texts(table, "all")).toEqual(["[-118.5,34.25,26.0]"]);
  });

  it("reads booleans as flags, and true nulls as unknown", async () => {
    const { table } = await load('[{"id":"a","f":true},{"id":"b","f":null},{"id":"c"}]', {
      read: json,
      columns: { id: text("id"), f: flag("f") },
    });
    expect([...(table.columns.get("f")!.values as Uint8Array)]).toEqual([1, 2, 2]);
  });

  it.each([
    ["the path leads nowhere", '{"rows":[]}', { path: "data" }, "no_records"],
    ["the document is no array", '{"id":"a"}', {}, "no_records"],
    ["it is cut short", '[{"id":"a","v":1},{"id":"b"', {}, "bad_json"],
    ["it is cut short between records", '[{"id":"a","v":1},', {}, "bad_json"],
    ["a comma is missing", '[{"id":"a" "v":1}]', {}, "bad_json"],
    ["a comma is missing between records", '[{"id":"a","v":1}{"id":"b"}]', {}, "bad_json"],
    ["a member comes twice", '[{"id":"a","v":1,"v":2}]', {}, "bad_json"],
    ["something follows it", '[{"id":"a","v":1}] x', {}, "bad_json"],
    ["a number has a leading zero", '[{"id":"a","v":01}]', {}, "bad_json"],
    ["it is nested absurdly", `[${"[".repeat(5000)}`, {}, "bad_json"],
    ["a frame is nested absurdly", `{"a":${"[".repeat(5000)}`, { path: "data" }, "bad_json"],
    ["a record is no object", "[1,2]", {}, "bad_record"],
    ["a field is in no record", '[{"id":"a","w":1}]', {}, "unknown_field"],
    ["there is no list of fields", '{"data":[["a",1]]}', { path: "data", fields: "fields" }, "no_fields"],
    [
      "an array is short",
      '{"fields":["id","v"],"data":[["a"]]}',
      { path: "data", fields: "fields" },
      "ragged_row",
    ],
  ])("fails where %s", async (_, file, options, code) => {
    const error = await failure(load(file, { read: { ...json, ...options }, columns }));
    expect(error.problems.map((p) => p.code)).toEqual([code]);
  });

  it("parses what JSON.parse parses, and cuts elements at any chunk size", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (items, size, pretty) => {
          const document = JSON.stringify(
            { head: { rows: [1] }, rows: items, tail: "]" },
            null,
            pretty ? 2 : 0,
          );
          const scanner = new JsonScanner(["rows"]);
          const slices: string[] = [];
          for (let i = 0; i < document.length; i += size) {
            slices.push(...scanner.feed(document.slice(i, i + size)).map((s) => s.text));
          }
          scanner.end();
          expect(slices.map((s) => JSON.parse(s))).toEqual(JSON.parse(JSON.stringify(items)));
          for (const s of slices) expect(JSON.parse(toJson(s))).toEqual(JSON.parse(s));
        },
      ),
    );
  });

  const toJson = (s: string): string => {
    const value = parseRawJson(s);
    return typeof value === "string" ? JSON.stringify(value) : (cellText(value) ?? "null");
  };
});

describe("NDJSON", () => {
  it("reads one object a line", async () => {
    const loaded = await load('{"id":"a","v":1}\r\n\n{"id":"b","v":2.50}', {
      read: { format: "ndjson" },
      columns,
    });
    expect(numbers(loaded.table, "v")).toEqual([1, 2.5]);
    expect(conserved(loaded)).toBe(true);
  });

  it("names the line of a torn record", async () => {
    const error = await failure(
      load('{"id":"a","v":1}\n{"id":"b","an\n', { read: { format: "ndjson" }, columns }),
    );
    expect(error.problems[0]).toMatchObject({ code: "bad_json", location: { line: 2 } });
  });
});

describe("XML", () => {
  const xml = { format: "xml", record: "isotope" };
  const wrap = (body: string): string =>
    `<?xml version="1.0"?><cml xmlns="http://www.xml-cml.org/schema" xmlns:bo="b"><list>${body}</list></cml>`;
  const cells = {
    id: text("@id"),
    mass: number("scalar[dictRef=bo:exactMass]", {
      uncertainty: { from: "scalar[dictRef=bo:exactMass]@errorValue" },
    }),
    half: number("scalar[dictRef=bo:halfLife]", {
      unit: "s",
      unit_from: { from: "scalar[dictRef=bo:halfLife]@units", units: { "u:y": "yr", "s:s": "s" } },
    }),
  };
  const isotope = `<isotope id="H3"><scalar dictRef="bo:exactMass" errorValue="0.0025E-6">3.016049278</scalar>
    <scalar dictRef="bo:halfLife" units="u:y">2</scalar></isotope>`;

  it("reads attributes, predicates and companions", async () => {
    const { table } = await load(wrap(isotope), { read: xml, columns: cells });
    expect([numbers(table, "mass"), us(table, "mass")]).toEqual([[3.016049278], [2.5e-9]]);
    expect([numbers(table, "half"), us(table, "half")]).toEqual([[2 * 31557600], [15778800]]);
  });

  it("takes prefixed elements by their local name, and entities and CDATA as text", async () => {
    const file =
      '<c:a xmlns:c="x"><c:r id="1"><c:n>a &amp; b</c:n></c:r><r id="2"><n><![CDATA[<c>]]></n></r></c:a>';
    const { table } = await load(file, {
      read: { format: "xml", record: "r" },
      columns: { id: text("@id"), n: text("n") },
    });
    expect(texts(table, "n")).toEqual(["a & b", "<c>"]);
  });

  it.each([
    ["a tag is not closed", wrap(isotope).replace("</list>", ""), "bad_xml"],
    ["it is cut short", wrap(isotope).slice(0, -30), "bad_xml"],
    ["there is no such record", "<a><b/></a>", "no_records"],
    ["an unknown entity stands in it", wrap('<isotope id="&x;"/>'), "bad_xml"],
    [
      "two values differ",
      wrap(isotope.replace("</isotope>", '<scalar dictRef="bo:halfLife" units="u:y">3</scalar></isotope>')),
      "bad_xml",
    ],
    ["a field is in no record", wrap('<isotope id="a"/>'), "unknown_field"],
  ])("fails where %s", async (_, file, code) => {
    const error = await failure(load(file, { read: xml, columns: cells }));
    expect(error.problems.map((p) => p.code)).toEqual([code]);
  });

  it("does not follow external entities", async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]>${wrap(isotope).slice(21).replace('"H3"', '"&x;"')}`;
    const error = await failure(load(bomb, { read: xml, columns: cells }));
    expect(error.problems[0]!.code).toBe("bad_xml");
  });

  it("refuses a text that is no path", () => {
    for (const bad of ["scalar[", "a//b", "@", "a@b@c", "a]"])
      expect(() => parseXmlPath(bad)).toThrow("not a path");
  });
});

describe("Parquet", () => {
  async function parquet(sql: string): Promise<Buffer> {
    const database = await openDatabase(":memory:", { folders: [folder] });
    const path = join(folder, "made.parquet");
    await database.run(`COPY (${sql}) TO '${path}' (FORMAT parquet)`);
    database.close();
    return readFileSync(path);
  }

  it("reads columns as text, exactly", async () => {
    const file = await parquet(
      "SELECT 'a' AS id, 0.1::FLOAT AS f, 123456789012345678::BIGINT AS big, true AS yes, 1.50::DECIMAL(9,2) AS v",
    );
    const { table } = await load(file, {
      read: { format: "parquet" },
      columns: { ...columns, f: number("f"), big: text("big"), yes: flag("yes") },
    });
    expect([numbers(table, "f"), us(table, "v"), texts(table, "big")]).toEqual([
      [0.1],
      [0.005],
      ["123456789012345678"],
    ]);
  });

  it("streams many rows in order", async () => {
    const file = await parquet("SELECT 'k' || i AS id, i::DOUBLE AS v FROM range(5000) t(i)");
    const loaded = await load(file, { read: { format: "parquet" }, columns });
    expect(loaded.table.records[loaded.table.rowOf("k4999")!]).toBe(5000);
    expect(conserved(loaded)).toBe(true);
  });

  it("says when it is no Parquet, or lacks a column", async () => {
    const bad = await failure(load("PAR1 nonsense PAR1", { read: { format: "parquet" }, columns }));
    expect(bad.problems[0]).toMatchObject({
      code: "bad_parquet",
      message: expect.stringMatching(
        /^data-\d+ cannot be read as Parquet: it does not end as such a file does$/,
      ),
    });
    const file = await parquet("SELECT 'a' AS id, 1 AS w");
    const lacks = await failure(load(file, { read: { format: "parquet" }, columns }));
    expect(lacks.problems[0]!.code).toBe("unknown_field");
  });
});

describe("compression, known by content", () => {
  const csv = "id,v\na,1.5\nb,2\n";
  // zstd -3 of `csv`
  const zstd = Buffer.from("KLUv/QRYeQAAaWQsdgphLDEuNQpiLDIKyDH4xg==", "base64");

  it("unpacks gzip, several members too", async () => {
    const one = await load(gzipSync(csv), { read: { format: "csv" }, columns });
    expect(numbers(one.table, "v")).toEqual([1.5, 2]);
    const two = Buffer.concat([gzipSync("id,v\na,1.5\n"), gzipSync("b,2\n")]);
    expect((await load(two, { read: { format: "csv" }, columns })).report.loaded).toBe(2);
  });

  it("unpacks zstd", async () => {
    expect(numbers((await load(zstd, { read: { format: "csv" }, columns })).table, "v")).toEqual([1.5, 2]);
  });

  it.each([
    ["gzip", gzipSync(csv).subarray(0, 20)],
    ["zstd", zstd.subarray(0, 15)],
    ["gzip with a flipped bit", Buffer.from(gzipSync(csv).map((b, i) => (i === 14 ? b ^ 255 : b)))],
  ])("says when %s is damaged", async (_, bytes) => {
    const error = await failure(load(bytes, { read: { format: "csv" }, columns }));
    expect(error.problems[0]!.code).toBe("bad_compression");
  });
});

describe("integers", () => {
  it("past 2^53 are unreadable, never rounded", async () => {
    const { report, table } = await load('[{"id":"a","v":9007199254740993},{"id":"b","v":12}]', {
      read: { format: "json" },
      on_unreadable: "null",
      columns: { id: text("id"), v: integer("v") },
    });
    expect(numbers(table, "v")).toEqual([Number.NaN, 12]);
    expect(report.samples[0]).toMatchObject({
      text: "9007199254740993",
      detail: "not a whole number below 2^53",
    });
  });
});
