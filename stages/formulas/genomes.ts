/** DNA by its length. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, wrong } from "./spec.js";

const ALBERTS = "Alberts et al., Molecular Biology of the Cell, 6th ed.";
const DOLEZEL = "Doležel et al. 2003, Cytometry 51A, 127";

const pairs = input("1", "number of base pairs", "sequence_length", { valid: [1, null] });
const whole = input("1", "number of base pairs of the chromosome", "sequence_length", {
  valid: [1, null],
  of: "followed",
});

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
    id: "chromosome_share",
    noun: "ratio of its number of base pairs to that of the chromosome",
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
    noun: "ratio of its start coordinate to the number of base pairs of the chromosome",
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
