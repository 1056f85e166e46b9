/** Nuclides: decay, mass and binding. Masses are of neutral atoms, so that electrons cancel against those of hydrogen atoms. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const KRANE = "Krane, Introductory Nuclear Physics (Wiley 1988)";
const AME = "AME2020 (Wang et al. 2021, Chinese Physics C 45, 030003)";
const NNDC = "NNDC Chart of Nuclides (binding energies of AME)";

const halfLife = positive("s", "half-life", "half_life");
const mass = positive("u", "atomic mass", "atomic_mass");
const z = input("1", "proton number", "proton_number", { valid: [1, 130] });
const a = input("1", "mass number", "mass_number", { valid: [1, 320] });

const MISSING = "z*M_H_u + (a - z)*m_n_u - mass";
const HELIUM = { mass: "4.00260325413 u", z: "2", a: "4" };
const IRON = { mass: "55.93493554 u", z: "26", a: "56" };
const NICKEL = { mass: "61.92834487 u", z: "28", a: "62" };
const URANIUM = { mass: "238.05078694 u", z: "92", a: "238" };
const DEUTERIUM = { mass: "2.01410177784 u", z: "1", a: "2" };

export const NUCLIDES: readonly FormulaSpec[] = [
  {
    id: "specific_activity",
    noun: "specific activity",
    definition: "decays per unit of time and mass of the pure nuclide",
    inputs: { half_life: halfLife, mass },
    expression: "ln(2)/(half_life*mass)",
    output: { unit: "Bq/g", quantity: "specific_activity" },
    steps: {
      decay_constant: { expression: "ln(2)/half_life", unit: "s^-1", noun: "decay constant" },
      atoms_per_mass: { expression: "1/mass", unit: "g^-1", noun: "number of atoms per gram" },
    },
    wrong_routes: [wrong("1/(half_life*mass)", "the half-life taken for the mean lifetime")],
    source: `${KRANE}, section 6.1`,
    anchors: [
      anchor(
        { half_life: "1600 yr", mass: "226.0254 u" },
        "3.66e10 Bq/g",
        2e-3,
        "Wikipedia, Curie (unit): activity of 1 g of radium-226",
      ),
      anchor({ half_life: "30.05 yr", mass: "136.90709 u" }, "3.215e12 Bq/g", 1e-3, "Wikipedia, Caesium-137"),
      anchor(
        { half_life: "4.468e9 yr", mass: "238.05079 u" },
        "12.4 Bq/mg",
        4e-3,
        "WHO 2001, Depleted uranium: table of specific activities (U-238)",
      ),
    ],
  },
  {
    id: "decay_constant",
    noun: "decay constant",
    inputs: { half_life: halfLife },
    expression: "ln(2)/half_life",
    output: { unit: "s^-1", quantity: "rate" },
    wrong_routes: [wrong("1/half_life", "the half-life taken for the mean lifetime")],
    source: `${KRANE}, section 6.1`,
    anchors: [
      anchor(
        { half_life: "4.4683e9 yr" },
        "1.55125e-10 yr^-1",
        2e-5,
        "Jaffey et al. 1971, Phys. Rev. C 4, 1889 (U-238)",
      ),
      anchor(
        { half_life: "7.0381e8 yr" },
        "9.8485e-10 yr^-1",
        2e-5,
        "Jaffey et al. 1971, Phys. Rev. C 4, 1889 (U-235)",
      ),
    ],
  },
  {
    id: "mean_lifetime",
    noun: "mean lifetime",
    inputs: { half_life: halfLife },
    expression: "half_life/ln(2)",
    output: { unit: "s", quantity: "time" },
    wrong_routes: [
      wrong("half_life", "the half-life itself"),
      wrong("half_life*ln(2)", "multiplied by ln 2"),
    ],
    source: `${KRANE}, section 6.1`,
    anchors: [
      anchor({ half_life: "5730 yr" }, "8267 yr", 1e-4, "Wikipedia, Radiocarbon dating (mean life of C-14)"),
      anchor({ half_life: "609.6 s" }, "879.4 s", 2e-4, "Particle Data Group 2020 (free neutron)"),
    ],
  },
  {
    id: "mass_defect",
    noun: "mass defect",
    definition: "the mass of Z hydrogen-1 atoms and A − Z neutrons less that of the neutral atom",
    inputs: { mass, z, a },
    constants: ["M_H_u", "m_n_u", "m_p_u"],
    state_constants: ["M_H_u", "m_n_u"],
    expression: MISSING,
    output: { unit: "u", quantity: "mass_defect" },
    steps: { neutrons: { expression: "a - z", unit: "1", noun: "neutron number" } },
    wrong_routes: [
      wrong("z*m_p_u + (a - z)*m_n_u - mass", "bare protons beside a neutral atom: the electrons forgotten"),
    ],
    source: `${KRANE}, section 3.3`,
    anchors: [
      anchor(HELIUM, "0.030377 u", 5e-5, "OpenStax, College Physics, example 31.7 (0.0303769 u)"),
      anchor(DEUTERIUM, "0.002388 u", 2e-4, "Wikipedia, Nuclear binding energy (deuteron)"),
      anchor(IRON, "0.528479 u", 5e-5, "Wikipedia, Nuclear binding energy (Fe-56, 0.528479 u)"),
    ],
  },
  {
    id: "binding_energy",
    noun: "nuclear binding energy",
    definition: "from the masses of Z hydrogen-1 atoms, A − Z neutrons and the neutral atom",
    inputs: { mass, z, a },
    constants: ["M_H_u", "m_n_u", "c"],
    state_constants: ["M_H_u", "m_n_u"],
    expression: `(${MISSING})*c^2`,
    output: { unit: "MeV", quantity: "energy", range: [-10, 2500] },
    steps: { mass_defect: { expression: MISSING, unit: "u", noun: "mass defect" } },
    wrong_routes: [wrong(`(${MISSING})*c^2/a`, "per nucleon")],
    source: `${KRANE}, section 3.3`,
    anchors: [
      anchor(HELIUM, "28.2957 MeV", 5e-6, `${NNDC}: He-4`),
      anchor(DEUTERIUM, "2.224566 MeV", 5e-6, "Greene et al. 1986, Phys. Rev. Lett. 56, 819; CODATA"),
      anchor(URANIUM, "1801.69 MeV", 5e-6, `${NNDC}: U-238`),
    ],
  },
  {
    id: "binding_energy_per_nucleon",
    noun: "nuclear binding energy per nucleon",
    definition: "from the masses of Z hydrogen-1 atoms, A − Z neutrons and the neutral atom",
    inputs: { mass, z, a },
    constants: ["M_H_u", "m_n_u", "c"],
    state_constants: ["M_H_u", "m_n_u"],
    expression: `(${MISSING})*c^2/a`,
    output: { unit: "MeV", quantity: "energy", range: [-3, 9] },
    steps: {
      mass_defect: { expression: MISSING, unit: "u", noun: "mass defect" },
      binding_energy: { expression: `(${MISSING})*c^2`, unit: "MeV", noun: "nuclear binding energy" },
    },
    wrong_routes: [
      wrong(`(${MISSING})*c^2/z`, "over the proton number"),
      wrong(`(${MISSING})*c^2`, "not divided by A"),
    ],
    source: `${KRANE}, section 3.3`,
    anchors: [
      anchor(IRON, "8.7903 MeV", 1e-5, "Fewell 1995, Am. J. Phys. 63, 653"),
      anchor(NICKEL, "8.7945 MeV", 1e-5, "Fewell 1995, Am. J. Phys. 63, 653"),
      anchor(HELIUM, "7.0739 MeV", 1e-5, `${NNDC}: He-4`),
      anchor(URANIUM, "7.5701 MeV", 1e-5, `${NNDC}: U-238`),
    ],
  },
  {
    id: "mass_excess",
    noun: "mass excess",
    definition: "the energy equivalent of its atomic mass less A atomic mass units, A being its mass number",
    inputs: { mass, a },
    constants: ["u", "c"],
    expression: "(mass - a*u)*c^2",
    output: { unit: "MeV", quantity: "energy", range: [-100, 300] },
    steps: { excess: { expression: "mass - a*u", unit: "u", noun: "atomic mass less the mass number" } },
    wrong_routes: [wrong("(a*u - mass)*c^2", "the sign"), wrong("(mass - a*u)*c^2/a", "per nucleon")],
    source: AME,
    anchors: [
      anchor(pick(IRON), "-60.607 MeV", 2e-5, `${AME}, Fe-56`),
      anchor(pick(URANIUM), "47.3077 MeV", 2e-5, `${AME}, U-238`),
      anchor({ mass: "14.00324198843 u", a: "14" }, "3.01989 MeV", 2e-5, `${AME}, C-14`),
    ],
  },
  {
    id: "nuclear_radius",
    noun: "radius of its nucleus",
    definition: "as r₀·A^(1/3) with r₀ = 1.2 fm and its mass number A",
    inputs: { a },
    constants: ["r_0"],
    expression: "r_0*cbrt(a)",
    output: { unit: "fm", quantity: "length" },
    wrong_routes: [
      wrong("r_0*sqrt(a)", "the square root in place of the cube root"),
      wrong("2*r_0*cbrt(a)", "the diameter"),
    ],
    source: `${KRANE}, section 3.1`,
    anchors: [
      anchor({ a: "56" }, "4.6 fm", 0.01, "OpenStax, University Physics III, example 10.1"),
      anchor({ a: "197" }, "6.98 fm", 1e-3, "Krane, Modern Physics, 4th ed., chapter 12, problem 5"),
    ],
  },
  {
    id: "neutron_proton_ratio",
    noun: "neutron-to-proton ratio",
    inputs: { z, a },
    expression: "(a - z)/z",
    output: { unit: "1", quantity: "ratio", range: [0, 10] },
    steps: { neutrons: { expression: "a - z", unit: "1", noun: "neutron number" } },
    wrong_routes: [
      wrong("a/z", "the mass number in place of the neutron number"),
      wrong("z/(a - z)", "the ratio turned round"),
    ],
    source: "definition",
    anchors: [
      anchor({ z: "92", a: "238" }, "1.587", 1e-4, "Wikipedia, Neutron–proton ratio (U-238)"),
      anchor({ z: "82", a: "208" }, "1.54", 3e-3, "Wikipedia, Neutron–proton ratio (Pb-208)"),
    ],
  },
  {
    id: "neutron_number",
    noun: "neutron number",
    inputs: { z, a },
    expression: "a - z",
    output: { unit: "1", quantity: "count", range: [0, 200] },
    exact: true,
    wrong_routes: [wrong("a", "the mass number")],
    source: "definition",
    anchors: [
      anchor({ z: "92", a: "238" }, "146", 1e-12, "NNDC Chart of Nuclides, U-238"),
      anchor({ z: "26", a: "56" }, "30", 1e-12, "NNDC Chart of Nuclides, Fe-56"),
    ],
  },
  {
    id: "neutron_excess",
    noun: "neutron excess",
    definition: "neutrons less protons: N − Z",
    inputs: { z, a },
    expression: "a - 2*z",
    output: { unit: "1", quantity: "count" },
    exact: true,
    wrong_routes: [wrong("a - z", "the neutron number")],
    source: "definition",
    anchors: [
      anchor({ z: "82", a: "208" }, "44", 1e-12, "AME2020 mass table, column N-Z, Pb-208"),
      anchor({ z: "92", a: "238" }, "54", 1e-12, "AME2020 mass table, column N-Z, U-238"),
    ],
  },
];

function pick({ mass, a }: { mass: string; a: string }): { mass: string; a: string } {
  return { mass, a };
}
