import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import { layoutOf } from "../../../sources/profile/layout/guess.js";
import { openSnapshot } from "../../../sources/snapshot.js";
import { snapshotFile } from "../helper.js";

const guessed = async (content: string | Uint8Array) => layoutOf(await openSnapshot(snapshotFile(content)));
const names = async (content: string | Uint8Array) => (await guessed(content)).fields.map((f) => f.name);

describe("delimited text", () => {
  it.each([
    [",", "a,b,c\n1,2,3\n4,5,6\n"],
    [";", "a;b;c\r\n1,5;2;3\r\n4,5;5;6\r\n"],
    ["\t", "a\tb\tc\r1\t2\t3\r4\t5\t6\r"],
    ["|", "a|b|c\n1|2|3\n"],
  ])("finds the delimiter %j, whatever the line ends are", async (delimiter, content) => {
    const layout = await guessed(content);
    expect(layout.read).toMatchObject({ format: "csv", delimiter, header: true, encoding: "utf-8" });
    expect(layout.fields.map((f) => f.name)).toEqual(["a", "b", "c"]);
    expect(layout.said.join("\n")).toContain("delimiter:");
  });

  it("reads a file that was packed", async () => {
    expect(await names(gzipSync("a,b\n1,2\n"))).toEqual(["a", "b"]);
  });

  it.each([
    ["latin1", Buffer.from("name,place\nx,K\u00f6ln\n", "latin1")],
    ["windows-1252", Buffer.from([...Buffer.from("name,place\nx,"), 0x93, 0x41, 0x94, 0x0a])],
    ["utf-16le", Buffer.from("name,place\nx,K\u00f6ln\nz,Bonn\n", "utf16le")],
    ["utf-8", Buffer.from("name,place\nx,K\u00f6ln\n")],
  ])("finds the encoding %s", async (encoding, content) => {
    expect((await guessed(content)).read).toMatchObject({ format: "csv", encoding });
  });

  it("finds comment lines, and what they say of columns", async () => {
    const { read, fields } = await guessed(
      "# made in 2025\n# COLUMN per: Orbital Period [days]\n# COLUMN rad: Radius [Earth radii]\nper,rad\n1.5,2\n2.5,3\n",
    );
    expect(read).toMatchObject({ comment: "#" });
    expect(fields).toEqual([
      { name: "per", description: "Orbital Period", unit: "days" },
      { name: "rad", description: "Radius", unit: "Earth radii" },
    ]);
  });

  it("does not take a header that begins with # for a comment", async () => {
    expect((await guessed("#id,name\n1,a\n2,b\n")).read).toMatchObject({ comment: null });
  });

  it("finds a row of units, and a title above the header", async () => {
    const { read, fields } = await guessed(
      "A table of things\nname,mass,speed\n,kg,km/s\na,1.5,2\nb,2.5,3\n",
    );
    expect(read).toMatchObject({ skip: 1, skip_after_header: 1 });
    expect(fields).toEqual([{ name: "name" }, { name: "mass", unit: "kg" }, { name: "speed", unit: "km/s" }]);
  });

  it("says so where there is no header, or where its names are not distinct", async () => {
    const none = await guessed("3,a,1.5\n4,b,2.5\n5,c,3.5\n");
    expect(none.read).toMatchObject({ header: false, names: ["column_1", "column_2", "column_3"] });
    const twice = await guessed("x,x,\n1,2,3\n4,5,6\n");
    expect(twice.read).toMatchObject({ header: false, skip: 1, names: ["x", "x_2", "column_3"] });
    expect(twice.said.join(" ")).toContain("not distinct");
  });

  it("drops quotes that mean nothing, and rows that are ragged", async () => {
    const bare = await guessed('a\tb\n1\tso "called\n2\tx" y\n');
    expect(bare.read).toMatchObject({ quote: null });
    expect((await guessed("a,b,c\n1,2,3\n4,5,6\n7,8\n")).read).toMatchObject({ ragged: "pad" });
    expect((await guessed("a,b,c\n1,2,3\n4,5,6\n7,8,9,10\n")).read).toMatchObject({ ragged: "reject_row" });
  });

  it("sees that records stand in columns", async () => {
    const sheet =
      ";Mercury;Venus;Earth\nMass (1024kg);0.330;4.87;5.97\nDiameter (km);4879;12,104;12,756\nRings?;No;No;No\n";
    const { read, fields } = await guessed(sheet);
    expect(read).toMatchObject({ transposed: true, delimiter: ";" });
    expect(fields.map((f) => f.name)).toEqual(["#1", "Mass (1024kg)", "Diameter (km)", "Rings?"]);
  });
});

describe("other formats", () => {
  it("cuts lines of fixed width at the gutters that all of them have", async () => {
    const line = (a: string, b: string, c: string) => `${a.padEnd(20)}${b.padEnd(14)}${c}\n`;
    const { read } = await guessed(
      [
        line("electron mass", "9.109 383", "kg"),
        line("proton mass", "1.672 621", "kg"),
        line("speed of light", "299 792 458", "m s^-1"),
      ]
        .concat(line("a", "1", ""), line("b", "2", ""))
        .join(""),
    );
    expect(read).toMatchObject({
      format: "fixed",
      columns: [
        { name: "column_1", start: 1, end: 20 },
        { name: "column_2", start: 21, end: 34 },
        { name: "column_3", start: 35 },
      ],
    });
  });

  it("says which fields are lists, and not offered", async () => {
    const json = [
      { id: "a", tld: [".a"], at: [1, 2] },
      { id: "b", tld: [], borders: ["a"], at: [3, 4] },
    ];
    const found = await guessed(JSON.stringify(json));
    expect(found.fields.map((f) => f.name)).toEqual(["id", "at.0", "at.1"]);
    expect(found.said.join("\n")).toContain(
      "lists: tld, borders; a card reads one place of a list, `from: tld.0`",
    );
    const yaml = await guessed("- id: a\n  tags: [x, y]\n- id: b\n  tags: [z]\n");
    expect(yaml.said.join("\n")).toContain("lists: tags;");
  });

  it("takes a header of letters with numbers for one", async () => {
    const found = await guessed("x1,x2,x3\n0.5,1.5,2.5\n1.5,2.5,3.5\n2.5,3.5,4.5\n");
    expect(found.fields.map((f) => f.name)).toEqual(["x1", "x2", "x3"]);
    const data = await guessed("R1,R2,R3\nR4,R5,R6\nR7,R8,R9\n");
    expect(data.fields.map((f) => f.name)).toEqual(["column_1", "column_2", "column_3"]);
  });

  it.each([
    ["lists", `a: ${"[".repeat(3000)}${"]".repeat(3000)}\n`, 1],
    ["maps", `${Array.from({ length: 3000 }, (_, i) => `${" ".repeat(i)}k:`).join("\n")} 1\n`, 100],
  ])("says where YAML nests too many %s", async (_, text, line) => {
    await expect(guessed(text)).rejects.toMatchObject({
      problems: [
        { code: "too_deep", message: expect.stringContaining(`line ${line}: nested deeper than 100 levels`) },
      ],
    });
  });

  it("says that a file of aliases alone holds no records, and that zeros are no text", async () => {
    const bomb = `a: &a [x, x]\n${"bcdef"
      .split("")
      .map((n, i) => `${n}: &${n} [*${"abcde"[i]}, *${"abcde"[i]}]`)
      .join("\n")}\n`;
    await expect(guessed(bomb)).rejects.toMatchObject({ problems: [{ code: "no_records" }] });
    await expect(guessed("\0".repeat(5000))).rejects.toMatchObject({ problems: [{ code: "binary_data" }] });
  });

  it("finds the array of records in JSON, nested fields and lists of names", async () => {
    const geo = await guessed(
      '{"meta":{"n":1},"features":[{"properties":{"mag":1.0,"place":"x"},"geometry":{"coordinates":[1,2,3]}}]}',
    );
    expect(geo.read).toMatchObject({ format: "json", path: "features" });
    expect(geo.fields.map((f) => f.name)).toEqual([
      ...["properties.mag", "properties.place"],
      ...["geometry.coordinates.0", "geometry.coordinates.1", "geometry.coordinates.2"],
    ]);
    const jpl = await guessed('{"fields":["name","H"],"data":[["Ceres","3.3"],["Pallas","4.1"]]}');
    expect(jpl.read).toMatchObject({ path: "data", fields: "fields" });
    expect(jpl.fields.map((f) => f.name)).toEqual(["name", "H"]);
    const lines = await guessed('{"a":1}\n{"a":2,"b":3}\n');
    expect(lines.read).toEqual({ format: "ndjson" });
    expect(lines.fields.map((f) => f.name)).toEqual(["a", "b"]);
  });

  it("finds the element that repeats in XML, and tells siblings apart by an attribute", async () => {
    const { read, fields } = await guessed(
      '<list><meta/><atom id="H"><s k="mass">1.0</s><s k="radius">0.3</s></atom><atom id="He"><s k="mass">4.0</s></atom></list>',
    );
    expect(read).toEqual({ format: "xml", record: "atom" });
    expect(fields.map((f) => f.name)).toEqual([
      "@id",
      "s[k=mass]@k",
      "s[k=mass]",
      "s[k=radius]@k",
      "s[k=radius]",
    ]);
  });

  it("finds records in YAML and in stanzas", async () => {
    const yaml = await guessed(
      "stars:\n  - name: Sirius\n    mag: -1.46\n  - name: Vega\n    mag: 0.03\n    near: yes\n",
    );
    expect(yaml.read).toMatchObject({ format: "yaml", path: "stars" });
    expect(yaml.fields.map((f) => f.name)).toEqual(["name", "mag", "near"]);
    const obo = await guessed(
      "format-version: 1.2\n\n[Term]\nid: X:1\nname: a\n\n[Term]\nid: X:2\nname: b\nis_a: X:1\n",
    );
    expect(obo.read).toMatchObject({ format: "stanzas", stanza: "Term", comment: "!" });
    expect(obo.fields.map((f) => f.name)).toEqual(["id", "name", "is_a"]);
  });

  it.each(["", "\u0000\u0001\u0002\u0003", "hello", "{", "<a>", "[1, 2"])(
    "refuses %j in words",
    async (content) => {
      const failed = await guessed(content).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(TaskmillError);
    },
  );
});
