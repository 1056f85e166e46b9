import { spawnSync } from "node:child_process";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pythonReward } from "../../../datasets/python/join.js";
import { noPython } from "../python/ask.js";

/** The functions at many digits that Python's library lacks, against decimal.js at more digits than they are asked for. */
const Exact = Decimal.clone({ precision: 80, maxE: 9e15, minE: -9e15 });
const DIGITS = 50;
/** By the names of Python's functions; each with arguments of sizes that it is used for. */
const FUNCTIONS: Readonly<Record<string, [(x: Decimal) => Decimal, low: number, high: number]>> = {
  sin: [(x) => x.sin(), -30, 5],
  cos: [(x) => x.cos(), -30, 5],
  arctan: [(x) => x.atan(), -30, 30],
  arcsin: [(x) => x.asin(), -30, -1],
  arccos: [(x) => x.acos(), -30, -1],
  sinh: [(x) => x.sinh(), -30, 1],
  cosh: [(x) => x.cosh(), -30, 1],
  tanh: [(x) => x.tanh(), -30, 1],
  arcsinh: [(x) => x.asinh(), -12, 12],
  arccosh: [(x) => x.abs().plus(1).acosh(), -12, 12],
  arctanh: [(x) => x.atanh(), -12, -1],
};

const CALLS = `
import json, sys
from decimal import Decimal
source, cases = json.load(sys.stdin)
space = {"__name__": "reward"}
exec(compile(source, "reward", "exec"), space)
def call(name, x):
    if name in ("sin", "cos"):
        return space["expr_digits_turn"](x, 0 if name == "sin" else 1, ${DIGITS})
    if name == "arccosh":
        x = space["expr_digits_context"](300).add(abs(x), 1)
    return space["expr_digits_" + name](x, ${DIGITS})
print(json.dumps([str(call(name, Decimal(x))) for name, x in cases]))
`;

const reason = noPython();
describe.skipIf(reason !== undefined)("functions at many digits in Python", () => {
  it("are right to the digits of the result", () => {
    const one = fc.tuple(fc.constantFrom(...Object.keys(FUNCTIONS)), fc.integer(), fc.nat(1000));
    const cases = fc.sample(one, 400).map(([name, mantissa, place]): [string, string] => {
      const [, low, high] = FUNCTIONS[name]!;
      const ten = low + (place % (high - low + 1));
      return [name, new Exact(`${mantissa || 1}e${ten - String(Math.abs(mantissa || 1)).length}`).toString()];
    });
    const asked = spawnSync("python3", ["-B", "-c", CALLS], {
      input: JSON.stringify([pythonReward(), cases]),
    });
    expect(String(asked.stderr)).toBe("");
    const said = JSON.parse(String(asked.stdout)) as string[];
    const off = cases.flatMap(([name, x], i) => {
      const wanted = FUNCTIONS[name]![0](new Exact(x));
      const error = new Exact(said[i]!).minus(wanted).abs();
      return error.lte(wanted.abs().times(`1e-${DIGITS - 5}`))
        ? []
        : [{ name, x, said: said[i], wanted: wanted.toString() }];
    });
    expect(off).toEqual([]);
  });
});
