import type { FormulaSpec } from "./formula.js";

/** Formulas of the Solar System. Spheres, two bodies and circular orbits where said. */
export const ASTRONOMY: readonly FormulaSpec[] = [
  {
    id: "bulk_density",
    noun: "bulk density",
    definition: "taking the body as a sphere of its mean radius",
    inputs: {
      mass: { unit: "kg", quantity: ["mass"], noun: "mass", valid: [0, null] },
      radius: { unit: "km", quantity: ["mean_radius"], noun: "mean radius", valid: [0, null] },
    },
    expression: "mass/(4/3*pi*radius^3)",
    output: { unit: "g/cm^3", quantity: "density", range: [0.05, 30] },
    steps: { volume: { expression: "4/3*pi*radius^3", unit: "km^3", noun: "volume" } },
    variants: [
      {
        input: "radius",
        quantity: "equatorial_radius",
        reason: "the equatorial radius in place of the mean radius",
      },
      { input: "radius", quantity: "polar_radius", reason: "the polar radius in place of the mean radius" },
    ],
    wrong_routes: [
      { expression: "mass/(4/3*pi*(2*radius)^3)", reason: "the diameter in place of the radius" },
      { expression: "mass/(4*pi*radius^3)", reason: "a sphere's volume without the third" },
    ],
    source: "de Pater & Lissauer, Planetary Sciences, 2nd ed., section 1.2",
    anchors: [
      {
        inputs: { mass: "6.4169e23 kg", radius: "3389.5 km" },
        output: "3934 kg/m^3",
        relative: 2e-4,
        source: "NASA Mars Fact Sheet",
      },
      {
        inputs: { mass: "5.9722e24 kg", radius: "6371.000 km" },
        output: "5513 kg/m^3",
        relative: 3e-4,
        source: "NASA Earth Fact Sheet",
      },
    ],
  },
];
