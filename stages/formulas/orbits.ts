/** Orbits: of planets and small bodies about the Sun, and of moons about their planets. Two bodies, no perturbations. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const FACTS = (body: string) => `NASA/GSFC ${body} Fact Sheet`;
const SBDB = (body: string) => `JPL Small-Body Database, ${body}`;
const MURRAY = "Murray & Dermott, Solar System Dynamics (Cambridge 1999)";

/** No planet or small body has a smaller orbit, most moons have: a second fence against a moon's column tagged as heliocentric. */
const axis = input("au", "semi-major axis", "semi_major_axis", { valid: [0.1, null] });
const eccentricity = input("1", "eccentricity", "eccentricity", { valid: [0, 0.9999999] });
const period = positive("d", "orbital period", "orbital_period");
const perihelion = positive("au", "perihelion distance", "perihelion_distance");
const satelliteAxis = positive("km", "semi-major axis", "satellite_semi_major_axis");
const planetMass = positive("kg", "mass", "mass", { of: "followed" });
/** Charon has an eighth of Pluto's mass: a moon's own mass is never neglected. */
const moonGm = positive("km^3 s^-2", "gravitational parameter GM", "gravitational_parameter");

const MERCURY = { axis: "57.909e6 km", eccentricity: "0.2056" };
const JUPITER_MASS = "1.89813e27 kg";

export const ORBITS: readonly FormulaSpec[] = [
  {
    id: "mean_orbital_speed",
    noun: "mean orbital speed",
    definition: "as 2πa/P with the semi-major axis a and the orbital period P",
    inputs: { axis, period },
    expression: "2*pi*axis/period",
    output: { unit: "km/s", quantity: "speed", range: [0.01, 500] },
    steps: {
      circumference: { expression: "2*pi*axis", unit: "km", noun: "circumference of the circular orbit" },
    },
    wrong_routes: [
      wrong("axis/period", "the factor 2π forgotten"),
      wrong("pi*axis/period", "the semi-major axis taken for a diameter"),
    ],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor({ axis: "149.598e6 km", period: "365.256 d" }, "29.78 km/s", 3e-4, FACTS("Earth")),
      anchor({ axis: "108.210e6 km", period: "224.701 d" }, "35.02 km/s", 3e-4, FACTS("Venus")),
      anchor({ axis: "778.479e6 km", period: "4332.589 d" }, "13.06 km/s", 1e-3, FACTS("Jupiter")),
    ],
  },
  {
    id: "satellite_mean_orbital_speed",
    noun: "mean orbital speed",
    definition: "as 2πa/P with the semi-major axis a and the orbital period P",
    inputs: { axis: satelliteAxis, period: positive("d", "orbital period", "satellite_orbital_period") },
    expression: "2*pi*axis/period",
    output: { unit: "km/s", quantity: "speed", range: [0.001, 100] },
    steps: {
      circumference: { expression: "2*pi*axis", unit: "km", noun: "circumference of the circular orbit" },
    },
    wrong_routes: [
      wrong("axis/period", "the factor 2π forgotten"),
      wrong("pi*axis/period", "the semi-major axis taken for a diameter"),
    ],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor({ axis: "384.4e3 km", period: "27.3217 d" }, "1.022 km/s", 2e-3, FACTS("Moon")),
      anchor({ axis: "421.8e3 km", period: "1.769138 d" }, "17.334 km/s", 1e-3, "Wikipedia, Io (moon)"),
    ],
  },
  {
    id: "heliocentric_period",
    noun: "orbital period by Kepler's third law",
    definition: "about the Sun, neglecting the body's own mass",
    inputs: { axis },
    constants: ["GM_sun"],
    expression: "2*pi*sqrt(axis^3/GM_sun)",
    output: { unit: "yr", quantity: "orbital_period" },
    wrong_routes: [wrong("sqrt(axis^3/GM_sun)", "the factor 2π forgotten")],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor({ axis: "57.909e6 km" }, "87.969 d", 1e-4, FACTS("Mercury")),
      anchor({ axis: "227.956e6 km" }, "686.980 d", 1e-4, FACTS("Mars")),
      anchor({ axis: "2.766 au" }, "4.60 yr", 1e-3, SBDB("1 Ceres")),
    ],
  },
  {
    id: "heliocentric_axis",
    noun: "semi-major axis by Kepler's third law",
    definition: "about the Sun, neglecting the body's own mass",
    inputs: { period },
    constants: ["GM_sun"],
    expression: "cbrt(GM_sun*(period/(2*pi))^2)",
    output: { unit: "au", quantity: "semi_major_axis" },
    wrong_routes: [wrong("cbrt(GM_sun*period^2)", "the factor 2π forgotten")],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor({ period: "686.980 d" }, "227.956e6 km", 1e-4, FACTS("Mars")),
      anchor({ period: "224.701 d" }, "108.210e6 km", 5e-5, FACTS("Venus")),
      anchor({ period: "365.256 d" }, "149.598e6 km", 5e-5, FACTS("Earth")),
    ],
  },
  {
    id: "aphelion_from_axis",
    noun: "aphelion distance",
    inputs: { axis, eccentricity },
    expression: "axis*(1 + eccentricity)",
    output: { unit: "au", quantity: "aphelion_distance" },
    wrong_routes: [
      wrong("axis*(1 - eccentricity)", "the perihelion in place of the aphelion"),
      wrong("axis", "the semi-major axis itself"),
    ],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor(MERCURY, "69.818e6 km", 1e-4, FACTS("Mercury")),
      anchor({ axis: "5869.656e6 km", eccentricity: "0.2444" }, "7304.326e6 km", 1e-4, FACTS("Pluto")),
    ],
  },
  {
    id: "perihelion_from_axis",
    noun: "perihelion distance",
    inputs: { axis, eccentricity },
    expression: "axis*(1 - eccentricity)",
    output: { unit: "au", quantity: "perihelion_distance" },
    wrong_routes: [
      wrong("axis*(1 + eccentricity)", "the aphelion in place of the perihelion"),
      wrong("axis", "the semi-major axis itself"),
    ],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor(MERCURY, "46.000e6 km", 2e-4, FACTS("Mercury")),
      anchor({ axis: "5869.656e6 km", eccentricity: "0.2444" }, "4434.987e6 km", 1e-4, FACTS("Pluto")),
    ],
  },
  {
    id: "aphelion_from_perihelion",
    noun: "aphelion distance",
    definition: "from its perihelion distance and eccentricity",
    inputs: { perihelion, eccentricity },
    expression: "perihelion*(1 + eccentricity)/(1 - eccentricity)",
    output: { unit: "au", quantity: "aphelion_distance" },
    steps: {
      semi_major_axis: { expression: "perihelion/(1 - eccentricity)", unit: "au", noun: "semi-major axis" },
    },
    wrong_routes: [
      wrong("perihelion*(1 + eccentricity)", "the perihelion taken for the semi-major axis"),
      wrong("perihelion/(1 - eccentricity)", "the semi-major axis in place of the aphelion"),
    ],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor({ perihelion: "0.3360 au", eccentricity: "0.8483" }, "4.094 au", 1e-3, SBDB("2P/Encke")),
      anchor({ perihelion: "4434.987e6 km", eccentricity: "0.2444" }, "7304.326e6 km", 1e-4, FACTS("Pluto")),
    ],
  },
  {
    id: "semi_latus_rectum",
    noun: "semi-latus rectum of its orbit",
    inputs: { axis, eccentricity },
    expression: "axis*(1 - eccentricity^2)",
    output: { unit: "au", quantity: "length" },
    wrong_routes: [
      wrong("axis*(1 - eccentricity)", "the perihelion distance: the square forgotten"),
      wrong("axis*sqrt(1 - eccentricity^2)", "the semi-minor axis"),
    ],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor(
        { axis: "36127.343 km", eccentricity: "0.832853" },
        "11067.790 km",
        1e-5,
        "Vallado, Fundamentals of Astrodynamics, example 2-5",
      ),
      anchor(
        { axis: "8788 km", eccentricity: "0.1712" },
        "8530 km",
        2e-4,
        "Curtis, Orbital Mechanics for Engineering Students, example 4.3 (h²/μ of its h = 58,310 km²/s)",
      ),
    ],
  },
  {
    id: "mean_motion",
    noun: "mean motion",
    definition: "one full turn over the orbital period",
    inputs: { period },
    expression: "2*pi/period",
    output: { unit: "deg/d", quantity: "angular_speed" },
    wrong_routes: [wrong("1/period", "the frequency: the factor of a full turn forgotten")],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor(
        { period: "365.256 d" },
        "0.9856 deg/d",
        5e-5,
        "The Astronomical Almanac, mean daily motion of the Earth",
      ),
      anchor(
        { period: "686.980 d" },
        "0.5240330 deg/d",
        2e-6,
        "Standish & Williams, JPL approximate positions: 19140.3027° per Julian century",
      ),
    ],
  },
  {
    id: "synodic_period",
    noun: "synodic period as seen from the Earth",
    definition: "taking the Earth's sidereal year as 365.25636 days",
    inputs: { period },
    constants: ["sidereal_year"],
    expression: "1/abs(1/period - 1/sidereal_year)",
    output: { unit: "d", quantity: "synodic_period" },
    wrong_routes: [
      wrong("1/(1/period + 1/sidereal_year)", "the frequencies added"),
      wrong("abs(period - sidereal_year)", "the difference of the periods"),
    ],
    source: "Carroll & Ostlie, An Introduction to Modern Astrophysics, 2nd ed., section 1.2",
    anchors: [
      anchor({ period: "686.980 d" }, "779.94 d", 2e-5, FACTS("Mars")),
      anchor({ period: "224.701 d" }, "583.92 d", 2e-5, FACTS("Venus")),
      anchor({ period: "4332.589 d" }, "398.88 d", 2e-5, FACTS("Jupiter")),
    ],
  },
  {
    id: "perihelion_speed",
    noun: "orbital speed at perihelion",
    definition: "by the vis-viva equation",
    inputs: { axis, eccentricity },
    constants: ["GM_sun"],
    expression: "sqrt(GM_sun/axis*(1 + eccentricity)/(1 - eccentricity))",
    output: { unit: "km/s", quantity: "speed", range: [0.01, 620] },
    steps: { perihelion: { expression: "axis*(1 - eccentricity)", unit: "au", noun: "perihelion distance" } },
    wrong_routes: [
      wrong("sqrt(GM_sun/axis*(1 - eccentricity)/(1 + eccentricity))", "the speed at aphelion"),
      wrong("sqrt(GM_sun/axis)", "the speed on a circular orbit"),
      wrong("sqrt(2*GM_sun/(axis*(1 - eccentricity)))", "the parabolic speed at perihelion"),
    ],
    source: `${MURRAY}, chapter 2 (vis-viva)`,
    anchors: [
      anchor(MERCURY, "58.97 km/s", 5e-4, FACTS("Mercury")),
      anchor({ axis: "227.956e6 km", eccentricity: "0.0935" }, "26.50 km/s", 5e-4, FACTS("Mars")),
      anchor({ axis: "149.598e6 km", eccentricity: "0.0167" }, "30.29 km/s", 3e-4, FACTS("Earth")),
    ],
  },
  {
    id: "perihelion_speed_from_distance",
    noun: "orbital speed at perihelion",
    definition: "by the vis-viva equation, from its perihelion distance and eccentricity",
    inputs: { perihelion, eccentricity: input("1", "eccentricity", "eccentricity", { valid: [0, null] }) },
    constants: ["GM_sun"],
    expression: "sqrt(GM_sun*(1 + eccentricity)/perihelion)",
    output: { unit: "km/s", quantity: "speed", range: [0.01, 620] },
    wrong_routes: [
      wrong("sqrt(GM_sun/perihelion)", "the speed on a circular orbit"),
      wrong("sqrt(2*GM_sun/perihelion)", "the parabolic speed"),
    ],
    source: `${MURRAY}, chapter 2 (vis-viva)`,
    anchors: [
      anchor({ perihelion: "46.000e6 km", eccentricity: "0.2056" }, "58.97 km/s", 3e-4, FACTS("Mercury")),
      anchor(
        { perihelion: "0.586 au", eccentricity: "0.967" },
        "54.55 km/s",
        1e-3,
        "Wikipedia, Halley's Comet",
      ),
    ],
  },
  {
    id: "aphelion_speed",
    noun: "orbital speed at aphelion",
    definition: "by the vis-viva equation",
    inputs: { axis, eccentricity },
    constants: ["GM_sun"],
    expression: "sqrt(GM_sun/axis*(1 - eccentricity)/(1 + eccentricity))",
    output: { unit: "km/s", quantity: "speed", range: [0.001, 620] },
    steps: { aphelion: { expression: "axis*(1 + eccentricity)", unit: "au", noun: "aphelion distance" } },
    wrong_routes: [
      wrong("sqrt(GM_sun/axis*(1 + eccentricity)/(1 - eccentricity))", "the speed at perihelion"),
      wrong("sqrt(GM_sun/axis)", "the speed on a circular orbit"),
    ],
    source: `${MURRAY}, chapter 2 (vis-viva)`,
    anchors: [
      anchor(MERCURY, "38.86 km/s", 5e-4, FACTS("Mercury")),
      anchor({ axis: "227.956e6 km", eccentricity: "0.0935" }, "21.97 km/s", 5e-4, FACTS("Mars")),
      anchor({ axis: "149.598e6 km", eccentricity: "0.0167" }, "29.29 km/s", 3e-4, FACTS("Earth")),
    ],
  },
  {
    id: "hill_radius",
    noun: "radius of its Hill sphere",
    definition:
      "as a·(m/(3M))^(1/3) with its semi-major axis a and mass m and the Sun's mass M, leaving the eccentricity aside",
    inputs: { axis, mass: positive("kg", "mass", "mass") },
    constants: ["G", "GM_sun"],
    expression: "axis*cbrt(G*mass/(3*GM_sun))",
    output: { unit: "au", quantity: "length" },
    steps: { mass_ratio: { expression: "G*mass/GM_sun", unit: "1", noun: "ratio of its mass to the Sun's" } },
    wrong_routes: [wrong("axis*cbrt(G*mass/GM_sun)", "the factor 3 forgotten")],
    source: `${MURRAY}, chapter 3`,
    anchors: [
      anchor(
        { axis: "19.19 au", mass: "8.6811e25 kg" },
        "0.47 au",
        0.01,
        "Jewitt & Haghighipour 2007, Annu. Rev. Astron. Astrophys. 45, 261, table 1",
      ),
      anchor(
        { axis: "30.07 au", mass: "1.02409e26 kg" },
        "0.77 au",
        0.01,
        "Jewitt & Haghighipour 2007, Annu. Rev. Astron. Astrophys. 45, 261, table 1",
      ),
      anchor({ axis: "149.598e6 km", mass: "5.9722e24 kg" }, "0.01 au", 0.01, "Wikipedia, Hill sphere"),
    ],
  },
  {
    id: "tisserand_parameter",
    noun: "Tisserand parameter with respect to Jupiter",
    definition: "taking Jupiter's semi-major axis as 5.202887 au",
    inputs: {
      axis,
      eccentricity,
      inclination: input("deg", "inclination", "inclination", { valid: [0, 180] }),
    },
    constants: ["a_jup"],
    expression: "a_jup/axis + 2*cos(inclination)*sqrt(axis/a_jup*(1 - eccentricity^2))",
    output: { unit: "1", quantity: "tisserand_parameter", range: [-5, 30] },
    wrong_routes: [
      wrong("a_jup/axis + cos(inclination)*sqrt(axis/a_jup*(1 - eccentricity^2))", "the factor 2 forgotten"),
      wrong("a_jup/axis + 2*sqrt(axis/a_jup*(1 - eccentricity^2))", "the inclination forgotten"),
    ],
    source: `${MURRAY}, chapter 3`,
    anchors: [
      anchor(
        { axis: "2.2152 au", eccentricity: "0.8483", inclination: "11.78 deg" },
        "3.025",
        5e-4,
        SBDB("2P/Encke"),
      ),
      anchor(
        { axis: "3.4628 au", eccentricity: "0.64102", inclination: "7.0405 deg" },
        "2.746",
        5e-4,
        SBDB("67P/Churyumov-Gerasimenko"),
      ),
    ],
  },
  {
    id: "solar_irradiance",
    noun: "solar irradiance at its mean distance from the Sun",
    definition:
      "taking the semi-major axis as that distance and the nominal solar luminosity of 3.828 × 10²⁶ W",
    inputs: { axis },
    constants: ["L_sun"],
    expression: "L_sun/(4*pi*axis^2)",
    output: { unit: "W/m^2", quantity: "irradiance" },
    wrong_routes: [wrong("L_sun/(pi*axis^2)", "a disc in place of the sphere")],
    source: "IAU 2015 resolution B3",
    anchors: [
      anchor({ axis: "149.598e6 km" }, "1361.0 W/m^2", 2e-4, FACTS("Earth")),
      anchor({ axis: "227.956e6 km" }, "586.2 W/m^2", 2e-4, FACTS("Mars")),
      anchor({ axis: "778.479e6 km" }, "50.26 W/m^2", 2e-4, FACTS("Jupiter")),
    ],
  },
  {
    id: "equilibrium_temperature",
    noun: "equilibrium temperature",
    definition:
      "taking it as a rapidly rotating sphere with its Bond albedo, as far from the Sun as its semi-major axis, that radiates as a black body",
    inputs: { axis, albedo: input("1", "Bond albedo", "bond_albedo", { valid: [0, 1] }) },
    constants: ["L_sun", "sigma"],
    expression: "(L_sun*(1 - albedo)/(16*pi*sigma*axis^2))^(1/4)",
    output: { unit: "K", quantity: "temperature" },
    steps: {
      irradiance: {
        expression: "L_sun/(4*pi*axis^2)",
        unit: "W/m^2",
        noun: "solar irradiance at its distance",
      },
    },
    wrong_routes: [
      wrong("(L_sun/(16*pi*sigma*axis^2))^(1/4)", "the albedo forgotten"),
      wrong(
        "(L_sun*(1 - albedo)/(4*pi*sigma*axis^2))^(1/4)",
        "the subsolar temperature: the factor 4 forgotten",
      ),
    ],
    source: "de Pater & Lissauer, Planetary Sciences, 2nd ed., chapter 3",
    anchors: [
      anchor({ axis: "149.598e6 km", albedo: "0.306" }, "254.0 K", 1e-3, FACTS("Earth")),
      anchor({ axis: "227.956e6 km", albedo: "0.250" }, "209.8 K", 1e-3, FACTS("Mars")),
      anchor({ axis: "778.479e6 km", albedo: "0.343" }, "109.9 K", 1e-3, FACTS("Jupiter")),
    ],
  },
  {
    id: "light_time",
    noun: "time that light takes to travel a distance equal to its semi-major axis",
    inputs: { axis },
    constants: ["c"],
    expression: "axis/c",
    output: { unit: "min", quantity: "time" },
    source: "definition of the speed of light",
    anchors: [
      anchor({ axis: "1 au" }, "499.00478 s", 1e-8, "The Astronomical Almanac, light-time for unit distance"),
      anchor({ axis: "778.479e6 km" }, "43 min", 0.01, "NASA, Jupiter: Facts (sunlight takes 43 minutes)"),
    ],
  },
  {
    id: "satellite_circular_speed",
    noun: "orbital speed about its planet",
    definition:
      "relative to the planet, on a circular orbit whose radius is the moon's semi-major axis, from the masses of both",
    inputs: { axis: satelliteAxis, moon: moonGm, planet: planetMass },
    constants: ["G"],
    expression: "sqrt((G*planet + moon)/axis)",
    output: { unit: "km/s", quantity: "speed", range: [0.001, 100] },
    steps: {
      planet_parameter: {
        expression: "G*planet",
        unit: "km^3 s^-2",
        noun: "gravitational parameter GM of the planet",
      },
    },
    wrong_routes: [wrong("sqrt(2*(G*planet + moon)/axis)", "the escape speed at its distance")],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor(
        { axis: "421.8e3 km", moon: "5959.9 km^3 s^-2", planet: JUPITER_MASS },
        "17.334 km/s",
        5e-4,
        "Wikipedia, Io (moon)",
      ),
      anchor(
        { axis: "1070.4e3 km", moon: "9887.8 km^3 s^-2", planet: JUPITER_MASS },
        "10.880 km/s",
        5e-4,
        "Wikipedia, Ganymede (moon)",
      ),
    ],
  },
  {
    id: "satellite_period",
    noun: "orbital period by Kepler's third law",
    definition: "from the moon's semi-major axis and the masses of both",
    inputs: { axis: satelliteAxis, moon: moonGm, planet: planetMass },
    constants: ["G"],
    expression: "2*pi*sqrt(axis^3/(G*planet + moon))",
    output: { unit: "d", quantity: "satellite_orbital_period" },
    steps: {
      planet_parameter: {
        expression: "G*planet",
        unit: "km^3 s^-2",
        noun: "gravitational parameter GM of the planet",
      },
    },
    wrong_routes: [wrong("sqrt(axis^3/(G*planet + moon))", "the factor 2π forgotten")],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor(
        { axis: "421.8e3 km", moon: "5959.9 km^3 s^-2", planet: JUPITER_MASS },
        "1.769138 d",
        5e-4,
        FACTS("Jovian Satellite"),
      ),
      anchor(
        { axis: "19595.764 km", moon: "105.88 km^3 s^-2", planet: "1.303e22 kg" },
        "6.387222 d",
        1e-3,
        "Brozović et al. 2015, Icarus 246, 317 (Charon)",
      ),
    ],
  },
  {
    id: "planet_mass_from_satellite",
    noun: "mass of its planet by Kepler's third law",
    definition: "from the moon's semi-major axis and orbital period, less the mass of the moon",
    inputs: {
      axis: satelliteAxis,
      period: positive("d", "orbital period", "satellite_orbital_period"),
      moon: moonGm,
    },
    constants: ["G"],
    expression: "(4*pi^2*axis^3/period^2 - moon)/G",
    output: { unit: "kg", quantity: "mass" },
    wrong_routes: [
      wrong("(axis^3/period^2 - moon)/G", "the factor 4π² forgotten"),
      wrong("(2*pi*axis^3/period^2 - moon)/G", "2π without its square"),
    ],
    source: `${MURRAY}, chapter 2`,
    anchors: [
      anchor(
        { axis: "421.8e3 km", period: "1.769138 d", moon: "5959.9 km^3 s^-2" },
        "1.89813e27 kg",
        1e-3,
        FACTS("Jupiter"),
      ),
      anchor(
        { axis: "19595.764 km", period: "6.387222 d", moon: "105.88 km^3 s^-2" },
        "1.303e22 kg",
        1e-3,
        "Brozović et al. 2015, Icarus 246, 317 (Pluto)",
      ),
    ],
  },
  {
    id: "satellite_specific_energy",
    noun: "specific orbital energy",
    definition:
      "the energy of its orbit per unit of its mass, as −GM/(2a) with the planet's mass M and the moon's semi-major axis a",
    inputs: { axis: satelliteAxis, planet: planetMass },
    constants: ["G"],
    expression: "-G*planet/(2*axis)",
    output: { unit: "MJ/kg", quantity: "specific_energy" },
    wrong_routes: [
      wrong("-G*planet/axis", "the potential energy alone"),
      wrong("G*planet/(2*axis)", "the kinetic energy: the sign"),
    ],
    source: "Vallado, Fundamentals of Astrodynamics and Applications, chapter 1",
    anchors: [
      anchor(
        { axis: "6738 km", planet: "5.9722e24 kg" },
        "-29.6 MJ/kg",
        2e-3,
        "Wikipedia, Specific orbital energy (International Space Station)",
      ),
      anchor(
        { axis: "36127.343 km", planet: "5.9722e24 kg" },
        "-5.516604 km^2 s^-2",
        1e-4,
        "Vallado, Fundamentals of Astrodynamics, example 2-5",
      ),
    ],
  },
  {
    id: "satellite_mass_ratio",
    noun: "ratio of its mass to that of its planet",
    inputs: { mass: positive("kg", "mass", "mass"), planet: planetMass },
    expression: "mass/planet",
    output: { unit: "1", quantity: "ratio", range: [0, 1] },
    source: "definition",
    anchors: [
      anchor({ mass: "7.346e22 kg", planet: "5.9722e24 kg" }, "0.0123", 1e-3, FACTS("Moon")),
      anchor(
        { mass: "1.586e21 kg", planet: "1.303e22 kg" },
        "0.122",
        5e-3,
        "Wikipedia, Charon (moon): 12.2% of Pluto",
      ),
    ],
  },
  {
    id: "satellite_mass_ratio_gm",
    noun: "ratio of its mass to that of its planet",
    inputs: {
      gm: positive("km^3 s^-2", "gravitational parameter GM", "gravitational_parameter"),
      planet: planetMass,
    },
    constants: ["G"],
    state_constants: ["G"],
    expression: "gm/(G*planet)",
    output: { unit: "1", quantity: "ratio", range: [0, 1] },
    steps: { mass: { expression: "gm/G", unit: "kg", noun: "mass" } },
    source: "definition",
    anchors: [
      anchor({ gm: "4902.801 km^3 s^-2", planet: "5.9722e24 kg" }, "0.0123", 1e-3, FACTS("Moon")),
      anchor(
        { gm: "105.88 km^3 s^-2", planet: "1.303e22 kg" },
        "0.122",
        5e-3,
        "Wikipedia, Charon (moon): 12.2% of Pluto",
      ),
    ],
  },
  {
    id: "satellite_radius_ratio",
    noun: "ratio of its mean radius to that of its planet",
    inputs: {
      radius: positive("km", "mean radius", "mean_radius"),
      planet: positive("km", "mean radius", "mean_radius", { of: "followed" }),
    },
    expression: "radius/planet",
    output: { unit: "1", quantity: "ratio", range: [0, 1] },
    variants: [
      {
        input: "planet",
        quantity: "equatorial_radius",
        reason: "the planet's equatorial radius in place of its mean radius",
      },
    ],
    source: "definition",
    anchors: [
      anchor({ radius: "1737.4 km", planet: "6371.0 km" }, "0.2727", 1e-4, FACTS("Moon")),
      anchor(
        { radius: "606.0 km", planet: "1188.3 km" },
        "0.51",
        1e-3,
        "Wikipedia, Charon (moon): 0.51 of Pluto",
      ),
    ],
  },
  {
    id: "satellite_axis_in_planet_radii",
    noun: "semi-major axis in equatorial radii of its planet",
    inputs: {
      axis: satelliteAxis,
      planet: positive("km", "equatorial radius", "equatorial_radius", { of: "followed" }),
    },
    expression: "axis/planet",
    output: { unit: "1", quantity: "ratio" },
    variants: [
      {
        input: "planet",
        quantity: "mean_radius",
        reason: "the planet's mean radius in place of its equatorial radius",
      },
    ],
    wrong_routes: [wrong("axis/(2*planet)", "the diameter in place of the radius")],
    source: "definition",
    anchors: [
      anchor({ axis: "384.4e3 km", planet: "6378.137 km" }, "60.3", 1e-3, "Wikipedia, Lunar distance"),
      anchor({ axis: "421.8e3 km", planet: "71492 km" }, "5.9", 2e-3, "Wikipedia, Moons of Jupiter"),
    ],
  },
  {
    id: "roche_limit",
    noun: "fluid Roche limit about its planet",
    definition: "as 2.44 r (M/m)^(1/3) with the moon's mean radius r and mass m and the planet's mass M",
    inputs: {
      radius: positive("km", "mean radius", "mean_radius"),
      mass: positive("kg", "mass", "mass"),
      planet: planetMass,
    },
    expression: "2.44*radius*cbrt(planet/mass)",
    output: { unit: "km", quantity: "length" },
    wrong_routes: [
      wrong("1.26*radius*cbrt(planet/mass)", "the rigid-body limit"),
      wrong("2.44*radius*cbrt(2*planet/mass)", "the factor 2 of the rigid-body limit"),
    ],
    source: "de Pater & Lissauer, Planetary Sciences, 2nd ed., chapter 11",
    anchors: [
      anchor(
        { radius: "1737.4 km", mass: "7.346e22 kg", planet: "5.9722e24 kg" },
        "18381 km",
        2e-3,
        "Wikipedia, Roche limit (Earth–Moon)",
      ),
      anchor(
        { radius: "6378.137 km", mass: "5.9722e24 kg", planet: "1.98841e30 kg" },
        "1077467 km",
        2e-3,
        "Wikipedia, Roche limit (Sun–Earth)",
      ),
    ],
  },
  {
    id: "roche_limit_gm",
    noun: "fluid Roche limit about its planet",
    definition: "as 2.44 r (M/m)^(1/3) with the moon's mean radius r and mass m and the planet's mass M",
    inputs: {
      radius: positive("km", "mean radius", "mean_radius"),
      gm: positive("km^3 s^-2", "gravitational parameter GM", "gravitational_parameter"),
      planet: planetMass,
    },
    constants: ["G"],
    expression: "2.44*radius*cbrt(G*planet/gm)",
    output: { unit: "km", quantity: "length" },
    steps: { mass: { expression: "gm/G", unit: "kg", noun: "mass" } },
    wrong_routes: [wrong("1.26*radius*cbrt(G*planet/gm)", "the rigid-body limit")],
    source: "de Pater & Lissauer, Planetary Sciences, 2nd ed., chapter 11",
    anchors: [
      anchor(
        { radius: "1737.4 km", gm: "4902.801 km^3 s^-2", planet: "5.9722e24 kg" },
        "18381 km",
        2e-3,
        "Wikipedia, Roche limit (Earth–Moon)",
      ),
      anchor(
        { radius: "6378.137 km", gm: "398600.44 km^3 s^-2", planet: "1.98841e30 kg" },
        "1077467 km",
        2e-3,
        "Wikipedia, Roche limit (Sun–Earth)",
      ),
    ],
  },
];
