/** Places on the Earth. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const WGS = "NIMA TR8350.2, Department of Defense World Geodetic System 1984";
const ICAO = "ICAO Doc 7488, Manual of the ICAO Standard Atmosphere";

const latitude = input("deg", "latitude", "latitude", { valid: [-90, 90] });
const longitude = input("deg", "longitude", "longitude", { valid: [-180, 180] });

export const GENERAL: readonly FormulaSpec[] = [
  {
    id: "standard_pressure",
    noun: "air pressure of the International Standard Atmosphere at its elevation",
    inputs: { elevation: input("m", "elevation", "elevation", { valid: [-1000, 11000] }) },
    constants: ["atm", "T_isa", "L_isa", "M_air", "g_n", "R"],
    expression: "atm*(1 - L_isa*elevation/T_isa)^(g_n*M_air/(R*L_isa))",
    output: { unit: "hPa", quantity: "pressure", range: [200, 1200] },
    steps: {
      temperature: {
        expression: "T_isa - L_isa*elevation",
        unit: "K",
        noun: "temperature of the standard atmosphere",
      },
    },
    source: ICAO,
    anchors: [
      anchor({ elevation: "1000 m" }, "89874.6 Pa", 1e-5, `${ICAO}, table 1`),
      anchor({ elevation: "5000 m" }, "54019.9 Pa", 3e-5, `${ICAO}, table 1`),
      anchor({ elevation: "11000 m" }, "22632.1 Pa", 5e-5, `${ICAO}, table 1`),
    ],
  },
  {
    id: "longitude_degree",
    noun: "length of one degree of longitude at its latitude",
    definition: "on the WGS 84 ellipsoid at sea level",
    inputs: { latitude },
    constants: ["a_wgs84", "e2_wgs84"],
    expression: "pi/180*a_wgs84*cos(latitude)/sqrt(1 - e2_wgs84*sin(latitude)^2)",
    output: { unit: "km", quantity: "length" },
    wrong_routes: [wrong("pi/180*a_wgs84", "the degree at the equator")],
    source: WGS,
    anchors: [
      anchor({ latitude: "45 deg" }, "78.847 km", 1e-5, "Wikipedia, Longitude: length of a degree"),
      anchor({ latitude: "60 deg" }, "55.800 km", 1e-5, "Wikipedia, Longitude: length of a degree"),
      anchor({ latitude: "0 deg" }, "111.320 km", 1e-5, "Wikipedia, Longitude: length of a degree"),
    ],
  },
  {
    id: "latitude_degree",
    noun: "length of one degree of latitude at its latitude",
    definition: "on the WGS 84 ellipsoid at sea level",
    inputs: { latitude },
    constants: ["a_wgs84", "e2_wgs84"],
    expression: "pi/180*a_wgs84*(1 - e2_wgs84)/(1 - e2_wgs84*sin(latitude)^2)^1.5",
    output: { unit: "km", quantity: "length" },
    digits: 6,
    wrong_routes: [wrong("pi/180*a_wgs84", "a sphere of the equatorial radius")],
    source: WGS,
    anchors: [
      anchor({ latitude: "0 deg" }, "110.574 km", 1e-5, "Wikipedia, Latitude: length of a degree"),
      anchor({ latitude: "45 deg" }, "111.132 km", 1e-5, "Wikipedia, Latitude: length of a degree"),
    ],
  },
  {
    id: "great_circle_distance",
    noun: "great-circle distance",
    definition: "on a sphere of the Earth's mean radius of 6371.0088 km",
    inputs: {
      latitude,
      longitude,
      other_latitude: { ...latitude, of: "followed" },
      other_longitude: { ...longitude, of: "followed" },
    },
    constants: ["R_mean"],
    expression:
      "2*R_mean*asin(sqrt(sin((latitude - other_latitude)/2)^2 + cos(latitude)*cos(other_latitude)*sin((longitude - other_longitude)/2)^2))",
    output: { unit: "km", quantity: "length", range: [0, 20016] },
    source: "Sinnott 1984, Sky and Telescope 68, 158 (haversine)",
    anchors: [
      anchor(
        {
          latitude: "36.12 deg",
          longitude: "-86.67 deg",
          other_latitude: "33.94 deg",
          other_longitude: "-118.40 deg",
        },
        "2886.4 km",
        5e-5,
        "Rosetta Code, Haversine formula (Nashville–Los Angeles, R = 6371.0 km)",
      ),
      anchor(
        {
          latitude: "50.066389 deg",
          longitude: "-5.714722 deg",
          other_latitude: "58.643889 deg",
          other_longitude: "-3.07 deg",
        },
        "968.9 km",
        1e-4,
        "Movable Type Scripts, Calculate distance between latitude/longitude points",
      ),
    ],
  },
  {
    id: "horizon_distance",
    noun: "distance to the geometric horizon from its elevation",
    definition: "above a smooth sphere of 6371.0088 km radius, without refraction",
    inputs: { elevation: input("m", "elevation", "elevation", { valid: [1, 10000] }) },
    constants: ["R_mean"],
    expression: "sqrt(2*R_mean*elevation + elevation^2)",
    output: { unit: "km", quantity: "length" },
    wrong_routes: [wrong("sqrt(R_mean*elevation)", "the factor 2 forgotten")],
    source: "Wikipedia, Horizon (exact formula for a spherical Earth)",
    anchors: [
      anchor(
        { elevation: "100 m" },
        "36 km",
        0.01,
        "Wikipedia, Horizon (a hill or tower 100 m above sea level)",
      ),
      anchor({ elevation: "8848 m" }, "336 km", 1e-3, "Wikipedia, Horizon (the summit of Mount Everest)"),
    ],
  },
  {
    id: "population_density",
    noun: "population density",
    definition: "inhabitants per unit of land area",
    inputs: {
      population: input("1", "population", "population", { valid: [1, null] }),
      area: positive("km^2", "land area", "land_area"),
    },
    expression: "population/area",
    output: { unit: "km^-2", quantity: "number_per_area" },
    source: "definition",
    anchors: [
      anchor(
        { population: "331449281", area: "9147593 km^2" },
        "36.2 km^-2",
        2e-3,
        "US Census 2020: 93.8 inhabitants per square mile",
      ),
      anchor(
        { population: "331449281", area: "3531905 mi^2" },
        "93.8 mi^-2",
        1e-3,
        "US Census 2020: 93.8 inhabitants per square mile",
      ),
    ],
  },
];
