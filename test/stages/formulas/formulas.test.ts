import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../sources/duckdb.js";
import type { Formula } from "../../../stages/formulas/formula.js";
import {
  builtinFormulas,
  checkFormula,
  compileNumeric,
  compileSql,
  evaluate,
  evaluateSteps,
  type Measured,
  sensitivities,
} from "../../../stages/formulas/index.js";
import { literal } from "../../../stages/formulas/sql.js";
import { convert, fromSI, sameDimension, toSI } from "../../../verifiers/units.js";
import { readInputs, readQuantity } from "./quantity.js";

const formulas = [...builtinFormulas.values()];
const table = formulas.map((f) => [f.id, f] as const);

let database: Database;
beforeAll(async () => {
  database = await openDatabase(":memory:", { threads: 1 });
});
afterAll(() => database.close());

/** Evaluator A on many sets of inputs at once. */
async function evaluateSql(
  formula: Pick<Formula, "expression">,
  units: Readonly<Record<string, string>>,
  outputUnit: string,
  rows: readonly (readonly number[])[],
): Promise<(number | null)[]> {
  const names = Object.keys(units);
  const operands = Object.fromEntries(names.map((n, i) => [n, { sql: `x${i}`, unit: units[n]! }]));
  const places = rows.map((row, r) => `(${r}, ${row.map(literal).join(", ")})`);
  const sql = `SELECT ${compileSql(formula, operands, outputUnit)} FROM (VALUES ${places.join(", ")}) AS t(r, ${names.map((_, i) => `x${i}`).join(", ")}) ORDER BY r`;
  return (await database.rows(sql)).map(([v]) => v as number | null);
}

const unitsOf = (inputs: Readonly<Record<string, Measured>>) =>
  Object.fromEntries(Object.entries(inputs).map(([name, { unit }]) => [name, unit]));

describe("built-in formulas", () => {
  it("are many, each with two published anchors and a source", () => {
    expect(formulas.length).toBeGreaterThanOrEqual(80);
    for (const f of formulas) {
      expect(f.anchors.length, f.id).toBeGreaterThanOrEqual(2);
      for (const a of f.anchors)
        expect(Object.keys(a.inputs).sort(), f.id).toEqual(Object.keys(f.inputs).sort());
    }
  });

  it.each(table)("%s has units that fit, in steps and wrong routes too", (_, formula) => {
    expect(checkFormula(formula)).toEqual([]);
  });

  it.each(table)("%s gives the published values by both evaluators", async (_, formula) => {
    for (const anchor of formula.anchors) {
      const inputs = readInputs(anchor.inputs);
      const published = readQuantity(anchor.output);
      const values = Object.values(inputs).map((i) => i.value);
      const [a] = await evaluateSql(formula, unitsOf(inputs), published.unit, [values]);
      const b = evaluate(formula, inputs, published.unit);
      const fast = compileNumeric(formula, unitsOf(inputs), published.unit)(values);
      for (const value of [a!, b, fast]) {
        expect(Math.abs(value / published.value - 1), `${anchor.source}: ${value}`).toBeLessThanOrEqual(
          anchor.relative,
        );
      }
      const { value, condition } = sensitivities(formula, inputs, published.unit);
      expect(Math.abs(value / b - 1)).toBeLessThanOrEqual(1e-12 * condition);
      const inOwnUnit = convert(b, published.unit, formula.output.unit);
      const [low, high] = formula.output.range ?? [null, null];
      expect(inOwnUnit, "plausible").toBeGreaterThanOrEqual(low ?? Number.NEGATIVE_INFINITY);
      expect(inOwnUnit, "plausible").toBeLessThanOrEqual(high ?? Number.POSITIVE_INFINITY);
    }
  });

  it("reach every anchor from the published values in other units", () => {
    const formula = builtinFormulas.get("bulk_density")!;
    const uranus = { mass: { value: 86.811, unit: "10^24 kg" }, radius: { value: 25362, unit: "km" } };
    expect(evaluate(formula, uranus, "g/cm^3")).toBeCloseTo(1.2704, 4);
    expect(evaluateSteps(formula, uranus).volume).toBeCloseTo(6.8334e13, -10);
    const inEarths = { mass: { value: 14.536, unit: "M_earth" }, radius: { value: 3.9764, unit: "R_earth" } };
    expect(evaluate(formula, inEarths, "kg/m^3")).toBeCloseTo(1270.4, 0);
  });

  it("give steps that lead to the answer", () => {
    for (const formula of formulas) {
      const anchor = formula.anchors[0]!;
      const steps = evaluateSteps(formula, readInputs(anchor.inputs));
      expect(Object.keys(steps)).toEqual(Object.keys(formula.steps));
      for (const value of Object.values(steps)) expect(Number.isFinite(value), formula.id).toBe(true);
    }
  });

  it("tell their wrong routes from the right one", () => {
    for (const formula of formulas) {
      const inputs = readInputs(formula.anchors[0]!.inputs);
      const right = evaluate(formula, inputs, formula.output.unit);
      for (const route of formula.wrong_routes) {
        const other = evaluate(route, inputs, formula.output.unit);
        if (formula.id === "cyclomatic_number" || formula.id === "longitude_degree") continue;
        expect(Math.abs(other / right - 1), `${formula.id}: ${route.reason}`).toBeGreaterThan(1e-5);
      }
    }
  });
});

/** Random valid inputs: within half an order of magnitude about an anchor, inside the validity range. */
function nearAnchors(formula: Formula): fc.Arbitrary<Record<string, Measured>> {
  const names = Object.keys(formula.inputs);
  const whole = (name: string) => formula.exact || ["z", "a", "vertices", "edges"].includes(name);
  return fc
    .tuple(
      fc.constantFrom(...formula.anchors),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
    )
    .map(([anchor, shifts]) => {
      const inputs = readInputs(anchor.inputs);
      return Object.fromEntries(
        names.map((name, i) => {
          const { value, unit } = inputs[name]!;
          const [low, high] = formula.inputs[name]!.valid ?? [null, null];
          const moved = whole(name)
            ? Math.round(value * (1 + shifts[i]! / 2))
            : value * 10 ** (shifts[i]! / 2);
          const inside = Math.min(
            high === null ? Number.POSITIVE_INFINITY : convert(high, formula.inputs[name]!.unit, unit),
            Math.max(
              low === null ? Number.NEGATIVE_INFINITY : convert(low, formula.inputs[name]!.unit, unit),
              moved,
            ),
          );
          return [name, { value: inside, unit }];
        }),
      );
    });
}

describe("evaluators A and B", () => {
  it.each(table)("agree on random inputs of %s", async (_, formula) => {
    const samples = fc.sample(nearAnchors(formula), { numRuns: 40, seed: 20261129 });
    const groups = new Map<string, Record<string, Measured>[]>();
    for (const s of samples) {
      const key = JSON.stringify(unitsOf(s));
      groups.set(key, [...(groups.get(key) ?? []), s]);
    }
    const unit = formula.output.unit;
    let compared = 0;
    for (const [key, group] of groups) {
      const units = JSON.parse(key) as Record<string, string>;
      const rows = group.map((s) => Object.values(s).map((i) => i.value));
      const byA = await evaluateSql(formula, units, unit, rows);
      const numeric = compileNumeric(formula, units, unit);
      group.forEach((inputs, i) => {
        const a = byA[i]!;
        const b = evaluate(formula, inputs, unit);
        if (a === null || Number.isNaN(b)) {
          expect([a, b, numeric(rows[i]!)]).toEqual([null, Number.NaN, Number.NaN]);
          return;
        }
        const { condition, value } = sensitivities(formula, inputs);
        const bound = Number.isFinite(condition) ? 1e-12 * condition * Math.abs(b) : 1e-12;
        for (const other of [a, numeric(rows[i]!), value]) {
          expect(Math.abs(other - b), JSON.stringify(inputs)).toBeLessThanOrEqual(bound);
        }
        compared++;
      });
    }
    expect(compared).toBeGreaterThan(20);
  });

  it("agree that there is no value", async () => {
    const cases = [
      ["a/b", [1, 0]],
      ["sqrt(a - b)", [1, 2]],
      ["ln(a - b)", [1, 1]],
      ["ln(a - b)", [1, 2]],
      ["asin(a + b)", [1, 1]],
      ["(a - b)^0.5", [1, 2]],
      ["exp(1000*a + b)", [1, 0]],
      ["0/(a - b)", [1, 1]],
      ["a/b/a", [0, 0]],
      ["factorial(a - b)", [1, 2]],
      ["factorial(a/b)", [5, 2]],
    ] as const;
    for (const [expression, [a, b]] of cases) {
      const units = { a: "1", b: "1" };
      const inputs = { a: { value: a, unit: "1" }, b: { value: b, unit: "1" } };
      expect(await evaluateSql({ expression }, units, "1", [[a, b]]), expression).toEqual([null]);
      expect(evaluate({ expression }, inputs, "1"), expression).toBeNaN();
      expect(compileNumeric({ expression }, units, "1")([a, b]), expression).toBeNaN();
    }
    expect(compileNumeric({ expression: "a" }, { a: "kg" }, "g")([Number.NaN])).toBeNaN();
  });

  it("agree on every function and precedence", async () => {
    const expressions = [
      "-a^2 + b",
      "a^-1",
      "a^b^0.5",
      "2^-a*b",
      "a - b - 1",
      "a/b/2",
      "a/b*2",
      "-(a + b)*-2",
      "a - -b",
      "sqrt(a) + cbrt(-b) + cbrt(a)",
      "exp(-a) + ln(b) + log10(a*b)",
      "sin(a) + cos(b) + tan(a/4)",
      "asin(a/10) + acos(b/10) + atan(a*b)",
      "abs(a - b) + abs(b - a)",
      "factorial(5) + a + b",
      "1.5e-3*a + 2E2*b + pi",
    ];
    for (const expression of expressions) {
      for (const [a, b] of [
        [1.25, 0.5],
        [0.3, 2.75],
      ] as const) {
        const inputs = { a: { value: a, unit: "1" }, b: { value: b, unit: "1" } };
        const [byA] = await evaluateSql({ expression }, { a: "1", b: "1" }, "1", [[a, b]]);
        const byB = evaluate({ expression }, inputs, "1");
        expect(Math.abs(byA! - byB), expression).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(byB)));
        const fast = compileNumeric({ expression }, { a: "1", b: "1" }, "1")([a, b]);
        expect(Math.abs(fast - byB), expression).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(byB)));
      }
    }
  });

  it("take every name for what the formula says, whatever mathjs means by it", async () => {
    const names = [
      "i",
      "e",
      "m",
      "tau",
      "phi",
      "kg",
      "LN2",
      "version",
      "sum",
      "mean",
      "__proto__x",
      "constructor1",
    ];
    const expression = names.join(" + ");
    const values = names.map((_, i) => i + 0.5);
    const units = Object.fromEntries(names.map((n) => [n, "km"]));
    const inputs = Object.fromEntries(names.map((n, i) => [n, { value: values[i]!, unit: "km" }]));
    const total = values.reduce((a, b) => a + b) * 1000;
    expect(evaluate({ expression }, inputs, "m")).toBeCloseTo(total, 8);
    expect((await evaluateSql({ expression }, units, "m", [values]))[0]).toBeCloseTo(total, 8);
    expect(compileNumeric({ expression }, units, "m")(values)).toBeCloseTo(total, 8);
    expect(() => evaluate({ expression: "LN10" }, {}, "1")).toThrow("neither an input nor a constant");
    expect(() => evaluate({ expression: "toString" }, {}, "1")).toThrow("neither an input nor a constant");
  });

  it("carry temperatures with a zero of their own into kelvins and back", async () => {
    const formula = { expression: "2*t" };
    const inputs = { t: { value: 20, unit: "degC" } };
    const [a] = await evaluateSql(formula, { t: "degC" }, "degC", [[20]]);
    expect(a).toBeCloseTo(313.15, 10);
    expect(evaluate(formula, inputs, "degC")).toBeCloseTo(313.15, 10);
    expect(evaluate(formula, inputs, "K")).toBeCloseTo(586.3, 10);
    expect(compileNumeric(formula, { t: "degF" }, "K")([68])).toBeCloseTo(586.3, 10);
    expect(evaluate(formula, { t: { value: 68, unit: "degF" } }, "degF")).toBeCloseTo(595.67, 9);
  });

  it("take plain numbers only where units agree", () => {
    const inputs = { a: { value: 1, unit: "kg" }, b: { value: 1, unit: "m" } };
    expect(() => evaluate({ expression: "a + b" }, inputs, "kg")).toThrow();
    expect(() => evaluate({ expression: "a*b" }, inputs, "kg")).toThrow("not in kg");
    expect(() => evaluate({ expression: "ln(a)" }, inputs, "1")).toThrow();
  });
});

describe("sensitivities", () => {
  it("are the exponents of a product of powers", () => {
    const s = sensitivities(
      builtinFormulas.get("bulk_density")!,
      readInputs({ mass: "5.9722e24 kg", radius: "6371 km" }),
    );
    expect(s.relative.mass).toBeCloseTo(1, 12);
    expect(s.relative.radius).toBeCloseTo(-3, 12);
    expect(s.condition).toBeCloseTo(4, 12);
    expect(s.absolute.radius).toBeCloseTo((-3 * s.value) / 6371, 12);
  });

  it("show cancellation", () => {
    const s = sensitivities(
      builtinFormulas.get("mass_defect")!,
      readInputs({ mass: "55.93493554 u", z: "26", a: "56" }),
    );
    expect(s.condition).toBeGreaterThan(200);
  });

  it.each(table)("of %s are those of differences", (_, formula) => {
    if (formula.exact) return;
    const inputs = readInputs(formula.anchors[0]!.inputs);
    const names = Object.keys(inputs);
    const unit = formula.output.unit;
    const numeric = compileNumeric(formula, unitsOf(inputs), unit);
    const { absolute, relative, value } = sensitivities(formula, inputs);
    names.forEach((name, i) => {
      const x = inputs[name]!.value;
      const h = Math.max(Math.abs(x), 1e-3) * 1e-5;
      const at = (shift: number) => numeric(names.map((n, j) => inputs[n]!.value + (i === j ? shift : 0)));
      const slope = (at(h) - at(-h)) / (2 * h);
      const size = Math.max(Math.abs(slope), Math.abs(value) * 1e-6, 1e-300);
      expect(Math.abs(absolute[name]! - slope) / size, name).toBeLessThan(1e-4);
      if (value !== 0) expect(relative[name]).toBeCloseTo((absolute[name]! * x) / value, 9);
    });
  });

  it("follow the gamma function through a factorial", () => {
    const s = sensitivities(
      builtinFormulas.get("labelled_copies")!,
      readInputs({ vertices: "7", automorphisms: "14" }),
    );
    expect(s).toMatchObject({ value: 360, relative: { automorphisms: -1 } });
    // ψ(8) = 2.0156414779556 (Abramowitz & Stegun, table 6.1)
    expect(s.relative.vertices).toBeCloseTo(7 * 2.0156414779556, 10);
  });
});

it("SI values go through toSI and fromSI unchanged by the evaluators", () => {
  for (const f of formulas) {
    for (const input of Object.values(f.inputs)) expect(sameDimension(input.unit, input.unit)).toBe(true);
    expect(fromSI(toSI(1.5, f.output.unit), f.output.unit)).toBeCloseTo(1.5, 12);
  }
});
