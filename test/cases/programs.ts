import type { Condition } from "../../sources/card.js";

/** A case of `cases/recipes.json` as a program over the cards in test/sources/cards. */
export interface CaseProgram {
  readonly table: string;
  readonly where: Condition[];
  readonly select: { column: string; order: "max" | "min"; rank?: number };
  readonly answers: Readonly<
    Record<
      string,
      { unit: string; expression: string; inputs: Record<string, { column: string; unit: string }> }
    >
  >;
  /** Card's unit to the case's, for the selecting column. */
  readonly selectorFactor?: number;
  /** The card does not believe the value by which the case's winner (or runner-up) wins: key and column of that datum. */
  readonly disbelieved?: { column: string; keys: string[] };
  /** The case's winner is in the original but not in the file here: the runner-up must come first. */
  readonly absent?: boolean;
  /** Winner and runner-up have the same value: who comes first is no fact. */
  readonly tied?: boolean;
  /** What filter, select and compute say: accepted, or stage, reason and the datum that breaks it. */
  readonly verdict: string;
}

/** Snapshots by card, relative to the data folder. */
export const SNAPSHOTS: Readonly<Record<string, string>> = {
  "solar-system": "field/solar-system/planets.csv",
  "exoplanets-oec": "field/exoplanets-oec/open_exoplanet_catalogue.txt",
  "kepler-koi": "field/kepler-koi/cumulative-confirmed.csv",
  "jpl-sbdb": "bundle/jpl-sbdb/asteroids-with-diameter.json",
  anage: "field/anage/anage_data.txt",
  penguins: "bundle/penguins/penguins.json",
  "bodr-isotopes": "bundle/bodr/isotopes.xml",
  "bodr-elements": "bundle/bodr/elements.xml",
  codata: "field/codata/codata2022_fixedwidth.txt",
  coolprop: "field/coolprop/fluids.csv",
  cremona: "bundle/cremona/cremona_2000.csv",
  "small-groups": "bundle/small-groups/small_groups_127.csv",
  factbook: "field/factbook/factbook-geography.csv",
  "ourairports-airports": "bundle/airports/airports.csv",
  "ourairports-runways": "field/ourairports/runways.csv",
  "ourairports-navaids": "field/ourairports/navaids.csv",
  "nycflights13-planes": "field/nycflights13/planes.csv",
  "graph-atlas": "bundle/graph-atlas/graph_atlas_7.csv",
};

const is = (column: string, value: boolean): Condition => ({ column, op: "is", value });
const eq = (column: string, value: string | number): Condition => ({ column, op: "eq", value });
const lt = (column: string, value: number): Condition => ({ column, op: "lt", value });
const gt = (column: string, value: number): Condition => ({ column, op: "gt", value });
const le = (column: string, value: number): Condition => ({ column, op: "le", value });
const known = (column: string): Condition => ({ column, op: "known" });
const between = (column: string, low: number, high: number): Condition => ({
  column,
  op: "between",
  low,
  high,
});

/** What the case's pattern, names that end in "mass" but are none of a unit's or a scale's, finds. */
const PARTICLE_MASSES = [
  ...[
    "alpha particle",
    "deuteron",
    "electron",
    "helion",
    "muon",
    "natural unit of",
    "neutron",
    "proton",
    "tau",
  ],
  "triton",
].map((name) => `${name} mass`);

const probability = {
  Pr: {
    unit: "1",
    expression: "k / n",
    inputs: { k: { column: "classes", unit: "1" }, n: { column: "order", unit: "1" } },
  },
};

export const CASES: ReadonlyMap<string, CaseProgram> = new Map<string, CaseProgram>([
  [
    "S1",
    {
      table: "solar-system",
      where: [is("ring_system", true)],
      select: { column: "mass", order: "max" },
      selectorFactor: 1e-24,
      answers: {
        g: {
          unit: "m/s^2",
          expression: "G * m / r^2",
          inputs: { m: { column: "mass", unit: "kg" }, r: { column: "equatorial_radius", unit: "km" } },
        },
      },
      verdict: "select: decorative_condition (ring_system)",
    },
  ],
  [
    "S3",
    {
      table: "solar-system",
      where: [is("ring_system", true)],
      select: { column: "mass", order: "min" },
      selectorFactor: 1e-24,
      answers: {
        rho: {
          unit: "kg/m^3",
          expression: "m / (4/3 * pi * r^3)",
          inputs: { m: { column: "mass", unit: "kg" }, r: { column: "equatorial_radius", unit: "km" } },
        },
      },
      verdict: "compute: rival_answer_close (other end)",
    },
  ],
  [
    "E1",
    {
      table: "exoplanets-oec",
      where: [eq("method", "transit"), lt("distance", 50), known("mass"), known("radius")],
      select: { column: "mass", order: "max" },
      disbelieved: { column: "mass", keys: ["WD 1856+534 b"] },
      answers: {
        rho: {
          unit: "kg/m^3",
          expression: "m / (4/3 * pi * r^3)",
          inputs: { m: { column: "mass", unit: "M_jup" }, r: { column: "radius", unit: "R_jup" } },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "K1",
    {
      table: "kepler-koi",
      where: [eq("disposition", "CONFIRMED"), between("period", 10, 100), lt("radius", 2)],
      select: { column: "insolation", order: "min" },
      answers: {
        T: { unit: "1", expression: "278.5 * s^0.25", inputs: { s: { column: "insolation", unit: "1" } } },
      },
      verdict: "select: near_threshold (Kepler-37 e)",
    },
  ],
  [
    "A1",
    {
      table: "jpl-sbdb",
      where: [eq("class", "TNO"), known("diameter")],
      select: { column: "diameter", order: "max" },
      answers: {
        v: {
          unit: "km/s",
          expression: "2 * pi * a / p",
          inputs: {
            a: { column: "semi_major_axis", unit: "au" },
            p: { column: "orbital_period", unit: "yr" },
          },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "G1",
    {
      table: "anage",
      where: [
        eq("class", "Aves"),
        { column: "quality", op: "in", values: ["acceptable", "high"] },
        known("adult_weight"),
      ],
      select: { column: "longevity", order: "max" },
      answers: {
        LQ: {
          unit: "1",
          expression:
            "(t / sidereal_year * 365.256363004 / 365.25) / (4.88 * (w / u * 1.66053906892e-24)^0.153)",
          inputs: { t: { column: "longevity", unit: "yr" }, w: { column: "adult_weight", unit: "g" } },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "W1",
    {
      table: "penguins",
      where: [{ column: "species", op: "starts_with", values: ["Gentoo"] }, eq("sex", "FEMALE")],
      select: { column: "body_mass", order: "max" },
      answers: {
        idx: {
          unit: "kg/m^2",
          expression: "m / l^2",
          inputs: { m: { column: "body_mass", unit: "g" }, l: { column: "flipper_length", unit: "mm" } },
        },
      },
      tied: true,
      verdict: "filter: private_entity (penguins)",
    },
  ],
  [
    "B1",
    {
      table: "bodr-isotopes",
      where: [eq("element_symbol", "U"), eq("half_life_unit", "units:y")],
      select: { column: "half_life", order: "max" },
      answers: {
        A: {
          unit: "Bq/g",
          expression: "ln(2) * 6.02214076e23 / (t * (m / u) * (u / 1.66053906892e-24))",
          inputs: { t: { column: "half_life", unit: "yr" }, m: { column: "exact_mass", unit: "u" } },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "F1",
    {
      table: "coolprop",
      where: [between("gwp100", 1, 5000), eq("odp", 0)],
      select: { column: "critical_temperature", order: "max" },
      answers: {
        Zc: {
          unit: "1",
          expression: "p / (rho * R * t)",
          inputs: {
            p: { column: "critical_pressure", unit: "Pa" },
            rho: { column: "critical_density", unit: "mol/m^3" },
            t: { column: "critical_temperature", unit: "K" },
          },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "F3",
    {
      table: "coolprop",
      where: [lt("acentric", 0.05), gt("molar_mass", 0.03)],
      select: { column: "critical_temperature", order: "max" },
      answers: {
        T_B: {
          unit: "K",
          expression: "27/8 * t",
          inputs: { t: { column: "critical_temperature", unit: "K" } },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "CD1",
    {
      table: "codata",
      where: [{ column: "quantity", op: "in", values: PARTICLE_MASSES }],
      select: { column: "value", order: "max" },
      answers: {
        E: { unit: "J", expression: "m * c^2", inputs: { m: { column: "value", unit: "kg" } } },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "M1",
    {
      table: "cremona",
      where: [eq("rank", 1), eq("torsion", 1), le("conductor", 500)],
      select: { column: "regulator", order: "max" },
      answers: {
        "L'(E,1)": {
          unit: "1",
          expression: "omega * r * c * s / t^2",
          inputs: {
            omega: { column: "real_period", unit: "1" },
            r: { column: "regulator", unit: "1" },
            c: { column: "tamagawa", unit: "1" },
            s: { column: "sha", unit: "1" },
            t: { column: "torsion", unit: "1" },
          },
        },
        stored: { unit: "1", expression: "1 * v", inputs: { v: { column: "special_value", unit: "1" } } },
      },
      verdict: "select: decorative_condition (rank)",
    },
  ],
  [
    "J1",
    {
      table: "small-groups",
      where: [is("abelian", false), is("solvable", true), eq("center_order", 1), le("order", 100)],
      select: { column: "exponent", order: "max" },
      answers: probability,
      verdict: "select: decorative_condition (abelian)",
    },
  ],
  [
    "J3",
    {
      table: "small-groups",
      where: [is("perfect", true), gt("order", 1)],
      select: { column: "order", order: "max" },
      answers: probability,
      verdict: "select: decorative_condition (order)",
    },
  ],
  [
    "V2",
    {
      table: "factbook",
      where: [gt("area", 100000)],
      select: { column: "mean_elevation", order: "max" },
      answers: {
        p: {
          unit: "kPa",
          expression: "atm * (1 - 2.25577e-5 * h * 149597870700 / au)^5.25588",
          inputs: { h: { column: "mean_elevation", unit: "m" } },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "R1",
    {
      table: "ourairports-runways",
      where: [
        is("closed", false),
        is("lighted", true),
        { column: "surface", op: "starts_with", values: ["asp", "con"] },
        between("width", 30, 400),
      ],
      select: { column: "length", order: "max" },
      absent: true,
      answers: {
        L: { unit: "m", expression: "1 * l", inputs: { l: { column: "length", unit: "ft" } } },
        "L/W": {
          unit: "1",
          expression: "l / w",
          inputs: { l: { column: "length", unit: "ft" }, w: { column: "width", unit: "ft" } },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "R3",
    {
      table: "ourairports-navaids",
      where: [eq("kind", "VOR-DME"), eq("country", "IS")],
      select: { column: "latitude", order: "max" },
      answers: {
        d: {
          unit: "1",
          expression:
            "2 * 6371.0088 * asin(sqrt(sin((la - 63.985*pi/180)/2)^2 + cos(63.985*pi/180) * cos(la) * sin((lo + 22.6056*pi/180)/2)^2))",
          inputs: { la: { column: "latitude", unit: "deg" }, lo: { column: "longitude", unit: "deg" } },
        },
      },
      verdict: "select: incomplete_catalogue (no_complete_class)",
    },
  ],
  [
    "T1",
    {
      table: "nycflights13-planes",
      where: [eq("engines", 4), known("year")],
      select: { column: "year", order: "min" },
      disbelieved: { column: "year", keys: ["N381AA", "N840MQ"] },
      answers: {
        age: {
          unit: "yr",
          expression: "2013 * 365.25 / 365.256363004 * sidereal_year - y",
          inputs: { y: { column: "year", unit: "yr" } },
        },
      },
      verdict: "filter: too_few_candidates (1)",
    },
  ],
  [
    "Y3",
    {
      table: "graph-atlas",
      where: [eq("n", 7), is("connected", true), eq("triangles", 0), eq("chromatic_number", 3)],
      select: { column: "automorphisms", order: "max" },
      answers: {
        labelled: {
          unit: "1",
          expression: "5040 / a",
          inputs: { a: { column: "automorphisms", unit: "1" } },
        },
      },
      verdict: "select: decorative_condition (n)",
    },
  ],
]);
