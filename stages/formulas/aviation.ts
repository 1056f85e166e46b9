/** The International Standard Atmosphere at the elevation of an airport. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, wrong } from "./spec.js";

const ICAO = "ICAO Doc 7488, Manual of the ICAO Standard Atmosphere";
const USSA = "U.S. Standard Atmosphere 1976, table I";
const ANDERSON = "Anderson, Introduction to Flight, 8th ed.";

const elevation = input("m", "elevation", "elevation", { valid: [-1000, 11000] });
const TEMPERATURE = "(T_isa - L_isa*elevation)";
const PRESSURE = "atm*(1 - L_isa*elevation/T_isa)^(g_n*M_air/(R*L_isa))";
const DENSITY = `${PRESSURE}*M_air/(R*${TEMPERATURE})`;
const SEA_DENSITY = "(atm*M_air/(R*T_isa))";
const ISA = ["T_isa", "L_isa"];
const AIR = [...ISA, "atm", "M_air", "g_n", "R"];
const steps = {
  temperature: {
    expression: "T_isa - L_isa*elevation",
    unit: "K",
    noun: "temperature of the standard atmosphere",
  },
  pressure: { expression: PRESSURE, unit: "hPa", noun: "pressure of the standard atmosphere" },
};

export const AVIATION: readonly FormulaSpec[] = [
  {
    id: "isa_temperature",
    noun: "temperature of the International Standard Atmosphere at its elevation",
    inputs: { elevation },
    constants: ISA,
    expression: TEMPERATURE,
    output: { unit: "K", quantity: "temperature", range: [200, 300] },
    digits: 4,
    wrong_routes: [wrong("T_isa + L_isa*elevation", "the sign of the lapse rate turned round")],
    source: ICAO,
    anchors: [
      anchor({ elevation: "1000 m" }, "281.65 K", 1e-6, `${ICAO}, table 1`),
      anchor({ elevation: "5000 m" }, "255.65 K", 1e-6, `${ICAO}, table 1`),
    ],
  },
  {
    id: "isa_density",
    noun: "air density of the International Standard Atmosphere at its elevation",
    inputs: { elevation },
    constants: AIR,
    expression: DENSITY,
    output: { unit: "kg/m^3", quantity: "density", range: [0.3, 1.4] },
    digits: 4,
    steps,
    wrong_routes: [wrong(`${PRESSURE}*M_air/(R*T_isa)`, "the temperature at sea level")],
    source: ICAO,
    anchors: [
      anchor({ elevation: "1000 m" }, "1.112 kg/m^3", 1e-3, USSA),
      anchor({ elevation: "5000 m" }, "0.7364 kg/m^3", 1e-3, USSA),
    ],
  },
  {
    id: "isa_sound_speed",
    noun: "speed of sound in the International Standard Atmosphere at its elevation",
    definition: "with a ratio of specific heats of 1.4",
    inputs: { elevation },
    constants: [...ISA, "M_air", "R"],
    expression: `sqrt(1.4*R*${TEMPERATURE}/M_air)`,
    output: { unit: "kn", quantity: "speed", range: [500, 700] },
    digits: 4,
    steps: { temperature: steps.temperature },
    wrong_routes: [wrong(`sqrt(R*${TEMPERATURE}/M_air)`, "the isothermal speed: the factor 1.4 forgotten")],
    source: ICAO,
    anchors: [
      anchor({ elevation: "1000 m" }, "336.4 m/s", 2e-4, USSA),
      anchor({ elevation: "5000 m" }, "320.5 m/s", 2e-4, USSA),
    ],
  },
  {
    id: "true_airspeed_factor",
    noun: "ratio of true to equivalent airspeed in the International Standard Atmosphere at its elevation",
    definition: "the square root of the ratio of the density at sea level to that at its elevation",
    inputs: { elevation },
    constants: AIR,
    expression: `sqrt(${SEA_DENSITY}/(${DENSITY}))`,
    output: { unit: "1", quantity: "ratio" },
    digits: 4,
    steps,
    wrong_routes: [wrong(`${SEA_DENSITY}/(${DENSITY})`, "the square root forgotten")],
    source: `${ANDERSON}, section 4.12`,
    anchors: [
      anchor({ elevation: "5000 m" }, "1.290", 1e-3, `${USSA}: density ratio 0.6012`),
      anchor({ elevation: "10000 m" }, "1.721", 2e-3, `${USSA}: density ratio 0.3376`),
    ],
  },
];
