/** Spans of geologic time, counted back from the present: a base is older than a top. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, wrong } from "./spec.js";

const CHART = "International Chronostratigraphic Chart";
const GTS = "Gradstein et al., Geologic Time Scale 2020";

/** Ranges that tell base and top apart: the Earth is 4,600 million years old, and no age of the Phanerozoic ends before it began. */
const BASE = { valid: [0, 4600] as [number, number] };
const TOP = { valid: [0, 540] as [number, number] };
const start = input("Myr", "age of the base", "age_start", BASE);
const young = input("Myr", "age of the top", "age_end", TOP);

export const GEOLOGY: readonly FormulaSpec[] = [
  {
    id: "age_duration",
    noun: "duration",
    inputs: { start, young },
    expression: "start - young",
    output: { unit: "Myr", quantity: "duration", range: [0, 1000] },
    source: CHART,
    anchors: [
      anchor(
        { start: "145 Myr", young: "66 Myr" },
        "79 Myr",
        1e-9,
        "Wikipedia, Cretaceous: a span of 79 million years",
      ),
      anchor({ start: "201.4 Myr", young: "145 Myr" }, "56.4 Myr", 1e-9, `${CHART} 2022/10: Jurassic`),
    ],
  },
  {
    id: "age_midpoint",
    noun: "age of its midpoint in time",
    definition: "halfway between base and top",
    inputs: { start, young },
    expression: "(start + young)/2",
    output: { unit: "Myr", quantity: "age" },
    digits: 4,
    wrong_routes: [wrong("(start - young)/2", "half the duration")],
    source: CHART,
    anchors: [
      anchor({ start: "66 Myr", young: "56 Myr" }, "61 Myr", 1e-9, `${CHART}: Paleocene`),
      anchor({ start: "145 Myr", young: "66 Myr" }, "105.5 Myr", 1e-9, `${CHART} 2022/10: Cretaceous`),
    ],
  },
  {
    id: "eccentricity_cycles",
    noun: "number of 405,000-year cycles of the Earth's orbital eccentricity in its duration",
    inputs: { start, young },
    expression: "(start - young)/long_cycle",
    constants: ["long_cycle"],
    output: { unit: "1", quantity: "cycles", range: [1, null] },
    steps: { duration: { expression: "start - young", unit: "Myr", noun: "duration" } },
    source: `${GTS}, chapter 4`,
    anchors: [
      anchor(
        { start: "66.04 Myr", young: "56 Myr" },
        "24.8",
        3e-3,
        `${GTS}, chapter 28: Paleocene, about 25 cycles`,
      ),
      anchor(
        { start: "40.5 Myr", young: "0 Myr" },
        "100",
        1e-9,
        "Laskar et al. 2004, A&A 428, 261: period of 405 kyr",
      ),
    ],
  },
  {
    id: "uranium_left",
    noun: "fraction of the uranium-238 present at the time of its base that is left today",
    inputs: { start },
    constants: ["T_U238"],
    state_constants: ["T_U238"],
    expression: "exp(-ln(2)*start/T_U238)",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    digits: 4,
    wrong_routes: [
      wrong("exp(-start/T_U238)", "the half-life taken for the mean lifetime"),
      wrong("1 - exp(-ln(2)*start/T_U238)", "the fraction that has decayed"),
    ],
    source: "Faure & Mensing, Isotopes: Principles and Applications, 3rd ed., chapter 10",
    anchors: [
      anchor(
        { start: "500 Myr" },
        "92.54 %",
        1e-4,
        "Faure & Mensing, table 10.3: 206Pb/238U = 0.0806 at 500 Ma",
      ),
      anchor({ start: "4468.3 Myr" }, "50 %", 1e-9, "definition of the half-life"),
    ],
  },
  {
    id: "period_share",
    noun: "ratio of its duration to that of the period",
    inputs: {
      start,
      young,
      period_start: input("Myr", "age of the base of the period", "age_start", { ...BASE, of: "followed" }),
      period_end: input("Myr", "age of the top of the period", "age_end", { ...TOP, of: "followed" }),
    },
    expression: "(start - young)/(period_start - period_end)",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    steps: { duration: { expression: "start - young", unit: "Myr", noun: "duration" } },
    source: CHART,
    anchors: [
      anchor(
        { start: "83.6 Myr", young: "72.1 Myr", period_start: "145 Myr", period_end: "66 Myr" },
        "14.56 %",
        1e-3,
        `${CHART} 2022/10: Campanian of the Cretaceous`,
      ),
      anchor(
        { start: "2.58 Myr", young: "1.8 Myr", period_start: "2.58 Myr", period_end: "0 Myr" },
        "30.2 %",
        2e-3,
        `${CHART} 2022/10: Gelasian of the Quaternary`,
      ),
    ],
  },
];
