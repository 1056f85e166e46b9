import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decisions, decide } from "../../../sources/profile/decide/decide.js";
import type { KnownQuantity } from "../../../sources/profile/decide/quantity.js";
import { neatAbove, neatBelow } from "../../../sources/profile/decimal.js";
import { DistinctCounter } from "../../../sources/profile/distinct.js";
import { FrequentTexts } from "../../../sources/profile/frequent.js";
import { layoutOf } from "../../../sources/profile/layout/guess.js";
import { readNumber } from "../../../sources/profile/numbers.js";
import { type FileProfile, profileFile } from "../../../sources/profile/profile.js";
import { openSnapshot } from "../../../sources/snapshot.js";
import { snapshotFile } from "../helper.js";

const KNOWN: readonly KnownQuantity[] = [
  { id: "mass", unit: "kg", nouns: ["mass"], formulas: ["bulk_density"], solar: [] },
  { id: "mean_radius", unit: "km", nouns: ["mean radius"], formulas: ["bulk_density"], solar: [] },
  { id: "orbital_period", unit: "d", nouns: ["orbital period"], formulas: ["axis"], solar: ["axis"] },
];

async function decided(content: string): Promise<Decisions & { readonly profile: FileProfile }> {
  const snapshot = await openSnapshot(snapshotFile(content));
  const profile = await profileFile(snapshot, await layoutOf(snapshot));
  return { ...decide(profile, KNOWN), profile };
}

/** A table of one column of interest beside a key. */
async function column(name: string, values: readonly string[]) {
  const rows = values.map((v, i) => `k${i}\t${v}`).join("\n");
  const { columns } = await decided(`id\t${name}\n${rows}\n`);
  return columns[1]!;
}
const codes = (c: { notes: readonly { code: string }[] }): string[] => c.notes.map((n) => n.code);
const MANY = Array.from({ length: 40 }, (_, i) => `${(i * 7.3 + 1.25).toFixed(2)}`);

describe("numbers as they are written", () => {
  it.each([
    ["1.50", "plain", 1.5, 2],
    ["1e-3", "plain", 0.001, 0],
    ["142,984", "grouped", 142984, 0],
    ["1,5", "decimal_comma", 1.5, 1],
    ["1.991,0", "dot_grouped", 1991, 1],
    ["1.059.600", "dot_grouped", 1059600, 0],
    ["170.\u00b125.", "plus_minus", 170, 0],
    ["1.234(5)", "parenthesis", 1.234, 3],
    ["6.644 657 3450 e-27", "spaced", 6.644657345e-27, 10],
    ["19 22 43.4", "sexagesimal", 19 + 22 / 60 + 43.4 / 3600, 1],
  ])("%j is %s", (text, form, value, decimals) => {
    expect(readNumber(text)).toMatchObject({ form, decimals });
    expect(readNumber(text)!.value).toBeCloseTo(value, 12);
  });

  it("keeps what stands beside a number", () => {
    expect(readNumber("14.2 million sq km")).toMatchObject({ value: 14.2, suffix: "million sq km" });
    expect(readNumber("0.384*")).toMatchObject({ value: 0.384, suffix: "*" });
    expect(readNumber("<5")).toMatchObject({ value: 5, prefix: "<" });
  });

  it.each(["", "abc", "NA", "2015-03-01", "1.2.3", "A320-214", "12a34"])("%j is none", (text) => {
    expect(readNumber(text)).toBeUndefined();
  });

  it("reads plain numbers as JavaScript does", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readNumber(String(value))!.value === value).toBe(true);
      }),
    );
  });
});

describe("tallies", () => {
  it("counts distinct texts exactly, in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6 })), (texts) => {
        const counter = new DistinctCounter();
        for (const text of texts) counter.add(text);
        expect(counter.count).toBe(new Set(texts).size);
      }),
    );
  });

  it("keeps what is frequent, and forgets what came once", () => {
    const frequent = new FrequentTexts(64);
    for (let i = 0; i < 1000; i++) for (const text of ["a", "b", String(i)]) frequent.add(text);
    expect(frequent.top(2).map((f) => f.text)).toEqual(["a", "b"]);
    expect(frequent.exact).toBe(false);
  });

  it("rounds to one digit outwards, exactly", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (value) => {
        expect(neatAbove(value)).toBeGreaterThanOrEqual(Number(value.toPrecision(12)));
        expect(neatBelow(value)).toBeLessThanOrEqual(Number(value.toPrecision(12)));
      }),
    );
    expect([neatAbove(1000), neatBelow(1000), neatAbove(142984), neatBelow(0.0146)]).toEqual([
      1000, 1000, 200000, 0.01,
    ]);
  });
});

describe("what columns are", () => {
  it("takes units from names, and asks where there is none", async () => {
    expect(await column("Mass (kg)", MANY)).toMatchObject({
      ...{ type: "number", scale: "ratio", unit: "kg", quantity: { ids: ["mass"], sure: true } },
      ...{ uncertainty: { rounding: true }, may: ["filter", "select", "compute"], noun: "mass", id: "mass" },
    });
    const bare = await column("thing", MANY);
    expect(bare).toMatchObject({ unit: "1", may: [] });
    expect(codes(bare)).toContain("no_unit");
    expect(await column("Mass (1024kg)", MANY)).toMatchObject({ unit: "kg", number: { factor: 1e24 } });
  });

  it("offers quantities that are not sure as a choice, and never binds the Sun's silently", async () => {
    expect((await column("radius_km", MANY)).quantity).toMatchObject({ ids: ["mean_radius"], sure: false });
    const period = await column("Orbital period (days)", MANY);
    expect(period.quantity).toMatchObject({ ids: ["orbital_period"], sure: false });
    expect(period.quantity!.warning).toContain("orbit the Sun");
  });

  it("finds sentinels far from all values, in all their spellings", async () => {
    const c = await column("speed_km", [...MANY, "-1", "-1.0", "9999.9", "9999.9"]);
    expect(c.nulls).toEqual(["", "9999.9", "-1", "-1.0"]);
    expect(codes(c).filter((code) => code === "sentinel")).toHaveLength(2);
    expect(c.range![1]).toBe(300);
  });

  it("asks about a single value that would win every time", async () => {
    const c = await column("speed_km", [...MANY, "104800"]);
    expect(codes(c)).toContain("outlier");
    expect(c.nulls).not.toContain("104800");
  });

  it("decides that NA is not known among numbers, and leaves Namibia alone", async () => {
    const numbers = await column("speed_km", [...MANY, "NA", "NA"]);
    expect(numbers.nulls).toEqual(["", "NA"]);
    const countries = await column("country", ["DE", "NA", "FR", "DE", "NA", "FR", "DE", "FR", "DE"]);
    expect(countries.nulls).toEqual([]);
    expect(codes(countries)).toContain("null_or_value");
    expect(countries).toMatchObject({ type: "text", may: ["filter"] });
  });

  it("keeps codes as text: zeros in front, letters in front, lists of numbers", async () => {
    const code = (i: number): string => String(i).padStart(4, "0");
    expect(
      (
        await column(
          "code",
          MANY.map((_, i) => code(i)),
        )
      ).type,
    ).toBe("text");
    expect(
      (
        await column(
          "koi",
          MANY.map((_, i) => `K0${1000 + i}.01`),
        )
      ).type,
    ).toBe("text");
    expect(
      (
        await column(
          "refs",
          MANY.map((_, i) => `1294,1${i + 100},453,678,731,978`),
        )
      ).type,
    ).toBe("text");
  });

  it("finds flags, also with a cell that is neither", async () => {
    expect(await column("rings", ["Yes", "No", "No", "Unknown", ""])).toMatchObject({
      ...{ type: "flag", flag: { true: ["Yes"], false: ["No"] }, nulls: ["", "Unknown"] },
    });
    const odd = await column("nt_flag", [...Array.from({ length: 300 }, (_, i) => String(i % 2)), "465"]);
    expect(odd).toMatchObject({ type: "flag", unreadable: 1 });
    expect(codes(odd)).toContain("flag_exception");
  });

  it("knows years, places, logarithms and counts from ratios", async () => {
    const years = await column(
      "discoveryyear",
      MANY.map((_, i) => String(1960 + i)),
    );
    expect(years).toMatchObject({ type: "integer", scale: "interval", drift: { absolute: 1 } });
    const { columns } = await decided(
      `id,lat,lon\n${MANY.map((_, i) => `k${i},${i}.5,${i * 3}.25`).join("\n")}\n`,
    );
    expect(columns[1]).toMatchObject({
      scale: "interval",
      unit: "deg",
      range: [-90, 90],
      may: ["filter", "compute"],
    });
    expect(await column("H_mag", MANY)).toMatchObject({ scale: "log" });
    expect(
      await column(
        "number of moons",
        MANY.map((_, i) => String(i)),
      ),
    ).toMatchObject({ type: "integer", scale: "count" });
    expect(await column("Temperature (C)", MANY)).toMatchObject({ unit: "degC", scale: "interval" });
    expect((await column("Mean Temperature (C)", MANY)).drift).toMatchObject({
      absolute: expect.any(Number),
    });
  });

  it("sees rounding that is coarser or finer than it looks", async () => {
    expect(
      (
        await column(
          "pop",
          MANY.map((_, i) => `${(i + 1) * 37000}`),
        )
      ).uncertainty,
    ).toEqual({ absolute: 500 });
    const floats = MANY.map((_, i) => String(Math.sqrt(i + 2)));
    expect(codes(await column("depth_m", floats))).toContain("float_digits");
    expect(
      (
        await column(
          "area_km2",
          MANY.map((_, i) => `${i * 13}.0`),
        )
      ).uncertainty,
    ).toEqual({ absolute: 0.5 });
  });

  it("reads columns beside a column as its uncertainty", async () => {
    const rows = MANY.map((v, i) => `k${i},${v},0.1,-0.2`).join("\n");
    const { columns } = await decided(`id,per_d,per_d_err1,per_d_err2\n${rows}\n`);
    expect(columns[1]).toMatchObject({ uncertainty: { from: "per_d_err1", factor: 1 } });
    expect(columns.slice(2).map((c) => c.role)).toEqual(["companion", "companion"]);
  });

  it("asks whether whole numbers over decades are years", async () => {
    const years = Array.from({ length: 30 }, (_, i) => `${1883 + ((i * 7) % 139)}`);
    const c = await column("Opened", years);
    expect(c).toMatchObject({
      role: "year",
      type: "integer",
      scale: "interval",
      uncertainty: { exact: true },
    });
    expect(c.notes.find((n) => n.code === "year")).toMatchObject({
      check: true,
      text: expect.stringMatching(/^years\?/),
    });
    expect(codes(c)).toContain("noun_participle");
    expect((await column("height", years)).role).toBe("measure");
    expect(codes(await column("Speed (km/s)", MANY))).not.toContain("noun_participle");
    expect(codes(await column("discovered by europeans", years))).toContain("noun_participle");
  });

  it("takes no area for a country's but where it is one", async () => {
    const total = { id: "total_area", unit: "km^2", nouns: ["total area"], formulas: ["x"], solar: [] };
    const of = async (key: string, area: string) => {
      const rows = MANY.map((v, i) => `k${i}\t${v}`).join("\n");
      const snapshot = await openSnapshot(snapshotFile(`${key}\t${area}\n${rows}\n`));
      const profile = await profileFile(snapshot, await layoutOf(snapshot));
      return decide(profile, [total]).columns[1]!.quantity?.ids;
    };
    expect(await of("lake name", "Area (km2)")).toBeUndefined();
    expect(await of("lake name", "Total area (km2)")).toEqual(["total_area"]);
    expect(await of("country", "Area (km2)")).toEqual(["total_area"]);
  });

  it("words its hints so that they can be pasted", async () => {
    const c = await column("rings", ["Yes", "No", "Yes", "No"]);
    expect(c.notes.find((n) => n.code === "flag_words")!.text).toContain("phrase: { noun: rings, true: [");
  });

  it("says which value shares the end of a column", async () => {
    const c = await column("speed_km", [...MANY, "300.00", "300.00"]);
    expect(c.notes.find((n) => n.code === "tie_at_extreme")!.text).toContain("300.00, stands 2 times");
  });
});

describe("whole numbers", () => {
  const WHOLE = MANY.map((_, i) => String((i * 37) % 401));
  it.each(
    [
      [
        "number of moons",
        "population",
        "moon_count",
        "n_engines",
        "numSeats",
        "neighbours",
        "atomicNumber",
        "Cylinders",
      ],
      ["population (2020)"],
    ].flat(),
  )("counts where its name says so: %s", async (name) => {
    expect(await column(name, WHOLE)).toMatchObject({
      ...{ type: "integer", scale: "count", unit: "1", uncertainty: { exact: true } },
      may: ["filter", "select", "compute"],
    });
  });

  it.each([
    ...["melting_point", "boilingPoint", "Horsepower", "torque", "price", "salary", "calories", "hardness"],
    ...[
      "gdp_per_capita",
      "rainfall",
      "price (USD)",
      "torque (lbft)",
      "population (thousands)",
      "serial number",
    ],
  ])("measures, in a unit that nobody knows, under the name %s", async (name) => {
    const c = await column(name, WHOLE);
    expect(c).toMatchObject({ type: "number", scale: "ratio", unit: "1", may: [] });
    const text = c.notes.find((n) => n.code === "no_unit")!.text;
    const bracket = /\((.*)\)/.exec(name)?.[1];
    if (bracket !== undefined) expect(text).toContain(`"${bracket}", in its name, is none`);
  });

  it("are years only where something is dated, or the name says so", async () => {
    const years = Array.from({ length: 30 }, (_, i) => `${1883 + ((i * 7) % 139)}`);
    expect((await column("launched", years)).role).toBe("year");
    const torque = await column("torque", years);
    expect(torque.may).toEqual([]);
    expect(torque.notes.find((n) => n.code === "no_unit")!.text).toContain("calendar years take");
  });

  it("that are counted drift where sources count people", async () => {
    expect((await column("population", WHOLE)).drift).toEqual({ relative: 0.01 });
    expect((await column("seats", WHOLE)).drift).toEqual({ absolute: 0 });
  });
});

describe("what a column is called", () => {
  it("carries its path where others end in the same, or in a number", async () => {
    const { columns } = await decided(
      JSON.stringify([
        { name: { common: "a", official: "b" }, old: { official: "c" }, latlng: [1.5, 2.5], area: 3.25 },
        { name: { common: "d", official: "e" }, old: { official: "f" }, latlng: [3.5, 4.5], area: 5.25 },
      ]),
    );
    expect(columns.map((c) => c.id)).toEqual([
      ...["common", "name_official", "old_official", "latlng_0", "latlng_1", "area"],
    ]);
    expect(columns[3]!.noun).toBe("latlng 0");
  });

  it("leaves the unit out, and the word before it", async () => {
    expect(await column("Weight_in_lbs", MANY)).toMatchObject({ noun: "weight", id: "weight", unit: "lb" });
    expect(await column("Depth in metres", MANY)).toMatchObject({ noun: "depth", unit: "m" });
  });
});

describe("keys", () => {
  it("takes no name that most records lack", async () => {
    const records = Array.from({ length: 20 }, (_, i) => ({
      ...{ code: `C${i}`, name: { common: `land ${i}` } },
      ...(i === 0 ? { currencies: { GBP: { name: "pound" } } } : {}),
    }));
    expect((await decided(JSON.stringify(records))).keys).toMatchObject({ name: "name.common" });
    const codes = records.map(({ code, currencies }) => ({ code, currencies }));
    expect((await decided(JSON.stringify(codes))).keys).toMatchObject({ key: "code", name: "code" });
  });

  it("takes a name that is unique before an id, and says what is no key", async () => {
    const { keys } = await decided("id,name,code\n007,a,x\n008,b,x\n009,c,y\n");
    expect(keys).toMatchObject({ key: "name", name: "name", doubtful: "unique" });
    expect(keys.said.join("\n")).toContain(
      "`code` looks like a key and is none: 2 of 3 distinct; repeated: x (rows 1, 2)",
    );
  });

  it("goes by record numbers where nothing is unique", async () => {
    const { keys } = await decided("species,mass_g\na,1.5\na,2.5\nb,1.5\n");
    expect(keys).toMatchObject({ key: undefined, doubtful: "none" });
  });
});
