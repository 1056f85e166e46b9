/** Chemical elements and fluids: atoms, ionisation, gases. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const ATKINS = "Atkins & de Paula, Physical Chemistry, 8th ed.";
const PEARSON = "Pearson 1988, Inorganic Chemistry 27, 734";
const KITTEL = "Kittel, Introduction to Solid State Physics, 8th ed., table 1.4";

const weight = positive("u", "standard atomic weight", "standard_atomic_weight");
const ionization = positive("eV", "first ionization energy", "ionization_energy");
const affinity = input("eV", "electron affinity", "electron_affinity");
const density = positive("g/cm^3", "density", "density");

export const ELEMENTS: readonly FormulaSpec[] = [
  {
    id: "ionization_wavelength",
    noun: "longest wavelength of light that ionizes its free atom",
    definition: "a photon whose energy is the first ionization energy, in vacuum",
    inputs: { energy: ionization },
    constants: ["h", "c"],
    expression: "h*c/energy",
    output: { unit: "nm", quantity: "wavelength" },
    source: `${ATKINS}, section 7.1`,
    anchors: [
      anchor({ energy: "13.598434 eV" }, "91.175 nm", 2e-5, "Wikipedia, Lyman limit (hydrogen; 91.18 nm)"),
      anchor({ energy: "5.1390769 eV" }, "241.26 nm", 2e-5, "NIST ASD: limit of Na I at 41449.451 cm^-1"),
    ],
  },
  {
    id: "molar_ionization_energy",
    noun: "molar first ionization energy",
    inputs: { energy: ionization },
    constants: ["N_A"],
    expression: "energy*N_A",
    output: { unit: "kJ/mol", quantity: "molar_energy" },
    source: `${ATKINS}, section 10.4`,
    anchors: [
      anchor(
        { energy: "13.59844 eV" },
        "1312.0 kJ/mol",
        1e-4,
        "Wikipedia, Molar ionization energies of the elements (H)",
      ),
      anchor(
        { energy: "5.13908 eV" },
        "495.8 kJ/mol",
        1e-4,
        "Wikipedia, Molar ionization energies of the elements (Na)",
      ),
      anchor(
        { energy: "24.58741 eV" },
        "2372.3 kJ/mol",
        1e-4,
        "Wikipedia, Molar ionization energies of the elements (He)",
      ),
    ],
  },
  {
    id: "mulliken_electronegativity",
    noun: "absolute electronegativity (Mulliken)",
    definition: "half the sum of first ionization energy and electron affinity",
    inputs: { ionization, affinity },
    expression: "(ionization + affinity)/2",
    output: { unit: "eV", quantity: "electronegativity" },
    wrong_routes: [
      wrong("ionization + affinity", "the half forgotten"),
      wrong("(ionization - affinity)/2", "the hardness: a difference in place of the sum"),
    ],
    source: "Mulliken 1934, J. Chem. Phys. 2, 782",
    anchors: [
      anchor({ ionization: "17.42 eV", affinity: "3.40 eV" }, "10.41 eV", 1e-3, `${PEARSON}: F`),
      anchor({ ionization: "13.01 eV", affinity: "3.62 eV" }, "8.30 eV", 2e-3, `${PEARSON}: Cl`),
      anchor({ ionization: "5.14 eV", affinity: "0.55 eV" }, "2.85 eV", 3e-3, `${PEARSON}: Na`),
    ],
  },
  {
    id: "chemical_hardness",
    noun: "absolute hardness (Pearson)",
    definition: "half the difference of first ionization energy and electron affinity",
    inputs: { ionization, affinity },
    expression: "(ionization - affinity)/2",
    output: { unit: "eV", quantity: "hardness" },
    wrong_routes: [
      wrong("ionization - affinity", "the half forgotten"),
      wrong("(ionization + affinity)/2", "the electronegativity: a sum in place of the difference"),
    ],
    source: PEARSON,
    anchors: [
      anchor({ ionization: "17.42 eV", affinity: "3.40 eV" }, "7.01 eV", 1e-3, `${PEARSON}: F`),
      anchor({ ionization: "5.14 eV", affinity: "0.55 eV" }, "2.30 eV", 3e-3, `${PEARSON}: Na`),
    ],
  },
  {
    id: "atoms_per_gram",
    noun: "number of atoms per gram",
    inputs: { weight },
    expression: "1/weight",
    output: { unit: "g^-1", quantity: "number_per_mass" },
    source: `${ATKINS}, section F.1`,
    anchors: [
      anchor(
        { weight: "27.97692653 u" },
        "2.15e25 kg^-1",
        2e-3,
        "NIST, Kilogram: silicon spheres of the Avogadro Project",
      ),
      anchor({ weight: "12 u" }, "5.0184507e22 g^-1", 2e-7, "definition of the dalton, CODATA 2022"),
    ],
  },
  {
    id: "rms_speed_at_boiling_point",
    noun: "root-mean-square speed of a free atom at its normal boiling point",
    definition: "√(3kT/m), taking the vapour as an ideal gas of single atoms",
    inputs: { weight, temperature: positive("K", "normal boiling point", "boiling_temperature") },
    constants: ["k_B"],
    expression: "sqrt(3*k_B*temperature/weight)",
    output: { unit: "m/s", quantity: "speed" },
    wrong_routes: [
      wrong("sqrt(2*k_B*temperature/weight)", "the most probable speed"),
      wrong("sqrt(8*k_B*temperature/(pi*weight))", "the mean speed"),
    ],
    source: `${ATKINS}, chapter 21`,
    anchors: [
      anchor(
        { weight: "4.0026 u", temperature: "20 degC" },
        "1352 m/s",
        1e-3,
        "Serway & Jewett, Physics for Scientists and Engineers, table 21.1",
      ),
      anchor(
        { weight: "20.1797 u", temperature: "20 degC" },
        "602 m/s",
        1e-3,
        "Serway & Jewett, Physics for Scientists and Engineers, table 21.1",
      ),
    ],
  },
  {
    id: "thermal_energy_at_melting_point",
    noun: "thermal energy k_B·T at its melting point",
    inputs: { temperature: positive("K", "melting point", "melting_temperature") },
    constants: ["k_B"],
    expression: "k_B*temperature",
    output: { unit: "meV", quantity: "energy" },
    wrong_routes: [wrong("3/2*k_B*temperature", "the mean kinetic energy of a particle")],
    source: `${ATKINS}, section F.5`,
    anchors: [
      anchor({ temperature: "300 K" }, "25.85 meV", 1e-4, "Wikipedia, kT (energy)"),
      anchor(
        { temperature: "11604.51812 K" },
        "1 eV",
        1e-9,
        "CODATA 2022, electron volt-kelvin relationship",
      ),
    ],
  },
  {
    id: "molar_volume",
    noun: "molar volume",
    inputs: { weight, density },
    constants: ["N_A"],
    expression: "weight*N_A/density",
    output: { unit: "cm^3/mol", quantity: "molar_volume" },
    wrong_routes: [wrong("weight*N_A/density/2", "the molecule of two atoms")],
    source: `${ATKINS}, section F.1`,
    anchors: [
      anchor({ weight: "55.845 u", density: "7.874 g/cm^3" }, "7.09 cm^3/mol", 1e-3, "WebElements, Iron"),
      anchor({ weight: "196.9666 u", density: "19.3 g/cm^3" }, "10.21 cm^3/mol", 1e-3, "WebElements, Gold"),
    ],
  },
  {
    id: "number_density",
    noun: "number of atoms per unit volume",
    inputs: { weight, density },
    expression: "density/weight",
    output: { unit: "cm^-3", quantity: "number_density" },
    source: "Kittel, Introduction to Solid State Physics, 8th ed., chapter 1",
    anchors: [
      anchor({ weight: "26.98154 u", density: "2.70 g/cm^3" }, "6.02e22 cm^-3", 2e-3, `${KITTEL}: Al`),
      anchor({ weight: "196.96657 u", density: "19.28 g/cm^3" }, "5.90e22 cm^-3", 2e-3, `${KITTEL}: Au`),
    ],
  },
  {
    id: "critical_compressibility",
    noun: "critical compressibility factor",
    definition: "p/(ρRT) at the critical point, with the molar density ρ",
    inputs: {
      pressure: positive("MPa", "critical pressure", "critical_pressure"),
      density: positive("mol/L", "critical molar density", "critical_molar_density"),
      temperature: positive("K", "critical temperature", "critical_temperature"),
    },
    constants: ["R"],
    expression: "pressure/(density*R*temperature)",
    output: { unit: "1", quantity: "ratio", range: [0.05, 1] },
    wrong_routes: [wrong("density*R*temperature/pressure", "the ratio turned round")],
    source: `${ATKINS}, section 1.4`,
    anchors: [
      anchor(
        { pressure: "7.3773 MPa", density: "10.6249 mol/L", temperature: "304.1282 K" },
        "0.2746",
        1e-3,
        "Span & Wagner 1996, J. Phys. Chem. Ref. Data 25, 1509 (CO₂)",
      ),
      anchor(
        { pressure: "22.064 MPa", density: "17.874 mol/L", temperature: "647.096 K" },
        "0.2294",
        1e-3,
        "Wagner & Pruß 2002, J. Phys. Chem. Ref. Data 31, 387 (water)",
      ),
    ],
  },
];
