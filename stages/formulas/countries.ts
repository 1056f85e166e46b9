/** Areas of countries. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const area = positive("km^2", "total area", "total_area");

export const COUNTRIES: readonly FormulaSpec[] = [
  {
    id: "equal_area_radius",
    noun: "radius of a circle that has its total area",
    inputs: { area },
    expression: "sqrt(area/pi)",
    output: { unit: "km", quantity: "length" },
    wrong_routes: [wrong("2*sqrt(area/pi)", "the diameter"), wrong("sqrt(area)", "the side of a square")],
    source: "elementary geometry",
    anchors: [
      anchor({ area: "78.53982 km^2" }, "5 km", 1e-6, "elementary geometry: a circle of radius 5 km"),
      anchor(
        { area: "510072000 km^2" },
        "12742 km",
        1e-4,
        "a disc of twice the Earth's radius has its surface area",
      ),
    ],
  },
  {
    id: "land_share",
    noun: "share of the Earth's land area",
    inputs: { area },
    constants: ["A_land"],
    state_constants: ["A_land"],
    expression: "area/A_land",
    output: { unit: "percent", quantity: "share", range: [0, 100] },
    source: "definition",
    anchors: [
      anchor({ area: "17098242 km^2" }, "11.5 %", 3e-3, "Wikipedia, List of countries by area: Russia"),
      anchor({ area: "9984670 km^2" }, "6.7 %", 6e-3, "Wikipedia, List of countries by area: Canada"),
    ],
  },
  {
    id: "area_per_neighbour",
    noun: "total area divided by the number of countries it borders on land",
    inputs: { area, neighbours: input("1", "number of land neighbours", "neighbours", { valid: [2, null] }) },
    expression: "area/neighbours",
    output: { unit: "km^2", quantity: "area_ratio" },
    source: "definition",
    anchors: [
      anchor(
        { area: "41285 km^2", neighbours: "5" },
        "8257 km^2",
        1e-9,
        "CIA World Factbook, Switzerland: 5 neighbours",
      ),
      anchor(
        { area: "30528 km^2", neighbours: "4" },
        "7632 km^2",
        1e-9,
        "CIA World Factbook, Belgium: 4 neighbours",
      ),
    ],
  },
];
