import { describe, expect, it } from "vitest";
import { type Formula, formulaSchema } from "../../../stages/formulas/formula.js";
import { builtinFormulas, checkFormula } from "../../../stages/formulas/index.js";

const get = (id: string): Formula => builtinFormulas.get(id)!;
const density = get("bulk_density");
const gravity = get("surface_gravity");
const speed = get("perihelion_speed");
const tisserand = get("tisserand_parameter");

/** A formula changed by hand in one place. */
const change = (formula: Formula, by: Partial<Formula>): Formula =>
  formulaSchema.parse({ ...formula, ...by });
const expression = (formula: Formula, text: string) => change(formula, { expression: text });
const input = (formula: Formula, name: string, by: object) =>
  change(formula, { inputs: { ...formula.inputs, [name]: { ...formula.inputs[name]!, ...by } } });

const MUTATIONS: readonly [string, Formula, string, string][] = [
  [
    "square for cube",
    expression(density, "mass/(4/3*pi*radius^2)"),
    "dimension_mismatch",
    "gives m^-2 kg, its unit measures density",
  ],
  ["fourth power", expression(density, "mass/(4/3*pi*radius^4)"), "dimension_mismatch", "m^-4 kg"],
  [
    "sum of mass and length",
    expression(density, "mass + radius"),
    "dimension_mismatch",
    "mass cannot be added to length, at character 8",
  ],
  [
    "difference of mass and length",
    expression(density, "radius - mass"),
    "dimension_mismatch",
    "mass cannot be subtracted from length",
  ],
  [
    "number added to a mass",
    expression(density, "mass/radius^3 + 1"),
    "dimension_mismatch",
    "density cannot be added to a pure number",
  ],
  [
    "logarithm of a mass",
    expression(density, "ln(mass)/radius^3"),
    "dimension_mismatch",
    "ln() takes a pure number, not mass, at character 4",
  ],
  [
    "sine of a length",
    expression(density, "mass*sin(radius)/radius^3"),
    "dimension_mismatch",
    "sin() takes a pure number, not length",
  ],
  [
    "exponent with a unit",
    expression(density, "mass^radius"),
    "dimension_mismatch",
    "an exponent is a pure number, not length",
  ],
  [
    "exponent that is no number",
    expression(tisserand, "axis^eccentricity + 0*inclination"),
    "dimension_mismatch",
    "must be a number, at character 6",
  ],
  ["root too much", expression(density, "sqrt(mass)/radius^3"), "dimension_mismatch", "kg^0.5"],
  [
    "cube root too much",
    expression(gravity, "cbrt(G*mass/radius^2)"),
    "dimension_mismatch",
    "m^0.333333 s^-0.666667",
  ],
  [
    "constant forgotten",
    expression(gravity, "mass/radius^2"),
    "dimension_mismatch",
    "its unit measures acceleration",
  ],
  [
    "constant twice",
    expression(gravity, "G^2*mass/radius^2"),
    "dimension_mismatch",
    "its unit measures acceleration",
  ],
  [
    "root forgotten",
    expression(speed, "GM_sun/axis*(1 + eccentricity)/(1 - eccentricity)"),
    "dimension_mismatch",
    "m^2 s^-2, its unit measures speed",
  ],
  [
    "a length for a speed",
    change(speed, { output: { ...speed.output, unit: "km" } }),
    "dimension_mismatch",
    "gives speed, its unit measures length",
  ],
  [
    "a mass for a density",
    change(density, { output: { ...density.output, unit: "g" } }),
    "dimension_mismatch",
    "its unit measures mass",
  ],
  ["input in another dimension", input(density, "radius", { unit: "kg" }), "dimension_mismatch", "kg^-2"],
  ["area as input", input(density, "radius", { unit: "km^2" }), "dimension_mismatch", "m^-6 kg"],
  [
    "unknown unit of an input",
    input(density, "radius", { unit: "kilomtre" }),
    "bad_unit",
    "`kilomtre` is not a known unit",
  ],
  [
    "ambiguous unit",
    change(gravity, { output: { ...gravity.output, unit: "m/s/s" } }),
    "bad_unit",
    "could be read in more than one way",
  ],
  [
    "step of another dimension",
    change(density, { steps: { volume: { expression: "4/3*pi*radius^2", unit: "km^3", noun: "volume" } } }),
    "dimension_mismatch",
    "gives area, its unit measures volume",
  ],
  [
    "step with an unknown name",
    change(density, { steps: { volume: { expression: "4/3*pi*r^3", unit: "km^3", noun: "volume" } } }),
    "unknown_name",
    "`r` is neither",
  ],
  [
    "wrong route of another dimension",
    change(density, { wrong_routes: [{ expression: "mass/radius", reason: "x" }] }),
    "dimension_mismatch",
    "its unit measures density",
  ],
  [
    "unknown name",
    expression(density, "mass/(4/3*pi*raduis^3)"),
    "unknown_name",
    "`raduis` is neither an input nor a declared constant, at character 14",
  ],
  [
    "undeclared constant",
    change(gravity, { constants: [] }),
    "unknown_name",
    "`G` is neither an input nor a declared constant",
  ],
  [
    "unknown constant",
    change(gravity, { constants: ["G", "k_b"] }),
    "unknown_constant",
    "there is no constant `k_b`",
  ],
  [
    "constant stated but not used",
    change(gravity, { state_constants: ["c"] }),
    "unknown_constant",
    "`c` is to be stated",
  ],
  [
    "input named as a constant",
    change(gravity, { constants: ["G", "mass"] }),
    "unknown_constant",
    "there is no constant `mass`",
  ],
  [
    "unused input",
    expression(density, "mass/(1*mass)*mass/mass"),
    "unused_input",
    "does not use the input `radius`",
  ],
  [
    "variant of no input",
    change(density, { variants: [{ input: "raduis", quantity: "diameter", reason: "x" }] }),
    "unknown_input",
    "no input `raduis`",
  ],
  [
    "empty validity range",
    input(density, "radius", { valid: [10, 1] }),
    "empty_range",
    "from 10 to 1 is empty",
  ],
  [
    "empty output range",
    change(density, { output: { ...density.output, range: [5, 1] } }),
    "empty_range",
    "from 5 to 1",
  ],
  [
    "reserved name",
    change(density, { inputs: { ...density.inputs, sqrt: density.inputs.mass! } }),
    "reserved_name",
    "cannot be called `sqrt`",
  ],
  [
    "implicit product",
    expression(density, "mass/4 pi radius^3"),
    "bad_expression",
    "`pi` is not expected here",
  ],
  [
    "unclosed parenthesis",
    expression(density, "mass/(4/3*pi*radius^3"),
    "bad_expression",
    "this `(` is not closed, at character 6",
  ],
  [
    "unknown function",
    expression(density, "mass/cube(radius)"),
    "bad_expression",
    "`cube` is not a function, at character 6",
  ],
  ["cut off", expression(density, "mass/"), "bad_expression", "ends too early"],
];

describe("checkFormula", () => {
  it("has 30 and more mutations to refuse", () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(30);
  });
  it.each(MUTATIONS)("refuses: %s", (_, formula, code, says) => {
    const problems = checkFormula(formula);
    const found = problems.find((p) => p.code === code);
    expect(found, JSON.stringify(problems)).toBeDefined();
    expect(found!.message).toContain(says);
    expect(found!.path!.length).toBeGreaterThan(0);
  });
  it("suggests the name that was meant", () => {
    expect(checkFormula(expression(density, "mass/(4/3*pi*raduis^3)"))[0]!.hint).toBe(
      "did you mean `radius`?",
    );
    expect(checkFormula(change(gravity, { constants: [] }))[0]!.hint).toBe("list `G` under `constants`");
    expect(checkFormula(change(gravity, { constants: ["G", "k_b"] }))[0]!.hint).toBe("did you mean `k_B`?");
  });
  it("finds all that is wrong at once", () => {
    const broken = change(input(density, "mass", { unit: "kgg", valid: [2, 1] }), {
      constants: ["q"],
      steps: { volume: { expression: "radius^2", unit: "km^3", noun: "volume" } },
    });
    expect(checkFormula(broken).map((p) => p.code)).toEqual([
      "bad_unit",
      "empty_range",
      "unknown_constant",
      "dimension_mismatch",
    ]);
  });
});
