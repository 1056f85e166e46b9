import { describe, expect, it } from "vitest";
import { checkCard } from "../../../sources/check-card.js";
import { cardOf, failure, load, number, numbers, text, us } from "../helper.js";
import { cellsOf, recordsOf } from "./helper.js";

const fixed = { format: "fixed" };
const columns = [
  { name: "id", start: 1, end: 6 },
  { name: "v", start: 8, end: 12 },
  { name: "rest", start: 14 },
];
const wanted = ["id", "v", "rest"];

describe("fields of fixed width", () => {
  it("are cut by their places, blanks around them dropped", async () => {
    const file = "alpha   1.50 a note\nbeta    -12\n\ngamma      7  x y \n";
    expect(await recordsOf(file, { ...fixed, columns }, wanted)).toEqual([
      { record: 1, line: 1, fields: ["alpha", "1.50", "a note"] },
      { record: 2, line: 2, fields: ["beta", "-12", ""] },
      { record: 3, line: 4, fields: ["gamma", "7", "x y"] },
    ]);
  });

  it("may touch each other, as in tables of catalogues", async () => {
    const touching = [
      { name: "h", start: 1, end: 2 },
      { name: "m", start: 3, end: 4 },
    ];
    expect(await cellsOf("1205\n 6 7\n", { ...fixed, columns: touching }, ["m", "h"])).toEqual([
      ["05", "12"],
      ["7", "6"],
    ]);
  });

  it("read CODATA's way of writing numbers, uncertainties beside them", async () => {
    const file = [
      "  Quantity                 Value                  Uncertainty          Unit",
      "-----------------------------------------------------------------------------",
      "alpha particle mass        6.644 657 3450 e-27    0.000 000 0021 e-27  kg",
      "electron mass              9.109 383 7139 e-31    0.000 000 0028 e-31  kg",
    ].join("\n");
    const { table } = await load(file, {
      read: {
        ...fixed,
        skip: 2,
        columns: [
          { name: "quantity", start: 1, end: 27 },
          { name: "value", start: 28, end: 50 },
          { name: "u", start: 51, end: 71 },
        ],
      },
      columns: {
        id: text("quantity"),
        v: number("value", { unit: "kg", number: { forms: ["spaced"] }, uncertainty: { from: "u" } }),
      },
    });
    expect(numbers(table, "v")).toEqual([6.644657345e-27, 9.1093837139e-31]);
    expect(us(table, "v")).toEqual([2.1e-36, 2.8e-40]);
  });

  it.each([
    ["dashes", "id     v      rest\n------ ------ ----\nalpha  1.50   note\n"],
    [
      "equals signs, on three sides",
      "====== ===== =====\nid     v     rest\n====== ===== =====\nalpha  1.50  note\n====== ===== =====\n",
    ],
    ["a database client's frame", " id    |  v   | rest \n-------+------+------\n alpha | 1.50 | note\n"],
    ["CR LF and a title to skip", "T\r\nid     v      rest\r\n------ ------ ----\r\nalpha  1.50   note\r\n"],
  ])("stand where a ruler says: %s", async (name, file) => {
    const skip = name.includes("title") ? 1 : 0;
    expect(await cellsOf(file, { ...fixed, ruler: true, skip }, wanted)).toEqual([["alpha", "1.50", "note"]]);
  });

  it("count characters, whatever bytes they take", async () => {
    const places = [
      { name: "id", start: 1, end: 3 },
      { name: "v", start: 4, end: 5 },
    ];
    expect(await cellsOf("αβγ12\n🪐🪐 34\n", { ...fixed, columns: places }, ["id", "v"])).toEqual([
      ["αβγ", "12"],
      ["🪐🪐", "34"],
    ]);
    const latin = Buffer.from("åäö12\n", "latin1");
    expect(await cellsOf(latin, { ...fixed, columns: places, encoding: "latin1" }, ["id", "v"])).toEqual([
      ["åäö", "12"],
    ]);
  });

  it("pass over comments and rows of dashes only where they are the ruler itself", async () => {
    const file = "id v\n-- ---\n# no\na  1\n-- -\nb  2\n-- ---\n";
    expect(await cellsOf(file, { ...fixed, ruler: true, comment: "#" }, ["id", "v"])).toEqual([
      ["a", "1"],
      ["--", "-"],
      ["b", "2"],
    ]);
  });

  it.each([
    ["a tab", "alpha\t1.50\n", { columns }, "tab_in_fixed", 1],
    [
      "text between the columns of a ruler",
      "id v\n-- --\na  1\nab_2\n",
      { ruler: true },
      "misaligned_row",
      4,
    ],
    [
      "text beyond the last column of a ruler",
      "id v\n-- --\na  1234\n",
      { ruler: true },
      "misaligned_row",
      3,
    ],
    ["no ruler under the names", "id v\na  1\n", { ruler: true }, "bad_ruler", 2],
    ["names only", "id v\n", { ruler: true }, "no_header", undefined],
    [
      "two columns of one name",
      "id v  v\n-- -- --\na  1  2\n",
      { ruler: true },
      "duplicate_header",
      undefined,
    ],
    ["another column", "x  v\n-- --\n1  2\n", { ruler: true }, "unknown_field", undefined],
    ["bytes of another encoding", Buffer.from([0x61, 0xe5, 0x0a]), { columns }, "bad_encoding", undefined],
    ["a line without end", "x".repeat(17 * 2 ** 20), { columns }, "too_long", undefined],
  ])("fail on %s, naming the line", async (_, content, options, code, line) => {
    const error = await failure(recordsOf(content, { ...fixed, ...options }, ["id", "v"]));
    expect(error.problems[0]).toMatchObject(line === undefined ? { code } : { code, location: { line } });
  });

  it.each([
    ["neither columns nor a ruler", {}, "fixed_columns"],
    ["both", { columns, ruler: true }, "fixed_columns"],
    ["columns that overlap", { columns: [...columns, { name: "x", start: 6, end: 7 }] }, "columns_overlap"],
    ["an end before the start", { columns: [{ name: "x", start: 6, end: 5 }] }, "range_order"],
  ])("are refused in a card with %s", (_, options, code) => {
    const read = { ...fixed, ...options };
    const card = cardOf({
      columns: { id: text("id") },
      snapshot: { file: "x", sha256: "0".repeat(64), read },
    });
    expect(checkCard(card).map((p) => p.code)).toContain(code);
  });
});
