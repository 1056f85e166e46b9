import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decide } from "../../../sources/profile/decide/decide.js";
import { layoutOf } from "../../../sources/profile/layout/guess.js";
import { profileFile } from "../../../sources/profile/profile.js";
import { openSnapshot } from "../../../sources/snapshot.js";

const FIELD = "../shared/data/field";
const BUNDLE = "../shared/data/bundle";

async function decided(path: string) {
  const snapshot = await openSnapshot(path);
  const profile = await profileFile(snapshot, await layoutOf(snapshot));
  const { columns, keys } = decide(profile, []);
  return { profile, keys, of: (field: string) => columns.find((c) => c.field === field)! };
}

/** The example that the project ships, and files as they are found. */
describe("the table of the tutorial", () => {
  it("is read in its own manner", async () => {
    const { profile, keys, of } = await decided("docs/example/planets.csv");
    expect(profile.records).toBe(8);
    expect(keys.key).toBe("#1");
    expect(of("Mass (1024kg)")).toMatchObject({ unit: "kg", number: { factor: 1e24 }, range: [3e23, 2e27] });
    expect(of("Diameter (km)")).toMatchObject({
      number: { forms: ["plain", "grouped"] },
      range: [4000, 200000],
    });
    expect(of("Mean Temperature (C)")).toMatchObject({ unit: "degC", scale: "interval" });
    expect(of("Ring System?").type).toBe("flag");
  });
});

describe.skipIf(!existsSync(FIELD))("files as they are found", () => {
  it("finds the sentinels of CoolProp", async () => {
    const { of } = await decided(`${FIELD}/coolprop/fluids.csv`);
    expect(of("ODP").nulls).toEqual(expect.arrayContaining(["-1.0", "99999999.0"]));
    expect(of("R_J_mol_K").unit).toBe("J mol^-1 K^-1");
    expect(of("pseudo_pure").type).toBe("flag");
  });

  it("finds the units of KOIs in comment lines, and the flag that is none", async () => {
    const { keys, of } = await decided(`${FIELD}/kepler-koi/cumulative-confirmed.csv`);
    expect(keys).toMatchObject({ key: "kepoi_name", doubtful: "unique" });
    expect(of("koi_period")).toMatchObject({ unit: "d", uncertainty: { from: "koi_period_err1" } });
    expect(of("koi_prad").unit).toBe("R_earth");
    expect(of("koi_fpflag_nt")).toMatchObject({ type: "flag", unreadable: 1 });
  });

  it("keeps the keys of AnAge, and finds its 999", async () => {
    const { of } = await decided(`${FIELD}/anage/anage_data.txt`);
    expect(of("HAGRID").type).toBe("text");
    expect(of("References").type).toBe("text");
    expect(of("MRDT (yrs)").nulls).toContain("999");
    expect(of("Maximum longevity (yrs)")).toMatchObject({ unit: "yr", scale: "ratio" });
  });

  it("reads the others", async () => {
    const planes = await decided(`${FIELD}/nycflights13/planes.csv`);
    expect(planes.keys.key).toBe("tailnum");
    expect(planes.of("year")).toMatchObject({ type: "integer", scale: "interval", nulls: ["", "NA"] });
    const moons = await decided(`${FIELD}/solar-system/satellites.csv`);
    expect(moons.of("gm").number!.forms).toEqual(["plain", "plus_minus"]);
    expect(moons.of("magnitude").number!.suffix).toEqual(expect.arrayContaining(["R", "V", "r"]));
    const stars = await decided(`${FIELD}/exoplanets-oec/open_exoplanet_catalogue.txt`);
    expect(stars.of("system_rightascension").number!.forms).toContain("sexagesimal");
    expect(stars.of("discoveryyear").scale).toBe("interval");
    const constants = await decided(`${FIELD}/codata/codata2022_fixedwidth.txt`);
    expect(constants.profile).toMatchObject({ records: 355, layout: { read: { format: "fixed" } } });
  });

  it("reads lists of fields, quakes, elements and cities", async () => {
    const asteroids = await decided(`${BUNDLE}/jpl-sbdb/asteroids-with-diameter.json`);
    expect(asteroids.profile.records).toBe(2771);
    const elements = await decided(`${BUNDLE}/bodr/elements.xml`);
    expect(elements.profile.layout.read).toEqual({ format: "xml", record: "atom" });
    const isotopes = await decided(`${BUNDLE}/bodr/isotopes.xml`);
    expect(isotopes.profile.layout.read).toEqual({ format: "xml", record: "isotope" });
  });
});
