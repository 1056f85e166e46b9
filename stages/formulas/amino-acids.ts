/** Amino acids by their molecular formulas. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const ALBERTS = "Alberts et al., Molecular Biology of the Cell, 6th ed.";
const PUBCHEM = (name: string) => `PubChem, ${name}`;

const weight = positive("g/mol", "molar mass", "molar_mass");
const atoms = (element: string) =>
  input("1", `number of ${element} atoms`, `${element}_atoms`, { valid: [0, null] });

export const AMINO_ACIDS: readonly FormulaSpec[] = [
  {
    id: "residue_mass",
    noun: "molar mass of its residue in a protein chain",
    definition: "the molar mass of the free amino acid less that of water",
    inputs: { weight },
    constants: ["M_water"],
    expression: "weight - M_water",
    output: { unit: "g/mol", quantity: "residue_mass" },
    digits: 5,
    wrong_routes: [wrong("weight - 2*M_water", "two waters lost")],
    source: `${ALBERTS}, chapter 3`,
    anchors: [
      anchor(
        { weight: "75.067 g/mol" },
        "57.0519 g/mol",
        1e-5,
        "ExPASy, average masses of residues: glycine",
      ),
      anchor(
        { weight: "204.229 g/mol" },
        "186.2132 g/mol",
        1e-5,
        "ExPASy, average masses of residues: tryptophan",
      ),
    ],
  },
  {
    id: "tripeptide_mass",
    noun: "molar mass of the linear tripeptide made of three of its molecules",
    inputs: { weight },
    constants: ["M_water"],
    expression: "3*weight - 2*M_water",
    output: { unit: "g/mol", quantity: "peptide_mass" },
    digits: 5,
    steps: { molecules: { expression: "3*weight", unit: "g/mol", noun: "molar mass of three molecules" } },
    wrong_routes: [
      wrong("3*weight", "the water forgotten"),
      wrong("3*weight - 3*M_water", "one water too many lost, as in a ring"),
    ],
    source: `${ALBERTS}, chapter 3`,
    anchors: [
      anchor({ weight: "75.067 g/mol" }, "189.17 g/mol", 5e-5, PUBCHEM("triglycine")),
      anchor({ weight: "89.094 g/mol" }, "231.25 g/mol", 5e-5, PUBCHEM("trialanine")),
    ],
  },
  {
    id: "protonated_mass",
    noun: "monoisotopic mass of its protonated ion [M+H]⁺",
    inputs: { mass: positive("u", "monoisotopic mass", "monoisotopic_mass") },
    constants: ["m_p_u"],
    expression: "mass + m_p_u",
    output: { unit: "u", quantity: "ion_mass" },
    digits: 6,
    source: "Gross, Mass Spectrometry, 3rd ed., chapter 3",
    anchors: [
      anchor({ mass: "75.03203 u" }, "76.0393 u", 1e-6, PUBCHEM("glycine: [M+H]+")),
      anchor({ mass: "165.07898 u" }, "166.0863 u", 1e-6, PUBCHEM("phenylalanine: [M+H]+")),
    ],
  },
  {
    id: "carbon_mass_share",
    noun: "mass fraction of carbon",
    inputs: { carbon: atoms("carbon"), weight },
    constants: ["M_C"],
    expression: "carbon*M_C/weight",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    digits: 4,
    source: "Merck Index, elemental compositions",
    anchors: [
      anchor({ carbon: "2", weight: "75.067 g/mol" }, "32.00 %", 2e-4, "Merck Index, Glycine"),
      anchor({ carbon: "11", weight: "204.229 g/mol" }, "64.69 %", 2e-4, "Merck Index, Tryptophan"),
    ],
  },
  {
    id: "nitrogen_mass_share",
    noun: "mass fraction of nitrogen",
    inputs: { nitrogen: atoms("nitrogen"), weight },
    constants: ["M_N"],
    expression: "nitrogen*M_N/weight",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    digits: 4,
    source: "Merck Index, elemental compositions",
    anchors: [
      anchor({ nitrogen: "1", weight: "75.067 g/mol" }, "18.66 %", 2e-4, "Merck Index, Glycine"),
      anchor({ nitrogen: "4", weight: "174.204 g/mol" }, "32.16 %", 2e-4, "Merck Index, Arginine"),
    ],
  },
  {
    id: "degree_of_unsaturation",
    noun: "degree of unsaturation",
    definition:
      "the number of rings and double bonds that its molecular formula implies, with trivalent nitrogen and divalent oxygen and sulfur",
    inputs: { carbon: atoms("carbon"), hydrogen: atoms("hydrogen"), nitrogen: atoms("nitrogen") },
    expression: "carbon - hydrogen/2 + nitrogen/2 + 1",
    output: { unit: "1", quantity: "count", range: [0, null] },
    exact: true,
    wrong_routes: [
      wrong("carbon - hydrogen/2 + 1", "the nitrogen forgotten"),
      wrong("carbon - hydrogen/2 - nitrogen/2 + 1", "the sign of the nitrogen turned round"),
    ],
    source: "McMurry, Organic Chemistry, 9th ed., section 7.2",
    anchors: [
      anchor(
        { carbon: "9", hydrogen: "11", nitrogen: "1" },
        "5",
        1e-12,
        "phenylalanine: ring, three double bonds, C=O",
      ),
      anchor(
        { carbon: "5", hydrogen: "5", nitrogen: "1" },
        "4",
        1e-12,
        "McMurry, section 7.2: pyridine, C5H5N",
      ),
    ],
  },
  {
    id: "electron_count",
    noun: "number of electrons in one of its neutral molecules",
    inputs: {
      carbon: atoms("carbon"),
      hydrogen: atoms("hydrogen"),
      nitrogen: atoms("nitrogen"),
      oxygen: atoms("oxygen"),
      sulfur: atoms("sulfur"),
    },
    expression: "6*carbon + hydrogen + 7*nitrogen + 8*oxygen + 16*sulfur",
    output: { unit: "1", quantity: "count", range: [0, null] },
    exact: true,
    wrong_routes: [
      wrong("4*carbon + hydrogen + 5*nitrogen + 6*oxygen + 6*sulfur", "the valence electrons alone"),
    ],
    source: "definition",
    anchors: [
      anchor(
        { carbon: "2", hydrogen: "5", nitrogen: "1", oxygen: "2", sulfur: "0" },
        "40",
        1e-12,
        "NIST CCCBDB, glycine",
      ),
      anchor(
        { carbon: "1", hydrogen: "4", nitrogen: "0", oxygen: "0", sulfur: "0" },
        "10",
        1e-12,
        "NIST CCCBDB, methane",
      ),
    ],
  },
  {
    id: "codon_share",
    noun: "share of the 61 sense codons of the standard genetic code that encode it",
    inputs: { codons: input("1", "number of codons", "codons", { valid: [1, 6] }) },
    expression: "codons/61",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    wrong_routes: [wrong("codons/64", "the stop codons counted")],
    source: `${ALBERTS}, chapter 6`,
    anchors: [
      anchor({ codons: "6" }, "9.84 %", 1e-3, "King & Jukes 1969, Science 164, 788, table: leucine 6 of 61"),
      anchor(
        { codons: "1" },
        "1.64 %",
        1e-3,
        "King & Jukes 1969, Science 164, 788, table: methionine 1 of 61",
      ),
    ],
  },
];
