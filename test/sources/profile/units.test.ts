import { describe, expect, it } from "vitest";
import { readsAsUnit, unitInName, unitOf } from "../../../sources/profile/unit-text.js";

describe("units as people write them", () => {
  it.each([
    ["kg", "kg", undefined],
    ["km/s", "km/s", undefined],
    ["kg/m3", "kg/m^3", undefined],
    ["m/s2", "m/s^2", undefined],
    ["yrs", "yr", undefined],
    ["1/days", "d^-1", undefined],
    ["per yr", "yr^-1", undefined],
    ["Earth radii", "R_earth", undefined],
    ["degrees", "deg", undefined],
    ["deg C", "degC", undefined],
    ["bars", "bar", undefined],
    ["1024kg", "kg", 1e24],
    ["106 km", "km", 1e6],
    ["10^24 kg", "kg", 1e24],
    ["million sq km", "km^2", 1e6],
    ["J/(mol K)", undefined, undefined],
    ["BKJD", undefined, undefined],
    ["constructor", undefined, undefined],
  ])("%j is %j times %j", (text, unit, factor) => {
    const found = unitOf(text);
    expect([found?.unit, found?.factor]).toEqual([unit, factor]);
  });

  it.each([
    ["Mass (kg)", "kg", "Mass"],
    ["speed [km/s]", "km/s", "speed"],
    ["Tower height / m", "m", "Tower height"],
    ["Speed /km/s", "km/s", "Speed"],
    ["mass_kg", "kg", "mass"],
    ["area_total_km2", "km^2", "area_total"],
    ["rhot_liq_mol_m3", "mol/m^3", "rhot_liq"],
    ["R_J_mol_K", "J mol^-1 K^-1", "R"],
    ["frequency_khz", "kHz", "frequency"],
    ["Maximum longevity (yrs)", "yr", "Maximum longevity"],
    ["le_heading_degT", "deg", "le_heading"],
    ["lengthKm", "km", "length"],
  ])("%j has the unit %j and is called %j", (name, unit, rest) => {
    expect(unitInName(name)).toMatchObject({ unit, rest });
  });

  it.each([
    "temp_min",
    "city / town",
    "planet/m",
    "checked_in",
    "birth_year",
    "name",
    "le_ident",
    "mass",
    "x_a",
    "Surface",
    "Sample size (small)",
  ])("%j has none", (name) => expect(unitInName(name)).toBeUndefined());

  it("knows the words for no unit in a row of units", () => {
    expect(["-", "(none)", "kg", "Name"].map(readsAsUnit)).toEqual([true, true, true, false]);
  });
});
