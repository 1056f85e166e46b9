/** Planets, moons and small bodies as bodies: size, density, gravity, rotation, heat. Spheres unless said otherwise. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, positive, wrong } from "./spec.js";

const FACTS = (body: string) => `NASA/GSFC ${body} Fact Sheet`;
const SATELLITES = "JPL Solar System Dynamics, Planetary Satellite Physical Parameters";
const DEPATER = "de Pater & Lissauer, Planetary Sciences, 2nd ed. (Cambridge 2010)";
const CARROLL = "Carroll & Ostlie, An Introduction to Modern Astrophysics, 2nd ed.";

const mass = positive("kg", "mass", "mass");
const gm = positive("km^3 s^-2", "gravitational parameter GM", "gravitational_parameter");
const radius = positive("km", "mean radius", "mean_radius");
const temperature = positive("K", "mean temperature", "mean_temperature");

const OTHER_RADII = [
  {
    input: "radius",
    quantity: "equatorial_radius",
    reason: "the equatorial radius in place of the mean radius",
  },
  { input: "radius", quantity: "polar_radius", reason: "the polar radius in place of the mean radius" },
];
const diameterFor = (expression: string) =>
  wrong(expression.replaceAll("radius", "(2*radius)"), "the diameter in place of the radius");

const EARTH = { mass: "5.9722e24 kg", radius: "6371.000 km" };
const MARS = { mass: "6.4169e23 kg", radius: "3389.5 km" };
const MOON = { mass: "7.346e22 kg", radius: "1737.4 km" };
const IO = { gm: "5959.916 km^3 s^-2", radius: "1821.6 km" };
const EUROPA = { gm: "3202.739 km^3 s^-2", radius: "1560.8 km" };

export const BODIES: readonly FormulaSpec[] = [
  {
    id: "bulk_density",
    noun: "bulk density",
    definition: "taking the body as a sphere of its mean radius",
    inputs: { mass, radius },
    expression: "mass/(4/3*pi*radius^3)",
    output: { unit: "g/cm^3", quantity: "density", range: [0.05, 30] },
    steps: { volume: { expression: "4/3*pi*radius^3", unit: "km^3", noun: "volume" } },
    variants: OTHER_RADII,
    wrong_routes: [
      diameterFor("mass/(4/3*pi*radius^3)"),
      wrong("mass/(4*pi*radius^3)", "the volume of a sphere without its third"),
    ],
    source: `${DEPATER}, chapter 1`,
    anchors: [
      anchor(MARS, "3934 kg/m^3", 2e-4, FACTS("Mars")),
      anchor(EARTH, "5513 kg/m^3", 2e-4, FACTS("Earth")),
      anchor({ mass: "8.6811e25 kg", radius: "25362 km" }, "1270 kg/m^3", 5e-4, FACTS("Uranus")),
    ],
  },
  {
    id: "bulk_density_gm",
    noun: "bulk density",
    definition: "taking the body as a sphere of its mean radius",
    inputs: { gm, radius },
    constants: ["G"],
    state_constants: ["G"],
    expression: "gm/G/(4/3*pi*radius^3)",
    output: { unit: "g/cm^3", quantity: "density", range: [0.05, 30] },
    steps: {
      mass: { expression: "gm/G", unit: "kg", noun: "mass" },
      volume: { expression: "4/3*pi*radius^3", unit: "km^3", noun: "volume" },
    },
    wrong_routes: [
      diameterFor("gm/G/(4/3*pi*radius^3)"),
      wrong("gm/G/(4*pi*radius^3)", "the volume of a sphere without its third"),
    ],
    source: `${DEPATER}, chapter 1`,
    anchors: [anchor(IO, "3.528 g/cm^3", 5e-4, SATELLITES), anchor(EUROPA, "3.013 g/cm^3", 5e-4, SATELLITES)],
  },
  {
    id: "surface_gravity",
    noun: "surface gravity",
    definition: "G times the mass over the square of the mean radius, leaving rotation aside",
    inputs: { mass, radius },
    constants: ["G"],
    expression: "G*mass/radius^2",
    output: { unit: "m/s^2", quantity: "acceleration", range: [1e-5, 1000] },
    steps: {
      gravitational_parameter: {
        expression: "G*mass",
        unit: "km^3 s^-2",
        noun: "gravitational parameter GM",
      },
    },
    variants: OTHER_RADII,
    wrong_routes: [
      diameterFor("G*mass/radius^2"),
      wrong("2*G*mass/radius^2", "twice the acceleration, as in an escape speed"),
    ],
    source: `${DEPATER}, chapter 1`,
    anchors: [
      anchor(EARTH, "9.820 m/s^2", 5e-4, FACTS("Earth")),
      anchor(MOON, "1.62 m/s^2", 5e-3, FACTS("Moon")),
      anchor(MARS, "3.73 m/s^2", 1e-3, FACTS("Mars")),
    ],
  },
  {
    id: "surface_gravity_gm",
    noun: "surface gravity",
    definition: "the gravitational parameter GM over the square of the mean radius, leaving rotation aside",
    inputs: { gm, radius },
    expression: "gm/radius^2",
    output: { unit: "m/s^2", quantity: "acceleration", range: [1e-5, 1000] },
    wrong_routes: [
      diameterFor("gm/radius^2"),
      wrong("2*gm/radius^2", "twice the acceleration, as in an escape speed"),
    ],
    source: `${DEPATER}, chapter 1`,
    anchors: [
      anchor(IO, "1.796 m/s^2", 1e-3, "Wikipedia, Io (moon)"),
      anchor(EUROPA, "1.314 m/s^2", 1e-3, "Wikipedia, Europa (moon)"),
    ],
  },
  {
    id: "escape_speed",
    noun: "escape speed",
    definition: "from the surface of a sphere of its mean radius, leaving rotation and any atmosphere aside",
    inputs: { mass, radius },
    constants: ["G"],
    expression: "sqrt(2*G*mass/radius)",
    output: { unit: "km/s", quantity: "speed", range: [1e-4, 1000] },
    steps: {
      gravitational_parameter: {
        expression: "G*mass",
        unit: "km^3 s^-2",
        noun: "gravitational parameter GM",
      },
    },
    variants: OTHER_RADII,
    wrong_routes: [
      wrong("sqrt(G*mass/radius)", "the speed of a circular orbit: the factor 2 forgotten"),
      diameterFor("sqrt(2*G*mass/radius)"),
    ],
    source: `${DEPATER}, chapter 2`,
    anchors: [
      anchor(EARTH, "11.186 km/s", 1e-4, FACTS("Earth")),
      anchor(MARS, "5.03 km/s", 1e-3, FACTS("Mars")),
      anchor(MOON, "2.38 km/s", 3e-3, FACTS("Moon")),
    ],
  },
  {
    id: "escape_speed_gm",
    noun: "escape speed",
    definition: "from the surface of a sphere of its mean radius, leaving rotation and any atmosphere aside",
    inputs: { gm, radius },
    expression: "sqrt(2*gm/radius)",
    output: { unit: "km/s", quantity: "speed", range: [1e-4, 1000] },
    wrong_routes: [
      wrong("sqrt(gm/radius)", "the speed of a circular orbit: the factor 2 forgotten"),
      diameterFor("sqrt(2*gm/radius)"),
    ],
    source: `${DEPATER}, chapter 2`,
    anchors: [
      anchor(IO, "2.558 km/s", 5e-4, "Wikipedia, Io (moon)"),
      anchor(EUROPA, "2.025 km/s", 5e-4, "Wikipedia, Europa (moon)"),
    ],
  },
  {
    id: "mass_from_gm",
    noun: "mass",
    inputs: { gm },
    constants: ["G"],
    state_constants: ["G"],
    expression: "gm/G",
    output: { unit: "kg", quantity: "mass" },
    source: `${DEPATER}, chapter 1`,
    anchors: [
      anchor({ gm: IO.gm }, "8.9319e22 kg", 5e-4, FACTS("Jovian Satellite")),
      anchor({ gm: "4902.801 km^3 s^-2" }, "7.346e22 kg", 2e-4, FACTS("Moon")),
    ],
  },
  {
    id: "sphere_volume",
    noun: "volume",
    definition: "taking the body as a sphere of its mean radius",
    inputs: { radius },
    expression: "4/3*pi*radius^3",
    output: { unit: "km^3", quantity: "volume" },
    variants: OTHER_RADII,
    wrong_routes: [diameterFor("4/3*pi*radius^3"), wrong("4*pi*radius^3", "the third forgotten")],
    source: "elementary geometry",
    anchors: [
      anchor({ radius: EARTH.radius }, "1.08321e12 km^3", 2e-5, FACTS("Earth")),
      anchor({ radius: MARS.radius }, "1.6312e11 km^3", 5e-5, FACTS("Mars")),
    ],
  },
  {
    id: "surface_area",
    noun: "surface area",
    definition: "taking the body as a sphere of its mean radius",
    inputs: { radius },
    expression: "4*pi*radius^2",
    output: { unit: "km^2", quantity: "area" },
    variants: OTHER_RADII,
    wrong_routes: [diameterFor("4*pi*radius^2"), wrong("pi*radius^2", "the area of the disc")],
    source: "elementary geometry",
    anchors: [
      anchor({ radius: EARTH.radius }, "510072000 km^2", 5e-5, "CIA World Factbook, World"),
      anchor({ radius: MARS.radius }, "1.4437e8 km^2", 1e-4, "Wikipedia, Mars"),
    ],
  },
  {
    id: "equatorial_rotation_speed",
    noun: "equatorial rotation speed",
    definition: "the circumference of the equator over the length of one sidereal rotation",
    inputs: {
      radius: positive("km", "equatorial radius", "equatorial_radius"),
      period: input("h", "sidereal rotation period", "rotation_period"),
    },
    expression: "2*pi*radius/abs(period)",
    output: { unit: "km/s", quantity: "speed" },
    steps: { circumference: { expression: "2*pi*radius", unit: "km", noun: "circumference of the equator" } },
    variants: [
      {
        input: "radius",
        quantity: "mean_radius",
        reason: "the mean radius in place of the equatorial radius",
      },
    ],
    wrong_routes: [
      wrong("2*pi*(2*radius)/abs(period)", "the diameter in place of the radius"),
      wrong("radius/abs(period)", "the factor 2π forgotten"),
    ],
    source: `${CARROLL}, section 2.1`,
    anchors: [
      anchor(
        { radius: "6378.137 km", period: "23.9345 h" },
        "0.4651 km/s",
        2e-4,
        "Wikipedia, Earth's rotation",
      ),
      anchor({ radius: "3396.2 km", period: "24.6229 h" }, "241 m/s", 2e-3, "Wikipedia, Mars"),
      anchor({ radius: "71492 km", period: "9.9250 h" }, "12.6 km/s", 5e-3, "Wikipedia, Jupiter"),
    ],
  },
  {
    id: "flattening",
    noun: "flattening (ellipticity)",
    definition: "the difference of equatorial and polar radius over the equatorial radius",
    inputs: {
      equatorial: positive("km", "equatorial radius", "equatorial_radius"),
      polar: positive("km", "polar radius", "polar_radius"),
    },
    expression: "(equatorial - polar)/equatorial",
    output: { unit: "1", quantity: "flattening", range: [0, 1] },
    wrong_routes: [wrong("polar/equatorial", "the ratio of the radii")],
    source: "Archinal et al. 2018, Celest. Mech. Dyn. Astron. 130, 22",
    anchors: [
      anchor({ equatorial: "6378.137 km", polar: "6356.752 km" }, "0.003353", 2e-4, FACTS("Earth")),
      anchor({ equatorial: "71492 km", polar: "66854 km" }, "0.06487", 1e-4, FACTS("Jupiter")),
      anchor({ equatorial: "60268 km", polar: "54364 km" }, "0.09796", 1e-4, FACTS("Saturn")),
    ],
  },
  {
    id: "surface_orbit_period",
    noun: "orbital period of a hypothetical satellite that skims its surface",
    definition: "on a circular orbit whose radius is the body's mean radius",
    inputs: { mass, radius },
    constants: ["G"],
    expression: "2*pi*sqrt(radius^3/(G*mass))",
    output: { unit: "min", quantity: "surface_orbit_period" },
    steps: {
      gravitational_parameter: {
        expression: "G*mass",
        unit: "km^3 s^-2",
        noun: "gravitational parameter GM",
      },
    },
    variants: OTHER_RADII,
    wrong_routes: [wrong("sqrt(radius^3/(G*mass))", "the factor 2π forgotten")],
    source: `${CARROLL}, section 2.3`,
    anchors: [
      anchor(EARTH, "84.4 min", 1e-3, "Wikipedia, Schuler tuning"),
      anchor(
        { mass: "4.18879e21 kg", radius: "1000 km" },
        "3.30 h",
        1e-3,
        "Wikipedia, Orbital period (about a sphere of water)",
      ),
    ],
  },
  {
    id: "schwarzschild_radius",
    noun: "Schwarzschild radius",
    inputs: { mass },
    constants: ["G", "c"],
    expression: "2*G*mass/c^2",
    output: { unit: "m", quantity: "length" },
    wrong_routes: [wrong("G*mass/c^2", "the gravitational radius: the factor 2 forgotten")],
    source: `${CARROLL}, chapter 17`,
    anchors: [
      anchor({ mass: EARTH.mass }, "8.87 mm", 1e-3, "Wikipedia, Schwarzschild radius"),
      anchor({ mass: "1.89813e27 kg" }, "2.82 m", 2e-3, "Wikipedia, Schwarzschild radius"),
      anchor({ mass: "1.98841e30 kg" }, "2.95 km", 2e-3, "Wikipedia, Schwarzschild radius"),
    ],
  },
  {
    id: "black_body_peak",
    noun: "wavelength at which a black body of its mean temperature radiates most per unit wavelength",
    inputs: { temperature },
    constants: ["b_wien"],
    expression: "b_wien/temperature",
    output: { unit: "um", quantity: "wavelength" },
    source: `${CARROLL}, section 3.4 (Wien's displacement law)`,
    anchors: [
      anchor({ temperature: "5777 K" }, "501.6 nm", 2e-4, `${CARROLL}, section 3.4`),
      anchor({ temperature: "2.7255 K" }, "1.063 mm", 3e-4, "Wikipedia, Cosmic microwave background"),
    ],
  },
  {
    id: "black_body_exitance",
    noun: "radiant exitance of a black body at its mean temperature",
    inputs: { temperature },
    constants: ["sigma"],
    expression: "sigma*temperature^4",
    output: { unit: "W/m^2", quantity: "irradiance" },
    wrong_routes: [wrong("4*sigma*temperature^4", "the factor 4 of a sphere")],
    source: `${CARROLL}, section 3.4 (Stefan-Boltzmann law)`,
    anchors: [
      anchor(
        { temperature: "5772 K" },
        "6.294e7 W/m^2",
        1e-4,
        "NASA/GSFC Sun Fact Sheet (emission 62.94e6 J/m² s)",
      ),
      anchor(
        { temperature: "15 degC" },
        "390 W/m^2",
        5e-3,
        "Kiehl & Trenberth 1997, Bull. Am. Meteorol. Soc. 78, 197",
      ),
    ],
  },
  {
    id: "diameter_from_magnitude",
    noun: "effective diameter",
    definition: "from its absolute magnitude H and geometric albedo p, as 1329 km × 10^(−H/5) / √p",
    inputs: {
      magnitude: input("mag", "absolute magnitude H", "absolute_magnitude", { valid: [-5, 35] }),
      albedo: input("1", "geometric albedo", "albedo", { valid: [0.005, 1.2] }),
    },
    constants: ["D_0"],
    expression: "D_0*10^(-magnitude/5)/sqrt(albedo)",
    output: { unit: "km", quantity: "diameter", range: [1e-4, 5000] },
    wrong_routes: [
      wrong("D_0/2*10^(-magnitude/5)/sqrt(albedo)", "the radius in place of the diameter"),
      wrong("D_0*10^(-magnitude/5)/albedo", "the albedo without its square root"),
      wrong("D_0*10^(-magnitude/5)", "the albedo forgotten"),
    ],
    source: "Pravec & Harris 2007, Icarus 190, 250 (appendix A)",
    anchors: [
      anchor(
        { magnitude: "22.0 mag", albedo: "0.14" },
        "140 m",
        0.015,
        "NASA CNEOS, definition of potentially hazardous asteroids",
      ),
      anchor(
        { magnitude: "3.0 mag", albedo: "0.25" },
        "670 km",
        0.005,
        "Minor Planet Center, Conversion of Absolute Magnitude to Diameter",
      ),
      anchor(
        { magnitude: "3.0 mag", albedo: "0.05" },
        "1490 km",
        0.005,
        "Minor Planet Center, Conversion of Absolute Magnitude to Diameter",
      ),
    ],
  },
];
