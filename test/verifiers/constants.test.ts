import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CONSTANTS, constantOf } from "../../verifiers/constants.js";
import { parseUnit, sameDimension } from "../../verifiers/units.js";

const file = new URL("../../../shared/data/field/codata/codata2022_fixedwidth.txt", import.meta.url);

/** Names in the CODATA table where ours differs. */
const CODATA_NAME: Readonly<Record<string, string>> = {
  alpha: "fine-structure constant",
  R_inf: "Rydberg constant",
  mu_0: "vacuum mag. permeability",
};

describe("constants", () => {
  it("have units that can be read and no symbol twice", () => {
    expect(new Set(CONSTANTS.map((k) => k.symbol)).size).toBe(CONSTANTS.length);
    for (const k of CONSTANTS) {
      expect(() => parseUnit(k.unit), k.symbol).not.toThrow();
      expect(k.exact).toBe(k.uncertainty === 0);
      expect(k.value).toBeGreaterThan(0);
    }
    expect(constantOf("G")).toMatchObject({ value: 6.6743e-11, unit: "m^3 kg^-1 s^-2", exact: false });
    expect(constantOf("toString")).toBeUndefined();
  });

  it("agree among themselves", () => {
    const v = (symbol: string) => constantOf(symbol)!.value;
    expect(v("R") / (v("N_A") * v("k_B")) - 1).toBeCloseTo(0, 14);
    expect(v("F") / (v("N_A") * v("e")) - 1).toBeCloseTo(0, 14);
    const stefan = (2 * Math.PI ** 5 * v("k_B") ** 4) / (15 * v("h") ** 3 * v("c") ** 2);
    expect(v("sigma") / stefan - 1).toBeCloseTo(0, 13);
    expect((v("m_p_u") * v("u")) / v("m_p") - 1).toBeCloseTo(0, 9);
    // Hydrogen: proton and electron less the binding energy of 13.6 eV.
    const binding = 13.598434 / 931.49410372e6;
    expect(v("M_H_u") - (v("m_p_u") + v("m_e_u") - binding)).toBeCloseTo(0, 10);
  });
});

describe.skipIf(!existsSync(file))("constants against CODATA 2022 as published", () => {
  const rows = new Map(
    (existsSync(file) ? readFileSync(file, "utf8") : "").split("\n").map((line) => {
      const [name, value, uncertainty, unit] = [
        line.slice(0, 60),
        line.slice(60, 85),
        line.slice(85, 110),
        line.slice(110),
      ];
      return [
        name!.trim(),
        { value: value!.trim(), uncertainty: uncertainty!.trim(), unit: unit!.trim() },
      ] as const;
    }),
  );
  const number = (text: string) => Number(text.replaceAll(" ", "").replace("...", ""));
  const ours = CONSTANTS.filter((k) => k.source === "CODATA 2022");

  it("has them all", () => {
    expect(ours.length).toBeGreaterThanOrEqual(25);
  });
  it.each(ours.map((k) => [k.symbol, k] as const))("%s", (symbol, k) => {
    const row = rows.get(CODATA_NAME[symbol] ?? k.name);
    expect(row, k.name).toBeDefined();
    const shown = row!.value.includes("...") ? 1e-9 : 1e-15;
    expect(Math.abs(k.value / number(row!.value) - 1)).toBeLessThan(shown);
    expect(row!.uncertainty === "(exact)" ? 0 : number(row!.uncertainty)).toBeCloseTo(k.uncertainty, 45);
    if (row!.unit !== "") expect(sameDimension(row!.unit.replace("J Hz^-1", "J s"), k.unit)).toBe(true);
  });
});
