import { expect, it } from "vitest";
import { CONSTANTS, constantOf } from "../../verifiers/constants.js";
import { readFacts } from "./references.js";

/** The constants of the formulas against NIST's list, as written there. */
const codata = readFacts("./independent/codata-2022.csv");

it.each(codata.map((row) => [row.entity!, row] as const))("%s is the recommended value", (symbol, row) => {
  const constant = constantOf(symbol)!;
  const cut = row.uncertainty === "" && row.value!.replace(/[^\d]/g, "").length >= 10;
  const unit = cut ? 0.5 * 10 ** -9 * Math.abs(Number(row.value)) : 0;
  expect(Math.abs(constant.value - Number(row.value))).toBeLessThanOrEqual(
    Math.max(unit * 2, Math.abs(constant.value) * 1e-15),
  );
  expect(constant.uncertainty).toBeCloseTo(row.uncertainty === "" ? 0 : Number(row.uncertainty), 60);
});

it("covers every constant that is said to be CODATA's", () => {
  const listed = new Set(codata.map((row) => row.entity));
  expect(
    CONSTANTS.filter((c) => c.source === "CODATA 2022" && !listed.has(c.symbol)).map((c) => c.symbol),
  ).toEqual([]);
});
