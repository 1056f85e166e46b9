/** Elliptic curves over the rational numbers. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const SILVERMAN = "Silverman, The Arithmetic of Elliptic Curves, 2nd ed.";

const coefficient = (name: string) =>
  input("1", `coefficient ${name} of the reduced minimal Weierstrass equation`, `weierstrass_${name}`);
const discriminant = input("1", "minimal discriminant", "minimal_discriminant");

export const CURVES: readonly FormulaSpec[] = [
  {
    id: "bsd_value",
    noun: "leading Taylor coefficient of its L-function at s = 1 by the Birch and Swinnerton-Dyer formula",
    definition:
      "real period × regulator × product of Tamagawa numbers × order of Ш over the square of the torsion order",
    inputs: {
      period: positive("1", "real period", "real_period"),
      regulator: positive("1", "regulator", "regulator"),
      tamagawa: input("1", "product of Tamagawa numbers", "tamagawa_product", { valid: [1, null] }),
      sha: input("1", "analytic order of Ш", "sha_order", { valid: [1, null] }),
      torsion: input("1", "order of the torsion subgroup", "torsion_order", { valid: [1, 16] }),
    },
    expression: "period*regulator*tamagawa*sha/torsion^2",
    output: { unit: "1", quantity: "special_value" },
    digits: 6,
    wrong_routes: [
      wrong("period*regulator*tamagawa*sha/torsion", "the torsion order without its square"),
      wrong("period*regulator*sha/torsion^2", "the Tamagawa numbers forgotten"),
    ],
    source: "Cremona, Algorithms for Modular Elliptic Curves, 2nd ed., section 2.13",
    anchors: [
      anchor(
        { period: "1.26920930427955", regulator: "1", tamagawa: "5", sha: "1", torsion: "5" },
        "0.25384186085591",
        1e-13,
        "LMFDB, elliptic curve 11.a2 (11a1): L(E,1)",
      ),
      anchor(
        {
          period: "5.98691729246392",
          regulator: "0.0511114082399688",
          tamagawa: "1",
          sha: "1",
          torsion: "1",
        },
        "0.30599977383405",
        1e-13,
        "LMFDB, elliptic curve 37.a1 (37a1): L'(E,1)",
      ),
    ],
  },
  {
    id: "c4_invariant",
    noun: "invariant c₄ of its global minimal model",
    inputs: {
      a1: coefficient("a1"),
      a2: coefficient("a2"),
      a3: coefficient("a3"),
      a4: coefficient("a4"),
    },
    expression: "(a1^2 + 4*a2)^2 - 24*(2*a4 + a1*a3)",
    output: { unit: "1", quantity: "c4" },
    exact: true,
    steps: {
      b2: { expression: "a1^2 + 4*a2", unit: "1", noun: "invariant b₂" },
      b4: { expression: "2*a4 + a1*a3", unit: "1", noun: "invariant b₄" },
    },
    wrong_routes: [wrong("(a1^2 + 4*a2)^2 + 24*(2*a4 + a1*a3)", "a sign turned round")],
    source: `${SILVERMAN}, section III.1`,
    anchors: [
      anchor({ a1: "0", a2: "-1", a3: "1", a4: "-10" }, "496", 1e-12, "LMFDB, elliptic curve 11.a2 (11a1)"),
      anchor({ a1: "0", a2: "0", a3: "1", a4: "-1" }, "48", 1e-12, "LMFDB, elliptic curve 37.a1 (37a1)"),
    ],
  },
  {
    id: "j_invariant",
    noun: "j-invariant",
    definition: "as a decimal number",
    inputs: { c4: input("1", "invariant c₄ of the minimal model", "c4"), discriminant },
    expression: "c4^3/discriminant",
    output: { unit: "1", quantity: "j_invariant" },
    digits: 6,
    steps: { cube: { expression: "c4^3", unit: "1", noun: "cube of c₄" } },
    wrong_routes: [wrong("1728*c4^3/discriminant", "the factor 1728 of the short form")],
    source: `${SILVERMAN}, section III.1`,
    anchors: [
      anchor(
        { c4: "496", discriminant: "-161051" },
        "-757.672637860",
        1e-11,
        "LMFDB, elliptic curve 11.a2 (11a1): −122023936/161051",
      ),
      anchor(
        { c4: "48", discriminant: "37" },
        "2988.97297297",
        1e-11,
        "LMFDB, elliptic curve 37.a1 (37a1): 110592/37",
      ),
    ],
  },
  {
    id: "szpiro_ratio",
    noun: "Szpiro ratio",
    definition: "the logarithm of the absolute value of the minimal discriminant over that of the conductor",
    inputs: { discriminant, conductor: input("1", "conductor", "conductor", { valid: [11, null] }) },
    expression: "ln(abs(discriminant))/ln(conductor)",
    output: { unit: "1", quantity: "ratio" },
    digits: 5,
    wrong_routes: [wrong("abs(discriminant)/conductor", "the ratio without logarithms")],
    source: `${SILVERMAN}, section VIII.11`,
    anchors: [
      anchor({ discriminant: "-161051", conductor: "11" }, "5", 1e-12, "11a1: Δ = −11⁵"),
      anchor({ discriminant: "37", conductor: "37" }, "1", 1e-12, "37a1: Δ = 37"),
    ],
  },
];
