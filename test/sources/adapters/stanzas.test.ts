import { describe, expect, it } from "vitest";
import { failure } from "../helper.js";
import { cellsOf, recordsOf } from "./helper.js";

const obo = { format: "stanzas", stanza: "Term", comment: "!", escapes: true };
const ONTOLOGY = `format-version: 1.2
ontology: made-up

[Term]
id: MU:0000001
name: round\\, red thing ! a comment
def: "A thing! that is \\"round\\"." [MU:x] ! made up
is_a: MU:0000002 ! thing
is_a: MU:0000003 ! other

[Typedef]
id: part_of

! a comment on a line of its own
[Term]
id: MU:0000002
name: thing with \\
 a long name
`;

describe("stanzas", () => {
  it("read OBO: heads, comments, escapes, lines that go on", async () => {
    expect(await recordsOf(ONTOLOGY, obo, ["id", "name", "def"])).toEqual([
      {
        record: 1,
        line: 4,
        fields: ["MU:0000001", "round, red thing", '"A thing! that is "round"." [MU:x]'],
      },
      { record: 2, line: 15, fields: ["MU:0000002", "thing with  a long name", null] },
    ]);
  });

  it("put repeated fields together, or refuse them", async () => {
    expect(await cellsOf(ONTOLOGY, { ...obo, join: "; " }, ["id", "is_a"])).toEqual([
      ["MU:0000001", "MU:0000002; MU:0000003"],
      ["MU:0000002", null],
    ]);
    const error = await failure(recordsOf(ONTOLOGY, obo, ["id", "is_a"]));
    expect(error.problems[0]).toMatchObject({ code: "repeated_field", location: { line: 9 } });
  });

  it("read INI files, each head a field", async () => {
    const file = "# x\r\n[sun]\r\nmass = 1.9e30 # kg\r\n\r\n[moon]\r\n  mass=7e22\r\n";
    const read = { format: "stanzas", stanza: "*", separator: "=", comment: "#" };
    expect(await cellsOf(file, read, ["#stanza", "mass"])).toEqual([
      ["sun", "1.9e30"],
      ["moon", "7e22"],
    ]);
  });

  it("read paragraphs, with lines that go on", async () => {
    const file = "Package: one\nDescription: short\n long\n\n\nPackage: two\nURL: http://x/#y\n";
    expect(await cellsOf(file, { format: "stanzas" }, ["Package", "Description", "URL"])).toEqual([
      ["one", "short long", null],
      ["two", null, "http://x/#y"],
    ]);
  });

  it("take a name as a name, whatever JavaScript thinks of it", async () => {
    const file = "__proto__: 1\nconstructor: 2\n";
    expect(await cellsOf(file, { format: "stanzas" }, ["constructor", "__proto__"])).toEqual([["2", "1"]]);
  });

  it.each([
    ["no stanza of that name", "[Other]\nid: 1\n", obo, "no_records"],
    ["nothing but comments", "! x\n", { ...obo, stanza: undefined }, "no_records"],
    ["a line without separator", "[Term]\nid\n", obo, "bad_line"],
    ["a value without name", "[Term]\n: x\n", obo, "bad_line"],
    ["a field that is nowhere", "[Term]\nid: 1\n", obo, "unknown_field"],
    ["UTF-16 taken for UTF-8", Buffer.from("\uFEFF[Term]\nid: 1\n", "utf16le"), obo, "bad_encoding"],
    ["a record without end", `[Term]\n${`x: ${"y".repeat(2 ** 20)}\n`.repeat(17)}`, obo, "too_long"],
  ])("fail on %s", async (_, content, read, code) => {
    const error = await failure(recordsOf(content, read, ["id", "name"]));
    expect(error.problems.map((p) => p.code)).toEqual([code]);
  });
});
