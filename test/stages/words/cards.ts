import { type Card, cardSchema } from "../../../sources/card.js";

/** Cards in the style of the bundled ones, for the tests of words: enough columns that each construct occurs. */

type Columns = Record<string, Record<string, unknown>>;

function card(
  id: string,
  entity: Record<string, unknown>,
  columns: Columns,
  extra: Record<string, unknown> = {},
): Card {
  return cardSchema.parse({
    card: 1,
    id,
    title: id,
    domain: "test",
    entity: { public: true, ...entity },
    key: "key",
    name: "key",
    licence: { id: "CC0-1.0" },
    citation: "made for a test",
    publisher: { name: "National Office of Tests", hosts: ["tables.example.org"] },
    source_names: ["Big Table of Everything", "BTE"],
    provenance: "made for a test",
    as_of: "2024-03",
    snapshot: { file: "none.csv", sha256: "0".repeat(64), read: { format: "csv" } },
    columns: Object.fromEntries(
      Object.entries(columns).map(([name, c]) => [
        name,
        { from: name, may: ["filter", "select", "compute"], type: "number", scale: "ratio", ...c },
      ]),
    ),
    ...extra,
  });
}

export const planets = card(
  "planets",
  { singular: "planet", plural: "planets", scope: "of the Solar System" },
  {
    mass: {
      unit: "kg",
      quantity: "mass",
      phrase: { noun: "mass", max: ["most massive", "heaviest"], min: ["least massive", "lightest"] },
    },
    mean_radius: {
      unit: "km",
      quantity: "mean_radius",
      phrase: { noun: "mean radius", definition: "volumetric" },
    },
    rotation: {
      unit: "h",
      quantity: "rotation_period",
      phrase: { noun: "rotation period", definition: "sidereal" },
    },
    axis: { unit: "au", quantity: "semi_major_axis", phrase: { noun: "semi-major axis" } },
    eccentricity: { unit: "1", scale: "ratio", phrase: { noun: "orbital eccentricity" } },
    temperature: {
      unit: "degC",
      scale: "interval",
      drift: { absolute: 5 },
      phrase: { noun: "mean temperature", max: ["hottest"], min: ["coldest"] },
    },
    tilt: { unit: "deg", phrase: { noun: "axial tilt" } },
    moons: {
      unit: "1",
      type: "integer",
      scale: "count",
      drift: { absolute: 2 },
      phrase: { noun: "number of known moons" },
    },
    rings: {
      type: "flag",
      scale: "flag",
      phrase: {
        noun: "ring system",
        article: "a",
        true: ["that has a ring system", "with a ring system"],
        false: ["without a ring system", "that has no ring system"],
      },
    },
    field: { type: "flag", scale: "flag", phrase: { noun: "global magnetic field", article: "a" } },
    host: { type: "text", scale: "nominal", may: [] },
  },
  { links: { star: { column: "host", to: "stars", phrase: "the star that {it} orbits" } } },
);

export const moons = card(
  "moons",
  { singular: "moon", plural: "moons", scope: "of the Solar System" },
  {
    mass: {
      unit: "10^20 kg",
      quantity: "mass",
      phrase: { noun: "mass", max: ["most massive"], min: ["least massive"] },
    },
    mean_radius: { unit: "km", quantity: "mean_radius", phrase: { noun: "mean radius" } },
    axis: {
      unit: "km",
      quantity: "satellite_semi_major_axis",
      phrase: { noun: "semi-major axis", definition: "of its orbit about the planet" },
    },
    period: { unit: "d", phrase: { noun: "orbital period" } },
    found: { unit: "1", type: "integer", scale: "interval", phrase: { noun: "year of discovery" } },
    retrograde: {
      type: "flag",
      scale: "flag",
      phrase: {
        noun: "retrograde",
        true: ["on a retrograde orbit", "that orbits its planet in the retrograde direction"],
        false: ["on a prograde orbit"],
      },
    },
    planet: { type: "text", scale: "nominal", phrase: { noun: "planet" } },
  },
  { links: { planet: { column: "planet", to: "planets", phrase: "the planet that {it} orbits" } } },
);

export const asteroids = card(
  "asteroids",
  { singular: "small body", plural: "small bodies", scope: "of the Solar System" },
  {
    diameter: {
      unit: "km",
      drift: { relative: 0.1 },
      phrase: { noun: "diameter", max: ["largest"], min: ["smallest"] },
    },
    axis: { unit: "au", phrase: { noun: "semi-major axis", definition: "osculating" } },
    eccentricity: { unit: "1", phrase: { noun: "orbital eccentricity", article: "an" } },
    perihelion: { unit: "au", quantity: "perihelion_distance", phrase: { noun: "perihelion distance" } },
    magnitude: { unit: "mag", scale: "log", phrase: { noun: "absolute magnitude H" } },
    albedo: { unit: "1", phrase: { noun: "geometric albedo" } },
    class: {
      type: "text",
      scale: "nominal",
      phrase: {
        noun: "orbit class",
        values: {
          MBA: ["in the main asteroid belt", "of the main asteroid belt"],
          TNO: ["beyond Neptune's orbit", "that is a trans-Neptunian object"],
          APO: ["of the Apollo group"],
          ATE: ["of the Aten group"],
        },
      },
    },
    name: { type: "text", scale: "nominal", phrase: { noun: "name" } },
  },
);

export const isotopes = card(
  "isotopes",
  { singular: "isotope", plural: "isotopes" },
  {
    half_life: {
      unit: "yr",
      quantity: "half_life",
      phrase: { noun: "half-life", max: ["longest-lived"], min: ["shortest-lived"] },
    },
    mass: { unit: "u", quantity: "atomic_mass", phrase: { noun: "atomic mass" } },
    mass_number: { unit: "1", type: "integer", scale: "exact", phrase: { noun: "mass number" } },
    element: { type: "text", scale: "nominal", phrase: { noun: "element" } },
    abundance: { unit: "percent", phrase: { noun: "natural abundance" } },
  },
  {
    links: {
      element: { column: "element", to: "elements", phrase: "the chemical element to which {it} belongs" },
    },
  },
);

export const elements = card(
  "elements",
  { singular: "chemical element", plural: "chemical elements" },
  {
    melting: { unit: "K", scale: "ratio", phrase: { noun: "melting point" } },
    boiling: { unit: "K", scale: "ratio", phrase: { noun: "boiling point" } },
    number: { unit: "1", type: "integer", scale: "exact", phrase: { noun: "atomic number" } },
    density: { unit: "g/cm^3", phrase: { noun: "density", max: ["densest"], min: ["least dense"] } },
    block: {
      type: "text",
      scale: "nominal",
      phrase: { noun: "block", values: { d: ["in the d-block"], p: ["in the p-block"] } },
    },
  },
);

export const groups = card(
  "groups",
  { singular: "finite group", plural: "finite groups", scope: "of order at most 127" },
  {
    order: { unit: "1", type: "integer", scale: "exact", quantity: "order", phrase: { noun: "order" } },
    exponent: { unit: "1", type: "integer", scale: "exact", phrase: { noun: "exponent" } },
    classes: {
      unit: "1",
      type: "integer",
      scale: "exact",
      quantity: "classes",
      phrase: { noun: "number of conjugacy classes" },
    },
    abelian: {
      type: "flag",
      scale: "flag",
      phrase: {
        noun: "abelian",
        true: ["that is abelian"],
        false: ["that is not abelian", "that is non-abelian"],
      },
    },
    solvable: { type: "flag", scale: "flag", phrase: { noun: "solvable" } },
  },
);

export const stars = card(
  "stars",
  { singular: "star", plural: "stars" },
  {
    mass: { unit: "kg", quantity: "mass", phrase: { noun: "mass", max: ["most massive"] } },
    mean_radius: { unit: "km", quantity: "mean_radius", phrase: { noun: "mean radius" } },
    temperature: { unit: "K", phrase: { noun: "effective temperature", max: ["hottest"], min: ["coolest"] } },
  },
);

export const airports = card(
  "airports",
  { singular: "airport", plural: "airports", scope: "with scheduled service" },
  {
    elevation: {
      unit: "m",
      type: "integer",
      quantity: "elevation",
      phrase: { noun: "elevation", max: ["highest"], min: ["lowest"] },
    },
    latitude: {
      unit: "deg",
      scale: "interval",
      quantity: "latitude",
      phrase: { noun: "latitude", max: ["northernmost"], min: ["southernmost"] },
    },
    longitude: { unit: "deg", scale: "interval", quantity: "longitude", phrase: { noun: "longitude" } },
    runway: { unit: "m", phrase: { noun: "length of the longest runway" } },
    runways: { unit: "1", type: "integer", scale: "count", phrase: { noun: "number of runways" } },
    country: { type: "text", scale: "nominal", phrase: { noun: "country" } },
    kind: {
      type: "text",
      scale: "nominal",
      phrase: {
        noun: "size",
        values: { large: ["that is a large airport"], medium: ["that is a medium-sized airport"] },
      },
    },
  },
  { links: { country: { column: "country", to: "countries", phrase: "the country in which {it} lies" } } },
);

export const countries = card(
  "countries",
  { singular: "country", plural: "countries", scope: "of the world" },
  {
    population: {
      unit: "1",
      quantity: "population",
      phrase: { noun: "population", max: ["most populous"], min: ["least populous"] },
    },
    area: {
      unit: "km^2",
      quantity: "land_area",
      phrase: { noun: "land area", max: ["largest"], min: ["smallest"] },
    },
    continent: { type: "text", scale: "nominal", phrase: { noun: "continent" } },
    currency: { type: "text", scale: "nominal", phrase: { noun: "currency" } },
  },
);

export const cards: ReadonlyMap<string, Card> = new Map(
  [planets, moons, asteroids, isotopes, elements, groups, stars, airports, countries].map((c) => [c.id, c]),
);
