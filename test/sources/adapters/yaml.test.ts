import { describe, expect, it } from "vitest";
import { failure } from "../helper.js";
import { cellsOf, recordsOf } from "./helper.js";

const yaml = { format: "yaml" };

describe("YAML", () => {
  it("keeps every scalar as it is written", async () => {
    const written = [
      "1E2",
      "007",
      "0x10",
      "0.330",
      "yes",
      "NO",
      "12:30",
      "1_000",
      "~",
      "null",
      ".inf",
      "2001-01-01",
    ];
    const file = written.map((v, i) => `- { id: k${i}, v: ${v} }\n`).join("");
    expect((await cellsOf(file, yaml, ["v"])).flat()).toEqual(written);
  });

  it("tells nothing from an empty text", async () => {
    const file =
      "- id: a\n  v:\n- id: b\n  v: ''\n- id: c\n- { id: d, v: }\n- {id: e, v: |\n    two\n    lines\n  }\n";
    expect((await cellsOf(file.replace(/- \{id: e.*/s, ""), yaml, ["v"])).flat()).toEqual([
      null,
      "",
      null,
      null,
    ]);
    expect(await cellsOf("- v: |\n    two\n    lines\n", yaml, ["v"])).toEqual([["two\nlines\n"]]);
  });

  it("finds records by a path, in a list or in a map by their keys", async () => {
    const list =
      "meta: { n: 2 }\ndata:\n  stars:\n    - name: A\n      pos: { ra: 1.0, dec: [2, 3] }\n    - name: B\n";
    expect(
      await recordsOf(list, { ...yaml, path: "data.stars" }, ["name", "pos.ra", "pos.dec.1", "pos"]),
    ).toEqual([
      { record: 1, line: 4, fields: ["A", "1.0", "3", '{"ra":"1.0","dec":["2","3"]}'] },
      { record: 2, line: 6, fields: ["B", null, null, null] },
    ]);
    const map = "007: { v: 1 }\n1E2:\n  v: 2\n__proto__: { v: 3 }\n";
    expect(await cellsOf(map, yaml, ["#key", "v"])).toEqual([
      ["007", "1"],
      ["1E2", "2"],
      ["__proto__", "3"],
    ]);
  });

  it("lets an alias stand for what the last anchor of its name holds", async () => {
    const file =
      "- &a { id: x, v: &v 1 }\n- { id: y, v: *v }\n- { id: z, v: &v 2 }\n- { id: w, v: *v }\n- *a\n";
    expect((await cellsOf(file, yaml, ["v"])).flat()).toEqual(["1", "1", "2", "2", "1"]);
  });

  it("reads other encodings, and CR alone", async () => {
    const latin = Buffer.from("- { v: å }\r- { v: b }\r", "latin1");
    expect((await cellsOf(latin.toString("latin1").replaceAll("\r", "\r\n"), yaml, ["v"])).flat()).toEqual([
      "å",
      "b",
    ]);
    expect((await cellsOf(latin, { ...yaml, encoding: "latin1" }, ["v"])).flat()).toEqual(["å", "b"]);
    const wide = Buffer.from("\uFEFF- { v: å }\n", "utf16le");
    expect((await cellsOf(wide, { ...yaml, encoding: "utf-16le" }, ["v"])).flat()).toEqual(["å"]);
  });

  const laughs = [
    "- &a0 [x, x]",
    ...Array.from({ length: 40 }, (_, i) => `- &a${i + 1} [*a${i}, *a${i}]`),
  ].join("\n");
  const lines = (file: string): string => file.replace(/^- /gm, "  - ");

  it.each([
    ["a bomb of aliases", `bomb:\n${lines(laughs)}\nrows:\n  - { v: *a40 }\n`, { path: "rows" }, "bad_alias"],
    ["an alias inside itself", "- v: &a [*a]\n", {}, "bad_yaml"],
    ["an alias of nothing", "- v: *a\n", {}, "bad_alias"],
    [
      "many aliases of a long text",
      `- v: &a "${"x".repeat(2 ** 20)}"\n${"- v: *a\n".repeat(40)}`,
      {},
      "bad_alias",
    ],
    ["lists in lists without end", `- v: ${"[".repeat(10_000)}\n`, {}, "too_deep"],
    ["deep nesting that is closed", `- v: ${"[".repeat(200)}${"]".repeat(200)}\n`, {}, "too_deep"],
    ["a key twice", "- v: 1\n  v: 2\n", {}, "duplicate_header"],
    ["a merge key", "- &a { v: 1 }\n- { <<: *a }\n", {}, "bad_yaml"],
    ["a key that is a map", "- { {a: b}: c, v: 1 }\n", {}, "bad_yaml"],
    ["a second document", "- v: 1\n---\n- v: 2\n", {}, "bad_yaml"],
    ["a quote without end", '- v: "1\n', {}, "bad_yaml"],
    ["a tab for indentation", "a:\n\t- v: 1\n", {}, "bad_yaml"],
    ["a scalar for a record", "- v: 1\n- 2\n", {}, "bad_record"],
    ["a scalar for the records", "rows: 5\n", { path: "rows" }, "no_records"],
    ["a path to nowhere", "rows: []\n", { path: "data.rows" }, "no_records"],
    ["an empty document", "# nothing\n", {}, "no_records"],
    ["no record", "[]\n", {}, "unknown_field"],
    ["a field that is nowhere", "- w: 1\n", {}, "unknown_field"],
    ["bytes that are no UTF-8", Buffer.from([0x2d, 0x20, 0xff]), {}, "bad_encoding"],
    ["more than is read", `- v: "${"x".repeat(9 * 2 ** 20)}"\n`, {}, "too_large"],
  ])("refuses %s", async (_, content, options, code) => {
    const error = await failure(recordsOf(content, { ...yaml, ...options }, ["v"]));
    expect(error.problems.map((p) => p.code)).toEqual([code]);
  });

  it("names the line and column of a fault", async () => {
    const error = await failure(recordsOf("- v: 1\n- v: [1\n- v: 2\n", yaml, ["v"]));
    expect(error.problems[0]!.location).toMatchObject({ line: 3 });
    expect(error.problems[0]!.location!.column).toBeGreaterThan(0);
  });

  it("reads a map of many keys in time that grows with their number alone", async () => {
    const file = Array.from({ length: 5_000 }, (_, i) => `k${i}: { v: ${i} }\n`).join("");
    expect(await cellsOf(file, yaml, ["#key", "v"])).toHaveLength(5_000);
  });
});
