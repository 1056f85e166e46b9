import { describe, expect, it } from "vitest";
import { nameLeaks } from "../../verifiers/name-leaks.js";
import { plainText } from "../../verifiers/plain-text.js";
import { sourceLeaks } from "../../verifiers/source-leaks.js";
import { type HiddenValue, type StatedValue, valueLeaks } from "../../verifiers/value-leaks.js";

/** One task that all lines below are about: the least massive planet with rings, its density from mass and mean radius. */
const QUESTION =
  "What is the bulk density of the least massive planet of the Solar System that has a ring system and whose semi-major axis is below 30.5 au, taking the body as a sphere of its mean radius? Give the answer in g/cm³ to three significant figures.";

const hidden = (label: string, value: number, unit: string, answer = false): HiddenValue => ({
  label,
  value,
  unit,
  answer,
  integer: false,
  digits: 3,
});
const HIDDEN = [
  hidden("answer", 1.2704, "g/cm^3", true),
  hidden("mass", 8.681e25, "kg"),
  hidden("mean radius", 25362, "km"),
  hidden("volume", 6.8334e13, "km^3"),
  hidden("mean temperature", -195.3, "degC"),
  hidden("orbital period", 84.0205, "yr"),
];
const STATED: StatedValue[] = [
  { value: 30.5, unit: "au", condition: true },
  { value: 3, unit: null, condition: false },
];
const NAMES = {
  names: ["Uranus", "Io", "Moon", "arsenic", "Ōumuamua"],
  aliases: ["Georgium Sidus", "As", "In", "U-238", "20000 Varuna (2000 WR106)", "K"],
  allowed: ["of the Solar System"],
  vocabulary: ["planet", "planets", "moon", "moons", "mean radius"],
};

const values = (text: string) => valueLeaks(plainText(text), HIDDEN, STATED);
const names = (text: string) => nameLeaks(plainText(text), NAMES, "name_leaked");

describe("hidden values", () => {
  const LEAKS = `
    It is 1.27 g/cm³.
    It is about 1.270 g/cm^3.
    The value is 1.27 grams per cubic centimetre.
    The value is 1.27 grams per cubic centimeter.
    It is near 1270 kg/m³.
    It is near 1,270 kg/m³.
    It is near 1 270 kg m⁻³.
    It is near 1.270,4 kg/m³.
    It is 1.27e3 kg m^-3.
    It is 1.27 × 10³ kg/m³.
    It is 1.27·10^3 kg/m^3.
    It is $1.27\\times10^{3}\\,\\mathrm{kg\\,m^{-3}}$.
    It is 1.27*10**3 kg/m3.
    It is 1.27x10^3 kg/m^3.
    It is 1,27 g/cm³.
    It is one point two seven grams per cubic centimetre.
    It is one thousand two hundred and seventy kg/m³.
    It is one thousand two hundred seventy kilograms per cubic metre.
    It comes to 1.27.
    It comes to 1270 in SI units.
    It comes to 1.2704.
    It is 1.27 t/m³.
    It is 1.27 kg/L.
    It is 0.00127 kg/cm³.
    It is １.２７ g/cm³.
    It is 𝟏.𝟐𝟕 g/cm³.
    It is ١.٢٧ g/cm³.
    It is 1.\u200b27 g/cm³.
    It is 1.27&nbsp;g/cm<sup>3</sup>.
    It is ~1.27 g cm⁻³.
    It is (1.27±0.01) g/cm³.
    Its mass is 8.68 × 10²⁵ kg.
    Its mass is 8.681e25 kilograms.
    Its mass is 8.68e28 g.
    Its mass is 8.68 × 10^22 tonnes.
    Its mass is 86.8 × 10²⁴ kg.
    Its mass is 86.81 in units of 10^24 kg.
    Its mass is 14.54 Earth masses.
    Its mass is 14.5 M⊕.
    Its radius is 25,362 km.
    Its radius is 25 362 km.
    Its radius is 25\u202f362 km.
    Its radius is 25362 kilometres.
    Its radius is 25362 kilometers.
    Its radius is 25.362 thousand km.
    Its radius is 25'362 km.
    Its radius is 25_362 km.
    Its radius is 2.5362e7 m.
    Its radius is 25.4 Mm.
    Its radius is 25,400 km.
    Its radius is 15759 miles.
    Its radius is 15,800 miles.
    Its radius is 25360 km.
    Its radius is twenty-five thousand three hundred and sixty-two kilometres.
    Its radius is 0.000169535 au.
    Its volume is 6.83 × 10¹³ km³.
    Its volume is 6.83e22 m³.
    Its volume is 68.3 trillion cubic kilometres.
    Its volume is 68,334 billion km³.
    Its temperature is -195.3 °C.
    Its temperature is −195 degrees Celsius.
    Its temperature is minus 195 °C.
    Its temperature is 77.85 K.
    Its temperature is 77.9 kelvins.
    Its year lasts 84.0 years.
    Its year lasts 30,688 days.
    Its year lasts 30687 d.
    Its year lasts 2.65e9 s.
    Its year lasts 2.65 billion seconds.`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

  it("has a list of at least sixty", () => expect(LEAKS.length).toBeGreaterThanOrEqual(60));
  it.each(LEAKS)("%s", (line) => expect(values(`${QUESTION} ${line}`).length).toBeGreaterThan(0));

  const CLEAN = `
    Use 12 moons as a check.
    It was discovered in 1781.
    There are 127 of them.
    Take 1.28 g/cm³ as the density of the mantle.
    Its neighbour has 1.64 g/cm³.
    Water has a density of 1.00 g/cm³.
    Use G = 6.6743 × 10⁻¹¹ m³ kg⁻¹ s⁻².
    Use c = 299,792,458 m/s.
    The threshold is 30.5 au, and there are three of them.
    Take an inclination of 1.27°.
    Take an albedo of 0.3.
    Something else lasts 1.27 s.
    Something else weighs 25362 g.
    Something else measures 8.681 m.
    Something is at 195.3 K.
    One of them is the one with two moons.
    Give it to three significant figures.
    The second of the two is the third.
    Use 1 au = 1.495978707 × 10¹¹ m.
    A sphere has 4π steradians.
    The mean of 2 and 4 is 3.
    It is not the first of the eight planets.
    The year is 2024 and the month is March.
    The model is called XR1270b.
    Take J2000.0 as the epoch.
    The factor is 1329 km.
    Use twelve months a year.
    Its orbit is 19.2 times as wide.
    Its radius exceeds 24,000 km.
    Its radius is above 26,000 km.
    Its mass is above 8 × 10²⁵ kg.
    Its mass is below 10²⁶ kg.
    It is 1.3 g/cm³ to two figures.
    The value is 12.7 in other units of length, 12.7 m.
    Half of 2540 is another number.
    Its temperature is below −150 °C.
    Its period is 84 d.
    The exponent is 10^3.
    See rows 11 to 14.
    Five of nine, ten of eleven.
    The mean density of 5.51 g/cm³ is that of another planet.`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

  it("has a list of at least forty", () => expect(CLEAN.length).toBeGreaterThanOrEqual(40));
  it.each(CLEAN)("%s", (line) => expect(values(`${QUESTION} ${line}`)).toEqual([]));

  it("reports a threshold that is the answer itself, and no other coincidence", () => {
    const text = "Of the planets with a density below 1.27 g/cm³, which one is it?";
    const condition = { value: 1.27, unit: "g/cm^3", condition: true };
    expect(valueLeaks(plainText(text), HIDDEN, [condition]).map((f) => f.code)).toEqual(["value_leaked"]);
    const radius = { value: 25400, unit: "km", condition: true };
    expect(
      valueLeaks("Of the planets with a radius below 25,400 km, which one is it?", HIDDEN, [radius]),
    ).toEqual([]);
    const other = { value: 1.27, unit: "au", condition: true };
    expect(
      valueLeaks("Of the planets with an axis below 1.27 au, which one is it?", HIDDEN, [other]),
    ).toEqual([]);
  });

  it("takes exact integers only as such, and excuses small ones that must be stated", () => {
    const pairs: HiddenValue = {
      label: "answer",
      value: 60,
      unit: "1",
      answer: true,
      integer: true,
      digits: 3,
    };
    expect(valueLeaks("The answer is 60.", [pairs], [])).toHaveLength(1);
    expect(valueLeaks("The answer is sixty.", [pairs], [])).toHaveLength(1);
    expect(
      valueLeaks(
        "Of the groups of order at most 60, take one.",
        [pairs],
        [{ value: 60, unit: "1", condition: true }],
      ),
    ).toEqual([]);
    expect(valueLeaks("There are 600 or 61 or 6.0.", [pairs], [])).toEqual([]);
    const many = { ...pairs, value: 5040 };
    expect(
      valueLeaks(
        "Of the groups of order at most 5,040, take one.",
        [many],
        [{ value: 5040, unit: "1", condition: true }],
      ),
    ).toHaveLength(1);
  });
});

describe("names", () => {
  const LEAKS = `
    It is Uranus.
    It is URANUS.
    It is uranus.
    It is Uranus' moon.
    It is Uranus's moon.
    It is Uranus’s moon.
    It is Uranus’ moon.
    It is Ura-nus.
    It is Ura\u00adnus.
    It is U\u200branus.
    It is U.R.A.N.U.S. today.
    It is U-r-a-n-u-s.
    It is U r a n u s.
    It is Ùránüs.
    It is Ｕｒａｎｕｓ.
    It is 𝐔𝐫𝐚𝐧𝐮𝐬.
    The Uranus-like planet.
    The sub-Uranus planet.
    It is (Uranus).
    It is "Uranus".
    It is Georgium Sidus.
    It is georgium sidus.
    It is Georgium-Sidus.
    It is GeorgiumSidus.
    It is Io.
    It orbits with io.
    It is IO.
    It is Io's planet.
    Take the Moon.
    Of these, the Moon's mass.
    THE MOON is it.
    It is arsenic.
    It is Arsenic, a metalloid.
    Its symbol is As.
    Its symbol is In, a metal.
    The metal In melts early.
    It is U-238.
    It is U238.
    It is 238U.
    It is ²³⁸U.
    It is U 238.
    It is 20000 Varuna (2000 WR106).
    It is Varuna.
    It is varuna's orbit.
    It is 2000 WR106.
    It is 2000WR106.
    It is ‘Oumuamua.
    It is Oumuamua.
    The symbol of it is K, a metal.
    It is "K".`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  it.each(LEAKS)("%s", (line) => expect(names(`${QUESTION} ${line}`).length).toBeGreaterThan(0));

  const CLEAN = `
    As of 2024, it holds.
    In 2024 it holds.
    Among these, as in all tables, it holds.
    It is in it.
    The ratio of ions in ionisation.
    The region of the moon.
    Which moon is it? Moon by moon, it holds.
    Moons of all planets.
    Uranium is not meant, nor is uranyl.
    It has uranic matter.
    A temperature below 300 K is meant.
    Between 20 and 300 K it holds.
    Give it in K.
    Give it in J K⁻¹ mol⁻¹.
    Conductivity in W m⁻¹ K⁻¹ is meant.
    It has 238 u of mass.
    The number 20000 is meant.
    The year 2000 is meant.
    The radio of studios.
    Curious axioms, ratios.
    Asymptotic ass-like inner ins and outs.
    The planets of the Solar System.
    The scenario is ionic.
    Take K = 5.2 as given.
    Arsenide is another word.
    Moonlight is another word.
    The lunar month.
    Nus is the end of a word.
    It varies in unarmed ways.
    He and I am at it, so be it.`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  it.each(CLEAN)("%s", (line) => expect(names(`${QUESTION} ${line}`)).toEqual([]));

  it("does not take a scope or formula for a name", () => {
    const sun = {
      names: ["Sol", "Jupiter"],
      aliases: [],
      allowed: ["with respect to Jupiter", "of the Solar System"],
      vocabulary: [],
    };
    expect(
      nameLeaks("The Tisserand parameter with respect to Jupiter of bodies of the Solar System", sun, "x"),
    ).toEqual([]);
    expect(
      nameLeaks("The mass of Jupiter and the Tisserand parameter with respect to Jupiter", sun, "x"),
    ).toHaveLength(1);
    expect(nameLeaks("A mass of 3.2 Jupiter masses, or 4 M_J", sun, "x")).toEqual([]);
  });

  it("knows both spellings of an element", () => {
    const metal = { names: ["aluminium", "caesium"], aliases: [], allowed: [], vocabulary: [] };
    expect(nameLeaks("It is aluminum.", metal, "x")).toHaveLength(1);
    expect(nameLeaks("It is cesium.", metal, "x")).toHaveLength(1);
  });
});

describe("names of a source that are words of the subject", () => {
  const leaks = (text: string, names: readonly string[]) =>
    sourceLeaks(plainText(text), names, [], [], ["country", "countries", "area"]);
  it("takes no part of a name that is an ordinary word", () => {
    const text = "Of all countries of the world, which has the largest area?";
    expect(leaks(text, ["mledoze/countries", "data; area"])).toEqual([]);
    expect(leaks("As mledoze/countries has it, which is the largest?", ["mledoze/countries"])).toHaveLength(
      1,
    );
    expect(leaks("Which is the largest in NASA's list?", ["NASA/JPL"])).toHaveLength(1);
  });
  it("takes a subject's own word for a name only with its capital", () => {
    expect(leaks("Of all countries, which is the largest?", ["Countries"])).toEqual([]);
    expect(leaks("Which is the largest, going by Countries?", ["Countries"])).toHaveLength(1);
  });
});

describe("sources", () => {
  const leaks = (text: string) =>
    sourceLeaks(
      plainText(text),
      ["NASA/JPL Small-Body Database", "WHO", "NIST"],
      ["ssd.jpl.nasa.gov", "nist.gov"],
      [],
    );
  it.each([
    "according to the NASA/JPL Small-Body Database",
    "according to NASA",
    "in the JPL Small-Body Database",
    "see ssd.jpl.nasa.gov",
    "see https://example.org/table",
    "see www.example.org",
    "as published by NIST",
    "at physics.nist.gov",
    "by the WHO in 2020",
  ])("%s", (text) => expect(leaks(`Take the data ${text}.`).length).toBeGreaterThan(0));
  it.each([
    "Who discovered it?",
    "the person who found it",
    "a small body",
    "the data base",
    "a nasal sound",
    "administered",
  ])("%s", (text) => expect(leaks(`Take ${text} as given.`)).toEqual([]));
});

describe("hostile texts", () => {
  const repeated = (piece: string, size: number) =>
    piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  it.each(["1 ", "1 × 10^", "a-", "one point one ", "\\times", "in "])(
    "%j repeated to 100 KB is read to its end",
    (piece) => {
      const text = repeated(piece, 100_000);
      expect(Array.isArray(values(text))).toBe(true);
      expect(Array.isArray(names(text))).toBe(true);
    },
  );
  it.each([
    "1",
    "1,",
    "1 ",
    "1 111 ",
    "1e",
    "10^",
    "1 × 10^",
    "a",
    "a-",
    "-",
    " ",
    "one ",
    "one hundred and ",
    "one point one ",
    "Ura-",
    "u.",
    "kg m ",
    "1 kg m s ",
    "per ",
    "{",
    "\\times",
    "&#",
    "<sup>",
    "^-",
    "square ",
    "1 metre per ",
    "⁰",
    "(",
    "in ",
  ])("%j repeated to 10 KB is read to its end", (piece) => {
    const text = repeated(piece, 10_000);
    expect(Array.isArray(values(text))).toBe(true);
    expect(Array.isArray(names(text))).toBe(true);
  });
});
