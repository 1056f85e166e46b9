import { describe, expect, it } from "vitest";
import type { Column, Table } from "../../sources/table.js";
import { driftOf } from "../../verifiers/margin.js";
import { cell, loadBundled, numbers } from "./load.js";
import { derived, type Reference, references, scaled } from "./references.js";

/**
 * Every figure of the hand-entered tables against figures that other packages publish. They may differ by what the card
 * declares (drift), three standard uncertainties and the rounding of the other figure. A column that may filter, select or
 * compute must have such a match in every cell that it does not exclude.
 */
const { tables } = await loadBundled(["planets", "moons"]);
const planets = tables.get("planets")!;
const moons = tables.get("moons")!;

const pck = references("naif-pck00011");
const poles = references("naif-pck00010");
const gm = references("naif-gm-de440");
const shtools = references("pyshtools");
const stellarium = references("stellarium");
const solarSystem = references("solarsystemmb");
const vsop = references("pymeeus");
const hayne = references("planets-hayne");
const nasa = references("nasa-fact-sheet");
const jpl2015 = references("jpl-2015-satellites");

const G = 6.6743e-20; // km^3 kg^-1 s^-2
const YEAR = 365.25;
const AU = 149597870.7;
const DEG = Math.PI / 180;

type Found = Reference | string | undefined;
/** The independent figures for one cell, in the column's unit; `skip` names those known to be wrong or of something else. */
interface Check {
  readonly sources: Readonly<Record<string, (key: string) => Found>>;
  readonly skip?: Readonly<Record<string, readonly string[]>>;
}

/** Radius of the sphere that has the volume of the reference ellipsoid. */
function volumetric(key: string): Reference | undefined {
  const [a, b, c] = ["radius_a", "radius_b", "radius_c"].map((q) => pck(key, q)?.value);
  return a === undefined ? undefined : derived(Math.cbrt(a * b! * c!));
}

/** Sidereal rotation from the motion of the prime meridian. */
function fromRate(key: string): Reference | undefined {
  const rate = pck(key, "rotation_rate")?.value;
  return rate === undefined ? undefined : derived(360 / Math.abs(rate));
}

/** Angle between the IAU north pole and the orbit's normal; beyond 90 degrees where the pole is that of a retrograde rotation. */
function obliquity(key: string): Reference | undefined {
  const node = vsop(key, "ascending_node")?.value;
  const [ra, dec] = ["pole_ra", "pole_dec"].map((q) => poles(key, q)!.value * DEG) as [number, number];
  if (node === undefined) return undefined;
  const incl = vsop(key, "inclination")!.value * DEG;
  const eps = 23.4392911 * DEG;
  const [x, y, z] = [Math.cos(dec) * Math.cos(ra), Math.cos(dec) * Math.sin(ra), Math.sin(dec)] as const;
  const pole = [x, Math.cos(eps) * y + Math.sin(eps) * z, Math.cos(eps) * z - Math.sin(eps) * y] as const;
  const normal = [
    Math.sin(incl) * Math.sin(node * DEG),
    -Math.sin(incl) * Math.cos(node * DEG),
    Math.cos(incl),
  ] as const;
  const angle = Math.acos(pole[0] * normal[0] + pole[1] * normal[1] + pole[2] * normal[2]) / DEG;
  return derived(pck(key, "rotation_rate")!.value < 0 ? 180 - angle : angle);
}

/** Kepler's third law from the table's period: checks axis and period against each other and the planet's GM. */
function kepler(key: string): Reference | undefined {
  const row = moons.rowOf(key)!;
  const planet = cell(moons.columns.get("planet")!, row)!;
  const mu = gm(planet, "gm")!.value + (gm(key, "gm")?.value ?? 0);
  const period = numbers(moons, "orbital_period").values[row]! * 86400;
  return derived(Math.cbrt(mu * (period / (2 * Math.PI)) ** 2));
}

const yes = (b: boolean | undefined): string | undefined => (b === undefined ? undefined : b ? "yes" : "no");
const lower = (r: Reference | undefined): string | undefined => r?.text.toLowerCase();
const sign = (r: Reference | undefined): number | undefined =>
  r === undefined ? undefined : Math.sign(r.value);

const PLANETS: Readonly<Record<string, Check>> = {
  giant: { sources: { pck: (k) => yes(pck(k, "radius_a")!.value > 20000) } },
  mass: {
    sources: {
      gm: (k) => scaled(gm(k, "gm"), 1 / G),
      shtools: (k) => scaled(shtools(k, "gm"), 1 / G),
      solarSystem: (k) => solarSystem(k, "mass"),
      nasa: (k) => scaled(nasa(k, "mass"), 1e24),
    },
    skip: { nasa: ["Pluto"] }, // with Charon
  },
  equatorial_radius: {
    sources: {
      pck: (k) => pck(k, "radius_a"),
      stellarium: (k) => stellarium(k, "equatorial_radius"),
      solarSystem: (k) => solarSystem(k, "radius"),
      nasa: (k) => scaled(nasa(k, "equatorial_diameter"), 0.5),
    },
    skip: { solarSystem: ["Pluto"], nasa: ["Pluto"] }, // before New Horizons
  },
  polar_radius: {
    sources: {
      pck: (k) => pck(k, "radius_c"),
      stellarium: (k) => {
        const flat = stellarium(k, "oblateness")?.value;
        return flat === undefined
          ? undefined
          : derived(stellarium(k, "equatorial_radius")!.value * (1 - flat));
      },
    },
  },
  mean_radius: { sources: { pck: volumetric, shtools: (k) => shtools(k, "mean_radius") } },
  rotation_period: {
    sources: {
      pck: fromRate,
      stellarium: (k) => positive(scaled(stellarium(k, "rotation_period"), 1 / 24)),
      nasa: (k) => positive(scaled(nasa(k, "rotation_period"), 1 / 24)),
    },
  },
  retrograde: { sources: { nasa: (k) => yes(nasa(k, "rotation_period")!.value < 0) } },
  orbital_period: {
    sources: {
      stellarium: (k) => scaled(stellarium(k, "orbital_period"), 1 / YEAR),
      hayne: (k) => scaled(hayne(k, "orbital_period"), 1 / YEAR),
    },
    skip: { stellarium: ["Pluto"] }, // osculating
  },
  semi_major_axis: {
    sources: {
      vsop: (k) => vsop(k, "semi_major_axis"),
      nasa: (k) => (k === "Pluto" ? scaled(nasa(k, "semi_major_axis"), 1e6 / AU) : undefined), // osculating for the others
    },
  },
  eccentricity: {
    sources: { vsop: (k) => vsop(k, "eccentricity"), hayne: (k) => hayne(k, "eccentricity") },
  },
  inclination: { sources: { vsop: (k) => vsop(k, "inclination"), nasa: (k) => nasa(k, "inclination") } },
  axial_tilt: { sources: { poles: obliquity, nasa: (k) => nasa(k, "obliquity") } },
  mean_temperature: {
    sources: {
      hayne: (k) => {
        const kelvin = hayne(k, "mean_temperature");
        return kelvin && { ...kelvin, value: kelvin.value - 273.15 };
      },
    },
  },
  rings: { sources: { nasa: (k) => lower(nasa(k, "rings")) } },
  magnetic_field: { sources: { nasa: (k) => lower(nasa(k, "magnetic_field")) } },
};

const MOONS: Readonly<Record<string, Check>> = {
  planet: { sources: { jpl2015: (k) => jpl2015(k, "planet")?.text } },
  gm: {
    sources: {
      gm: (k) => gm(k, "gm"),
      shtools: (k) => shtools(k, "gm"),
      jpl2015: (k) => jpl2015(k, "gm"),
    },
    skip: { jpl2015: ["Charon"] }, // before New Horizons
  },
  mean_radius: {
    sources: {
      pck: volumetric,
      shtools: (k) => shtools(k, "mean_radius"),
      stellarium: (k) => stellarium(k, "mean_radius"),
      jpl2015: (k) => jpl2015(k, "mean_radius"),
    },
  },
  semi_major_axis: {
    sources: {
      kepler,
      shtools: (k) => shtools(k, "semi_major_axis"),
      solarSystem: (k) => solarSystem(k, "semi_major_axis"),
      stellarium: (k) => stellarium(k, "osculating_semi_major_axis"),
    },
    skip: { solarSystem: ["Hyperion"] }, // fitted with a forced eccentricity of 0.02
  },
  orbital_period: {
    sources: {
      pck: (k) => (k === "Phoebe" ? undefined : fromRate(k)), // all others that have a rate turn once an orbit
      stellarium: (k) => stellarium(k, "period") ?? stellarium(k, "osculating_period"),
      solarSystem: (k) => (k === "Hyperion" ? solarSystem(k, "orbital_period") : undefined), // the others come from one table
    },
    // Close to a flattened planet an osculating period is not the sidereal one.
    skip: { stellarium: ["Amalthea", "Janus", "Epimetheus", "Atlas", "Prometheus", "Pandora"] },
  },
  retrograde: {
    sources: {
      pck: (k) => {
        if (k === "Phoebe") return undefined;
        const own = sign(pck(k, "rotation_rate"));
        const planet = cell(moons.columns.get("planet")!, moons.rowOf(k)!)!;
        return own === undefined ? undefined : yes(own !== sign(pck(planet, "rotation_rate")));
      },
      solarSystem: (k) =>
        k === "Phoebe" || k === "Hyperion" ? yes(solarSystem(k, "inclination")!.value > 90) : undefined,
    },
  },
};

function positive(reference: Reference | undefined): Reference | undefined {
  return reference && { ...reference, value: Math.abs(reference.value) };
}

/** What is wrong with one cell, or undefined. */
function fault(column: Column, row: number, key: string, check: Check): string | undefined {
  const here = cell(column, row);
  if (here === undefined) return undefined;
  let matched = 0;
  for (const [name, source] of Object.entries(check.sources)) {
    if (check.skip?.[name]?.includes(key)) continue;
    const there = source(key);
    if (there === undefined) continue;
    matched++;
    if (typeof there === "string") {
      if (there !== here) return `${here}, but ${name} has ${there}`;
      continue;
    }
    const { values, u, card } = column as ReturnType<typeof numbers>;
    const value = values[row]!;
    const allowed = driftOf(value, card.drift) + 3 * Math.hypot(u[row]!, there.u) + there.halfStep;
    if (!(Math.abs(value - there.value) <= allowed))
      return `${value}, but ${name} has ${there.value} (allowed: ${allowed.toPrecision(3)})`;
  }
  return matched === 0 ? `${here} has no independent match` : undefined;
}

describe.each([
  ["planets", planets, PLANETS, 9],
  ["moons", moons, MOONS, 31],
] as const)("%s", (_, table: Table, checks, rows) => {
  it("has all its rows", () => {
    expect(table.rows).toBe(rows);
  });

  it("checks every column that may filter, select or compute", () => {
    const used = [...table.columns.values()].filter((c) => c.card.may.length > 0).map((c) => c.id);
    expect(Object.keys(checks).sort()).toEqual(used.sort());
  });

  it.each(Object.keys(checks))("%s agrees with independent figures in every cell", (id) => {
    const column = table.columns.get(id)!;
    const faults = table.keys.flatMap((key, row) => {
      const wrong = fault(column, row, key, checks[id]!);
      return wrong === undefined ? [] : [`${key}: ${wrong}`];
    });
    expect(faults).toEqual([]);
  });

  it("notices a figure that is off by more than the card declares", () => {
    const column = numbers(table, "mean_radius");
    const off = { ...column, values: column.values.map((v) => v * 1.02) };
    expect(
      table.keys.filter((key, row) => fault(off, row, key, checks.mean_radius!) !== undefined).length,
    ).toBeGreaterThan(rows / 2);
  });
});

it("gives Uranus 1.27 g/cm³ from the mean radius and 1.24 from the equatorial one", () => {
  const row = planets.rowOf("Uranus")!;
  const density = (id: string): number =>
    numbers(planets, "mass").values[row]! /
    ((4 / 3) * Math.PI * numbers(planets, id).values[row]! ** 3) /
    1e12;
  expect(density("mean_radius")).toBeCloseTo(1.27, 2);
  expect(density("equatorial_radius")).toBeCloseTo(1.24, 2);
});
