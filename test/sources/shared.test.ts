import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCard } from "../../sources/cards.js";
import { classCounts, loadCatalog } from "../../sources/catalog.js";
import { checkAmong } from "../../sources/check-card.js";
import { type Database, openDatabase } from "../../sources/duckdb.js";
import { loadSource } from "../../sources/load.js";
import type { Catalog, IngestReport, Table } from "../../sources/table.js";
import { flags, limits, numbers, texts, us } from "./helper.js";

const data = fileURLToPath(new URL("../../../shared/data/", import.meta.url));
const cards = fileURLToPath(new URL("./cards/", import.meta.url));

/** Where each card's snapshot lies under `data`. */
const PLACES: Readonly<Record<string, string>> = {
  anage: "field/anage",
  "bodr-elements": "bundle/bodr",
  "bodr-isotopes": "bundle/bodr",
  codata: "field/codata",
  coolprop: "field/coolprop",
  cremona: "bundle/cremona",
  earthquakes: "bundle/earthquakes",
  "exoplanets-oec": "field/exoplanets-oec",
  factbook: "field/factbook",
  geonames: "bundle/geonames",
  "graph-atlas": "bundle/graph-atlas",
  "jpl-sbdb": "bundle/jpl-sbdb",
  "kepler-koi": "field/kepler-koi",
  "nycflights13-planes": "field/nycflights13",
  "ourairports-airports": "bundle/airports",
  "ourairports-navaids": "field/ourairports",
  "ourairports-runways": "field/ourairports",
  penguins: "bundle/penguins",
  "small-groups": "bundle/small-groups",
  "solar-system": "field/solar-system",
  "solar-system-satellites": "field/solar-system",
  "solar-system-sheet": "field/solar-system",
};

describe("cards for tests", () => {
  it("are sound, alone and together", async () => {
    const found = await Promise.all(
      readdirSync(cards).map(async (file) => (await findCard(`./${file}`, cards)).card),
    );
    expect(found.map((c) => c.id).sort()).toEqual(Object.keys(PLACES).sort());
    expect(found.flatMap((_, i) => checkAmong(found, i))).toEqual([]);
  });
});

describe.skipIf(!existsSync(data))("real files", () => {
  let database: Database;
  let catalog: Catalog;
  const reports = new Map<string, IngestReport>();
  const table = (id: string): Table => catalog.tables.get(id)!;
  const at = <T>(id: string, key: string, values: readonly T[]): T => values[table(id).rowOf(key)!]!;

  beforeAll(async () => {
    const folders = [...new Set(Object.values(PLACES))].map((place) => `${data}${place}`);
    database = await openDatabase(":memory:", { folders, threads: 2 });
    for (const [id, place] of Object.entries(PLACES)) {
      const { card } = await findCard(`./${id}.yaml`, cards);
      reports.set(id, await loadSource(card, `${data}${place}/${card.snapshot.file}`, database));
    }
    catalog = await loadCatalog(database);
  }, 60_000);
  afterAll(() => database.close());

  it("lose nothing silently", () => {
    for (const [id, report] of reports) {
      const rejected = Object.values(report.rejected).reduce((sum, n) => sum + n, 0);
      expect([id, report.loaded + rejected]).toEqual([id, report.records]);
      expect(table(id).rows).toBe(report.loaded);
    }
    const loaded = Object.fromEntries([...reports].map(([id, r]) => [id, r.records]));
    expect(loaded).toMatchObject({
      anage: 4219,
      "bodr-isotopes": 3171,
      cremona: 11308,
      earthquakes: 1707,
      "exoplanets-oec": 5414,
      geonames: 4906,
      "jpl-sbdb": 2771,
      "kepler-koi": 2746,
      "ourairports-navaids": 11008,
      penguins: 344,
      "solar-system": 9,
    });
  });

  it("turn away what is wrong in them, and say what", () => {
    expect(reports.get("bodr-elements")!.rejected).toEqual({ not_kept: 1 });
    expect(reports.get("kepler-koi")!.cells).toMatchObject({ not_transit_like: { unreadable_value: 1 } });
    const flagValue = reports.get("kepler-koi")!.samples.find((s) => s.column === "not_transit_like");
    expect(flagValue).toMatchObject({ text: "465" });
    expect(reports.get("exoplanets-oec")!.cells.mass).toEqual({ excluded_value: 1 });
    expect(reports.get("exoplanets-oec")!.samples.some((s) => s.text === "+19 54 60")).toBe(true);
    expect(reports.get("nycflights13-planes")!.cells).toEqual({ year: { excluded_value: 2 } });
  });

  it("give the values that stand in them", () => {
    expect(at("solar-system", "Uranus", numbers(table("solar-system"), "mass"))).toBe(86.8e24);
    expect(at("solar-system", "Uranus", us(table("solar-system"), "mass"))).toBe(5e22);
    expect(at("solar-system", "Mercury", numbers(table("solar-system"), "mass"))).toBe(3.3e23);
    expect(at("bodr-isotopes", "U238", numbers(table("bodr-isotopes"), "half_life"))).toBe(4.468e9);
    const u232 = at("bodr-isotopes", "U232", numbers(table("bodr-isotopes"), "half_life"));
    expect(u232).toBeCloseTo(2.17283e9 / 31557600, 9);
    expect(at("bodr-isotopes", "H1", us(table("bodr-isotopes"), "exact_mass"))).toBe(5e-10);
    expect(at("jpl-sbdb", "1 Ceres (A801 AA)", numbers(table("jpl-sbdb"), "eccentricity"))).toBe(
      0.07863575691875528,
    );
    expect(at("solar-system-satellites", "Moon", us(table("solar-system-satellites"), "radius"))).toBe(0.1);
    expect(limits(table("kepler-koi"), "insolation").every((l) => l === 0)).toBe(true);
  });

  it("say the same on their side as upright", () => {
    const [sheet, upright] = [table("solar-system-sheet"), table("solar-system")];
    expect(sheet.keys.filter((key) => upright.rowOf(key) === undefined)).toEqual(["Moon"]);
    const rows = upright.keys.map((key) => sheet.rowOf(key)!);
    for (const id of [
      "mass",
      "equatorial_diameter",
      "rotation_period",
      "semi_major_axis",
      "orbital_period",
    ]) {
      expect(rows.map((row) => numbers(sheet, id)[row])).toEqual(numbers(upright, id));
      expect(rows.map((row) => us(sheet, id)[row])).toEqual(us(upright, id));
    }
    for (const id of ["ring_system", "magnetic_field"])
      expect(rows.map((row) => flags(sheet, id)[row])).toEqual(flags(upright, id));
    expect(reports.get("solar-system-sheet")!.cells).toEqual({ semi_major_axis: { excluded_value: 1 } });
  });

  it("give masses of particles from lines of fixed width", () => {
    expect(at("codata", "tau mass", numbers(table("codata"), "value"))).toBe(3.16754e-27);
    expect(at("codata", "tau mass", us(table("codata"), "value"))).toBe(2.1e-31);
    expect(reports.get("codata")!.records).toBe(355);
    expect(reports.get("codata")!.cells).toEqual({ value: { unreadable_value: 5 } });
  });

  it("keep keys and codes that spreadsheets spoil", () => {
    expect(table("anage").rowOf("00003")).toBeDefined();
    expect(table("cremona").rowOf("960e6")).toBeDefined();
    expect(texts(table("geonames"), "country")).toContain("NA");
    expect(texts(table("ourairports-airports"), "continent")).toContain("NA");
  });

  it("name entities across tables", () => {
    const runways = table("ourairports-runways");
    const named = runways.names.filter((name, i) => name !== runways.keys[i]);
    expect(runways.rows - named.length).toBe(2);
    expect(runways.names).toContain("Ulyanovsk East Airport 02/20");
    expect(table("bodr-isotopes").names[table("bodr-isotopes").rowOf("U238")!]).toBe("U-238");
    expect(table("ourairports-navaids").names).toContain("AKI Akureyri");
  });

  it("are as complete as their cards say, or known not to be", () => {
    const short = [...catalog.tables.values()].flatMap((t) =>
      classCounts(t)
        .filter((c) => c.present !== c.total)
        .map((c) => [t.id, c.present, c.total]),
    );
    expect(short).toEqual([["factbook", 108, 109]]);
  });
});
