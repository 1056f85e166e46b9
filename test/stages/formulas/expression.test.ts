import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  depthOf,
  type Expression,
  ExpressionError,
  namesIn,
  parseExpression,
} from "../../../stages/formulas/expression.js";
import { compileSql } from "../../../stages/formulas/sql.js";

const failure = (text: string): ExpressionError => {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
  }
  throw new Error(`${text} was accepted`);
};

const show = (e: Expression): string => {
  if (e.kind === "number") return String(e.value);
  if (e.kind === "name") return e.name;
  if (e.kind === "negate") return `(-${show(e.of)})`;
  if (e.kind === "call") return `${e.name}(${show(e.argument)})`;
  return `(${show(e.left)}${e.op}${show(e.right)})`;
};

describe("the formula language", () => {
  it.each([
    ["a-b-c", "((a-b)-c)"],
    ["a/b*c", "((a/b)*c)"],
    ["a^b^c", "(a^(b^c))"],
    ["-a^2", "(-(a^2))"],
    ["a^-2", "(a^(-2))"],
    ["-a*b", "((-a)*b)"],
    ["2*-a", "(2*(-a))"],
    ["--a", "(-(-a))"],
    ["1.5e-3*sqrt( a + 1 )", "(0.0015*sqrt((a+1)))"],
  ])("%s means %s", (text, meaning) => {
    expect(show(parseExpression(text))).toBe(meaning);
  });

  it.each([
    ["", 0, "ends too early"],
    ["   ", 0, "ends too early"],
    ["2 a", 2, "not expected"],
    ["a b", 2, "not expected"],
    ["(a)(b)", 3, "not expected"],
    ["a +", 3, "ends too early"],
    ["+a", 0, "plus sign"],
    ["a,b", 1, "not part of the formula language"],
    ["a; b", 1, "not part"],
    ["a'", 1, "not part"],
    ["a.b", 1, "not part"],
    ["a[0]", 1, "not part"],
    ['"x"', 0, "not part"],
    ["a = 1", 2, "not part"],
    ["a % 2", 2, "not part"],
    ["a !", 2, "not part"],
    ["$1", 0, "not part"],
    ["5 kg", 2, "not expected"],
    ["import(1)", 0, "`import` is not a function"],
    ["evaluate(1)", 0, "not a function"],
    ["createUnit(a)", 0, "not a function"],
    ["constructor(a)", 0, "not a function"],
    ["pow(a)", 0, "not a function"],
    ["sqrt", 0, "is a function"],
    ["sqrt(a", 4, "not closed"],
    ["a)", 1, "not expected"],
    ["a + in", 4, "reserved word"],
    ["true", 0, "reserved word"],
    ["a mod b", 2, "not expected"],
    ["x to y", 2, "not expected"],
    ["1e", 1, "not expected"],
    ["1..2", 1, "not part"],
    [".5", 0, "not part"],
    ["α + 1", 0, "not part"],
    ["a -- -- 😀", 8, "`😀` is not part"],
    ["(".repeat(100), 61, "nested too deeply"],
    ["-".repeat(100), 61, "nested too deeply"],
    ["1".repeat(1001), 1000, "too long"],
  ])("refuses %j at %d", (text, at, says) => {
    const error = failure(text);
    expect(error.message).toContain(says);
    expect(error.at).toBe(at);
  });

  it("refuses or parses any text, never anything else", () => {
    const piece = fc.constantFrom(
      "a",
      "b2",
      "1",
      "2.5e3",
      "+",
      "-",
      "*",
      "/",
      "^",
      "(",
      ")",
      " ",
      "sqrt",
      "ln(",
      ";",
      "'",
      "π",
      "import",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          const tree = parseExpression(pieces.join(""));
          expect(show(parseExpression(show(tree)))).toBe(show(tree));
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });

  it("lists names and depth", () => {
    const tree = parseExpression("4/3*pi*r^3 + sqrt(m)*r");
    expect([...namesIn(tree)]).toEqual(["r", "m"]);
    expect(depthOf(tree)).toBe(4);
    expect(depthOf(parseExpression("-x"))).toBe(0);
  });
});

describe("SQL of an expression", () => {
  it("holds the caller's operands, numbers and nothing of the text", () => {
    const sql = compileSql(
      { expression: "-mass^2 / (pi*r) - 0.5" },
      { mass: { sql: "c1", unit: "kg" }, r: { sql: "$2", unit: "kg^2" } },
      "1",
    );
    expect(sql).toContain("pow((CAST(c1 AS DOUBLE)), 2e+0)");
    expect(sql).toContain("5e-1");
    expect(sql).not.toContain("mass");
  });
  it("refuses a name that is neither operand nor constant", () => {
    expect(() => compileSql({ expression: "x" }, {}, "1")).toThrow("`x` is neither an input nor a constant");
  });
  it("prints constants in SI with all their digits", () => {
    expect(compileSql({ expression: "G*m" }, { m: { sql: "c1", unit: "g" } }, "km^3 s^-2")).toContain(
      "6.6743e-11",
    );
  });
});
