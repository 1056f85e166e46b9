import { describe, expect, it } from "vitest";
import { conserved, failure, flag, integer, load, number, numbers, text, texts } from "./helper.js";

const columns = { id: text("id"), v: text("v") };
const csv = { format: "csv" };
const utf16 = (s: string, big = false): Buffer => {
  const bytes = Buffer.from(`\uFEFF${s}`, "utf16le");
  return big ? bytes.swap16() : bytes;
};

describe("delimited text", () => {
  const plain = "id,v\na,é\nb,ü\n";

  it.each([
    ["LF", plain, {}],
    ["CR LF", plain.replaceAll("\n", "\r\n"), {}],
    ["CR only", plain.replaceAll("\n", "\r"), {}],
    ["no last line end", plain.trimEnd(), {}],
    ["mixed line ends", "id,v\r\na,é\rb,ü\n", {}],
    ["empty lines", "id,v\n\na,é\n\n\nb,ü\n\n", {}],
    ["a byte-order mark", `\uFEFF${plain}`, {}],
    ["tabs", plain.replaceAll(",", "\t"), { delimiter: "\t" }],
    ["semicolons", plain.replaceAll(",", ";"), { delimiter: ";" }],
    ["a long delimiter", plain.replaceAll(",", "||"), { delimiter: "||" }],
    ["quotes", 'id,v\n"a","é"\n"b",ü\n', {}],
    ["other quotes", "id,v\n'a',é\nb,'ü'\n", { quote: "'", escape: "'" }],
    ["comments", "# made up\nid,v\n# more\na,é\nb,ü\n", { comment: "#" }],
    ["a title to skip", 'A "title", odd\nid,v\na,é\nb,ü\n', { skip: 1 }],
    ["a title to skip, CR LF", "T\r\n\r\nid,v\r\na,é\r\nb,ü\r\n", { skip: 2 }],
    ["a row of units", "id,v\n[-],[m]\na,é\nb,ü\n", { skip_after_header: 1 }],
    ["no header", "a,é\nb,ü\n", { header: false, names: ["id", "v"] }],
    ["latin1", Buffer.from(plain, "latin1"), { encoding: "latin1" }],
    ["windows-1252", Buffer.from(plain, "latin1"), { encoding: "windows-1252" }],
    ["UTF-16 LE", utf16(plain), { encoding: "utf-16le" }],
    ["UTF-16 BE", utf16(plain, true), { encoding: "utf-16be" }],
  ])("%s", async (_, content, options) => {
    const loaded = await load(content, { read: { ...csv, ...options }, columns });
    expect(texts(loaded.table, "v")).toEqual(["é", "ü"]);
    expect(loaded.table.keys).toEqual(["a", "b"]);
    expect([...loaded.table.records]).toEqual([1, 2]);
    expect(conserved(loaded)).toBe(true);
  });

  it("keeps what spreadsheets spoil: 1E2, 0E12, 007, NA, padded names, quotes, line ends inside quotes", async () => {
    const file = 'id,v\n1E2," padded "\n0E12,"a ""b"" c"\n007,NA\nNA,"two\r\nlines"\n12e4,\n';
    const { table } = await load(file, {
      read: csv,
      columns: { id: text("id"), v: text("v", { nulls: [] }) },
    });
    const v = Object.fromEntries(table.keys.map((k, i) => [k, texts(table, "v")[i]]));
    expect(v).toEqual({ "1E2": " padded ", "0E12": 'a "b" c', "007": "NA", NA: "two\r\nlines", "12e4": "" });
  });

  it("tells latin1 from windows-1252", async () => {
    const bytes = Buffer.from([..."id,v\na,"].map((c) => c.charCodeAt(0)).concat([0x80, 10]));
    const windows = await load(bytes, { read: { ...csv, encoding: "windows-1252" }, columns });
    expect(texts(windows.table, "v")).toEqual(["€"]);
    const latin = await load(bytes, { read: { ...csv, encoding: "latin1" }, columns });
    expect(texts(latin.table, "v")).toEqual(["\u0080"]);
  });

  it("finds columns by their header, however they are ordered", async () => {
    const { table } = await load("v,x,id\n2,9,b\n1,9,a\n", {
      read: csv,
      columns: { id: text("id"), v: number("v") },
    });
    expect(numbers(table, "v")).toEqual([1, 2]);
  });

  it("names the lines of samples, quoted line ends and skipped lines counted", async () => {
    const file = 'title\nid,v,w\n"a\r\nb",1,x\n# note\nc,oops,y\n';
    const { report } = await load(file, {
      read: { ...csv, skip: 1, comment: "#" },
      on_unreadable: "null",
      columns: { id: text("id"), v: number("v") },
    });
    expect(report.samples).toMatchObject([
      { reason: "unreadable_value", record: 2, line: 6, column: "v", text: "oops" },
    ]);
  });
});

describe("faults from public reports (cases/reports.md, area ingest)", () => {
  it("1: no type is settled from the first lines", async () => {
    const file = `id,v\n${Array.from({ length: 20_500 }, (_, i) => `k${i},7\n`).join("")}p,1.5\nq,0042\n`;
    const asNumber = await load(file, { read: csv, columns: { id: text("id"), v: number("v") } });
    expect(numbers(asNumber.table, "v")[asNumber.table.rowOf("p")!]).toBe(1.5);
    const asText = await load(file, { read: csv, columns });
    expect(texts(asText.table, "v")[asText.table.rowOf("q")!]).toBe("0042");
    const asInteger = await failure(load(file, { read: csv, columns: { id: text("id"), v: integer("v") } }));
    expect(asInteger.message).toContain('cannot read "1.5"');
  });

  it("3: one bare quote costs its own line only, and says which", async () => {
    const loaded = await load('id,name\n1,ok\n2,the 5" pipe, old\n3,ok\n', {
      read: csv,
      columns: { id: text("id"), name: text("name") },
    });
    expect(loaded.table.keys).toEqual(["1", "3"]);
    expect(loaded.report.rejected).toEqual({ bad_quote: 1 });
    expect(loaded.report.samples).toMatchObject([{ reason: "bad_quote", record: 2, line: 3 }]);
    expect(conserved(loaded)).toBe(true);
  });

  it("5: identifiers that look like exponents stay text", async () => {
    const { table } = await load("id,v\n12e4,1\nab12,2\n0071,3\n", { read: csv, columns });
    expect(table.keys).toEqual(["0071", "12e4", "ab12"]);
  });

  it("7: NA is a value until a card says otherwise", async () => {
    const file = "symbol,z\nNe,10\nNA,11\nMg,12\n";
    const card = { key: "symbol", name: "symbol", columns: { symbol: text("symbol"), z: integer("z") } };
    const { table } = await load(file, { read: csv, ...card });
    expect(table.keys).toEqual(["Mg", "NA", "Ne"]);
    const declared = { ...card, columns: { ...card.columns, symbol: text("symbol", { nulls: ["NA"] }) } };
    const loaded = await load(file, { read: csv, ...declared });
    expect(loaded.report.rejected).toEqual({ missing_key: 1 });
  });
});

describe("ragged rows", () => {
  const file = "id,v,w\na,1,x\nb,2\nc,3,y,z\nd,4,w\n";
  const spec = { columns: { id: text("id"), w: text("w") } };

  it("fail by default, naming the line", async () => {
    const error = await failure(load(file, { read: csv, ...spec }));
    expect(error.problems[0]).toMatchObject({ code: "ragged_row", location: { line: 3 } });
  });

  it("may be rejected", async () => {
    const loaded = await load(file, { read: { ...csv, ragged: "reject_row" }, ...spec });
    expect(loaded.table.keys).toEqual(["a", "d"]);
    expect(loaded.report.rejected).toEqual({ ragged_row: 2 });
    expect(conserved(loaded)).toBe(true);
  });

  it("may be padded with unknowns where short", async () => {
    const loaded = await load(file, { read: { ...csv, ragged: "pad" }, ...spec });
    expect(texts(loaded.table, "w")).toEqual(["x", null, "w"]);
    expect(loaded.report.rejected).toEqual({ ragged_row: 1 });
  });
});

describe("what cannot be read as CSV", () => {
  it("calls a line too long that has no quote in it", async () => {
    const error = await failure(
      load(`id,v\na,1\nb,${"x".repeat(17 * 2 ** 20)}\nc,2\n`, { read: csv, columns }),
    );
    expect(error.problems[0]).toMatchObject({
      code: "too_long",
      message: expect.stringMatching(/^data-\d+, line 3 is longer than 16777216 characters$/),
    });
  });

  it("says on which line bytes are not UTF-8", async () => {
    const bytes = Buffer.from("id,v\r\na,1\rcaf\xe9,2\n", "latin1");
    const error = await failure(load(bytes, { read: csv, columns }));
    expect(error.problems[0]).toMatchObject({
      message: expect.stringContaining("line 3: bytes that are not utf-8"),
      location: { line: 3 },
    });
  });

  it.each([
    ["a quote that never closes", 'id,v\na,1\nb,"2\nc,3\nd,4\n', "unclosed_quote"],
    ["a quote that swallows lines", 'id,v\na,1\nb,"2"x\nc,3\nd,"4"\n', "unclosed_quote"],
    ["a bad quote in the header", 'id,v"x\na,1\n', "bad_quote"],
    ["a header twice", "id,v,v\na,1,2\n", "duplicate_header"],
    ["a column that is missing", "id,w\na,1\n", "unknown_field"],
    ["an empty file", "", "empty_snapshot"],
    ["only line ends", "\n\n", "no_header"],
    [
      "bytes that are not UTF-8",
      Buffer.from([0x69, 0x64, 0x2c, 0x76, 0x0a, 0x61, 0x2c, 0xff, 0x0a]),
      "bad_encoding",
    ],
    ["UTF-16 taken for UTF-8", utf16("id,v\na,1\n"), "bad_encoding"],
    [
      "half a UTF-8 character at the end",
      Buffer.from([0x69, 0x64, 0x2c, 0x76, 0x0a, 0x61, 0x2c, 0xc3]),
      "bad_encoding",
    ],
  ])("%s", async (_, content, code) => {
    const error = await failure(load(content, { read: csv, columns: { id: text("id"), v: text("v") } }));
    expect(error.kind).toBe("source");
    expect(error.problems.map((p) => p.code)).toEqual([code]);
  });

  it("suggests the column that was meant", async () => {
    const error = await failure(
      load("id,Mass\na,1\n", { read: csv, columns: { id: text("id"), v: number("mass") } }),
    );
    expect(error.problems[0]!.hint).toContain("`Mass`");
  });

  it("loads a file with a header and nothing else as an empty table", async () => {
    const loaded = await load("id,v\n", { read: csv, columns });
    expect(loaded.report).toMatchObject({ records: 0, loaded: 0 });
  });

  it("counts flags that are neither true nor false", async () => {
    const loaded = await load("id,f\na,true\nb,maybe\nc,\n", {
      read: csv,
      on_unreadable: "null",
      columns: { id: text("id"), f: flag("f") },
    });
    expect(loaded.report.cells).toEqual({ f: { unreadable_value: 1 } });
  });
});
