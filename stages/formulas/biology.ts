/** DNA by its length, and amino acids by their formulas. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const ALBERTS = "Alberts et al., Molecular Biology of the Cell, 6th ed.";
const DOLEZEL = "Doležel et al. 2003, Cytometry 51A, 127";
const PUBCHEM = (name: string) => `PubChem, ${name}`;

const pairs = input("1", "number of base pairs", "sequence_length", { valid: [1, null] });
const whole = input("1", "number of base pairs of the chromosome", "sequence_length", {
  valid: [1, null],
  of: "followed",
});
const weight = positive("g/mol", "molar mass", "molar_mass");
const atoms = (element: string) =>
  input("1", `number of ${element} atoms`, `${element}_atoms`, { valid: [0, null] });

export const GENOMES: readonly FormulaSpec[] = [
  {
    id: "contour_length",
    noun: "contour length of its DNA",
    definition: "as one straight double helix of the B form",
    inputs: { pairs },
    constants: ["bp_rise"],
    state_constants: ["bp_rise"],
    expression: "pairs*bp_rise",
    output: { unit: "mm", quantity: "length" },
    source: `${ALBERTS}, chapter 4`,
    anchors: [
      anchor({ pairs: "48502" }, "16.5 um", 2e-3, "Wikipedia, Lambda phage"),
      anchor({ pairs: "168903" }, "57 um", 0.01, "Wikipedia, Escherichia virus T4"),
    ],
  },
  {
    id: "helical_turns",
    noun: "number of turns of its double helix",
    definition: "relaxed, at 10.5 base pairs per turn",
    inputs: { pairs },
    expression: "pairs/10.5",
    output: { unit: "1", quantity: "turns" },
    source: "Bates & Maxwell, DNA Topology, 2nd ed., chapter 2",
    anchors: [
      anchor(
        { pairs: "5243" },
        "500",
        2e-3,
        "Bates & Maxwell, chapter 2: linking number of relaxed SV40 DNA",
      ),
      anchor({ pairs: "4361" }, "415", 2e-3, "Bates & Maxwell, chapter 2: pBR322"),
    ],
  },
  {
    id: "dna_mass",
    noun: "mass of its double-stranded DNA",
    inputs: { pairs },
    constants: ["bp_per_pg"],
    state_constants: ["bp_per_pg"],
    expression: "pairs/bp_per_pg",
    output: { unit: "pg", quantity: "mass" },
    source: DOLEZEL,
    anchors: [
      anchor(
        { pairs: "3.423e9" },
        "3.50 pg",
        1e-3,
        "Animal Genome Size Database: human, 3.50 pg or 3423 Mbp",
      ),
      anchor({ pairs: "1.57e8" }, "0.16 pg", 5e-3, "Bennett et al. 2003, Annals of Botany 91, 547"),
    ],
  },
  {
    id: "expected_sites",
    noun: "expected number of occurrences of a given sequence of six base pairs in it",
    definition: "in a random sequence of the same length with all four bases equally frequent",
    inputs: { pairs: { ...pairs, valid: [6, null] } },
    expression: "(pairs - 5)/4^6",
    output: { unit: "1", quantity: "expected_count" },
    wrong_routes: [wrong("(pairs - 5)/4^5", "five bases in place of six")],
    source: "Waterman, Introduction to Computational Biology, chapter 12",
    anchors: [
      anchor({ pairs: "4101" }, "1", 1e-9, "New England Biolabs: a six-base site once in 4096 base pairs"),
      anchor({ pairs: "48502" }, "12", 0.02, "Brown, Gene Cloning, 7th ed., section 4.2: lambda DNA"),
    ],
  },
  {
    id: "chromosome_share",
    noun: "share of that chromosome's base pairs that lie in the band",
    inputs: { pairs, whole },
    expression: "pairs/whole",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    source: "definition",
    anchors: [
      anchor({ pairs: "2300000", whole: "248956422" }, "0.924 %", 1e-3, "GRCh38: 1p36.33 on chromosome 1"),
      anchor({ pairs: "30627415", whole: "57227415" }, "53.5 %", 1e-3, "GRCh38: Yq12 on chromosome Y"),
    ],
  },
  {
    id: "relative_start",
    noun: "share of that chromosome's base pairs that lie before the start of the band",
    definition: "counted from the tip of the short arm",
    inputs: { start: input("1", "start coordinate", "start_coordinate", { valid: [1, null] }), whole },
    expression: "start/whole",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    source: "definition",
    anchors: [
      anchor({ start: "26600000", whole: "57227415" }, "46.5 %", 1e-3, "GRCh38: Yq12 on chromosome Y"),
      anchor({ start: "2300000", whole: "248956422" }, "0.924 %", 1e-3, "GRCh38: 1p36.32 on chromosome 1"),
    ],
  },
  {
    id: "arm_ratio",
    noun: "arm ratio",
    definition: "the length of the long arm over that of the short arm",
    inputs: {
      long: input("1", "number of base pairs of the long arm", "long_arm_length", { valid: [1, null] }),
      short: input("1", "number of base pairs of the short arm", "short_arm_length", { valid: [1, null] }),
    },
    expression: "long/short",
    output: { unit: "1", quantity: "ratio" },
    wrong_routes: [
      wrong("short/long", "the ratio turned round"),
      wrong("long/(long + short)", "the share of the long arm"),
    ],
    source: "Levan et al. 1964, Hereditas 52, 201",
    anchors: [
      anchor({ long: "3", short: "1" }, "3.0", 1e-9, "Levan et al. 1964: border of submetacentric, 3.0"),
      anchor({ long: "62.5", short: "37.5" }, "1.7", 0.02, "Levan et al. 1964: border of metacentric, 1.7"),
    ],
  },
  {
    id: "centromeric_index",
    noun: "centromeric index",
    definition: "the length of the short arm over that of the whole chromosome",
    inputs: {
      short: input("1", "number of base pairs of the short arm", "short_arm_length", { valid: [1, null] }),
      pairs,
    },
    expression: "short/pairs",
    output: { unit: "percent", quantity: "share", range: [0, 50] },
    wrong_routes: [wrong("short/(pairs - short)", "the short arm over the long arm")],
    source: "Levan et al. 1964, Hereditas 52, 201",
    anchors: [
      anchor({ short: "1", pairs: "4" }, "25.0 %", 1e-9, "Levan et al. 1964: border of submetacentric, 25.0"),
      anchor(
        { short: "37.5", pairs: "100" },
        "37.5 %",
        1e-9,
        "Levan et al. 1964: border of metacentric, 37.5",
      ),
    ],
  },
  {
    id: "mean_band_length",
    noun: "mean length of its cytogenetic bands",
    definition: "in millions of base pairs",
    inputs: { pairs, bands: input("1", "number of cytogenetic bands", "bands", { valid: [1, null] }) },
    expression: "pairs/bands/10^6",
    output: { unit: "1", quantity: "mean" },
    digits: 4,
    source: "definition",
    anchors: [
      anchor(
        { pairs: "3088269832", bands: "862" },
        "3.58",
        1e-3,
        "GRCh38: 862 bands on 3,088,269,832 base pairs",
      ),
      anchor({ pairs: "850e6", bands: "850" }, "1", 1e-9, "definition"),
    ],
  },
];

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
