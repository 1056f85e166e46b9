import { describe, expect, it } from "vitest";
import { checkCard } from "../../../sources/check-card.js";
import { cardOf, conserved, failure, load, number, numbers, text } from "../helper.js";
import { cellsOf, recordsOf } from "./helper.js";

const csv = { format: "csv", transposed: true };
// In the manner of a published fact sheet: names in the first line without a label, marks of footnotes, grouped digits.
const SHEET = ";Mercury;Moon;Jupiter\nMass (1024kg);0.330;0.073;1898\nDiameter (km);4879;3475*;142,984\n";

describe("a transposed table", () => {
  it("gives a record for each column", async () => {
    const loaded = await load(SHEET, {
      read: { ...csv, delimiter: ";" },
      columns: {
        id: text("#1"),
        mass: number("Mass (1024kg)", { unit: "kg", number: { factor: 1e24 } }),
        diameter: number("Diameter (km)", {
          unit: "km",
          number: { forms: ["plain", "grouped"], suffix: ["*"] },
        }),
      },
    });
    expect(loaded.table.keys).toEqual(["Jupiter", "Mercury", "Moon"]);
    expect(numbers(loaded.table, "mass")).toEqual([1.898e27, 3.3e23, 7.3e22]);
    expect(numbers(loaded.table, "diameter")).toEqual([142984, 4879, 3475]);
    expect([...loaded.table.records]).toEqual([3, 1, 2]);
    expect(conserved(loaded)).toBe(true);
  });

  it.each([
    ["with a label on the names", "id,a,b\nv,1,2\n", {}, ["id", "v"]],
    ["with a column of units", "id,unit,a,b\nv,km,1,2\n", { skip_after_header: 1 }, ["id", "v"]],
    ["without labels", "a,b\n1,2\n", { header: false, names: ["id", "v"] }, ["id", "v"]],
    ["with a title", 'A "title"\nid,a,b\nv,1,2\n', { skip: 1 }, ["id", "v"]],
    ["with comments, empty lines and CR", "id,a,b\r\r# x\rv,1,2\r", { comment: "#" }, ["id", "v"]],
    ["with quotes", '"id",a,"b"\nv,"1",2\n', {}, ["id", "v"]],
    ["in UTF-16", Buffer.from("id,a,b\nv,1,2\n", "utf16le"), { encoding: "utf-16le" }, ["id", "v"]],
  ])("%s", async (_, content, options, wanted) => {
    expect(await cellsOf(content, { ...csv, ...options }, wanted)).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  it("may be short of cells where the card says so", async () => {
    const file = "id,a,b,c\nv,1,2\n";
    const short = await failure(recordsOf(file, csv, ["id", "v"]));
    expect(short.problems[0]).toMatchObject({ code: "ragged_row", location: { line: 2 } });
    expect(await cellsOf(file, { ...csv, ragged: "pad" }, ["id", "v"])).toEqual([
      ["a", "1"],
      ["b", "2"],
      ["c", null],
    ]);
  });

  it.each([
    ["two lines of one name", "id,a\nv,1\nv,2\n", "duplicate_header"],
    ["a field that is nowhere", "id,a\nw,1\n", "unknown_field"],
    ["a stray quote", 'id,a\nv,"1\n', "bad_quote"],
    ["a longer line", "id,a\nv,1,2\n", "ragged_row"],
    ["nothing but empty lines", "\n\n", "no_header"],
    ["bytes of another encoding", Buffer.from([0x69, 0x64, 0x2c, 0xff]), "bad_encoding"],
    ["UTF-16 taken for UTF-8", Buffer.from("id,ab\nv,1\n", "utf16le"), "ragged_row"],
  ])("says what is wrong: %s", async (_, content, code) => {
    const error = await failure(recordsOf(content, csv, ["id", "v"]));
    expect(error.problems.map((p) => p.code)).toEqual([code]);
  });

  it("tells names that JavaScript knows from fields", async () => {
    const names = ["__proto__", "constructor"];
    expect(await cellsOf("__proto__,a\nconstructor,1\n", csv, names)).toEqual([["a", "1"]]);
    const error = await failure(recordsOf("id,a\n", csv, ["toString"]));
    expect(error.problems[0]!.code).toBe("unknown_field");
  });

  it("cannot turn a short line away, as that is no record", () => {
    const card = cardOf({
      columns: { id: text("id") },
      snapshot: { file: "x", sha256: "0".repeat(64), read: { ...csv, ragged: "reject_row" } },
    });
    expect(checkCard(card).map((p) => p.code)).toContain("ragged_transposed");
  });
});
