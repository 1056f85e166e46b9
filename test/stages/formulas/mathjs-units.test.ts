import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountIn, mathjs, mathUnit, quantity } from "../../../stages/formulas/mathjs-units.js";
import { ATOMS, PREFIXES } from "../../../verifiers/unit-table.js";
import { convert, parseUnit, toSI } from "../../../verifiers/units.js";

/** Evaluator B's SI value and dimension (m, kg, s, A, K, mol, cd) of one of a unit. */
function bySecond(text: string): { si: number; dimension: number[] } {
  const one = quantity(1, text);
  if (typeof one === "number") return { si: one, dimension: [0, 0, 0, 0, 0, 0, 0] };
  // mathjs: mass, length, time, current, temperature, luminous intensity, amount.
  const [kg, m, s, A, K, cd, mol] = one.dimensions as number[];
  return { si: one.value, dimension: [m!, kg!, s!, A!, K!, mol!, cd!] };
}

const linear = ATOMS.filter((a) => a.offset === undefined);
const spellings = linear.flatMap((atom) => {
  const prefixes = PREFIXES.filter(
    (p) => atom.prefixes === "all" || atom.prefixes.split(" ").includes(p.symbols[0]!),
  );
  return [...atom.symbols, ...prefixes.flatMap((p) => p.symbols.map((s) => s + atom.symbols[0]!))];
});

describe("the two unit systems", () => {
  it(`agree to 1e-15 on all ${spellings.length} spellings`, () => {
    for (const text of spellings) {
      const first = parseUnit(text);
      const second = bySecond(text);
      expect(Math.abs(second.si / first.factor - 1), text).toBeLessThanOrEqual(1e-15);
      expect(
        second.dimension.map((d) => d + 0),
        text,
      ).toEqual(first.dimension.map((d) => d + 0));
    }
  });

  it("agree on compounds", () => {
    const symbol = fc.constantFrom(...spellings.filter((s) => !/^(m?mag|dex)$/.test(s)));
    const power = fc.integer({ min: -3, max: 3 }).filter((n) => n !== 0);
    fc.assert(
      fc.property(fc.array(fc.tuple(symbol, power), { minLength: 1, maxLength: 3 }), (terms) => {
        const text = terms.map(([s, p]) => `${s}^${p}`).join(" ");
        const second = bySecond(text);
        fc.pre(second.si > 1e-200 && second.si < 1e200);
        expect(Math.abs(second.si / parseUnit(text).factor - 1)).toBeLessThan(5e-15);
      }),
      { numRuns: 300 },
    );
  });

  it("agree on every form of the grammar", () => {
    for (const text of [
      "10^24 kg",
      "10²⁴ kg",
      "1e6 km",
      "2.5e3 lb",
      "g/cm^3",
      "W·m⁻²",
      "N*m",
      "1/s",
      "J mol^-1 K^-1",
      "k\u2126",
    ]) {
      expect(Math.abs(bySecond(text).si / parseUnit(text).factor - 1), text).toBeLessThan(1e-15);
    }
  });

  it("agree on scales with their own zero", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("degC", "degF", "°C"),
        fc.double({ min: -200, max: 3000, noNaN: true }),
        (unit, t) => {
          expect(Math.abs(amountIn(quantity(t, unit), "K") / toSI(t, unit) - 1)).toBeLessThan(1e-14);
          expect(Math.abs(amountIn(quantity(t, unit), "degF") - convert(t, unit, "degF"))).toBeLessThan(
            1e-10,
          );
        },
      ),
    );
  });

  it("refuses what it does not know", () => {
    expect(() => mathUnit("furlong")).toThrow("does not know the unit furlong");
    expect(() => mathUnit("constructor")).toThrow("does not know");
    expect(() => amountIn(quantity(1, "kg"), "m")).toThrow("not in m");
    expect(() => amountIn(3, "m")).toThrow("not in m");
  });
});

describe("mathjs inside formulas", () => {
  it.each(["import", "createUnit", "evaluate", "simplify", "derivative"])("has no %s", (name) => {
    expect(() => mathjs().parse(`${name}("x")`).compile().evaluate({})).toThrow(
      "not part of the formula language",
    );
  });
});
