import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readExpected } from "../../../stages/problem/answer.js";
import type { AnswerCells } from "../../../stages/problem/cells.js";
import { gradeAnswer } from "../../../verifiers/answer/grade.js";
import { notationOf } from "../../../verifiers/answer/language.js";

function read(type: AnswerCells["type"], answer: string, more: Partial<AnswerCells> = {}) {
  const found = readExpected({ type, answer, tolerance: 0, aliases: [], language: "en", ...more });
  return "expected" in found ? found.expected : found.why;
}

const plain = (value: number | string, unit = "1", tolerance = 0) => ({
  type: "quantity",
  value,
  unit,
  tolerance,
});

describe("the answer of a record", () => {
  it("is read by its type", () => {
    expect(read("quantity", "1.27e3 kg/m^3", { tolerance: 0.01 })).toEqual(plain(1270, "kg m^-3", 0.01));
    expect(read("quantity", "75", { unit: "km/h", digits: 2 })).toEqual({ ...plain(75, "km/h"), digits: 2 });
    expect(read("quantity", "1,270")).toEqual(plain(1270));
    expect(read("quantity", "\\frac{1}{8}")).toEqual(plain(0.125));
    expect(read("quantity", "1e400")).toEqual(plain("1e400"));
    expect(read("quantity", "1/3")).toEqual(plain(`${"3".repeat(40)}e-40`, "1", 1e-12));
    expect(read("integer", "265252859812191058636308480000000")).toEqual({
      type: "integer",
      value: "265252859812191058636308480000000",
    });
    expect(read("integer", "1,270")).toEqual({ type: "integer", value: "1270" });
    expect(read("entity", "tungsten", { aliases: ["wolfram"] })).toEqual({
      type: "entity",
      name: "tungsten",
      aliases: ["wolfram"],
    });
    expect(read("boolean", "No")).toEqual({ type: "boolean", value: false });
    expect(read("date", "1846-09-23")).toEqual({ type: "date", value: "1846-09-23" });
    expect(read("text", "to be or not to be")).toEqual({ type: "text", value: "to be or not to be" });
    expect(read("expression", "3x^2 - 5")).toEqual({ type: "expression", text: "3x^2 - 5" });
    const options = { A: "Mars", B: "Venus" };
    expect(read("choice", "(B)", { options })).toEqual({ type: "choice", value: "B", options });
    expect(read("choice", "venus", { options })).toEqual({ type: "choice", value: "B", options });
  });

  it("may hold several items", () => {
    const ab = ["Io", "Europa"].map((name) => ({ type: "entity", name, aliases: [] }));
    expect(read("list", "Io; Europa")).toEqual({ type: "list", items: ab });
    expect(read("set", "{Io, Europa}")).toEqual({ type: "set", items: ab });
    expect(read("set", '["Io", "Europa"]')).toEqual({ type: "set", items: ab });
    expect(read("vector", "(1, 2.5) m")).toEqual({ type: "vector", items: [plain(1, "m"), plain(2.5, "m")] });
    expect(read("tuple", "[1, 2.5]", { unit: "s" })).toEqual({
      type: "tuple",
      items: [plain(1, "s"), plain(2.5, "s")],
    });
    expect(read("matrix", "[[1, 2], [3, 4]]")).toEqual({
      type: "matrix",
      rows: [
        [plain(1), plain(2)],
        [plain(3), plain(4)],
      ],
    });
    const ends = { type: "interval", low: plain(1), high: plain(2) };
    expect(read("interval", "[1; 2)")).toEqual({ ...ends, closed: [true, false] });
    expect(read("interval", "(1, 2]")).toEqual({ ...ends, closed: [false, true] });
    expect(read("interval", "(1, ∞)")).toEqual({ ...ends, high: null, closed: [false, false] });
  });

  it("may be in the verifier's own form", () => {
    const whole = { type: "expression", text: "\\ln x", domain: { x: [1, 5] } };
    expect(read("expression", JSON.stringify(whole))).toEqual(whole);
    expect(read("list", JSON.stringify(whole))).toBe("it is of type expression");
    expect(read("expression", '{"type":"expression","text":""}')).toMatch(/^text: /);
  });

  it("follows the question's language in what a comma means", () => {
    expect(read("quantity", "1,275", { language: "de" })).toEqual(plain(1.275));
    expect(read("quantity", "1.275", { language: "de" })).toEqual(plain(1275));
    expect(read("quantity", "1.270.000")).toMatch(/no single meaning in numbers of the language en/);
    expect(read("vector", "1,5; 2,25", { language: "de" })).toEqual({
      type: "vector",
      items: [plain(1.5), plain(2.25)],
    });
    expect(read("vector", "[1.125, 2]", { language: "de" })).toEqual({
      type: "vector",
      items: [plain(1.125), plain(2)],
    });
    expect(read("vector", "1,5, 2", { language: "de" })).toMatch(/a comma in it may part items/);
    expect(read("vector", "(1,270)")).toMatch(/a comma in it may part items/);
  });

  it.each([
    ["quantity", "about right", "it is not one number"],
    ["quantity", "5 ± 0.1 kg", "it states an uncertainty"],
    ["quantity", "3 blorps", "it is not one number"],
    ["integer", "7.5", "it is not a whole number"],
    ["integer", "7 kg", "it has a unit"],
    ["boolean", "perhaps", "it is neither yes nor no"],
    ["choice", "Pluto", "it is none of the options"],
    ["date", "23.9.1846", "write an ISO 8601 date"],
    ["date", "1846-02-30", "as a reply it would be wrong"],
    ["matrix", "1 2; 3 4", "it is no JSON list of rows"],
    ["matrix", "[[1, 2], [3]]", "all rows must be of one length"],
    ["interval", "from 1 to 2", "it does not stand in brackets"],
    ["interval", "[1; 2; 3]", "it has 3 ends"],
    ["vector", "[1; north]", '"north" is not one number'],
    ["list", '[["a"], 1]', "an item is neither a number nor a text"],
    ["expression", "the square of x", "as a reply it would be"],
  ] as const)("of type %s is not %j", (type, answer, why) => {
    expect(read(type, answer, { options: { A: "Mars", B: "Venus" } })).toContain(why);
  });

  it("is known again by the verifier, whatever number it is", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom("en", "de", "fr"),
        (number, language) => {
          const text = String(number).replace(".", notationOf(language).decimal);
          const expected = read("quantity", text, { language });
          expect(expected).toMatchObject({ type: "quantity", value: Object.is(number, -0) ? 0 : number });
          expect(gradeAnswer(text, expected as never, { language }).verdict).toBe("right");
        },
      ),
      { numRuns: 200 },
    );
  });

  it("ends in an answer or a fault for any text", () => {
    const type = fc.constantFrom(
      ...(["quantity", "integer", "list", "set", "interval", "matrix", "expression", "date"] as const),
    );
    fc.assert(
      fc.property(type, fc.oneof(fc.string(), fc.json()), (type, answer) => {
        expect(["string", "object"]).toContain(typeof read(type, answer));
      }),
      { numRuns: 300 },
    );
  });
});
