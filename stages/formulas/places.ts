/** Latitudes and longitudes: what they say about gravity, rotation, the Sun. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, wrong } from "./spec.js";

const WGS = "NIMA TR8350.2, Department of Defense World Geodetic System 1984";
const MEEUS = "Meeus, Astronomical Algorithms, 2nd ed.";
const DEGREES = "Wikipedia, Longitude: length of a degree";

const latitude = input("deg", "latitude", "latitude", { valid: [-90, 90] });
const longitude = input("deg", "longitude", "longitude", { valid: [-180, 180] });
/** Between the polar circles the Sun rises and sets every day. */
const temperate = input("deg", "latitude", "latitude", { valid: [-66, 66] });

export const PLACES: readonly FormulaSpec[] = [
  {
    id: "parallel_length",
    noun: "length of the circle of latitude through it",
    definition: "on the WGS 84 ellipsoid at sea level",
    inputs: { latitude },
    constants: ["a_wgs84", "e2_wgs84"],
    expression: "2*pi*a_wgs84*cos(latitude)/sqrt(1 - e2_wgs84*sin(latitude)^2)",
    output: { unit: "km", quantity: "length" },
    wrong_routes: [wrong("2*pi*a_wgs84", "the equator")],
    source: WGS,
    anchors: [
      anchor({ latitude: "45 deg" }, "28384.9 km", 1e-5, `${DEGREES}, 78.847 km at 45°`),
      anchor({ latitude: "60 deg" }, "20088.0 km", 1e-5, `${DEGREES}, 55.800 km at 60°`),
    ],
  },
  {
    id: "equator_distance",
    noun: "shortest distance to the equator",
    definition: "on a sphere of 6371.0088 km radius",
    inputs: { latitude },
    constants: ["R_mean"],
    expression: "R_mean*abs(latitude)",
    output: { unit: "km", quantity: "length" },
    source: "elementary geometry",
    anchors: [
      anchor(
        { latitude: "-90 deg" },
        "10007.557 km",
        1e-6,
        "Wikipedia, Earth's circumference: a quarter of 40,030 km",
      ),
      anchor({ latitude: "45 deg" }, "5003.8 km", 1e-5, "Wikipedia, 45th parallel north: half of it"),
    ],
  },
  {
    id: "north_pole_distance",
    noun: "great-circle distance to the North Pole",
    definition: "on a sphere of 6371.0088 km radius",
    inputs: { latitude },
    constants: ["R_mean"],
    expression: "R_mean*(pi/2 - latitude)",
    output: { unit: "km", quantity: "length", range: [0, 20016] },
    wrong_routes: [wrong("R_mean*(pi/2 + latitude)", "the distance to the South Pole")],
    source: "elementary geometry",
    anchors: [
      anchor(
        { latitude: "-90 deg" },
        "20015 km",
        1e-5,
        "Wikipedia, Great-circle distance: half the circumference",
      ),
      anchor(
        { latitude: "0 deg" },
        "10008 km",
        1e-4,
        "Wikipedia, Earth's circumference: a quarter of 40,030 km",
      ),
    ],
  },
  {
    id: "rotation_speed",
    noun: "speed at which the Earth's rotation carries it around the axis",
    definition: "on the WGS 84 ellipsoid at sea level",
    inputs: { latitude },
    constants: ["a_wgs84", "e2_wgs84", "omega_earth"],
    expression: "omega_earth*a_wgs84*cos(latitude)/sqrt(1 - e2_wgs84*sin(latitude)^2)",
    output: { unit: "m/s", quantity: "speed" },
    steps: {
      axis_distance: {
        expression: "a_wgs84*cos(latitude)/sqrt(1 - e2_wgs84*sin(latitude)^2)",
        unit: "km",
        noun: "distance from the axis",
      },
    },
    wrong_routes: [wrong("omega_earth*a_wgs84", "the speed at the equator")],
    source: WGS,
    anchors: [
      anchor(
        { latitude: "28.59 deg" },
        "1470.23 km/h",
        1e-3,
        "Wikipedia, Earth's rotation: Kennedy Space Center",
      ),
      anchor({ latitude: "0 deg" }, "465.10 m/s", 2e-5, "Wikipedia, Earth's rotation"),
    ],
  },
  {
    id: "coriolis_parameter",
    noun: "Coriolis parameter at its latitude",
    definition: "2Ω sin φ, negative south of the equator",
    inputs: { latitude },
    constants: ["omega_earth"],
    expression: "2*omega_earth*sin(latitude)",
    output: { unit: "s^-1", quantity: "rate" },
    wrong_routes: [
      wrong("omega_earth*sin(latitude)", "the factor 2 forgotten"),
      wrong("2*omega_earth*cos(latitude)", "the horizontal component"),
    ],
    source: "Holton & Hakim, An Introduction to Dynamic Meteorology, 5th ed., section 1.3",
    anchors: [
      anchor({ latitude: "30 deg" }, "7.292e-5 s^-1", 1e-4, "Gill, Atmosphere-Ocean Dynamics, section 7.1"),
      anchor({ latitude: "45 deg" }, "1.03e-4 s^-1", 2e-3, "Holton & Hakim, section 2.4"),
    ],
  },
  {
    id: "normal_gravity",
    noun: "normal gravity at sea level at its latitude",
    definition: "by Somigliana's formula for the WGS 84 ellipsoid",
    inputs: { latitude },
    constants: ["g_equator", "e2_wgs84"],
    expression: "g_equator*(1 + 0.00193185265241*sin(latitude)^2)/sqrt(1 - e2_wgs84*sin(latitude)^2)",
    output: { unit: "m/s^2", quantity: "acceleration", range: [9.78, 9.84] },
    digits: 5,
    wrong_routes: [wrong("g_equator", "the value at the equator")],
    source: WGS,
    anchors: [
      anchor({ latitude: "90 deg" }, "9.8321849378 m/s^2", 1e-10, `${WGS}, table 3.4`),
      anchor({ latitude: "45 deg" }, "9.80620 m/s^2", 1e-5, "Wikipedia, Normal gravity formula (GRS 80)"),
    ],
  },
  {
    id: "june_noon_altitude",
    noun: "altitude of the Sun above the horizon at its local apparent noon on the June solstice",
    definition: "with an obliquity of the ecliptic of 23.4393°, leaving refraction and elevation aside",
    inputs: { latitude: { ...temperate } },
    constants: ["obliquity"],
    expression: "pi/2 - abs(latitude - obliquity)",
    output: { unit: "deg", quantity: "angle", range: [0, 90] },
    wrong_routes: [
      wrong("pi/2 - abs(latitude + obliquity)", "the December solstice"),
      wrong("pi/2 - abs(latitude)", "the equinox"),
    ],
    source: `${MEEUS}, chapter 13`,
    anchors: [
      anchor({ latitude: "51.5 deg" }, "62 deg", 2e-3, "Royal Museums Greenwich, Summer solstice: London"),
      anchor({ latitude: "0 deg" }, "66.56 deg", 1e-4, "Wikipedia, Solstice: equator"),
    ],
  },
  {
    id: "december_noon_altitude",
    noun: "altitude of the Sun above the horizon at its local apparent noon on the December solstice",
    definition: "with an obliquity of the ecliptic of 23.4393°, leaving refraction and elevation aside",
    inputs: { latitude: { ...temperate } },
    constants: ["obliquity"],
    expression: "pi/2 - abs(latitude + obliquity)",
    output: { unit: "deg", quantity: "angle", range: [0, 90] },
    wrong_routes: [
      wrong("pi/2 - abs(latitude - obliquity)", "the June solstice"),
      wrong("pi/2 - abs(latitude)", "the equinox"),
    ],
    source: `${MEEUS}, chapter 13`,
    anchors: [
      anchor({ latitude: "51.5 deg" }, "15 deg", 6e-3, "Royal Museums Greenwich, Winter solstice: London"),
      anchor({ latitude: "0 deg" }, "66.56 deg", 1e-4, "Wikipedia, Solstice: equator"),
    ],
  },
  {
    id: "longest_day",
    noun: "length of its longest day of the year",
    definition:
      "from the moment when the Sun's centre rises to that when it sets, with an obliquity of the ecliptic of 23.4393°, leaving refraction and elevation aside",
    inputs: { latitude: { ...temperate } },
    constants: ["obliquity", "solar_day"],
    expression: "solar_day/pi*acos(-tan(abs(latitude))*tan(obliquity))",
    output: { unit: "h", quantity: "time", range: [12, 24] },
    digits: 4,
    wrong_routes: [wrong("solar_day/pi*acos(tan(abs(latitude))*tan(obliquity))", "the shortest day")],
    source: `${MEEUS}, chapter 15`,
    anchors: [
      anchor(
        { latitude: "40 deg" },
        "14.85 h",
        1e-3,
        "Forsythe et al. 1995, Ecological Modelling 80, 87 (p = 0)",
      ),
      anchor(
        { latitude: "60 deg" },
        "18.49 h",
        1e-3,
        "Forsythe et al. 1995, Ecological Modelling 80, 87 (p = 0)",
      ),
    ],
  },
  {
    id: "mean_time_offset",
    noun: "difference between its local mean solar time and universal time",
    definition: "positive where local mean time is ahead",
    inputs: { longitude },
    constants: ["solar_day"],
    expression: "longitude/(2*pi)*solar_day",
    output: { unit: "min", quantity: "time", range: [-720, 720] },
    wrong_routes: [wrong("-longitude/(2*pi)*solar_day", "the sign turned round")],
    source: `${MEEUS}, chapter 12`,
    anchors: [
      anchor(
        { longitude: "2.3372 deg" },
        "9.3492 min",
        1e-3,
        "Paris Mean Time: 9 min 20.921 s ahead of Greenwich",
      ),
      anchor(
        { longitude: "4.8839 deg" },
        "19.5355 min",
        1e-3,
        "Amsterdam Time: 19 min 32.13 s ahead of Greenwich",
      ),
    ],
  },
];
